"""Reckoning over all hands: what drawing brings, and the best of playing and exchanging.

An array over hands has one number for each row (`kartenkniffel.solver.hands`) up to the largest
hand that is planned for. It may have lanes side by side as its second axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import HAND_START
from kartenkniffel.rules.moves import MOST_DISCARDED
from kartenkniffel.solver.draws import BEGIN, COUNTS, DRAWS, MOST_DRAWN, SUMS
from kartenkniffel.solver.hands import FIRST, MINUS, PLUS
from kartenkniffel.solver.plays import play_groups

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

NEVER = -1e9

_PLUS = np.ascontiguousarray(PLUS.T.astype(np.intp))
_MINUS = np.ascontiguousarray(MINUS.T.astype(np.intp))
_ORDERED = np.array([1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0])


@dataclass(frozen=True, slots=True, eq=False)
class Plays:
    """All plays of all hands of five to so many cards beside a set of open fields.

    Entry i is a play of group ``groups[i]`` (``numbers`` tells which of `play_groups`) that keeps
    ``kept[i]`` and brings ``points[i]``, penalty included. Entries of one hand follow each other;
    those of ``hands[k]`` begin at ``starts[k]``.
    """

    numbers: tuple[int, ...]
    groups: Integers
    kept: Integers
    points: Floats
    hands: Integers
    starts: Integers

    def best(self, worth: Floats, largest: int) -> Floats:
        """Give each hand the best of its plays, whose worth goes by entry."""
        best = np.full(FIRST[largest + 1], NEVER)
        best[self.hands] = np.maximum.reduceat(worth, self.starts)
        return best


@lru_cache(maxsize=256)
def plays_beside(mask: int, largest: int) -> Plays:
    """Give the plays of hands of up to so many cards for a set of open fields."""
    numbers = [n for n, group in enumerate(play_groups()) if mask >> group.field.place & 1]
    parts = []
    for place, number in enumerate(numbers):
        group = play_groups()[number]
        end = int(np.searchsorted(group.hands, FIRST[largest + 1]))
        parts.append((np.full(end, place), group.hands[:end], group.kept[:end], group.points[:end]))
    groups, hands, kept, points = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(hands, kind="stable")
    found, starts = np.unique(hands[order], return_index=True)
    return Plays(
        tuple(numbers),
        groups[order],
        kept[order].astype(np.intp),
        points[order].astype(float),
        found.astype(np.intp),
        starts,
    )


def filled_up(worth: Floats, odds: Floats, size: int, lowest: int) -> Floats:
    """Give all hands down to ``lowest`` cards the mean of what drawing makes of them.

    They are filled up to ``size`` cards, of which the array has the worth; each card is drawn with
    the same odds.
    """
    means = worth[: FIRST[size + 1]].copy()
    for cards in range(size - 1, lowest - 1, -1):
        rows = slice(FIRST[cards], FIRST[cards + 1])
        more = means[_PLUS[:, rows]]
        means[rows] = (odds @ more.reshape(6, -1)).reshape(more.shape[1:])
    return means


def best_exchanges(worth: Floats, odds: Floats, largest: int) -> Floats:
    """Give each hand the best that an exchange brings on average, passing left out."""
    best = np.full((FIRST[largest + 1], *worth.shape[1:]), NEVER)
    for target in range(HAND_START, largest + 1):
        means = filled_up(worth, odds, target, max(0, target - 1 - MOST_DISCARDED))
        same = _climbed(means, target, target - MOST_DISCARDED, False)
        rows = slice(FIRST[target], FIRST[target + 1])
        best[rows] = np.maximum(best[rows], same)
        if target > HAND_START:
            rows = slice(FIRST[target - 1], FIRST[target])
            grown = _climbed(means, target - 1, target - 1 - MOST_DISCARDED, True)
            best[rows] = np.maximum(best[rows], grown)
    return best


def _climbed(means: Floats, size: int, lowest: int, keep_all: bool) -> Floats:
    """Give each hand of a size the best of the hands it can keep."""
    best = means.copy()
    for cards in range(lowest + 1, size + 1):
        rows = slice(FIRST[cards], FIRST[cards + 1])
        smaller = best[_MINUS[:, rows]].max(axis=0)
        if cards < size or keep_all:
            np.maximum(best[rows], smaller, out=best[rows])
        else:
            best[rows] = smaller
    return best[FIRST[size] : FIRST[size + 1]]


def draw_chances(counts: Floats) -> Floats:
    """Give each multiset of up to six cards its chance, drawn without putting back.

    ``counts`` are the cards that may come, by value; they need not be whole numbers, since what is
    known of them may be a mean.
    """
    falling = np.ones((MOST_DRAWN + 1, 6))
    for drawn in range(1, MOST_DRAWN + 1):
        falling[drawn] = falling[drawn - 1] * np.maximum(counts - (drawn - 1), 0.0) / drawn
    chances = np.ones(DRAWS)
    for value in range(6):
        chances *= falling[COUNTS[:DRAWS, value], value]
    for size in range(MOST_DRAWN + 1):
        rows = slice(FIRST[size], FIRST[size + 1])
        sums = chances[rows].sum()
        if sums > 0:
            chances[rows] /= sums
        else:  # fewer cards than are drawn; none of these draws can happen
            chances[rows] = _evenly(size)
    return chances


def _evenly(size: int) -> Floats:
    rows = slice(FIRST[size], FIRST[size + 1])
    ways = _ORDERED[size] / np.prod(_ORDERED[COUNTS[rows]], axis=1)
    return np.asarray(ways / 6.0**size)


def drawn_mean(worth: Floats, kept: int, draws: int, chances: Floats) -> float:
    """Give the mean worth of what a kept hand becomes when so many cards are drawn."""
    begin = BEGIN[kept]
    rows = SUMS[begin + FIRST[draws] : begin + FIRST[draws + 1]]
    return float(chances[FIRST[draws] : FIRST[draws + 1]] @ worth[rows])
