"""Plays many games with the solver's policy at once.

Games that have the same open fields and upper points are played until each has scored, so that what
is best there is looked up once. Plays and points are those of `kartenkniffel.solver.plays`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from kartenkniffel.rules import BONUS_FROM, HAND_LIMIT, HAND_START, bonus_for, penalty_for
from kartenkniffel.solver import Table
from kartenkniffel.solver.hands import FIRST, PLUS, ROWS, SIZES
from kartenkniffel.solver.outline import ALL_FIELDS, fields_of
from kartenkniffel.solver.plays import play_groups

_FIRST = FIRST
_START, _LIMIT = HAND_START, HAND_LIMIT
_NONE = -1


def _with_one_less() -> npt.NDArray[np.int16]:
    """``[row, v-1]`` is the hand with one v less, or -1."""
    less = np.full((ROWS, 6), _NONE, np.int16)
    for value in range(6):
        less[PLUS[:, value], value] = np.arange(len(PLUS))
    return less


LESS = _with_one_less()
Columns: TypeAlias = npt.NDArray[np.float32]


@dataclass(slots=True)
class Games:
    """What happened in each game, fields in the order in which they were filled (one axis more)."""

    fields: npt.NDArray[np.int8]
    points: npt.NDArray[np.int16]
    sizes: npt.NDArray[np.int8]  # of the hand, when it scored
    waits: npt.NDArray[np.int16]  # exchanges before the play
    upper: npt.NDArray[np.int16]  # not capped
    tens: npt.NDArray[np.int16]  # turns begun with ten cards
    exchanges: npt.NDArray[np.int64]  # of all games, by cards in hand, and cards more drawn

    @property
    def turns(self) -> npt.NDArray[np.int64]:
        """Turns of each game."""
        return np.asarray(self.waits.sum(axis=1, dtype=np.int64) + self.fields.shape[1])

    @property
    def penalties(self) -> npt.NDArray[np.int64]:
        """Penalty points of each game."""
        paid = np.array([penalty_for(size) for size in range(HAND_LIMIT + 1)])
        return np.asarray(paid[self.sizes].sum(axis=1))

    @property
    def bonus(self) -> npt.NDArray[np.int64]:
        """Bonus or malus of each game."""
        return np.array([bonus_for(int(upper)) for upper in self.upper])

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """Points of each game, all told."""
        return np.asarray(self.points.sum(axis=1, dtype=np.int64) + self.bonus - self.penalties)


def play_games(table: Table, count: int, seed: int) -> Games:
    """Play whole games from the deal on."""
    groups = play_groups()
    ends = np.cumsum([0, *(len(group.hands) for group in groups)])
    plays = tuple(
        np.concatenate([getattr(group, name) for group in groups])
        for name in ("hands", "kept", "points")
    )
    places = np.array([group.field.place for group in groups])
    more = np.array([group.upper for group in groups])
    penalties = np.array([penalty_for(size) for size in range(HAND_LIMIT + 1)])
    rng = np.random.default_rng(seed)
    hands = np.zeros(count, np.int64)
    masks = np.full(count, ALL_FIELDS)
    uppers = np.zeros(count, np.int64)
    rounds = len(fields_of(ALL_FIELDS))
    games = Games(
        np.zeros((count, rounds), np.int8),
        np.zeros((count, rounds), np.int16),
        np.zeros((count, rounds), np.int8),
        np.zeros((count, rounds), np.int16),
        np.zeros(count, np.int16),
        np.zeros(count, np.int16),
        np.zeros((HAND_LIMIT + 1, 2), np.int64),
    )
    outline = table.head.outline()
    bits = np.array([1 << group.field.place for group in groups])
    for number in range(rounds):
        capped = np.minimum(uppers, BONUS_FROM)
        keys = masks * 64 + capped
        order = np.argsort(keys, kind="stable")
        tables: dict[int, Columns] = {}
        for members in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            mask = int(masks[members[0]])
            column = outline.column(mask, int(capped[members[0]]))
            numbers = np.flatnonzero(bits & mask)
            if mask not in tables:  # sets come one after the other
                wanted = {mask, *(mask & ~int(bit) for bit in bits[numbers])}
                tables = {one: np.ascontiguousarray(table.columns(one).T) for one in wanted}
            lanes = outline.lanes(mask)
            after = np.stack([tables[mask & ~int(bits[n])][lanes[n, column]] for n in numbers])
            played = _play_pair(
                tables[mask][column],
                after,
                np.stack([ends[numbers], ends[numbers + 1]], axis=1),
                plays,
                hands[members],
                (PLUS, LESS),
                SIZES,
                int(rng.integers(2**31)),
                games.exchanges,
            )
            which, kept, points, size, waited, tens = played
            chosen = numbers[which]
            games.fields[members, number] = places[chosen]
            games.points[members, number] = points + penalties[size]
            games.sizes[members, number] = size
            games.waits[members, number] = waited
            games.tens[members] += tens
            uppers[members] += more[chosen]
            masks[members] &= ~bits[chosen]
            hands[members] = kept
    games.upper[:] = uppers
    return games


@njit(cache=False)
def _play_pair(
    own: Any,
    after: Any,
    ranges: Any,
    plays: Any,
    hands: Any,
    steps: Any,
    sizes: Any,
    seed: int,
    exchanges: Any,
) -> Any:
    """Play each hand, refilled to five, until it scores."""
    np.random.seed(seed)
    plus, less = steps
    worth, which, kept, points = _best_plays(after, ranges, plays)
    means = _means(own, plus)
    choice = np.full((ROWS, 2), -2, np.int16)
    count = len(hands)
    out = np.zeros((6, count), np.int64)
    for game in range(count):
        row = hands[game]
        while sizes[row] < _START:
            row = plus[row, np.random.randint(6)]
        while True:
            if sizes[row] == _LIMIT:
                out[5, game] += 1
            if choice[row, 0] == -2:
                _choose(row, sizes[row], worth[row], means, less, choice)
            if choice[row, 0] < 0:
                break
            out[4, game] += 1
            target = choice[row, 1]
            exchanges[sizes[row], target - sizes[row]] += 1
            row = choice[row, 0]
            while sizes[row] < target:
                row = plus[row, np.random.randint(6)]
        out[0, game] = which[row]
        out[1, game] = kept[row]
        out[2, game] = points[row]
        out[3, game] = sizes[row]
    return out


@njit
def _best_plays(after: Any, ranges: Any, plays: Any) -> Any:
    worth = np.full(ROWS, -1e9)
    which = np.zeros(ROWS, np.int64)
    kept = np.zeros(ROWS, np.int64)
    points = np.zeros(ROWS, np.int64)
    for group in range(len(ranges)):
        for entry in range(ranges[group, 0], ranges[group, 1]):
            row = plays[0][entry]
            value = plays[2][entry] + after[group, plays[1][entry]]
            if value > worth[row]:
                worth[row] = value
                which[row] = group
                kept[row] = plays[1][entry]
                points[row] = plays[2][entry]
    return worth, which, kept, points


@njit
def _means(own: Any, plus: Any) -> Any:
    """``[size, row]``: the mean over what the row becomes when filled up to that size."""
    means = np.zeros((_LIMIT + 1, ROWS))
    for size in range(_START, _LIMIT + 1):
        for row in range(_FIRST[size], _FIRST[size + 1]):
            means[size, row] = own[row]
        for row in range(_FIRST[size] - 1, _FIRST[max(0, size - 6)] - 1, -1):
            total = 0.0
            for value in range(6):
                total += means[size, plus[row, value]]
            means[size, row] = total / 6
    return means


@njit
def _choose(row: int, size: int, play: float, means: Any, less: Any, choice: Any) -> None:
    """Note what to keep and how many to hold after drawing, or -1 to play."""
    best = play
    choice[row, 0] = -1
    rows = np.empty(512, np.int64)
    last = np.zeros(512, np.int64)
    gone = np.zeros(512, np.int64)
    rows[0] = row
    ends = 1
    at = 0
    while at < ends:
        here = rows[at]
        for target in range(size, min(size + 1, _LIMIT) + 1):
            if means[target, here] > best and not (at == 0 and target == size):
                best = means[target, here]
                choice[row, 0] = here
                choice[row, 1] = target
        if gone[at] < 5:
            for value in range(last[at], 6):
                if less[here, value] >= 0:
                    rows[ends] = less[here, value]
                    last[ends] = value
                    gone[ends] = gone[at] + 1
                    ends += 1
        at += 1
