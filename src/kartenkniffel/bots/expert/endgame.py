"""The last two fields, played for the win.

With one field open all that counts is to fill it in time and with enough points; with two, each
play leads to such a state. Both are reckoned turn by turn over all hands, from the last turn that
is planned back to now. With two fields open the state after a play hangs on the points it brings,
so it is reckoned for some *lanes*, numbers of points ahead, and read in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from kartenkniffel.bots.expert.cards import Count
from kartenkniffel.bots.expert.knowledge import Floats
from kartenkniffel.bots.expert.planning import (
    NEVER,
    Integers,
    best_exchanges,
    filled_up,
    plays_beside,
)
from kartenkniffel.bots.expert.race import REACH, Race
from kartenkniffel.rules import BONUS_FROM, HAND_LIMIT, HAND_START, bonus_for
from kartenkniffel.solver.hands import FIRST
from kartenkniffel.solver.plays import PlayGroup, play_groups

Mean: TypeAlias = Callable[[Floats, int], float]
"""Gives the mean worth of a kept hand once it is refilled, as the chances of now have it."""

TURNS = 6
"""How many turns of mine are planned."""

_IN_VAIN = 0.35
"""How much of a lead is left where planning ends and there is still nothing to play."""

_VARYING = np.array([6.0, 12.0, 18.0, 24.0, 30.0])  # points of plays that bring more or less
_PENALTIES = np.array([-6.0, 0.0])


class LastField:
    """One field open: ``gains[hand, lane]`` is the most that filling it brings, by hand.

    ``after[turn][hand, lane]`` is the chance to win after a turn of mine without a play, by the
    hand at my next turn.
    """

    def __init__(
        self, gains: Floats, leads: Floats, race: Race, count: Count, largest: int
    ) -> None:
        self._gains, self._leads, self._race = gains, leads, race
        grabs = np.maximum(gains, 0.0)
        self.after: list[Floats] = [np.zeros(0)] * TURNS
        in_vain = race.finishing(TURNS)[_places(leads)] * _IN_VAIN
        chance = np.maximum(self._won_by_playing(TURNS), in_vain)
        for turn in range(TURNS - 1, -1, -1):
            again, ended = race.waiting(turn, leads, grabs)
            self.after[turn] = again * chance + ended
            if turn:
                later = best_exchanges(self.after[turn], count.later(turn), largest)
                chance = np.maximum(self._won_by_playing(turn), later)

    @classmethod
    def alone(cls, mask: int, upper: int, race: Race, count: Count, largest: int) -> LastField:
        """Give the end game of one field as it stands, in a single lane."""
        gains = best_gains(mask, upper, largest)[:, None]
        found = cls(gains, np.zeros(1), race, count, largest)
        found._steps = bonus_steps(mask, upper)
        return found

    _steps: Floats

    @property
    def waiting(self) -> Floats:
        """The chance to win after an exchange, by the hand at my next turn."""
        return self.after[0][:, 0]

    def of_play(self, group: int, points: float, kept: int, mean: Mean) -> float:
        """Give the chance to win after a play, points less penalty."""
        return float(self._race.finishing(0)[_places(points + self._steps[group])])

    def _won_by_playing(self, turn: int) -> Floats:
        """Give the chances to win by filling the field in a turn; below 0 where it cannot be."""
        chances = self._race.finishing(turn)[_places(self._leads + self._gains)]
        return np.where(self._gains > NEVER / 2, chances, -1.0)


class LastTwo:
    """Two fields open; ``after[turn][hand]`` as for `LastField`, and the worth of each play."""

    def __init__(self, mask: int, upper: int, race: Race, count: Count, largest: int) -> None:
        self._plays = plays = plays_beside(mask, largest)
        lanes = [_lanes(play_groups()[number]) for number in plays.numbers]
        steps = bonus_steps(mask, upper)
        gains = []
        for number, own in zip(plays.numbers, lanes, strict=True):
            group = play_groups()[number]
            after = min(upper + group.upper, BONUS_FROM)
            best = best_gains(mask & ~(1 << group.field.place), after, largest)
            gains.append(np.repeat(best[:, None], len(own), axis=1))
        leads = np.concatenate([own + step for own, step in zip(lanes, steps, strict=True)])
        last = LastField(np.hstack(gains), leads, race, count, largest)
        self._lanes = lanes
        self._starts = np.cumsum([0, *map(len, lanes)])[:-1]
        self._now = last.after[0]
        low, part = self._between(plays.groups, plays.points)
        grabs = np.maximum(best_gains(mask, upper, largest), 0.0)[:, None]
        waiting = np.zeros(0)
        for turn in range(TURNS - 1, 0, -1):
            kept = refilled(last.after[turn], count.later(turn))
            chance = plays.best(_read(kept, plays.kept, low, part), largest)
            if turn < TURNS - 1:
                later = best_exchanges(waiting, count.later(turn), largest)
                chance = np.maximum(chance, later)
            again, ended = race.waiting(turn - 1, np.zeros(1), grabs)
            waiting = again * np.maximum(chance, 0.0) + ended[:, 0]
        self.waiting = waiting

    def _between(self, groups: Integers, points: Floats) -> tuple[Integers, Floats]:
        """Give for each play the lane below its points and how far it is towards the next."""
        first = np.array([own[0] for own in self._lanes])[groups]
        step = np.array([own[1] - own[0] for own in self._lanes])[groups]
        most = np.array([len(own) - 2 for own in self._lanes])[groups]
        place = (points - first) / step
        low = np.clip(np.floor(place), 0, most).astype(np.intp)
        return self._starts[groups] + low, place - low

    def of_play(self, group: int, points: float, kept: int, mean: Mean) -> float:
        """Give the chance to win after a play, points less penalty and cards kept given."""
        low, part = self._between(np.array([group]), np.array([points]))
        below, above = (mean(self._now[:, int(low[0]) + more], kept) for more in (0, 1))
        return min(max(below + (above - below) * float(part[0]), 0.0), 1.0)


def _lanes(group: PlayGroup) -> Floats:
    """Give the points for which the state after plays of a group is reckoned."""
    points = np.unique(group.points)
    if len(points) > HAND_LIMIT:  # a field whose points are the sum of the cards
        return _VARYING
    return np.asarray(points[-1] + _PENALTIES)


def _read(worth: Floats, kept: Integers, low: Integers, part: Floats) -> Floats:
    """Read worths between two lanes."""
    below, above = worth[kept, low], worth[kept, low + 1]
    return np.clip(below + (above - below) * part, 0.0, 1.0)


def bonus_steps(mask: int, upper: int) -> Floats:
    """Give by how much the plays of each group change bonus or malus as they stand."""
    after = [min(upper + play_groups()[n].upper, BONUS_FROM) for n in plays_beside(mask, 5).numbers]
    return np.array([bonus_for(one) - bonus_for(upper) for one in after], float)


def best_gains(mask: int, upper: int, largest: int) -> Floats:
    """Give the most that a play adds to the total at once, by hand; `NEVER` where there is none."""
    plays = plays_beside(mask, largest)
    return plays.best(plays.points + bonus_steps(mask, upper)[plays.groups], largest)


def refilled(worth: Floats, odds: Floats) -> Floats:
    """Give what kept hands are worth: those of fewer than five cards are filled up first (R6)."""
    kept = worth.copy()
    kept[: FIRST[HAND_START]] = filled_up(worth, odds, HAND_START, 0)[: FIRST[HAND_START]]
    return kept


def _places(leads: Floats | float) -> Integers:
    return np.asarray(np.clip(np.rint(leads) + REACH, 0, 2 * REACH).astype(np.intp))
