"""A plain solver: one pair of open fields and upper points at a time, value iteration, float64.

It lists every play, every exchange and every draw outright, and shares nothing with the solver but
the rules. How many values cards have and how large hands are can be chosen, so that brute force can
check it on small games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import NO_HOUSE_RULES, bonus_for, plays

Hand = tuple[int, ...]  # sorted values
Array = npt.NDArray[np.float64]


def multisets(values: int, size: int) -> list[Hand]:
    return list(combinations_with_replacement(range(1, values + 1), size))


def without(hand: Hand, gone: Hand) -> Hand | None:
    left = list(hand)
    for card in gone:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


@dataclass(frozen=True)
class Variant:
    """A game: how many values, hand sizes, discards, plays by field, and what is paid."""

    values: int = 6
    start: int = 5
    limit: int = 10
    most_discarded: int = 5
    plays: Mapping[str, Mapping[Hand, int]] = field(
        default_factory=lambda: {
            str(code): {tuple(cards): points for cards, points in sets.items()}
            for code, sets in plays(NO_HOUSE_RULES).items()
        }
    )
    penalty: float = 2
    bonus: Callable[[int], float] = bonus_for
    cap: int = 63


class Oracle:
    """Solves a variant for a turn cost, sets of open fields only as they are asked for."""

    def __init__(self, variant: Variant, cost: float, precision: float = 1e-9) -> None:
        self.variant, self.cost, self.precision = variant, cost, precision
        v = variant
        self.hands = [h for s in range(v.limit + 1) for h in multisets(v.values, s)]
        self.row = {hand: row for row, hand in enumerate(self.hands)}
        self.turns = [row for row, hand in enumerate(self.hands) if len(hand) >= v.start]
        # Drawing up to a size: from each kept hand the hands that can come of it, and how likely.
        self.draws: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]] = []
        place: dict[tuple[Hand, int], int] = {}
        for size in range(v.start, v.limit + 1):
            for drawn in range(min(size, v.most_discarded + 1) + 1):
                cards = multisets(v.values, drawn)
                ways = [
                    factorial(drawn) / prod(map(factorial, map(c.count, set(c)))) for c in cards
                ]
                kept = multisets(v.values, size - drawn)
                ends = [[self.row[tuple(sorted(k + c))] for c in cards] for k in kept]
                begin = sum(len(one[0]) for one in self.draws)
                place |= {(k, size): begin + i for i, k in enumerate(kept)}
                chances = np.array(ways) / v.values**drawn
                self.draws.append((np.arange(len(kept)), np.array(ends), chances))
        options = [[place[option] for option in self._exchanges(self.hands[r])] for r in self.turns]
        self.options = np.concatenate([np.array(one) for one in options])
        self.begins = np.cumsum([0, *map(len, options)])[:-1]
        self.place = place
        self.solved: dict[tuple[frozenset[str], int], Array] = {}

    def at(self, cost: float) -> Oracle:
        """Give the oracle of the same variant for another turn cost, its lists made once."""
        other = copy(self)
        other.cost, other.solved = cost, {}
        return other

    def _exchanges(self, hand: Hand) -> set[tuple[Hand, int]]:
        kept, found = {hand}, set()
        for _ in range(self.variant.most_discarded + 1):
            found |= {(k, len(hand)) for k in kept}
            if len(hand) < self.variant.limit:
                found |= {(k, len(hand) + 1) for k in kept}
            kept = {k[:i] + k[i + 1 :] for k in kept for i in range(len(k))}
        return found

    def column(self, fields: frozenset[str], upper: int) -> Array:
        """Values of all hands; those below the start size are refilled to it."""
        upper = min(upper, self.variant.cap)
        if (fields, upper) not in self.solved:
            self.solved[fields, upper] = self._solve(fields, upper)
        return self.solved[fields, upper]

    def _solve(self, fields: frozenset[str], upper: int) -> Array:
        if not fields:
            return np.full(len(self.hands), self.variant.bonus(upper))
        stop = np.array([self._best_play(self.hands[r], fields, upper) for r in self.turns])
        column = np.zeros(len(self.hands))
        column[self.turns] = np.maximum(stop, -1e4)
        change = 1.0
        while change > self.precision:
            means = self.means(column)
            best = np.maximum.reduceat(means[self.options], self.begins) - self.cost
            new = np.maximum(stop, best)
            change = float(np.abs(new - column[self.turns]).max())
            column[self.turns] = new
        means = self.means(column)
        for row, hand in enumerate(self.hands):
            if len(hand) < self.variant.start:
                column[row] = means[self.place[hand, self.variant.start]]
        return column

    def means(self, column: Array) -> Array:
        return np.concatenate([column[ends] @ chances for _, ends, chances in self.draws])

    def _best_play(self, hand: Hand, fields: frozenset[str], upper: int) -> float:
        fee = self.variant.penalty * max(0, len(hand) - self.variant.start) + self.cost
        best = -np.inf
        for code in fields:
            for cards, points in self.variant.plays[code].items():
                left = without(hand, cards)
                if left is not None:
                    more = points if code.isdigit() else 0
                    after = self.column(fields - {code}, upper + more)[self.row[left]]
                    best = max(best, points - fee + float(after))
        return best


@cache
def _of_the_game() -> Oracle:
    return Oracle(Variant(), 1)


def oracle_at(cost: float) -> Oracle:
    """Give the oracle of the game itself, whose lists take a while to make."""
    return _of_the_game().at(cost)
