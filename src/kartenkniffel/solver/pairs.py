"""Numbers for the pairs of open fields and upper points of the whole game."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import BONUS_FROM, FIELDS
from kartenkniffel.solver.outline import Outline

_UPPER_FIELDS = 63  # as a mask


class Pairs(NamedTuple):
    """Where a pair stands in a table of the whole game: ``base[mask] + column[closed, upper]``.

    ``closed`` are the upper fields filled, as a mask; upper points count up to 63.
    """

    base: npt.NDArray[np.int64]
    column: npt.NDArray[np.int8]

    def number(self, mask: int, upper: int) -> int:
        """Give the number of the pair of these open fields and upper points."""
        closed = _UPPER_FIELDS & ~mask
        return int(self.base[mask]) + int(self.column[closed, min(upper, BONUS_FROM)])


@cache
def pair_tables() -> Pairs:
    """Give where each pair stands, in the order of a table file."""
    outline = Outline()
    base = np.zeros(1 << len(FIELDS), np.int64)
    number = 0
    for layer in outline.layers:
        for mask in layer:
            base[mask] = number
            number += outline.width(mask)
    column = np.full((_UPPER_FIELDS + 1, BONUS_FROM + 1), -1, np.int8)
    for closed in range(_UPPER_FIELDS + 1):
        for place, upper in enumerate(outline.uppers(_UPPER_FIELDS & ~closed)):
            column[closed, upper] = place
    return Pairs(base, column)
