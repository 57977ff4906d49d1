"""Compiled loops that watch the table player: how races end, and what a hand tells.

Used by `tools.expert_knowledge`; hands, plays and points are the arrays of `arena.batch`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kartenkniffel.arena.batch.kernel import _below, _key
from kartenkniffel.rules import BONUS_FROM, HAND_LIMIT, HAND_START
from kartenkniffel.solver.hands import FIRST

_FIVES = FIRST[HAND_START]
_START, _LIMIT = HAND_START, HAND_LIMIT
_BONUS_FROM = BONUS_FROM
_UPPER = 63

FINISHED, WAITING = range(2)
"""What is summed up: gains of those who have just finished, and of all others."""


KINDS = 4
"""How a player stands in a race: with fresh cards, or having kept up to two, three, or four and
more cards for an exchange."""

_LONGEST = 40  # turns of a race that are watched


@njit(nogil=True)
def watch_race(
    mask: int, upper: int, policy: Any, rules: Any, pairs: Any, runs: int, seed: Any, sums: Any
) -> None:
    """Play on from fresh hands and sum up gains.

    ``sums[kind, what, turn]`` gets their number, their sum and that of their squares.

    A gain is what the total has grown since the start, as if the game ended after this turn. A race
    also starts anew, of another kind, at every turn before which no field was filled.
    """
    state = np.zeros(1, np.uint64)
    state[0] = _key(seed, mask, upper)
    turns = sums.shape[2]
    before = rules.bonuses[min(upper, _BONUS_FROM)]
    gains = np.empty(_LONGEST)
    kinds = np.empty(_LONGEST, np.int64)
    for _ in range(runs):
        left, points, up, row, kind = mask, -before, np.int64(upper), np.int64(0), np.int64(0)
        while rules.sizes[row] < _START:
            row = rules.plus[row, _below(state, 6)]
        length = 0
        while left and length < _LONGEST:
            kinds[length] = kind if left == mask else -1
            pair = pairs.base[left] + pairs.column[_UPPER & ~left, min(up, _BONUS_FROM)]
            move = np.int64(policy[pair, row - _FIVES])
            size = rules.sizes[row]
            for value in range(6):
                for _ in range(rules.leaving[move, value]):
                    row = rules.minus[row, value]
            drawn = np.int64(rules.amounts[move])
            place = rules.places[move]
            kind = min(max(rules.sizes[row] - 1, np.int64(1)), np.int64(3))
            if place >= 0:
                points += drawn - rules.penalties[size]
                left = left & ~(1 << int(place))
                if place < 6:
                    up = np.int64(up + drawn)
                drawn = max(np.int64(0), _START - rules.sizes[row])
            for _ in range(drawn):
                row = rules.plus[row, _below(state, 6)]
            gains[length] = points + rules.bonuses[min(up, _BONUS_FROM)]
            length += 1
        for start in range(length):
            if kinds[start] < 0:
                break
            to = sums[kinds[start]]
            for turn in range(min(turns, length - start)):
                at = start + turn
                if at == length - 1 and not left:
                    _add(to, FINISHED, turn, gains[at])
                else:
                    _add(to, WAITING, turn, gains[at])


@njit(nogil=True)
def _add(sums: Any, what: int, turn: int, gain: Any) -> None:
    sums[what, turn, 0] += 1
    sums[what, turn, 1] += gain
    sums[what, turn, 2] += gain * gain


@njit(nogil=True)
def watch_hands(
    policy: Any, values: Any, rules: Any, pairs: Any, games: int, seed: Any, sums: Any
) -> None:
    """Play alone; ``sums[mask, scored, kept]`` gets number and sum of what hands were worth.

    The worth is the value of the hand at the next turn above that of a fresh one, ``kept`` the
    number of cards that stayed in hand over the last move, ``scored`` whether that was a play.
    """
    state = np.zeros(1, np.uint64)
    for game in range(games):
        state[0] = _key(seed, game, 1)
        left, up, row, kept, scored = 4095, np.int64(0), np.int64(0), np.int64(0), 1
        while rules.sizes[row] < _START:
            row = rules.plus[row, _below(state, 6)]
        while left:
            pair = pairs.base[left] + pairs.column[_UPPER & ~left, min(up, _BONUS_FROM)]
            sums[left, scored, kept, 0] += 1
            sums[left, scored, kept, 1] += values[pair, row] - values[pair, 0]
            move = np.int64(policy[pair, row - _FIVES])
            for value in range(6):
                for _ in range(rules.leaving[move, value]):
                    row = rules.minus[row, value]
            drawn = np.int64(rules.amounts[move])
            place = rules.places[move]
            scored = 0
            kept = rules.sizes[row]
            if place >= 0:
                scored = 1
                left = left & ~(1 << int(place))
                if place < 6:
                    up = np.int64(up + drawn)
                drawn = max(np.int64(0), _START - rules.sizes[row])
            for _ in range(drawn):
                row = rules.plus[row, _below(state, 6)]
