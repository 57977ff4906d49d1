"""The commands of the exact solver: ``value`` and ``solve``."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

commands = typer.Typer()

_SHOWN = 5
DEFAULT_COST = 12.0


@commands.command()
def value(
    open_fields: Annotated[
        str, typer.Option("--open", help="The open fields, such as kn,ls; all of them if left out.")
    ] = "1,2,3,4,5,6,3k,4k,fh,ss,ls,kn",
    upper: Annotated[int, typer.Option(help="The upper points so far; 63 means 63 or more.")] = 0,
    hand: Annotated[
        str, typer.Option(help="The hand at the start of the turn; none before the deal.")
    ] = "",
    turn_cost: Annotated[
        float, typer.Option(help="What each turn costs, in points.")
    ] = DEFAULT_COST,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Give the exact value and the best moves of a position, for one player alone.

    The value is the most that can be expected of all points still to come, bonus or malus included,
    less penalties and the cost of all turns still to come.
    """
    from kartenkniffel.cli import _print_json, _refuse
    from kartenkniffel.cli.progress import Progress

    _need_extra(as_json)
    from kartenkniffel.notation import format_move
    from kartenkniffel.solver import Solution, State, StateError

    try:
        state = State.read(open_fields, upper, hand)
        with Progress("Solving") as progress:
            solution = Solution(
                state, turn_cost, announce=progress.announce, progress=progress.tell
            )
    except StateError as error:
        _refuse(str(error), as_json, exit=2, message=str(error))
    worth = solution.value(state)
    moves = [(format_move(one.move), one.value) for one in solution.moves(state)[:_SHOWN]]
    if as_json:
        _print_json(
            {
                "value": _rounded(worth),
                "best": moves[0][0] if moves else None,
                "moves": [{"move": move, "value": _rounded(gain)} for move, gain in moves],
            }
        )
        return
    typer.echo(f"value {worth:.3f}")
    for move, gain in moves:
        typer.echo(f"{move:<14} {gain:>9.3f}")


def _rounded(number: float) -> float:
    return round(number, 6) + 0.0


def _need_extra(as_json: bool) -> None:
    """Refuse in one sentence where the extra ``solver`` is not installed."""
    from kartenkniffel.cli import _refuse

    missing = [name for name in ("numpy", "numba") if find_spec(name) is None]
    if missing:
        line = (
            f"The exact solver needs {' and '.join(missing)}: install them with `make solver` "
            "where the program was cloned, or with pip install 'kartenkniffel[solver]'."
        )
        _refuse(line, as_json, exit=2, message=line)
