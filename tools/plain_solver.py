"""The straightforward compiled solver that `bench_solver.py` measures the real one against.

One pair of open fields and upper points at a time, float32, value iteration: sweeps over all hands,
the large ones first, until none changes by more than `ENOUGH`. It is plain, not stupid: means go
through the lattice of hands, what can be kept of each hand is listed once and for all, and pairs
are spread over all cores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, prange

from kartenkniffel.rules import HAND_LIMIT, HAND_START, bonus_for
from kartenkniffel.rules.moves import MOST_DISCARDED
from kartenkniffel.solver.hands import FIRST, MINUS, PLUS, ROWS
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.plays import play_groups

Columns = npt.NDArray[np.float32]  # one row of 8,008 values for each pair
ENOUGH = 1e-5
_NEVER = np.float32(-1e4)
_FIRST = FIRST
_START, _LIMIT = HAND_START, HAND_LIMIT


@njit(parallel=True)
def solve_pairs(
    columns: Any, pairs: Any, children: Any, ranges: Any, plays: Any, steps: Any, cost: float
) -> Any:
    """Fill ``columns[pairs]``; give the sweeps it took. Groups that lead nowhere have child -1."""
    plus, begins, keeps = steps
    sweeps = np.zeros(len(pairs), np.int64)
    for number in prange(len(pairs)):
        column = columns[pairs[number]]
        played = np.full(ROWS, _NEVER, np.float32)
        for group in range(len(ranges)):
            child = children[number, group]
            if child >= 0:
                _play(played, columns[child], ranges[group], plays, np.float32(cost))
        for row in range(_FIRST[5], ROWS):
            column[row] = played[row]
        sweeps[number] = _iterate(column, played, plus, begins, keeps, np.float32(cost))
    return sweeps


@njit
def _play(played: Any, after: Any, entries: Any, plays: Any, cost: Any) -> None:
    hands, kept, points = plays
    for entry in range(entries[0], entries[1]):
        worth = np.float32(points[entry]) - cost + after[kept[entry]]
        played[hands[entry]] = max(played[hands[entry]], worth)


@njit
def _iterate(column: Any, played: Any, plus: Any, begins: Any, keeps: Any, cost: Any) -> int:
    means = np.zeros((_LIMIT + 1, ROWS), np.float32)  # by size drawn up to, and hand kept
    sweeps = 0
    change = np.float32(1.0)
    while change > ENOUGH:
        sweeps += 1
        change = np.float32(0.0)
        for size in range(_LIMIT, _START - 1, -1):
            first, end = _FIRST[size], _FIRST[size + 1]
            own = means[size]
            larger = means[min(size + 1, _LIMIT)]
            own[first:end] = column[first:end]
            _fill(own, first, _FIRST[max(0, size - 6)], plus)
            for row in range(first, end):
                best = _NEVER
                for place in range(begins[row], begins[row + 1]):
                    kept = keeps[place]
                    best = max(best, max(own[kept], larger[kept]))
                new = max(played[row], best - cost)
                change = max(change, abs(new - column[row]))
                column[row] = new
    for row in range(_FIRST[_START]):
        column[row] = means[_START, row]
    return sweeps


@njit
def _fill(means: Any, first: int, lowest: int, plus: Any) -> None:
    for row in range(first - 1, lowest - 1, -1):
        total = np.float32(0.0)
        for value in range(6):
            total += means[plus[row, value]]
        means[row] = total * np.float32(1 / 6)


def _all_keeps() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    """List what can stay of each hand; row r has ``keeps[begins[r]:begins[r+1]]``."""
    keeps: list[list[int]] = []
    for row in range(ROWS):
        stage = {row}
        found = {row}
        for _ in range(MOST_DISCARDED if row >= FIRST[HAND_START] else 0):
            stage = {int(less) for one in stage for less in MINUS[one]}
            found |= stage
        keeps.append(sorted(found))
    begins = np.cumsum([0, *map(len, keeps)]).astype(np.int32)
    return begins, np.concatenate(keeps).astype(np.int16)


class PlainSolver:
    """The pairs of an outline, numbered layer by layer, and what leads from one to the next."""

    def __init__(self, outline: Outline, cost: float) -> None:
        self.outline, self.cost = outline, cost
        self.pairs = [
            (mask, column)
            for layer in outline.layers
            for mask in layer
            for column in range(outline.width(mask))
        ]
        self.number = {pair: number for number, pair in enumerate(self.pairs)}
        self._steps = (PLUS, *_all_keeps())
        groups = play_groups()
        ends = np.cumsum([0, *(len(group.hands) for group in groups)])
        self._ranges = np.stack([ends[:-1], ends[1:]], axis=1)
        self._plays = tuple(
            np.concatenate([getattr(group, name) for group in groups])
            for name in ("hands", "kept", "points")
        )

    def children(self, mask: int, column: int) -> list[tuple[int, int] | None]:
        """For each group of plays, the pair it leads to."""
        lanes = self.outline.lanes(mask)
        return [
            (mask & ~(1 << group.field.place), int(lanes[number, column]))
            if mask >> group.field.place & 1
            else None
            for number, group in enumerate(play_groups())
        ]

    def run(self, columns: Columns, pairs: Any, children: Any) -> npt.NDArray[np.int64]:
        """Solve some pairs whose children are solved."""
        sweeps: npt.NDArray[np.int64] = solve_pairs(
            columns, pairs, children, self._ranges, self._plays, self._steps, self.cost
        )
        return sweeps

    def solve(self) -> Columns:
        """Solve everything; a table of 4.4 GB for the whole game."""
        columns = np.empty((len(self.pairs), ROWS), np.float32)
        for layer in self.outline.layers:
            own = [self.number[mask, c] for mask in layer for c in range(self.outline.width(mask))]
            if layer == (0,):
                ends = [bonus_for(int(upper)) for upper in self.outline.uppers(0)]
                columns[own] = np.array(ends, np.float32)[:, None]
                continue
            children = np.array(
                [
                    [-1 if pair is None else self.number[pair] for pair in self.children(*one)]
                    for one in (self.pairs[number] for number in own)
                ]
            )
            self.run(columns, np.array(own), children)
        return columns
