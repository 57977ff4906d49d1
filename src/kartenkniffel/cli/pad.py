"""The commands of the score pad: ``pad print``."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kartenkniffel.cli.shown import shown_file

if TYPE_CHECKING:
    from kartenkniffel.pad.printing import FinishedGame

# The names are written out here, so that other commands need not load what prints.
PaperName = StrEnum("PaperName", {"A4": "a4", "A5": "a5", "LARGE": "large"})
Language = StrEnum("Language", {"DE": "de", "RO": "ro", "EN": "en"})

STANDARD_OUTPUT = "-"

commands = typer.Typer(
    name="pad", help="For people who play with the real cards.", no_args_is_help=True
)


@commands.callback()
def _pad() -> None:
    """For people who play with the real cards."""


@commands.command("print")
def print_sheets(
    out: Annotated[str, typer.Option(help="The PDF to make; - writes to standard output.")],
    paper: Annotated[
        PaperName,
        typer.Option(help="a4: several sheets a page; a5: one; large: one in large print on A4."),
    ] = PaperName.A4,
    players: Annotated[
        int | None,
        typer.Option(
            help="How many play, 1 to 10; as many as are named, or 4.", show_default=False
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A player's name; once for each.", show_default=False),
    ] = None,
    language: Annotated[Language, typer.Option(help="The language of the sheets.")] = Language.DE,
    pages: Annotated[
        int | None,
        typer.Option(help="How many pages; as many as one game takes.", show_default=False),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="One block with a column for each player.")
    ] = False,
    record: Annotated[
        str | None,
        typer.Option(
            help="Print the finished game of this record instead; - reads standard input.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Make score sheets to print, as PDF: a sheet for each player, or a finished game.

    Exit code 1: it cannot be printed as asked, the game is not over, or its record breaks a rule;
    2: an option is wrong, or a file cannot be read or written; 3: standard output cannot be
    written.
    """
    from kartenkniffel.pad.printing import Paper, PrintError, blank_pdf, finished_pdf
    from kartenkniffel.rules import RuleError

    names = name or []
    _check_place(out, force)
    try:
        if record is None:
            pdf = blank_pdf(
                players if players is not None else len(names) or 4,
                names=names,
                paper=Paper(paper),
                language=language,
                pages=pages,
                together=together,
            )
        elif players is not None or names or pages is not None or together:
            _fail("a finished game has its own players and pages: leave those options out")
        else:
            pdf = finished_pdf(_finished(record), paper=Paper(paper), language=language)
    except PrintError as error:
        _fail(str(error))
    except RuleError as error:
        _fail(error.message)
    _write(pdf, out, force)


def _fail(message: str, code: int = 1) -> NoReturn:
    from kartenkniffel.cli import _fail

    _fail(message, code)


def _finished(file: str) -> FinishedGame:
    """Read the record of a game that is over."""
    from kartenkniffel.cli import _read
    from kartenkniffel.notation import UnreadableError, load_record
    from kartenkniffel.pad.printing import FinishedGame
    from kartenkniffel.rules import ReplayError

    try:
        record = load_record(_read(file))
        game = record.replay()
    except UnreadableError as error:
        _fail(str(error), 2)
    except ReplayError as error:
        _fail(str(error))
    if record.forfeit:
        _fail(f"the game was given up in round {game.round}; only finished games are printed")
    if game.to_move is not None:
        _fail(f"the game is still in round {game.round}; only finished games are printed")
    return FinishedGame.of(game.names, game.sheets)


def _check_place(out: str, force: bool) -> None:
    """Refuse before any work what could not be written, or would be lost."""
    if out == STANDARD_OUTPUT:
        if sys.stdout is None:
            _fail("standard output is closed", 2)
        if sys.stdout.isatty():
            _fail("a PDF does not belong on a terminal: give --out the name of a file")
    elif not out or Path(out).is_dir():
        _fail("--out needs the name of a file, not of a folder")
    elif not force and os.path.lexists(out):
        _fail(f"{shown_file(out)} exists already; --force replaces it")


def _write(pdf: bytes, out: str, force: bool) -> None:
    if out == STANDARD_OUTPUT:
        sys.stdout.buffer.write(pdf)
        sys.stdout.buffer.flush()
        return
    try:
        with Path(out).open("wb" if force else "xb") as stream:
            stream.write(pdf)
    except FileExistsError:
        _fail(f"{shown_file(out)} exists already; --force replaces it")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not one a file can have"
        _fail(f"{shown_file(out)} cannot be written: {reason}", 2)
