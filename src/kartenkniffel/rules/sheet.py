"""A player's sheet: twelve fields, penalties, bonus and malus (R7 to R11, R13)."""

from __future__ import annotations

from dataclasses import dataclass

from kartenkniffel.rules.cards import HAND_LIMIT, HAND_START
from kartenkniffel.rules.errors import FieldFilledError, HandSizeError
from kartenkniffel.rules.fields import FIELDS, Field

BONUS_FROM = 63
"""Upper points from which the bonus is earned (R11)."""

BONUS = 35
MALUS_BELOW = 43
"""Upper points below which the malus is taken (R11)."""

MALUS = -20
PENALTY_PER_CARD = 2


def penalty_for(hand_size: int) -> int:
    """Give the penalty points for playing from a hand of this size (R7).

    >>> penalty_for(5), penalty_for(8), penalty_for(10)
    (0, 6, 10)
    """
    return PENALTY_PER_CARD * max(0, hand_size - HAND_START)


HAND_SIZES = tuple(range(HAND_START, HAND_LIMIT + 1))
"""How many cards a hand may have before playing: five are refilled (R6), ten are the most (R5)."""


def check_hand_size(hand_size: int) -> None:
    """Raise `HandSizeError` unless a hand can have so many cards before playing (R5 to R7)."""
    if hand_size not in HAND_SIZES:
        said = str(hand_size) if abs(hand_size) < 10_000 else "so many"
        raise HandSizeError(
            "hand_size",
            f"before playing a hand has {HAND_START} to {HAND_LIMIT} cards; not {said}",
            hand_size=said,
        )


def bonus_for(upper: int) -> int:
    """Give bonus or malus for these upper points: 35, 0 or −20 (R11)."""
    if upper >= BONUS_FROM:
        return BONUS
    return MALUS if upper < MALUS_BELOW else 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands in one field: its points and the penalty beside it."""

    points: int
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """The twelve fields of one player, each an `Entry` or ``None`` while open.

    >>> sheet = Sheet().write(Field.SIXES, 18, penalty=2)
    >>> sheet.upper, sheet.bonus, sheet.penalties, sheet.total
    (18, -20, 2, -4)
    """

    entries: tuple[Entry | None, ...] = (None,) * 12

    def __getitem__(self, field: Field) -> Entry | None:
        return self.entries[field.place]

    def write(self, field: Field, points: int, penalty: int = 0) -> Sheet:
        """Give the sheet with this field filled; raises `FieldFilledError` (R10)."""
        self.check_open(field)
        entries = list(self.entries)
        entries[field.place] = Entry(points, penalty)
        return Sheet(tuple(entries))

    def check_open(self, field: Field) -> None:
        """Raise `FieldFilledError` where the field is filled already (R10)."""
        if self.entries[field.place] is not None:
            open_fields = ", ".join(self.open_fields)
            remedy = f"open fields are {open_fields}" if open_fields else "no field is open"
            raise FieldFilledError(
                "field_filled", f"field {field} is filled already; {remedy}", field=field.value
            )

    @property
    def open_fields(self) -> tuple[Field, ...]:
        """The fields still to fill, in the order of the sheet."""
        pairs = zip(FIELDS, self.entries, strict=True)
        return tuple(field for field, entry in pairs if entry is None)

    @property
    def is_full(self) -> bool:
        """Whether all twelve fields are filled (R12)."""
        return None not in self.entries

    @property
    def upper(self) -> int:
        """The points of the fields 1 to 6, without penalties."""
        return sum(entry.points for entry in self.entries[:6] if entry)

    @property
    def lower(self) -> int:
        """The points of the six lower fields, without penalties."""
        return sum(entry.points for entry in self.entries[6:] if entry)

    @property
    def bonus(self) -> int:
        """Bonus or malus as if the game ended now (R11)."""
        return bonus_for(self.upper)

    @property
    def penalties(self) -> int:
        """The sum of the penalty boxes (R7), a positive number."""
        return sum(entry.penalty for entry in self.entries if entry)

    @property
    def total(self) -> int:
        """All points plus bonus or malus less penalties (R13)."""
        return self.upper + self.lower + self.bonus - self.penalties
