"""The twelve fields, the cards that fill them and the points they bring (R8, R9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from kartenkniffel.rules.cards import VALUES, Cards, multisets, shown
from kartenkniffel.rules.errors import LowerFieldError, UpperFieldError


class Field(StrEnum):
    """A field of the sheet; its text is its code.

    >>> Field("3k") is Field.THREE_OF_A_KIND
    True
    """

    ONES = "1"
    TWOS = "2"
    THREES = "3"
    FOURS = "4"
    FIVES = "5"
    SIXES = "6"
    THREE_OF_A_KIND = "3k"
    FOUR_OF_A_KIND = "4k"
    FULL_HOUSE = "fh"
    SMALL_STRAIGHT = "ss"
    LARGE_STRAIGHT = "ls"
    KNIFFEL = "kn"

    @property
    def is_upper(self) -> bool:
        """Whether this is one of the fields 1 to 6 (R8)."""
        return self in _UPPER

    @property
    def number(self) -> int:
        """The card value an upper field collects, 1 to 6; 0 for a lower field."""
        return _NUMBERS[self]

    @property
    def place(self) -> int:
        """Where the field stands on the sheet, 0 to 11 from the top."""
        return _PLACES[self]


FIELDS = tuple(Field)
"""All twelve fields in the order of the sheet."""

UPPER_FIELDS = FIELDS[:6]
LOWER_FIELDS = FIELDS[6:]
_UPPER = frozenset(UPPER_FIELDS)
_PLACES = {field: place for place, field in enumerate(FIELDS)}
_NUMBERS = {field: place + 1 if place < 6 else 0 for field, place in _PLACES.items()}

LOWER_SIZE = {field: 4 if field is Field.SMALL_STRAIGHT else 5 for field in LOWER_FIELDS}
"""How many cards each lower field takes, exactly (R9)."""

MOST_PLAYED = 5
"""The most cards that may be played for one field (R6)."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules of a game; each is off unless switched on.

    ``five_of_a_kind_is_full_house``: five equal cards may be played as a full house (R9).
    """

    five_of_a_kind_is_full_house: bool = False


NO_HOUSE_RULES = HouseRules()
"""The game as the box has it."""


def _lower_points(cards: Cards, field: Field, rules: HouseRules) -> int | None:
    """Give the points of five cards (four for the small straight) on a lower field, by R9."""
    groups = sorted(cards.counts, reverse=True)
    match field:
        case Field.THREE_OF_A_KIND:
            return cards.total if groups[0] >= 3 else None
        case Field.FOUR_OF_A_KIND:
            return cards.total if groups[0] >= 4 else None
        case Field.FULL_HOUSE:
            equal = groups[0] == 5 and rules.five_of_a_kind_is_full_house
            return 25 if groups[:2] == [3, 2] or equal else None
        case Field.SMALL_STRAIGHT:
            return 30 if str(cards) in ("1234", "2345", "3456") else None
        case Field.LARGE_STRAIGHT:
            return 40 if str(cards) in ("12345", "23456") else None
        case _:
            return 50 if groups[0] == 5 else None


def _plays(rules: HouseRules) -> dict[Field, dict[Cards, int]]:
    plays: dict[Field, dict[Cards, int]] = {}
    for field, value in zip(UPPER_FIELDS, VALUES, strict=True):
        plays[field] = {Cards([value] * n): value * n for n in range(1, MOST_PLAYED + 1)}
    for field in LOWER_FIELDS:
        scored = ((c, _lower_points(c, field, rules)) for c in multisets(LOWER_SIZE[field]))
        plays[field] = {cards: points for cards, points in scored if points is not None}
    return plays


_PLAYS = {
    rules: MappingProxyType(
        {field: MappingProxyType(found) for field, found in _plays(rules).items()}
    )
    for rules in (HouseRules(False), HouseRules(True))
}


def plays(rules: HouseRules) -> Mapping[Field, Mapping[Cards, int]]:
    """Give, for each field, every set of cards that fills it and the points it brings (R8, R9).

    >>> dict(plays(HouseRules())[Field.SMALL_STRAIGHT])
    {Cards('1234'): 30, Cards('2345'): 30, Cards('3456'): 30}
    """
    return _PLAYS[rules]


def points_for(cards: Cards, field: Field, rules: HouseRules) -> int:
    """Give the points that these cards bring on this field.

    Raises `UpperFieldError` (R8) or `LowerFieldError` (R9) where the cards do not fit.

    >>> points_for(Cards("33345"), Field.THREE_OF_A_KIND, HouseRules())
    18
    """
    points = _PLAYS[rules][field].get(cards)
    if points is None:
        raise _misfit(cards, field, rules)
    return points


def possible_points(field: Field, rules: HouseRules) -> tuple[int, ...]:
    """List the points that cards can bring on this field, ascending (R8, R9).

    >>> possible_points(Field.SIXES, HouseRules())
    (6, 12, 18, 24, 30)
    >>> possible_points(Field.KNIFFEL, HouseRules())
    (50,)
    """
    return tuple(sorted(set(_PLAYS[rules][field].values())))


def check_points(points: int, field: Field, rules: HouseRules) -> None:
    """Raise `UpperFieldError` (R8) or `LowerFieldError` (R9) where no cards bring these points."""
    possible = possible_points(field, rules)
    if points in possible:
        return
    first, *others = possible
    span = f"only {first}" if not others else f"{first} to {others[-1]}"
    if field.is_upper:
        span = ", ".join(map(str, possible))
    kind = UpperFieldError if field.is_upper else LowerFieldError
    # A number of any length may have been sent; its digits need not all come back.
    said = str(points) if abs(points) < 10_000 else "so many"
    raise kind(
        "upper_points" if field.is_upper else "lower_points",
        f"field {field} can hold {span}; not {said}",
        field=field.value,
        points=said,
        possible=span,
    )


_NEEDS = {
    Field.THREE_OF_A_KIND: "five cards with at least three equal",
    Field.FOUR_OF_A_KIND: "five cards with at least four equal",
    Field.FULL_HOUSE: "three equal cards and two others equal",
    Field.SMALL_STRAIGHT: "exactly the four cards 1234, 2345 or 3456",
    Field.LARGE_STRAIGHT: "exactly the five cards 12345 or 23456",
    Field.KNIFFEL: "five equal cards",
}


def _misfit(cards: Cards, field: Field, rules: HouseRules) -> UpperFieldError | LowerFieldError:
    if field.is_upper:
        return UpperFieldError(
            "upper_misfit",
            f"field {field} takes one to five cards, all of them {field}; not {_said(cards)}",
            field=field.value,
            cards=shown(cards),
        )
    needs = _NEEDS[field]
    if field is Field.FULL_HOUSE and rules.five_of_a_kind_is_full_house:
        needs += ", or five equal"
    return LowerFieldError(
        "lower_misfit",
        f"field {field} takes {needs}; not {_said(cards)}",
        field=field.value,
        cards=shown(cards),
    )


def _said(cards: Cards) -> str:
    return shown(cards) if cards else "no card"
