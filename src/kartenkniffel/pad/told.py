"""What people tell of an entry, held against the rules."""

from __future__ import annotations

from dataclasses import dataclass

from kartenkniffel.pad.errors import PadError
from kartenkniffel.rules import (
    Cards,
    Field,
    HouseRules,
    LowerFieldError,
    check_hand_size,
    check_points,
    points_for,
    possible_points,
)

MOST_CARDS = 10
"""More cards than that are not even read."""


@dataclass(frozen=True, slots=True)
class Told:
    """An entry as somebody tells it: the points or the cards or both, and the hand before playing.

    Fields that always bring the same need neither.
    """

    hand: int
    points: int | None = None
    cards: str | None = None

    def checked(self, field: Field, rules: HouseRules) -> Told:
        """Give the entry with its points; raises the `RuleError` it breaks (R7 to R9).

        >>> Told(8, cards="33345").checked(Field.THREE_OF_A_KIND, HouseRules())
        Told(hand=8, points=18, cards='33345')
        """
        points, cards = self.points, self.cards
        if cards is not None:
            played = _cards(cards, field)
            points, cards = points_for(played, field, rules), str(played)
            if self.points not in (None, points):
                raise LowerFieldError(
                    "sum_differs",
                    f"the cards {cards} bring {points} on field {field}; leave the sum out",
                    field=field.value,
                    points=points,
                )
        if points is None:
            possible = possible_points(field, rules)
            if len(possible) > 1:
                raise PadError("points_missing", f"say how many points stand in field {field}")
            points = possible[0]
        check_points(points, field, rules)
        check_hand_size(self.hand)
        return Told(self.hand, points, cards)


def _cards(text: str, field: Field) -> Cards:
    try:
        if len(text) > MOST_CARDS:
            raise ValueError
        return Cards(text)
    except ValueError:
        raise LowerFieldError(
            "cards_unreadable",
            f"the cards for field {field} are digits from 1 to 6, such as 33345",
            field=field.value,
        ) from None
