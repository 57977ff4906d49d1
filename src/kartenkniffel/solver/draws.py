"""Every hand that drawing can make of another, as tables of rows (see `hands`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import HAND_LIMIT, VALUES
from kartenkniffel.rules.moves import MOST_DISCARDED
from kartenkniffel.solver.hands import FIRST, HANDS, PLUS, Rows

MOST_DRAWN = MOST_DISCARDED + 1
"""The most cards one move draws (R5, R6)."""

DRAWS = FIRST[MOST_DRAWN + 1]
"""How many multisets can be drawn; they are the first rows."""

COUNTS: npt.NDArray[np.int64] = np.array([hand.counts for hand in HANDS])
"""``COUNTS[row, v-1]``: how many cards of value v the hand has."""


def _reach(row: int) -> int:
    """Give how many of the draws leave a hand of this row within the limit."""
    room = HAND_LIMIT - int(COUNTS[row].sum())
    return FIRST[min(MOST_DRAWN, room) + 1]


BEGIN: npt.NDArray[np.int64] = np.cumsum([0, *map(_reach, range(len(HANDS)))])
"""Where in `SUMS` the hands begin that a row can become."""


def _sums() -> Rows:
    sums = np.zeros(BEGIN[-1], np.uint16)
    sums[BEGIN[:-1]] = np.arange(len(HANDS))
    for size in range(MOST_DRAWN):
        rows = np.arange(FIRST[HAND_LIMIT - size])  # hands that may draw one card more
        for draw in range(FIRST[size], FIRST[size + 1]):
            smaller = sums[BEGIN[rows] + draw]
            for place in range(int(COUNTS[draw].nonzero()[0].max(initial=0)), len(VALUES)):
                sums[BEGIN[rows] + int(PLUS[draw, place])] = PLUS[smaller, place]
    return sums


SUMS: Rows = _sums()
"""``SUMS[BEGIN[row] + draw]``: the hand of ``row`` with the cards of row ``draw`` added."""
