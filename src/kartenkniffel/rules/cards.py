"""Cards: multisets of the values 1 to 6, and the deck (R1).

A pile whose order matters is a string of digits, top card first. Everything else, such as a hand or
the discard pile, is a `Cards`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

VALUES = (1, 2, 3, 4, 5, 6)
"""The six card values (R1)."""

COPIES = 18
"""How many cards of each value the deck has (R1)."""

HAND_LIMIT = 10
"""The most cards a hand may hold (R5)."""

HAND_START = 5
"""The cards each player is dealt (R3) and refilled to (R6)."""

# A multiset is packed into one int, 32 bits to a value. The topmost bit of each stays clear, so
# that one subtraction with all those bits set compares six counts at once.
_BITS = 32
_UNITS = tuple(1 << (_BITS * i) for i in range(6))
_UNIT_OF = {str(v): _UNITS[v - 1] for v in VALUES}
_GUARDS = sum(unit << (_BITS - 1) for unit in _UNITS)
_MASK = (1 << _BITS) - 1


class Cards:
    """An immutable multiset of cards.

    >>> hand = Cards("51143")
    >>> hand
    Cards('11345')
    >>> len(hand), hand.count(1), hand.total
    (5, 2, 14)
    >>> Cards("14") <= hand
    True
    >>> hand - Cards("14") + Cards("66")
    Cards('13566')

    Takes a string of digits or any iterable of values; raises ``ValueError`` for a value that is
    not 1 to 6.
    """

    __slots__ = ("_packed", "_size", "_text")

    _packed: int
    _size: int
    _text: str | None

    def __new__(cls, values: str | Iterable[int] = "") -> Cards:
        """Give the multiset of these values."""
        digits = values if isinstance(values, str) else [str(value) for value in values]
        packed = size = 0
        for digit, unit in _UNIT_OF.items():
            count = digits.count(digit)
            packed += count * unit
            size += count
        if size != len(digits):
            raise ValueError("a card's value is a digit from 1 to 6")
        return _from_packed(packed, size)

    @classmethod
    def from_counts(cls, counts: Iterable[int]) -> Cards:
        """Give the multiset with ``counts[i]`` cards of value i+1 (six counts, none negative).

        >>> Cards.from_counts((2, 0, 1, 1, 1, 0))
        Cards('11345')
        """
        listed = tuple(counts)
        if len(listed) != 6 or min(listed) < 0:
            raise ValueError("counts are six numbers, none of them negative")
        packed = sum(count * unit for count, unit in zip(listed, _UNITS, strict=True))
        return _from_packed(packed, sum(listed))

    @property
    def counts(self) -> tuple[int, int, int, int, int, int]:
        """How many cards there are of each value, 1 first."""
        packed = self._packed
        return (
            packed & _MASK,
            packed >> 32 & _MASK,
            packed >> 64 & _MASK,
            packed >> 96 & _MASK,
            packed >> 128 & _MASK,
            packed >> 160,
        )

    @property
    def total(self) -> int:
        """The sum of the values of all cards."""
        return sum(value * count for value, count in zip(VALUES, self.counts, strict=True))

    def count(self, value: int) -> int:
        """How many cards have this value (1 to 6)."""
        return self._packed >> (_BITS * (value - 1)) & _MASK

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        """Give the values one by one, the lowest first."""
        for value, count in zip(VALUES, self.counts, strict=True):
            for _ in range(count):
                yield value

    def __add__(self, other: Cards) -> Cards:
        return _from_packed(self._packed + other._packed, self._size + other._size)

    def __sub__(self, other: Cards) -> Cards:
        """Take cards away; raises ``ValueError`` where they are not all there."""
        if not other <= self:
            raise ValueError(f"{other} is not among {self}")
        return _from_packed(self._packed - other._packed, self._size - other._size)

    def __le__(self, other: Cards) -> bool:
        """Tell whether every card of this multiset is in the other one."""
        return ((other._packed | _GUARDS) - self._packed) & _GUARDS == _GUARDS

    def __ge__(self, other: Cards) -> bool:
        return other <= self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)

    def __str__(self) -> str:
        """Give the cards as sorted digits, the notation of a hand."""
        if self._text is None:
            counts = zip("123456", self.counts, strict=True)
            self._text = "".join(digit * count for digit, count in counts)
        return self._text

    def __repr__(self) -> str:
        return f"Cards('{self}')"

    def __reduce__(self) -> tuple[object, ...]:
        return Cards, (str(self),)


_known: dict[int, Cards] = {}


def _from_packed(packed: int, size: int) -> Cards:
    """Give the multiset of a packed int; up to a full hand each exists once."""
    found = _known.get(packed)
    if found is not None:
        return found
    cards = object.__new__(Cards)
    cards._packed = packed
    cards._size = size
    cards._text = None
    if size <= HAND_LIMIT:
        _known[packed] = cards
    return cards


NO_CARDS = Cards()
"""The empty multiset."""

FULL_DECK = Cards.from_counts([COPIES] * 6)
"""All 108 cards (R1)."""


def multisets(size: int) -> tuple[Cards, ...]:
    """List every multiset of this many cards, in the order of their sorted digits.

    >>> [str(cards) for cards in multisets(2)][:4]
    ['11', '12', '13', '14']
    """
    return tuple(Cards(values) for values in combinations_with_replacement(VALUES, size))


def shown(cards: Cards) -> str:
    """Give the cards for a sentence: their digits, or their number where that would be long."""
    return str(cards) if len(cards) <= 2 * HAND_LIMIT else f"{len(cards)} cards"
