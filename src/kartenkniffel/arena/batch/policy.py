"""The solver's best move for every state, as a file beside its table.

``FILE.policy`` holds for each pair, in the order of the table, the numbers of the best moves of its
7,798 hands as little-endian int16: 2.2 GB for the whole game, so that a decision is one look.
``FILE.values`` holds the values themselves with all hands of a pair side by side, for players who
weigh moves by other odds; in the table they stand far apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kartenkniffel.arena.batch.kernel import best_moves_of_set
from kartenkniffel.arena.batch.tables import HAND_ROWS, NO_MOVE, rules_tables
from kartenkniffel.rules.moves import MOVES, Score
from kartenkniffel.solver import Table
from kartenkniffel.solver.draws import COUNTS
from kartenkniffel.solver.machine import locked, usable_cores
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.plays import play_groups

_BASE = 6  # a play has at most five cards of a value


def policy_of(path: Path, progress: Callable[[int, int], None] = lambda done, all: None) -> Path:
    """Give the policy file of a table file, making it where it is missing or older."""
    made = path.with_name(path.name + ".policy")
    return _kept(path, made, lambda part: _write_policy(path, part, progress))


def values_of(path: Path, progress: Callable[[int, int], None] = lambda done, all: None) -> Path:
    """Give the values of a table file, pair by pair, making the file likewise."""
    made = path.with_name(path.name + ".values")
    return _kept(path, made, lambda part: _write_values(path, part, progress))


def _kept(source: Path, made: Path, write: Callable[[Path], None]) -> Path:
    with locked(made.with_name(made.name + ".lock"), wait=True):
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            part = made.with_name(made.name + ".part")
            write(part)
            os.replace(part, made)
    return made


def _write_values(path: Path, part: Path, progress: Callable[[int, int], None]) -> None:
    with Table(path) as table, part.open("wb") as stream:
        outline = table.head.outline()
        masks = [mask for layer in outline.layers for mask in layer]
        for number, mask in enumerate(masks, 1):
            stream.write(np.ascontiguousarray(table.columns(mask).T).data)
            progress(number, len(masks))


def _write_policy(path: Path, part: Path, progress: Callable[[int, int], None]) -> None:
    with Table(path) as table:
        outline = table.head.outline()
        masks = [mask for layer in outline.layers for mask in layer]
        starts = np.cumsum([0, *map(outline.width, masks)])
        policy = np.memmap(part, "<i2", "w+", shape=(int(starts[-1]), HAND_ROWS))
        done = 0

        def fill(place: int) -> None:
            nonlocal done
            mask = masks[place]
            policy[starts[place] : starts[place + 1]] = best_moves(table, outline, mask)
            done += 1
            progress(done, len(masks))

        with ThreadPoolExecutor(usable_cores()) as pool:
            for _ in pool.map(fill, range(len(masks))):
                pass
        policy.flush()


def best_moves(table: Table, outline: Outline, mask: int) -> npt.NDArray[np.int16]:
    """Give the numbers of the best moves: a row for each of a set's upper points, by hand."""
    own = np.ascontiguousarray(table.columns(mask).T)
    found = np.full((len(own), HAND_ROWS), NO_MOVE, np.int16)
    if not mask:
        return found
    groups = play_groups()
    numbers = [n for n, group in enumerate(groups) if mask >> group.field.place & 1]
    sets = [mask & ~(1 << groups[n].field.place) for n in numbers]
    begin: dict[int, int] = {}
    parts: list[npt.NDArray[np.float32]] = []
    for one in dict.fromkeys(sets):
        begin[one] = sum(map(len, parts))
        parts.append(table.columns(one).T)
    lanes = outline.lanes(mask)
    best_moves_of_set(
        own,
        np.ascontiguousarray(np.concatenate(parts)),
        np.array([lanes[n] + begin[one] for n, one in zip(numbers, sets, strict=True)]),
        np.cumsum([0, *(len(groups[n].hands) for n in numbers)]),
        np.concatenate([groups[n].hands for n in numbers]),
        np.concatenate([groups[n].kept for n in numbers]),
        np.concatenate([groups[n].points for n in numbers]),
        np.concatenate([_move_numbers()[n] for n in numbers]),
        rules_tables(),
        table.head.turn_cost,
        found,
    )
    return found


@cache
def _move_numbers() -> tuple[npt.NDArray[np.int16], ...]:
    """Give the number of the move of every entry of every group of plays."""
    weights = _BASE ** np.arange(6)
    numbers = np.full((12, _BASE**6), NO_MOVE, np.int16)
    for number, move in enumerate(MOVES):
        if isinstance(move, Score):
            numbers[move.field.place, weights @ np.array(move.cards.counts)] = number
    return tuple(
        numbers[group.field.place, (COUNTS[group.hands] - COUNTS[group.kept]) @ weights]
        for group in play_groups()
    )
