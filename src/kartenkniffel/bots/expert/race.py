"""The race to the end: chances to win instead of points.

Every player's way to the end is a `Course`: when they may finish, and what their totals may be by
then. The game ends with the round in which the first one finishes (R12). From this come the chances
to win after each play that could be made now or some turns later, as curves over the points one is
ahead, so that one look tells them for any play and any cards kept.

Rounds count from the one being played, 0. A rival *later* in the round has had k + 1 turns after
round k, an earlier one k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kartenkniffel.bots.expert.knowledge import Course, Floats
from kartenkniffel.solver.hands import Rows

_STEP = 6.0  # points from one place of a curve to the next
_REACH = 150.0
LEADS: Floats = np.arange(-_REACH, _REACH + 1, _STEP)
"""The points ahead for which curves are reckoned."""

_TIE = 0.5  # the least spread: half a point more or less decides

Array = npt.NDArray[np.float32]


def normal(x: Array) -> Array:
    """Give the chance that a normal number is below x, good to three places."""
    return np.asarray(0.5 + 0.5 * np.tanh(x * (0.7978845608 + 0.0356774081 * x * x)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Rival:
    """Another player: points ahead of mine as things stand, course, and the worth of the hand.

    ``later`` tells whether this seat moves after mine in the same round.
    """

    ahead: float
    course: Course
    hand: float
    later: bool


class _Paces:
    """What a rival may have after each round, from 0 on."""

    def __init__(self, rival: Rival, rounds: int, alert: float) -> None:
        course = rival.course
        turns = np.arange(rounds) + rival.later
        place = np.clip(turns - 1, 0, len(course.finishes) - 1)
        begun = turns > 0
        gain = rival.ahead + np.where(begun, rival.hand, 0.0)
        self.later = rival.later
        self.waits = np.where(begun, course.survives[place], 1.0)
        self.finishes = np.where(begun & (turns <= len(course.finishes)), course.finishes[place], 0)
        self.waiting = gain + np.where(begun, course.waiting[place], 0.0)
        self.waiting_spread = np.where(begun, course.waiting_spread[place], _TIE)
        grabbing = gain + np.where(begun, course.grabbing[place], 0.0)
        self.warned = (1 - alert) * self.waiting + alert * grabbing
        self.finished = gain + course.finished[place]
        self.finished_spread = course.finished_spread[place]

    def on(self, rounds: slice, lead: Array, spread: Array, warned: bool = False) -> Array:
        """Give the chances that this rival goes on and is below the lead, round by round."""
        mean = (self.warned if warned and self.later else self.waiting)[rounds, None]
        own = self.waiting_spread[rounds, None]
        below = normal(((lead - mean) / np.sqrt(spread**2 + own**2)).astype(np.float32))
        return np.asarray(self.waits[rounds, None] * below, np.float32)

    def done(self, rounds: slice, lead: Array, spread: Array) -> Array:
        """Give the chances that this rival finishes with the round and is below the lead."""
        if not self.finishes[rounds].any():
            return np.zeros_like(lead)
        mean, own = self.finished[rounds, None], self.finished_spread[rounds, None]
        below = normal(((lead - mean) / np.sqrt(spread**2 + own**2)).astype(np.float32))
        return np.asarray(self.finishes[rounds, None] * below, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Chances to win by kind of play and points ahead: ``chances[kind, place]``."""

    chances: Array

    def at(self, kinds: Rows | npt.NDArray[np.intp] | int, leads: Floats) -> Floats:
        """Give the chances for so many points ahead."""
        place = np.clip((leads + _REACH) / _STEP, 0, len(LEADS) - 1.001)
        low = place.astype(np.intp)
        part = place - low
        return np.asarray(
            self.chances[kinds, low] * (1 - part) + self.chances[kinds, low + 1] * part
        )


class Race:
    """The chances to win from here, if the rivals go on as table players do.

    ``mine`` are my courses after each kind of play, or none if any play fills my last field.
    """

    def __init__(
        self, rivals: Sequence[Rival], mine: Sequence[Course], turns: int, horizon: int, alert: float
    ) -> None:
        self._paces = [_Paces(rival, turns + horizon + 1, alert) for rival in rivals]
        self._horizon = horizon
        if mine:
            self._finishes = np.stack([one.finishes[:horizon] for one in mine]).astype(np.float32)
            self._survives = np.stack([one.survives[:horizon] for one in mine]).astype(np.float32)
            self._leads = {
                part: (
                    np.stack([getattr(one, part)[:horizon] for one in mine])[:, :, None] + LEADS,
                    np.stack([getattr(one, f"{part}_spread")[:horizon] for one in mine])[..., None],
                )
                for part in ("finished", "waiting", "grabbing")
            }

    def given(self, turn: int) -> float:
        """Give the chance that nobody has finished when I am to move in round ``turn``."""
        chance = 1.0
        for pace in self._paces:
            before = turn - 1 if pace.later else turn
            chance *= float(pace.waits[before]) if before >= 0 else 1.0
        return max(chance, 1e-9)

    def curves(self, turn: int) -> Curves:
        """Give the chances to win after a play in round ``turn``, nobody having finished before."""
        now = self._ended_at_once(turn)
        finished, finished_spread = self._leads["finished"]
        rounds = slice(turn + 1, turn + 1 + self._horizon)
        first = self._everyone(rounds, finished, finished_spread, warned=True)
        beaten = self._ended_by_others(rounds)
        waiting, spread = (part[:, -1:] for part in self._leads["waiting"])
        last = slice(rounds.stop - 1, rounds.stop)
        beaten[:, -1:] = self._everyone(last, waiting, spread)
        total = now + (self._finishes[..., None] * first + self._survives[..., None] * beaten).sum(
            axis=1
        )
        return Curves(np.asarray(total / self.given(turn), np.float32))

    def last_field(self, turn: int) -> Curves:
        """Give the chances to win when a play in round ``turn`` fills my last field."""
        lead = LEADS[None, :].astype(np.float32)
        at = slice(turn, turn + 1)
        product = self._everyone(at, lead, np.float32(_TIE), warned=True, only_later=True)
        return Curves(np.asarray(product / self.given(turn), np.float32))

    def after_exchange(self, turn: int, lead: float, grabs: Floats) -> tuple[float, Floats]:
        """Give what an exchange in round ``turn`` leads to: the chance that I move again as before,
        and for each hand then the chance to win because others end the game first.

        ``lead`` are my points ahead, ``grabs`` what a last play with each hand would add.
        """
        given = self.given(turn)
        before = float(self._ended_at_once(turn, np.array([[lead]]))[0, 0])
        grabbed = np.zeros_like(grabs)
        if not all(pace.later for pace in self._paces):
            leads = lead + grabs[None, :]
            at = slice(turn + 1, turn + 2)
            grabbed = self._ended_by_earlier(at, leads, np.float32(_TIE))[0]
        return self.given(turn + 1) / given, (before + grabbed) / given

    def _everyone(
        self,
        rounds: slice,
        lead: Array,
        spread: Array,
        warned: bool = False,
        only_later: bool = False,
    ) -> Array:
        """Give the chance that the game gets that far and all rivals are below the lead then."""
        product = np.ones_like(lead, np.float32)
        for pace in self._paces:
            chance = pace.on(rounds, lead, spread, warned)
            if pace.later or not only_later:
                chance = chance + pace.done(rounds, lead, spread)
            product *= chance
        return product

    def _ended_at_once(self, turn: int, lead: Array | None = None) -> Array:
        """Give the chance that later rivals end the game in round ``turn`` and are all below."""
        lead = LEADS[None, :] if lead is None else lead
        at, spread = slice(turn, turn + 1), np.float32(_TIE)
        if not any(pace.later for pace in self._paces):
            return np.zeros_like(lead, np.float32)
        nobody = np.ones_like(lead, np.float32)
        for pace in self._paces:
            nobody *= pace.on(at, lead, spread)
        return self._everyone(at, lead, spread, only_later=True) - nobody

    def _ended_by_others(self, rounds: slice) -> Array:
        """Give the chance that others end the game with each round and all are below."""
        waiting, spread = self._leads["waiting"]
        grabbing, grab_spread = self._leads["grabbing"]
        total = np.zeros_like(waiting, np.float32)
        if any(pace.later for pace in self._paces):
            some = np.ones_like(waiting, np.float32)
            none = np.ones_like(waiting, np.float32)
            for pace in self._paces:
                on = pace.on(rounds, waiting, spread)
                none *= on
                some *= on + pace.done(rounds, waiting, spread) if pace.later else on
            total += some - none
        if not all(pace.later for pace in self._paces):
            total += self._ended_by_earlier(rounds, grabbing, grab_spread)
        return total

    def _ended_by_earlier(self, rounds: slice, lead: Array, spread: Array) -> Array:
        """Give the chance that a rival before me ends the game, so that I know, and all are below."""
        if len(self._paces) == 1:
            return self._paces[0].done(rounds, lead, spread)
        all_of_them = np.ones_like(lead, np.float32)
        later_alone = np.ones_like(lead, np.float32)
        for pace in self._paces:
            on, done = pace.on(rounds, lead, spread), pace.done(rounds, lead, spread)
            all_of_them *= on + done
            later_alone *= on + done if pace.later else on
        return all_of_them - later_alone
