"""How many compiled games are played a second; see `kartenkniffel.arena.batch`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import typer

_WARM_UP = 256
"""So many games come first: they compile, and read the table from disk."""

_SIMPLE, _TABLE, _COUNTING = 100_000, 200_000, 4_000
"""How many games are measured."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a match of two compiled players on all cores came to: games, and games a second."""

    name: str
    who: str
    games: int
    games_per_second: float


def can_compile() -> bool:
    """Tell whether the extra ``solver`` is there, which compiled games need."""
    return find_spec("numba") is not None


def check_table(table: Path) -> None:
    """Raise `TableError` for a file that is no table of the whole game."""
    from kartenkniffel.arena.batch import PlayerError
    from kartenkniffel.arena.batch.match import cost_of_whole_game
    from kartenkniffel.solver import TableError

    try:
        cost_of_whole_game(table)
    except PlayerError as error:
        raise TableError(str(error)) from None


def measure_batches(table: Path | None) -> Iterator[Measured]:
    """Measure two simple players and, where a table of the whole game is given, its players too."""
    yield _measure("batch_simple", "two simple players", ["simple", "simple"], _SIMPLE)
    if table is None:
        return
    by_table, counting = f"table:{table}", f"counting:{table}"
    yield _measure("batch_table", "two table players", [by_table, by_table], _TABLE)
    who = "a counting table player and one that does not count"
    yield _measure("batch_counting", who, [counting, by_table], _COUNTING)


def _measure(name: str, who: str, players: list[str], games: int) -> Measured:
    from kartenkniffel.arena.batch import run_batch

    run_batch(players, _WARM_UP, seed=1, announce=lambda line: typer.echo(line, err=True))
    begin = time.perf_counter()
    batch = run_batch(players, games, seed=2)
    seconds = max(time.perf_counter() - begin, 1e-9)
    return Measured(name, who, batch.games, batch.games / seconds)
