"""The two actions of a turn as values, and the list of all moves there are (R5, R6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kartenkniffel.rules.cards import Cards, multisets
from kartenkniffel.rules.fields import FIELDS, Field, HouseRules, plays

MOST_DISCARDED = 5
"""The most cards that may be discarded in one exchange (R5)."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Discard these cards, then draw this many (R5)."""

    discard: Cards
    draw: int

    @property
    def leaving(self) -> Cards:
        """The cards that leave the hand."""
        return self.discard

    @property
    def is_pass(self) -> bool:
        """Whether nothing is discarded and nothing drawn."""
        return self.draw == 0 and not self.discard


@dataclass(frozen=True, slots=True)
class Score:
    """Play these cards for this field (R6)."""

    cards: Cards
    field: Field

    @property
    def leaving(self) -> Cards:
        """The cards that leave the hand."""
        return self.cards


Move: TypeAlias = Exchange | Score

EXCHANGES: tuple[Exchange, ...] = tuple(
    Exchange(discard, len(discard) + extra)
    for size in range(MOST_DISCARDED + 1)
    for discard in multisets(size)
    for extra in (0, 1)
)
"""All 924 exchanges, by cards discarded, then drawn."""

SCORES: tuple[Score, ...] = tuple(
    Score(cards, field)
    for field in FIELDS
    for cards in plays(HouseRules(five_of_a_kind_is_full_house=True))[field]
)
"""All 239 plays, the six of the house rule among them, by field."""

MOVES: tuple[Move, ...] = (*EXCHANGES, *SCORES)
"""The canonical list of all 1,163 moves; a move's index in it is its number as an action."""
