"""The compiled heart: all hands of one set of open fields, for eight upper sums at once.

Take `compiled.compiling` to get at it. Everything here works on rows of eight doubles, one row for
each hand (see `hands`), at plain addresses. `docs/solver.md` tells the idea.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kartenkniffel.rules import HAND_LIMIT, HAND_START
from kartenkniffel.solver.hands import FIRST, ROWS
from kartenkniffel.solver.vectors import (
    LANES,
    add,
    gather_singles,
    greater,
    greatest,
    load,
    load_singles,
    multiply,
    splat,
    store,
    store_singles,
    subtract,
)

_WIDE = 8 * LANES  # the bytes of a row
_AREA = ROWS * _WIDE
_FIRST = FIRST
_LIMIT = HAND_LIMIT
_START = HAND_START
_NEVER = -1e9  # the value of a play that there is not

_LEAP_EVERY = 4
_LEAP_BELOW = 0.85

AREAS = 3
"""How many areas of 8,008 rows a scratch has: work, played, grown."""

NOTES = 3 * LANES
"""How many doubles stand behind the areas; see `_settle`."""


@njit(nogil=True)
def solve_set(
    tables: Any,
    widths: Any,
    ranges: Any,
    lanes: Any,
    plays: Any,
    steps: Any,
    cost: float,
    tolerance: float,
    scratch: Any,
    out: Any,
) -> tuple[float, float]:
    """Fill ``out`` with the values of one set of open fields; give how far they may be off.

    Group of plays g is ``plays[…][ranges[g, 0]:ranges[g, 1]]`` and leads into the table at address
    ``tables[g]``, ``widths[g]`` columns wide; there ``lanes[g]`` are the columns that belong to the
    columns of ``out``. Also gives the largest value there is, signs aside.
    """
    hands, kept, points = plays
    work = scratch.ctypes.data
    played = work + _AREA
    places = np.empty(LANES, np.int64)
    width = out.shape[1]
    worst = 0.0
    largest = 0.0
    for block in range(0, width, LANES):
        # The last block moves back to be full, if there are enough columns at all.
        begin = max(0, min(block, width - LANES))
        for row in range(_FIRST[_START], ROWS):
            store(played + row * _WIDE, splat(_NEVER))
        for group in range(len(tables)):
            in_line = True
            for lane in range(LANES):
                places[lane] = 4 * lanes[group, min(begin + lane, width - 1)]
                in_line = in_line and places[lane] == places[0] + 4 * lane
            table = tables[group]
            stride = 4 * widths[group]
            for entry in range(ranges[group, 0], ranges[group, 1]):
                after = table + kept[entry] * stride
                if in_line:
                    value = load_singles(after + places[0])
                else:
                    value = gather_singles(after, places.ctypes.data)
                here = played + hands[entry] * _WIDE
                store(here, greater(load(here), add(value, splat(points[entry] - cost))))
        off, large = _solve_block(work, steps, cost, tolerance, scratch[AREAS * ROWS * LANES :])
        worst = max(worst, off)
        largest = max(largest, large)
        if width >= LANES:
            for row in range(ROWS):
                store_singles(out.ctypes.data + 4 * (row * width + begin), load(work + row * _WIDE))
        else:
            for row in range(ROWS):
                for lane in range(width):
                    out[row, lane] = scratch[row * LANES + lane]
    return worst, largest


@njit(nogil=True)
def _solve_block(
    work: int, steps: Any, cost: float, tolerance: float, notes: Any
) -> tuple[float, float]:
    """Turn the best plays into values, from hands of ten down to hands of five."""
    plus = steps[0]
    played, grown = work + _AREA, work + 2 * _AREA
    worst = 0.0
    largest = 0.0
    for size in range(_LIMIT, _START - 1, -1):
        first, end = _FIRST[size], _FIRST[size + 1]
        lowest = _FIRST[size - 5]  # the hands that are left when five are discarded
        high = splat(_NEVER)
        for row in range(first, end):
            value = load(played + row * _WIDE)
            if size < _LIMIT:
                value = greater(value, load(grown + row * _WIDE))
            store(played + row * _WIDE, value)
            high = greater(high, value)
        highest = greatest(high)
        # Hands of ten may have no play at all; then a guess serves better than nothing.
        guess = splat(highest - 4 * cost)
        for row in range(first, end):
            value = load(played + row * _WIDE)
            if size == _LIMIT:
                value = greater(value, guess)
            store(work + row * _WIDE, value)
        _expect(work, lowest, first, plus)
        gap, spread = _settle(work, size, steps, cost, tolerance, highest, notes)
        worst += gap
        largest = max(largest, abs(highest), abs(highest - spread))
        if size > _START:
            _grow(work, size, steps, cost)
    return worst, largest


@njit(nogil=True)
def _settle(
    work: int, size: int, steps: Any, cost: float, tolerance: float, highest: float, notes: Any
) -> tuple[float, float]:
    """Exchange hands of this size for others of this size until their values stand still.

    Gives how far they may be off, and how far the lowest is below ``highest``. Neither the best
    policy nor the one found can exchange more than ``turns`` times on average, since every turn is
    paid for; and each time it differs by at most the last change from what stands there.

    Changes soon shrink by the same factor from sweep to sweep. So now and then a sweep leaps: it
    goes as far as all later sweeps together would. The bound holds however values came about.
    """
    plus, minus = steps
    before, latest, leaps = notes[:LANES], notes[LANES : 2 * LANES], notes[2 * LANES : 3 * LANES]
    leaps[:] = 0.0
    sweeps = 0
    while True:
        sweeps += 1
        before[:] = latest
        spread = _exchange(work, size, minus, cost, highest, notes.ctypes.data + _WIDE)
        _expect(work, _FIRST[size - 5], _FIRST[size], plus)
        change = latest.max()
        if change < cost:
            turns = (spread + 2 * change) / (cost - change)
            gap = change * (1 + turns + leaps.max())
            if gap <= tolerance:
                return gap, spread
        leaps[:] = 0.0
        if sweeps % _LEAP_EVERY == _LEAP_EVERY - 1:
            for lane in range(LANES):
                if 0.0 < latest[lane] < _LEAP_BELOW * before[lane]:
                    leaps[lane] = latest[lane] / (before[lane] - latest[lane])


@njit(nogil=True)
def _exchange(work: int, size: int, minus: Any, cost: float, highest: float, notes: int) -> float:
    """Let hands of this size draw as many as they discard, or not, whichever is better.

    Notes the greatest change of each lane, reads behind it how far to leap beyond the change, and
    gives how far the lowest value is below the highest there can be.
    """
    leap = load(notes + _WIDE)
    first, end = _FIRST[size], _FIRST[size + 1]
    _climb(work, _FIRST[size - 4], first, minus)
    price = splat(cost)
    top = splat(highest)
    change = splat(0.0)
    spread = splat(0.0)
    for row in range(first, end):
        here = work + row * _WIDE
        old = load(here)
        new = greater(load(here + _AREA), subtract(_best_with_one_less(work, row, minus), price))
        up = subtract(new, old)
        store(here, add(new, multiply(leap, up)))
        change = greater(change, greater(up, subtract(old, new)))
        spread = greater(spread, subtract(top, new))
    store(notes, change)
    return float(greatest(spread))


@njit(nogil=True)
def _grow(work: int, size: int, steps: Any, cost: float) -> None:
    """Find what drawing up to this size is worth to the hands that have one card less."""
    plus, minus = steps
    grown = work + 2 * _AREA
    first, lowest = _FIRST[size], _FIRST[size - 6]
    _expect(work, lowest, _FIRST[size - 5], plus)
    for row in range(lowest, first):
        store(grown + row * _WIDE, load(work + row * _WIDE))
    _climb(grown, _FIRST[size - 5], first, minus)
    price = splat(cost)
    for row in range(_FIRST[size - 1], first):
        here = grown + row * _WIDE
        store(here, subtract(load(here), price))


@njit(nogil=True)
def _expect(area: int, begin: int, end: int, plus: Any) -> None:
    """Give each row, the last one first, the mean of the six with one card more."""
    sixth = splat(1.0 / 6.0)
    for row in range(end - 1, begin - 1, -1):
        ones = add(load(area + plus[row, 0] * _WIDE), load(area + plus[row, 1] * _WIDE))
        threes = add(load(area + plus[row, 2] * _WIDE), load(area + plus[row, 3] * _WIDE))
        fives = add(load(area + plus[row, 4] * _WIDE), load(area + plus[row, 5] * _WIDE))
        store(area + row * _WIDE, multiply(add(add(ones, threes), fives), sixth))


@njit(nogil=True)
def _climb(area: int, begin: int, end: int, minus: Any) -> None:
    """Raise each row to the best of the hands it contains, down to those before ``begin``."""
    for row in range(begin, end):
        here = area + row * _WIDE
        store(here, greater(load(here), _best_with_one_less(area, row, minus)))


@njit(nogil=True, inline="always")
def _best_with_one_less(area: int, row: int, minus: Any) -> Any:
    ones = greater(load(area + minus[row, 0] * _WIDE), load(area + minus[row, 1] * _WIDE))
    threes = greater(load(area + minus[row, 2] * _WIDE), load(area + minus[row, 3] * _WIDE))
    fives = greater(load(area + minus[row, 4] * _WIDE), load(area + minus[row, 5] * _WIDE))
    return greater(greater(ones, threes), fives)
