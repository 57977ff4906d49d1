"""The straightforward compiled solver that `bench_solver.py` measures the real one against.

One pair of open fields and upper points at a time, float32, value iteration: sweeps over all hands,
the large ones first, until none changes by more than `ENOUGH`. It is plain, not stupid: means and
best exchanges go through the lattice of hands, and pairs are spread over all cores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, prange

from kartenkniffel.rules import bonus_for
from kartenkniffel.solver.hands import FIRST, MINUS, PLUS, ROWS
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.plays import play_groups

Columns = npt.NDArray[np.float32]  # one row of 8,008 values for each pair
ENOUGH = 1e-5
_NEVER = np.float32(-1e4)
_FIRST = FIRST


@njit(parallel=True)
def solve_pairs(
    columns: Any, pairs: Any, children: Any, ranges: Any, plays: Any, steps: Any, cost: float
) -> Any:
    """Fill ``columns[pairs]``; give the sweeps it took. Groups that lead nowhere have child -1."""
    plus, minus = steps
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
        sweeps[number] = _iterate(column, played, plus, minus, np.float32(cost))
    return sweeps


@njit
def _play(played: Any, after: Any, entries: Any, plays: Any, cost: Any) -> None:
    hands, kept, points = plays
    for entry in range(entries[0], entries[1]):
        worth = np.float32(points[entry]) - cost + after[kept[entry]]
        played[hands[entry]] = max(played[hands[entry]], worth)


@njit
def _iterate(column: Any, played: Any, plus: Any, minus: Any, cost: Any) -> int:
    means = np.zeros(ROWS, np.float32)
    best = np.zeros(ROWS, np.float32)
    grown = np.full(ROWS, _NEVER, np.float32)
    sweeps = 0
    change = np.float32(1.0)
    while change > ENOUGH:
        sweeps += 1
        change = np.float32(0.0)
        for size in range(10, 4, -1):
            first, end = _FIRST[size], _FIRST[size + 1]
            lowest = _FIRST[max(0, size - 6)]
            means[first:end] = column[first:end]
            for row in range(first - 1, lowest - 1, -1):
                total = np.float32(0.0)
                for value in range(6):
                    total += means[plus[row, value]]
                means[row] = total * np.float32(1 / 6)
            best[_FIRST[size - 5] : end] = means[_FIRST[size - 5] : end]
            for row in range(_FIRST[size - 4], end):
                for value in range(6):
                    best[row] = max(best[row], best[minus[row, value]])
            for row in range(first, end):
                new = max(played[row], max(best[row], grown[row]) - cost)
                change = max(change, abs(new - column[row]))
                column[row] = new
            # What drawing up to this size is worth to hands with one card less.
            if size > 5:
                begin = _FIRST[size - 6]
                grown[begin : _FIRST[size - 5]] = means[begin : _FIRST[size - 5]]
                for row in range(_FIRST[size - 5], first):
                    grown[row] = means[row]
                    for value in range(6):
                        grown[row] = max(grown[row], grown[minus[row, value]])
    for row in range(_FIRST[5]):
        column[row] = means[row]
    return sweeps


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
        steps = (PLUS, MINUS)
        sweeps: npt.NDArray[np.int64] = solve_pairs(
            columns, pairs, children, self._ranges, self._plays, steps, self.cost
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
