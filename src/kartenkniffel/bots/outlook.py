"""What open fields and cards kept are worth, by formulas whose numbers were fitted.

The measure is the points still to come, bonus and malus included and penalties taken off, when
every turn costs `TURN_PRICE` points and nothing but the own sheet matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, log, sqrt
from typing import TypeAlias

from kartenkniffel.bots.hands import Counts, Layer, hands_up_to
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    LOWER_FIELDS,
    MALUS,
    MALUS_BELOW,
    UPPER_FIELDS,
    VALUES,
    Field,
    bonus_for,
)

TURN_PRICE = 12.0
"""What a turn costs in points: at this price play is strongest against others who pay any."""

OpenFields: TypeAlias = tuple[Field, ...]


@dataclass(frozen=True)
class Outlook:
    """The formulas with their numbers; tuples go by field, by value or by number of cards.

    ``base`` to ``lower_help`` say what is to come from cards still to be drawn. Open fields add up,
    a little more for each the more there are. Bonus and malus come as likely as the sum of the
    upper fields is to get there, which is foreseen with a spread.

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
    equals: tuple[float, ...]
    spread: tuple[float, ...]
    malus_spread: float
    bonus_shift: float
    malus_shift: float
    lower_help: float
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
        return worth + self._bonus_ahead(open_fields, upper)

    def _bonus_ahead(self, open_fields: OpenFields, upper: int) -> float:
        values = [field.number for field in open_fields if field.is_upper]
        if not values:
            return bonus_for(upper)
        expected = upper + self.lower_help * (len(open_fields) - len(values))
        expected += sum(value * self.equals[value - 1] for value in values)
        spread = 0.01 + sqrt(sum((value * self.spread[value - 1]) ** 2 for value in values))
        over = (expected - BONUS_FROM + 0.5 + self.bonus_shift) / spread
        under = (MALUS_BELOW - 0.5 - expected - self.malus_shift) / (spread * self.malus_spread)
        return BONUS * _likely(over) + MALUS * _likely(under)

    def cards(self, open_fields: OpenFields, largest: int) -> Layer:
        """Give what keeping cards adds for these open fields: a table of up to so many cards."""
        return _cards(self, open_fields, largest)

    @cached_property
    def promises(self) -> dict[Field, tuple[float, ...]]:
        """What 0, 1, 2, … of the cards a field needs add to its mass, as an exponent."""
        promises = {}
        for field, value in zip(UPPER_FIELDS, VALUES, strict=True):
            pairs = zip(self.upper_start, self.upper_slope, strict=True)
            promises[field] = (0.0, *(start + slope * (value - 3.5) for start, slope in pairs))
        starts = (
            self.three_start,
            self.four_start,
            self.full_start,
            self.small_start,
            self.large_start,
            self.kniffel_start,
        )
        for field, start in zip(LOWER_FIELDS, starts, strict=True):
            promises[field] = (0.0, *start)
        return promises

    def __hash__(self) -> int:
        return id(self)


@lru_cache(maxsize=64)
def _masses(outlook: Outlook, field: Field, largest: int) -> Layer:
    """Give a field's mass for every hand."""
    promise, ease = outlook.promises[field], outlook.ease[field.place]
    masses = [exp(ease + grown / outlook.softness) for grown in promise]
    return [masses[held(field, counts)] for counts in hands_up_to(largest).counts]


@lru_cache(maxsize=256)
def _cards(outlook: Outlook, open_fields: OpenFields, largest: int) -> Layer:
    softness = outlook.softness
    masses = [_masses(outlook, field, largest) for field in open_fields]
    empty = sum(mass[0] for mass in masses)
    table = []
    for counts, mass in zip(
        hands_up_to(largest).counts, map(sum, zip(*masses, strict=True)), strict=True
    ):
        size = sum(counts)
        burden = outlook.burden[min(size, len(outlook.burden)) - 1] if size else 0.0
        table.append(softness * log(mass / empty) + burden)
    return table


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


def _likely(distance: float) -> float:
    """Give a likelihood that grows from 0 to 1 as a distance does from far below 0 to far above."""
    return 1 / (1 + exp(-max(-50.0, min(50.0, distance))))
