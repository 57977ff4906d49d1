"""All hands up to a size as numbers, so that a bot can reckon with whole lists of hands at once.

A *layer* is a list with one figure for every hand of one size, in the order of `multisets`; a
*table* has one for every hand of all sizes, the layers one behind the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from operator import add, itemgetter
from typing import TypeAlias

from kartenkniffel.rules import (
    HAND_START,
    VALUES,
    Field,
    HouseRules,
    multisets,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED

Counts: TypeAlias = tuple[int, ...]
Layer: TypeAlias = list[float]
Picker: TypeAlias = Callable[[Sequence[float]], tuple[float, ...]]

NEVER = -1000.0
"""Worse than anything that can come of a hand."""


class Hands:
    """The hands of 0 to ``largest`` cards and how they lie to each other."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self.counts: list[Counts] = []
        """The hand of every number, as how many cards it has of each value."""
        self.starts: list[int] = []
        """The number of the first hand of each size, and behind the last size."""
        for size in range(largest + 1):
            self.starts.append(len(self.counts))
            self.counts.extend(cards.counts for cards in multisets(size))
        self.starts.append(len(self.counts))
        self.numbers = {counts: number for number, counts in enumerate(self.counts)}
        """The number of every hand."""
        self._with_one_more = [self._pickers(size, 1) for size in range(largest)]
        self._with_one_fewer = [self._pickers(size, -1) for size in range(largest + 1)]

    def _pickers(self, size: int, step: int) -> list[Picker]:
        """Give for each value what picks, for all hands of a size, those with a card more or fewer.

        Where a hand has no such card, it picks what stands behind the other size's layer.
        """
        if size + step < 0:
            return []
        start, behind = self.starts[size + step], comb(size + step + 5, 5)
        pickers = []
        for place in range(len(VALUES)):
            picked = []
            for counts in self.of_size(size):
                other = (*counts[:place], counts[place] + step, *counts[place + 1 :])
                picked.append(self.numbers[other] - start if other[place] >= 0 else behind)
            pickers.append(_picker(picked))
        return pickers

    def of_size(self, size: int) -> list[Counts]:
        """List the hands of this size."""
        return self.counts[self.starts[size] : self.starts[size + 1]]

    def place(self, counts: Counts) -> int:
        """Give where a hand stands in the layer of its size."""
        return self.numbers[counts] - self.starts[sum(counts)]

    def before_drawing(
        self, layer: Layer, size: int, most: int, odds: Sequence[float]
    ) -> list[Layer]:
        """Give what a layer is worth on average before 0, 1, … ``most`` cards are drawn.

        The n-th layer given is one of the hands smaller by n cards. ``odds`` is how likely each
        value is to be drawn; drawing does not change it here.
        """
        one, two, three, four, five, six = odds
        layers = [layer]
        for smaller in range(size - 1, size - most - 1, -1):
            picks = (pick(layers[-1]) for pick in self._with_one_more[smaller])
            layers.append(
                [
                    one * a + two * b + three * c + four * d + five * e + six * f
                    for a, b, c, d, e, f in zip(*picks, strict=True)
                ]
            )
        return layers

    def best_discard(self, size: int, kept: Sequence[Sequence[Layer]]) -> Layer:
        """Give, for the hands of this size, the most that 0 to 5 discards lead to.

        ``kept[n]`` are the layers of what may follow n discards; each has a figure for every hand
        of ``size - n`` cards.
        """
        best: Layer = []
        for discards in range(MOST_DISCARDED, -1, -1):
            layers = kept[discards]
            if best:
                best.append(NEVER)
                picks = (pick(best) for pick in self._with_one_fewer[size - discards])
                best = list(map(max, *layers, *picks))
            else:
                best = list(map(max, *layers)) if len(layers) > 1 else list(layers[0])
        return best


def _picker(places: list[int]) -> Picker:
    if len(places) == 1:
        return lambda layer: (layer[places[0]],)
    return itemgetter(*places)


@cache
def hands_up_to(largest: int) -> Hands:
    """Give the hands of 0 to so many cards; takes a moment the first time."""
    return Hands(largest)


Ways: TypeAlias = dict[int, list[tuple[int, int]]]
"""The points of a play, and the pairs of numbers (a hand, the cards left) that it goes with."""


@cache
def ways_to_play(field: Field, largest: int, rules: HouseRules) -> Ways:
    """Give all ways to fill a field from hands of five to ``largest`` cards.

    Of an upper field's plays those that hold back good cards in vain are left out: fewer than three
    cards are played only where there are no more.
    """
    hands = hands_up_to(largest)
    upper = field.number - 1 if field.is_upper else None
    ways: Ways = {}
    for cards, points in plays(rules)[field].items():
        pairs = ways.setdefault(points, [])
        smallest = max(0, HAND_START - len(cards))
        for left in range(hands.starts[smallest], hands.starts[largest - len(cards) + 1]):
            counts = hands.counts[left]
            if upper is not None and counts[upper] and len(cards) < 3:
                continue
            before = tuple(map(add, counts, cards.counts))
            pairs.append((hands.numbers[before], left))
    return ways
