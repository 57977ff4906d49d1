"""The race to the end: when others may finish, and what they may have by then.

The game ends with the round in which the first player fills the last field (R12). How each rival
goes on is a `Course`. Rounds count from the one being played, 0. A rival *later* in the round has
had k + 1 turns after round k, an earlier one k; so when I am to move in round k both have had k.

Chances are given that nobody had finished when I am to move, since else I know the round to be the
last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kartenkniffel.bots.expert.knowledge import Course, Floats

REACH = 250
"""Chances are reckoned for so many points ahead or behind."""

_LEADS: Floats = np.arange(-REACH, REACH + 1.0)
_HALF = 0.5  # the least spread, in points
_UNLIKELY = 1e-6


def normal(x: Floats) -> Floats:
    """Give the chance that a normal number is below x, good to three places."""
    return np.asarray(0.5 + 0.5 * np.tanh(x * (0.7978845608 + 0.0356774081 * x * x)))


@dataclass(frozen=True, slots=True, eq=False)
class Rival:
    """Another player: points ahead of mine as things stand, and how the race goes on.

    ``hand`` is what the hand will bring when the last field is filled, above fresh cards; ``later``
    tells whether this seat moves after mine in the same round.
    """

    ahead: float
    course: Course
    hand: float
    later: bool

    def waits(self, turns: int) -> float:
        """Give the chance not to have finished after so many turns."""
        return float(self.course.survives[self._place(turns)]) if turns else 1.0

    def finishes(self, turns: int) -> float:
        """Give the chance to finish with the last of so many turns."""
        return float(self.course.finishes[self._place(turns)]) if turns else 0.0

    def below(self, leads: Floats, turns: int) -> Floats:
        """Give the chance of a total below the lead, going on after so many turns."""
        if not turns:
            return np.where(leads == self.ahead, 0.5, leads > self.ahead)
        place, course = self._place(turns), self.course
        mean = self.ahead + course.waiting[place]
        return normal((leads - mean) / np.hypot(course.waiting_spread[place], _HALF))

    def finished_below(self, leads: Floats, turns: int) -> Floats:
        """Give the chance of a total below the lead, having finished with so many turns."""
        place, course = self._place(turns), self.course
        mean = self.ahead + self.hand + course.finished[place]
        return normal((leads - mean) / np.hypot(course.finished_spread[place], _HALF))

    def _place(self, turns: int) -> int:
        return min(turns, len(self.course.finishes)) - 1


class Race:
    """The chances to win of somebody about to finish, if rivals go on as table players do."""

    def __init__(self, rivals: Sequence[Rival]) -> None:
        self._rivals = rivals

    def finishing(self, round_: int) -> Floats:
        """Give the chances to win if I finish in this round, by points ahead from -`REACH` on."""
        chances = np.ones_like(_LEADS)
        for rival in self._rivals:
            turns = round_ + rival.later
            on = rival.waits(turns) * rival.below(_LEADS, turns)
            if rival.later:
                on = on + rival.finishes(turns) * rival.finished_below(_LEADS, turns)
            chances *= on / max(rival.waits(round_), _UNLIKELY)
        return np.minimum(chances, 1.0)

    def waiting(self, round_: int, leads: Floats, grabs: Floats) -> tuple[float, Floats]:
        """Give what comes of not finishing in this round.

        First the chance that nobody finishes until my next turn, then the chance that somebody does
        and I win: ``leads`` are my points ahead, one to a lane, and ``grabs[hand, lane]`` what a
        last play would add where I learn in time that the round is the last.
        """
        given = again = 1.0
        for rival in self._rivals:
            given *= rival.waits(round_)
            again *= rival.waits(round_ + 1)
        given = max(given, _UNLIKELY)
        won = self._ended_later(round_, leads)[None, :] + self._ended_earlier(
            round_ + 1, leads[None, :] + grabs
        )
        return again / given, won / given

    def _ended_later(self, round_: int, leads: Floats) -> Floats:
        """Give the chance that rivals after me end the game in this round, all being below me."""
        if not any(rival.later for rival in self._rivals):
            return np.zeros_like(leads)
        some = none = np.ones_like(leads)
        for rival in self._rivals:
            turns = round_ + rival.later
            on = rival.waits(turns) * rival.below(leads, turns)
            none = none * on
            if rival.later:
                on = on + rival.finishes(turns) * rival.finished_below(leads, turns)
            some = some * on
        return some - none

    def _ended_earlier(self, round_: int, leads: Floats) -> Floats:
        """Give the chance that rivals before me end the game in this round, all being below me."""
        if all(rival.later for rival in self._rivals):
            return np.zeros((1, leads.shape[1]))
        some = none = np.ones_like(leads)
        for rival in self._rivals:
            turns = round_ + rival.later
            on = rival.waits(turns) * rival.below(leads, turns)
            done = rival.finishes(turns) * rival.finished_below(leads, turns)
            some = some * (on + done)
            none = none * (on + done if rival.later else on)
        return some - none
