"""All hands of nought to ten cards, numbered, and how they hang together.

A *row* is the number of a hand: by size, then by sorted digits; there are 8,008. Rows of five and
more cards are hands at the start of a turn; smaller ones are what is kept after a play or for an
exchange.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import HAND_LIMIT, VALUES, Cards, multisets

Rows: TypeAlias = npt.NDArray[np.uint16]

HANDS: tuple[Cards, ...] = tuple(hand for size in range(HAND_LIMIT + 1) for hand in multisets(size))
"""The hands by row."""

ROWS = len(HANDS)

FIRST: tuple[int, ...] = tuple(
    next((row for row, hand in enumerate(HANDS) if len(hand) == size), ROWS)
    for size in range(HAND_LIMIT + 2)
)
"""The first row of each size, 0 to 10, and past the end."""

SIZES = np.array([len(hand) for hand in HANDS])
"""The size of the hand in each row."""

_ROW_OF = {hand: row for row, hand in enumerate(HANDS)}


def row_of(hand: Cards) -> int:
    """Give the row of a hand of at most ten cards."""
    return _ROW_OF[hand]


def _with_one_more() -> Rows:
    singles = [Cards([value]) for value in VALUES]
    below = HANDS[: FIRST[HAND_LIMIT]]
    return np.array([[_ROW_OF[hand + one] for one in singles] for hand in below], np.uint16)


def _with_one_less(plus: Rows) -> Rows:
    table = np.zeros((ROWS, len(VALUES)), np.uint16)
    there = np.zeros((ROWS, len(VALUES)), bool)
    for place in range(len(VALUES)):
        table[plus[:, place], place] = np.arange(len(plus))
        there[plus[:, place], place] = True
    some = there.argmax(axis=1)[:, None]
    return np.where(there, table, np.take_along_axis(table, some, axis=1))


PLUS: Rows = _with_one_more()
"""``PLUS[row, v-1]``: the hand with one v more, for hands of up to nine cards."""

MINUS: Rows = _with_one_less(PLUS)
"""``MINUS[row, v-1]``: the hand with one v less, or some other with one card less if there is no v.

Row 0 has none and says 0.
"""
