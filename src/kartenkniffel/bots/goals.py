"""Goals: the cards that would fill a field, and how many of them a hand lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kartenkniffel.rules import LOWER_SIZE, VALUES, Cards, Field, HouseRules, plays

HOPED_FOR = 4
"""The value expected of a card still to be drawn that may be any."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Cards that fill a field; ``needs`` are those that matter, the others may be any."""

    field: Field
    cards: Cards
    needs: Cards
    points: int

    def missing(self, hand: Cards) -> int:
        """How many cards this hand lacks."""
        pairs = zip(self.needs.counts, hand.counts, strict=True)
        return sum(need - have for need, have in pairs if need > have)


def goals(field: Field, hand: Cards, rules: HouseRules) -> Iterator[Goal]:
    """Give the goals of a field; where only some cards matter, the others are the hand's best."""
    if field in (Field.THREE_OF_A_KIND, Field.FOUR_OF_A_KIND):
        equals = 3 if field is Field.THREE_OF_A_KIND else 4
        others = LOWER_SIZE[field] - equals
        for value in VALUES:
            needs = Cards([value] * equals)
            spare = sorted(hand - shared(needs, hand), reverse=True)[:others]
            hoped = HOPED_FOR * (others - len(spare))
            yield Goal(field, needs + Cards(spare), needs, needs.total + sum(spare) + hoped)
        return
    for cards, points in plays(rules)[field].items():
        yield Goal(field, cards, cards, points)


def shared(cards: Cards, hand: Cards) -> Cards:
    """Give those of the cards that the hand holds.

    >>> shared(Cards("2345"), Cards("33456"))
    Cards('345')
    """
    return Cards.from_counts(map(min, cards.counts, hand.counts))
