"""The commands of the exact solver: ``value`` and ``solve``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from kartenkniffel.solver import RankedMove, State

commands = typer.Typer()

DEFAULT_COST = 12.0
_SHOWN = 5
_ALL = "1,2,3,4,5,6,3k,4k,fh,ss,ls,kn"

OpenOption = Annotated[
    str, typer.Option("--open", help="The open fields; all of them if left out.")
]
UpperOption = Annotated[int, typer.Option(help="The upper points so far; 63 means 63 or more.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@commands.command()
def value(
    open_fields: OpenOption = _ALL,
    upper: UpperOption = 0,
    hand: Annotated[
        str, typer.Option(help="The hand at the start of the turn; none before the deal.")
    ] = "",
    turn_cost: Annotated[
        float | None,
        typer.Option(help="What each turn costs, in points; 12, or the table's, if left out."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(help="A table made by solve, to read instead of solving.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Give the exact value and the best moves of a position, for one player alone.

    The value is the most that can be expected of all points still to come, bonus or malus included,
    less penalties and the cost of all turns still to come. Exit code 2: there is no such position.
    """
    from kartenkniffel.cli import _print_json

    with refusals(as_json, needs_numba=table is None):
        from kartenkniffel.notation import format_move
        from kartenkniffel.solver import State

        state = State.read(open_fields, upper, hand)
        if table is None:
            cost = DEFAULT_COST if turn_cost is None else turn_cost
            worth, ranked = _solved(state, cost)
        else:
            cost, worth, ranked = _looked_up(table, state, turn_cost)
    moves = [(format_move(one.move), one.value) for one in ranked[:_SHOWN]]
    if as_json:
        _print_json(
            {
                "value": _rounded(worth),
                "best": moves[0][0] if moves else None,
                "moves": [{"move": move, "value": _rounded(gain)} for move, gain in moves],
            }
        )
        return
    meaning = f"points still to come, less penalties and {cost:g} for each turn"
    typer.echo(f"value {worth:.3f}: {meaning}")
    if moves:
        typer.echo(f"{'best moves':<14} {'value':>9}")
    for move, gain in moves:
        typer.echo(f"{move:<14} {gain:>9.3f}")


@commands.command()
def solve(
    out: Annotated[Path, typer.Option(help="The file to make.")],
    turn_cost: Annotated[
        float, typer.Option(help="What each turn costs, in points.")
    ] = DEFAULT_COST,
    open_fields: OpenOption = _ALL,
    upper: UpperOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Solve the whole game for one turn cost and keep all values in a file.

    Says first how much memory and disk it takes. Stopped in between, it goes on where it was when
    the same command is given again. Prints the value of the start, before the deal.
    """
    from kartenkniffel.cli import _fail, _print_json
    from kartenkniffel.cli.progress import Progress

    with refusals(as_json, needs_numba=True):
        from kartenkniffel.solver import State, Table
        from kartenkniffel.solver.build import Build, size_text

        start = State.read(open_fields, upper, "")
        build = Build(out, start, turn_cost)
        if not build.finished:
            line = f"Solving takes about {size_text(build.memory)} of memory, "
            typer.echo(f"{line}and {out.name} {size_text(build.disk)} of disk.", err=True)
            if build.pairs_done:
                share = build.pairs_done / build.pairs
                typer.echo(f"Going on where it was stopped, at {share:.0%}.", err=True)
            with Progress("Solving") as progress:
                progress.restart(build.pairs_done)
                try:
                    build.run(progress.announce, progress.tell)
                except KeyboardInterrupt:
                    _fail("Stopped; the same command goes on from here.", 130)
        with Table(out) as table:
            worth, error = table.value(start), table.head.error
    if as_json:
        _print_json(
            {
                "value": _rounded(worth),
                "error": error,
                "turn_cost": turn_cost,
                "file": str(out),
                "bytes": build.disk,
            }
        )
    else:
        typer.echo(f"value {worth:.3f} before the deal, exact to {error:.5f}; all values in {out}")


def _solved(state: State, turn_cost: float) -> tuple[float, list[RankedMove]]:
    from kartenkniffel.cli.progress import Progress
    from kartenkniffel.solver import Solution

    with Progress("Solving") as progress:
        solution = Solution(state, turn_cost, progress.announce, progress.tell)
    return solution.value(state), solution.moves(state)


def _looked_up(
    path: Path, state: State, turn_cost: float | None
) -> tuple[float, float, list[RankedMove]]:
    """Give the table's turn cost, the value and the moves."""
    from kartenkniffel.solver import Table, TableError

    with Table(path) as table:
        if turn_cost not in (None, table.head.turn_cost):
            raise TableError(
                f"{path.name} is for turn cost {table.head.turn_cost:g}, not {turn_cost:g}"
            )
        return table.head.turn_cost, table.value(state), table.moves(state)


def _rounded(number: float) -> float:
    return round(number, 6) + 0.0


@contextmanager
def refusals(as_json: bool, needs_numba: bool) -> Iterator[None]:
    """Turn what the solver refuses, or a missing extra, into one sentence and exit code 2."""
    from kartenkniffel.cli import _refuse

    def refuse(line: str) -> NoReturn:
        _refuse(line, as_json, exit=2, message=line)

    wanted = ("numpy", "numba") if needs_numba else ("numpy",)
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        refuse(
            f"The exact solver needs {' and '.join(missing)}: install them with `make solver` "
            "where the program was cloned, or with pip install 'kartenkniffel[solver]'."
        )
    from kartenkniffel.solver import StateError, TableError

    try:
        yield
    except (StateError, TableError) as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"{error.filename or 'the file'} cannot be written: {error.strerror or error}")
