"""The commands; the only place where everything is put together. Imports are lazy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from kartenkniffel.cli.pad import commands as pad_commands
from kartenkniffel.cli.shown import shown_file
from kartenkniffel.cli.solver import commands as solver_commands
from kartenkniffel.cli.solver import refusals

app = typer.Typer(
    name="kartenkniffel",
    help="Karten-Kniffel: play it in the browser, replay records, measure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

DEFAULT_PORT = 8126

app.add_typer(solver_commands)
app.add_typer(pad_commands)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def main() -> None:
    """Run the command line; the entry point of the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except OSError as error:
        # The reader went away (`| head`), or there is no room for what is written. Point the
        # stream elsewhere, so that the exit stays quiet.
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"the output cannot be written: {error.strerror}", err=True)
        sys.stdout = None
        code = 3
    except Exception as error:
        code = _told_usage(error)
    raise SystemExit(code or 0)


def _show_version(wanted: bool) -> None:
    if wanted:
        from kartenkniffel import __version__

        typer.echo(__version__)
        raise typer.Exit


def _told_usage(error: Exception) -> int:
    """Say in one sentence what is wrong with the words of a command, and give the exit code."""
    if not hasattr(error, "format_message") or not hasattr(error, "exit_code"):
        raise error
    sentence = error.format_message().strip()
    if "\n" not in sentence:  # else it is the help, shown where no command is given
        sentence += " (--help tells more)"
    typer.echo(sentence, err=True)
    return int(error.exit_code)


@app.callback()
def _commands(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def _fail(message: str, code: int = 1) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=1))


@app.command()
def play(
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Let phones in this network play; shows a QR code."),
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.")
    ] = True,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder games are kept in, instead of the user's data folder.",
            show_default=False,
            readable=False,
        ),
    ] = None,
    pause: Annotated[
        float, typer.Option(help="Seconds a bot waits before it moves.", min=0, max=60)
    ] = 1.0,
    keep_days: Annotated[
        float | None,
        typer.Option(help="Clear finished games after so many days; else they stay.", min=0.01),
    ] = None,
) -> None:
    """Start the web game on this machine and open the browser."""
    from kartenkniffel.web.server import ServerError, serve

    _check_folder(data)
    try:
        serve(
            host=host,
            port=port,
            data=data,
            open_browser=browser,
            pause=pause,
            lan=lan,
            keep_days=keep_days,
        )
    except ServerError as error:
        _fail(str(error))


@app.command()
def serve(
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder games are kept in, instead of the user's data folder.",
            show_default=False,
            readable=False,
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(help="The address that people use, such as https://kniffel.example."),
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Believe X-Forwarded-* of a proxy here.")
    ] = False,
    keep_days: Annotated[
        float | None,
        typer.Option(help="Clear finished games after so many days; else they stay.", min=0.01),
    ] = None,
    pause: Annotated[
        float, typer.Option(help="Seconds a bot waits before it moves.", min=0, max=60)
    ] = 1.0,
) -> None:
    """Serve the game to people in different places, each on a device of their own."""
    from kartenkniffel.web.server import ServerError
    from kartenkniffel.web.server import serve as run

    _check_folder(data)
    if public_url is not None and not public_url.startswith(("http://", "https://")):
        _fail("--public-url begins with http:// or https://")
    try:
        run(
            host=host,
            port=port,
            data=data,
            open_browser=False,
            pause=pause,
            home=False,
            public=public_url and public_url.rstrip("/") + "/",
            behind_proxy=behind_proxy,
            keep_days=keep_days,
        )
    except ServerError as error:
        _fail(str(error))


@app.command()
def clear(
    older_than_days: Annotated[
        float, typer.Option(help="Clear what has not changed for so many days.", min=0)
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder games are kept in, instead of the user's data folder.",
            show_default=False,
            readable=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Delete old finished games, and tables that were never started; running games stay."""
    from kartenkniffel.web.server import ServerError
    from kartenkniffel.web.server import clear as clear_old

    _check_folder(data)
    try:
        count = clear_old(data, older_than_days)
    except ServerError as error:
        _fail(str(error))
    if as_json:
        _print_json({"cleared": count})
    else:
        typer.echo(f"{count} {'table' if count == 1 else 'tables'} cleared")


def _check_folder(data: Path | None) -> None:
    if data is not None and not str(data).strip("."):
        _fail("--data needs the name of a folder")


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="A game record; - reads standard input.")],
    as_json: JsonOption = False,
) -> None:
    """Replay a game record and print the result.

    Exit code 1: the record breaks a rule; 2: it cannot be read.
    """
    from kartenkniffel.notation import UnreadableError, load_record, result_to_json
    from kartenkniffel.rules import ReplayError

    try:
        record = load_record(_read(file))
        game = record.replay()
    except UnreadableError as error:
        _refuse(str(error), as_json, exit=2, move=error.move, message=error.message)
    except ReplayError as error:
        rule = error.error
        _refuse(
            str(error), as_json, exit=1, move=error.move, clause=rule.clause, message=rule.message
        )
    if as_json:
        result = result_to_json(game)
        if record.forfeit:
            result["forfeit"] = {"seat": record.forfeit.seat, "reason": record.forfeit.reason}
        _print_json(result)
    else:
        from kartenkniffel.cli.result_text import result_text

        typer.echo(result_text(game, record.forfeit))


def _refuse(line: str, as_json: bool, **fields: Any) -> NoReturn:
    if as_json:
        _print_json({key: value for key, value in fields.items() if value is not None})
    _fail(line, fields["exit"])


def _read(file: str) -> bytes:
    """Read a file, but not far past the largest record."""
    from kartenkniffel.notation import MOST_BYTES

    try:
        if file == "-":
            if sys.stdin is None:
                _fail("standard input is closed", 2)
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with open(file, "rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not one a file can have"
        _fail(f"{shown_file(file)} cannot be read: {reason}", 2)


@app.command()
def bench(
    table: Annotated[
        Path | None,
        typer.Option(help="A table of the whole game made by solve: measure its players too."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure the project's own speed on this machine."""
    from kartenkniffel.cli.bench import figures
    from kartenkniffel.cli.bench_batch import can_compile, check_table

    if table:
        with refusals(as_json, needs_numba=True):
            check_table(table)
    elif not can_compile():
        typer.echo("compiled games are left out; they need `make solver`", err=True)
    rows = []
    for row in figures(table):
        rows.append(row)
        if not as_json:
            typer.echo(row.text())
    if as_json:
        _print_json({row.name: row.to_json() for row in rows})


@app.command()
def arena(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="A level (easy, medium, ...), 'cmd:PROGRAM ARGS', or a table player, table:FILE "
            "or counting:FILE; one to ten.",
        ),
    ],
    games: Annotated[int, typer.Option(help="How many games, rounded up to whole deals.", min=1)],
    seed: Annotated[int, typer.Option(help="What all shuffles and choices come from.")] = 1,
    workers: Annotated[
        int | None, typer.Option(help="Processes; one to a core unless told.", min=1)
    ] = None,
    seconds_per_move: Annotated[
        float, typer.Option(help="How long an outside bot may think.", min=0.01, max=3600)
    ] = 10.0,
    records: Annotated[
        Path | None, typer.Option(help="A folder to write each game's record to.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the Dask cluster with this scheduler."),
    ] = None,
    pool: Annotated[
        int | None,
        typer.Option(
            metavar="PLAYERS",
            help="Let every choice of so many bots play the games, and rate them all.",
            min=2,
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the match as SVG.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play bots against each other: common deals, seats rotated, 95 % intervals."""
    from kartenkniffel.arena import ArenaError, ratings_text, run_command, run_pool_command

    if pool and (plot or records):
        _fail("--pool rates only; it draws nothing and keeps no records")

    try:
        with typer.progressbar(
            length=games, label="games", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar:

            def progress(done: int, all_games: int) -> None:
                bar.length = all_games
                bar.update(done - bar.pos)

            if pool:
                ratings = run_pool_command(
                    bots,
                    games,
                    seed,
                    players=pool,
                    workers=workers,
                    dask=dask,
                    seconds_per_move=seconds_per_move,
                    progress=progress,
                )
                if as_json:
                    _print_json([rating.to_json() for rating in ratings])
                else:
                    typer.echo(ratings_text(ratings))
                return
            report = run_command(
                bots,
                games,
                seed,
                workers=workers,
                dask=dask,
                seconds_per_move=seconds_per_move,
                records=records,
                progress=progress,
            )
        if plot:
            from kartenkniffel.arena.plot import plot as draw

            draw(report, plot)
    except ArenaError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _fail("interrupted; nothing is reported", 130)
    if as_json:
        _print_json(report.to_json())
    else:
        typer.echo(report.text())
