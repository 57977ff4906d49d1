"""What open fields and cards kept are worth, by formulas whose numbers were fitted.

The measure is the points still to come, bonus and malus included and penalties taken off, when
every turn costs `TURN_PRICE` points and nothing but the own sheet matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, log
from typing import TypeAlias

from kartenkniffel.bots.hands import Counts, Layer, hands_up_to
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    FIELDS,
    MALUS_BELOW,
    VALUES,
    Field,
    bonus_for,
)
from kartenkniffel.rules.fields import MOST_PLAYED

TURN_PRICE = 12.0
"""What a turn costs in points: at this price play is strongest against others who pay any."""

OpenFields: TypeAlias = tuple[Field, ...]


@dataclass(frozen=True, eq=False)
class Outlook:
    """The formulas with their numbers; tuples go by field, by value or by number of cards.

    ``base`` to ``malus_price`` say what is to come from cards still to be drawn. Open fields add
    up, a little more for each the more there are. For bonus and malus the open upper fields are
    filled one after the other with about the ``usual`` number of equal cards, give or take the
    ``spread``; the last one must bring what is missing then, at a price that grows with the number
    of cards that takes: of one card, two, … five, or when no longer possible.

    ``softness`` to ``burden`` say what cards in hand add. Every open field has some mass, which
    grows exponentially with the cards it needs that are in hand; how much the sum of the masses
    grows is what the cards are worth, on a logarithmic scale. So the most promising field counts
    most, but others count too, and all the less the more fields are open anyway.
    """

    base: float
    square: float
    cube: float
    field: tuple[float, ...]
    crowd: tuple[float, ...]
    usual: tuple[float, ...]
    spread: float
    bonus_price: tuple[float, ...]
    malus_price: tuple[float, ...]
    softness: float
    ease: tuple[float, ...]
    upper_start: tuple[float, ...]
    upper_slope: tuple[float, ...]
    three_start: tuple[float, ...]
    four_start: tuple[float, ...]
    full_start: tuple[float, ...]
    small_start: tuple[float, ...]
    large_start: tuple[float, ...]
    kniffel_start: tuple[float, ...]
    burden: tuple[float, ...]

    def ahead(self, open_fields: OpenFields, upper: int) -> float:
        """Give what is to come for these open fields and upper points, the cards not yet drawn."""
        if not open_fields:
            return bonus_for(upper)
        number = len(open_fields)
        worth = self.base + self.square * number**2 + self.cube * number**3
        for field in open_fields:
            worth += self.field[field.place] + self.crowd[field.place] * number
        values = tuple(field.number for field in open_fields if field.is_upper)
        return worth + self._bonus_ahead(values)[min(upper, BONUS_FROM)]

    def _bonus_ahead(self, values: tuple[int, ...]) -> Layer:
        """Give bonus or malus to come when these upper fields are open, by upper points so far."""
        known = self._bonuses.get(values)
        if known is not None:
            return known
        if len(values) == 1:
            table = [
                BONUS
                - self.bonus_price[_cards_to(BONUS_FROM - upper, *values) - 1]
                - self.malus_price[_cards_to(MALUS_BELOW - upper, *values) - 1]
                for upper in range(BONUS_FROM + 1)
            ]
        else:
            table = list(map(max, *(self._after_one(value, values) for value in values)))
        self._bonuses[values] = table
        return table

    def _after_one(self, value: int, values: tuple[int, ...]) -> Layer:
        """Give the same when the field of this value is the next to be filled."""
        later = self._bonus_ahead(tuple(other for other in values if other != value))
        off = [equals - self.usual[value - 1] for equals in range(1, MOST_PLAYED + 1)]
        chances = [exp(-((by / self.spread) ** 2) / 2) for by in off]
        return [
            sum(
                chance * later[min(BONUS_FROM, upper + equals * value)]
                for equals, chance in enumerate(chances, 1)
            )
            / sum(chances)
            for upper in range(BONUS_FROM + 1)
        ]

    @cached_property
    def _bonuses(self) -> dict[tuple[int, ...], Layer]:
        return {(): [float(bonus_for(upper)) for upper in range(BONUS_FROM + 1)]}

    def cards(self, open_fields: OpenFields, largest: int) -> Layer:
        """Give what keeping cards adds for these open fields: a table of up to so many cards."""
        return _cards(self, open_fields, largest)

    def keeping(self, size: int) -> float:
        """Give what it adds to keep so many cards, whichever they are."""
        return self.burden[min(size, len(self.burden)) - 1] if size else 0.0

    @cached_property
    def masses(self) -> dict[Field, tuple[float, ...]]:
        """The mass of a field when 0, 1, 2, … of the cards it needs are in hand."""
        upper = [
            tuple(
                start + slope * (value - 3.5)
                for start, slope in zip(self.upper_start, self.upper_slope, strict=True)
            )
            for value in VALUES
        ]
        lower = (
            self.three_start,
            self.four_start,
            self.full_start,
            self.small_start,
            self.large_start,
            self.kniffel_start,
        )
        return {
            field: tuple(exp(ease + grown / self.softness) for grown in (0.0, *start))
            for field, ease, start in zip(FIELDS, self.ease, (*upper, *lower), strict=True)
        }


def _cards_to(points: int, value: int) -> int:
    """Give how many cards of a value bring these points, at least one and at most six."""
    return max(1, min(MOST_PLAYED + 1, -(-points // value)))


@lru_cache(maxsize=64)
def _mass(outlook: Outlook, field: Field, largest: int) -> Layer:
    """Give a field's mass for every hand."""
    masses = outlook.masses[field]
    return [masses[held(field, counts)] for counts in hands_up_to(largest).counts]


@lru_cache(maxsize=256)
def _cards(outlook: Outlook, open_fields: OpenFields, largest: int) -> Layer:
    masses = [_mass(outlook, field, largest) for field in open_fields]
    empty = sum(mass[0] for mass in masses)
    keeping = [outlook.keeping(size) for size in range(largest + 1)]
    return [
        outlook.softness * log(mass / empty) + keeping[sum(counts)]
        for counts, mass in zip(
            hands_up_to(largest).counts, map(sum, zip(*masses, strict=True)), strict=True
        )
    ]


def held(field: Field, counts: Counts) -> int:
    """Give how many of the cards a field needs are among these, for the goal that is nearest.

    >>> held(Field.SMALL_STRAIGHT, (0, 1, 2, 0, 1, 0))
    3
    """
    match field:
        case Field.THREE_OF_A_KIND:
            return min(3, max(counts))
        case Field.FOUR_OF_A_KIND:
            return min(4, max(counts))
        case Field.FULL_HOUSE:
            *_, second, first = sorted(counts)
            return min(3, first) + min(2, second)
        case Field.SMALL_STRAIGHT:
            return max(sum(map(bool, counts[low : low + 4])) for low in range(3))
        case Field.LARGE_STRAIGHT:
            return max(sum(map(bool, counts[low : low + 5])) for low in range(2))
        case Field.KNIFFEL:
            return min(5, max(counts))
        case _:
            return min(5, counts[field.number - 1])
