"""What there is to solve from a start: subsets of the open fields, and their upper points."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import BONUS_FROM, FIELDS, Field
from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.plays import play_groups
from kartenkniffel.solver.state import capped, uppers_after

ALL_FIELDS = (1 << len(FIELDS)) - 1
BYTES = 4
"""Bytes of a stored value."""

_UPPER_MASK = (1 << 6) - 1


class Outline:
    """The pairs of open fields and upper points that can be reached from one pair.

    Sets of fields are masks. A set's values are a table with 8,008 rows (see `hands`) and one
    column for each of its upper points.
    """

    def __init__(self, start: int = ALL_FIELDS, upper: int = 0) -> None:
        self.start = start
        self.upper = upper
        self._uppers: dict[int, npt.NDArray[np.int64]] = {}
        self._lanes: dict[int, npt.NDArray[np.int64]] = {}

    @cached_property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """The subsets by size, the empty one first; widest first, so that threads end together."""
        subsets = [mask for mask in range(self.start + 1) if mask & ~self.start == 0]
        layers: list[list[int]] = [[] for _ in range(self.start.bit_count() + 1)]
        for mask in subsets:
            layers[mask.bit_count()].append(mask)
        return tuple(
            tuple(sorted(layer, key=lambda mask: (-self.width(mask), mask))) for layer in layers
        )

    def uppers(self, mask: int) -> npt.NDArray[np.int64]:
        """The upper points that can stand beside these open fields, in order."""
        closed = self.start & ~mask & _UPPER_MASK
        if closed not in self._uppers:
            sums = capped(uppers_after(self.upper, fields_of(closed)))
            self._uppers[closed] = np.array(sums, np.int64)
        return self._uppers[closed]

    def width(self, mask: int) -> int:
        """How many upper points can stand beside these open fields."""
        return len(self.uppers(mask))

    def column(self, mask: int, upper: int) -> int:
        """Give the column of these upper points in the set's table."""
        return int(np.searchsorted(self.uppers(mask), upper))

    def lanes(self, mask: int) -> npt.NDArray[np.int64]:
        """For each group of plays and each column, the column in the table of the set after."""
        key = mask & _UPPER_MASK
        if key not in self._lanes:
            uppers = self.uppers(mask)
            table = np.zeros((len(play_groups()), len(uppers)), np.int64)
            for number, group in enumerate(play_groups()):
                bit = 1 << group.field.place
                if not bit & _UPPER_MASK:
                    table[number] = np.arange(len(uppers))
                elif mask & bit:
                    after = np.minimum(uppers + group.upper, BONUS_FROM)
                    table[number] = np.searchsorted(self.uppers(mask & ~bit), after)
            self._lanes[key] = table
        return self._lanes[key]

    def pairs(self, layer: int) -> int:
        """How many pairs of open fields and upper points a layer has."""
        return sum(map(self.width, self.layers[layer]))

    def layer_bytes(self, layer: int) -> int:
        """How much the tables of a layer hold."""
        return self.pairs(layer) * ROWS * BYTES


def fields_of(mask: int) -> tuple[Field, ...]:
    """Give the fields of a mask in the order of the sheet.

    >>> fields_of(0b100000000001)
    (<Field.ONES: '1'>, <Field.KNIFFEL: 'kn'>)
    """
    return tuple(field for field in FIELDS if mask >> field.place & 1)
