"""The expert's choice of a move.

Far from the end it maximises points less the cost of turns, as the solver does, but with the odds
of the cards not seen. When somebody may finish soon it maximises the chance to win (see `race`).
Either way it reckons some turns ahead over all hands: the best of every play and every exchange.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.ending import last_move
from kartenkniffel.bots.expert.cards import Count
from kartenkniffel.bots.expert.knowledge import Floats, Knowledge, knowledge
from kartenkniffel.bots.expert.planning import (
    NEVER,
    Plays,
    best_exchanges,
    draw_chances,
    drawn_mean,
    filled_up,
    plays_beside,
)
from kartenkniffel.bots.expert.race import Race, Rival
from kartenkniffel.rules import (
    BONUS_FROM,
    HAND_LIMIT,
    HAND_START,
    Cards,
    Exchange,
    Move,
    Score,
    View,
    bonus_for,
    penalty_for,
    plays,
)
from kartenkniffel.solver.draws import MOST_DRAWN
from kartenkniffel.solver.hands import FIRST, row_of
from kartenkniffel.solver.plays import play_groups
from kartenkniffel.solver.state import mask_of


@dataclass(frozen=True, slots=True)
class Settings:
    """How the expert thinks; tried out in ``docs/bots.md``."""

    turns: int = 5
    race_turns: int = 6
    horizon: int = 10
    own_race: int = 5
    near_end: int = 3
    alert: float = 0.5
    rivals: int = 4
    largest: int = 7


class Worth(Protocol):
    """What is maximised: points or chances to win."""

    turns: int

    def of_plays(self, groups: object, gains: Floats, turn: int) -> Floats:
        """Give the worth of plays in a turn of mine that bring so much, cards kept included."""

    def of_waiting(self, worth: Floats, turn: int) -> Floats:
        """Give the worth, after an exchange in this turn, of each hand at my next one."""

    @property
    def worst(self) -> float:
        """What a hand without a play is worth where planning ends."""


class Points:
    """Points still to come, turns paid; ``ahead`` is what is to come after each kind of play."""

    def __init__(self, ahead: Floats, cost: float, turns: int) -> None:
        self._ahead, self._cost, self.turns = ahead, cost, turns

    def of_plays(self, groups: object, gains: Floats, turn: int) -> Floats:
        return np.asarray(self._ahead[groups] + gains - self._cost)  # type: ignore[call-overload]

    def of_waiting(self, worth: Floats, turn: int) -> Floats:
        return worth - self._cost

    @property
    def worst(self) -> float:
        return float(self._ahead.mean()) - 2 * self._cost


class Chances:
    """Chances to win; plays change the total by what they bring and by ``steps`` of the bonus."""

    def __init__(self, race: Race, steps: Floats, lead: float, last: bool, turns: int) -> None:
        self._race, self._steps, self._lead, self.turns = race, steps, lead, turns
        self._curves = [
            race.last_field(turn) if last else race.curves(turn) for turn in range(turns)
        ]
        self._end = race.curves(turns - 1)
        self._last = last
        self.grabs = np.zeros(0)

    def of_plays(self, groups: object, gains: Floats, turn: int) -> Floats:
        leads = self._lead + self._steps[groups] + gains  # type: ignore[call-overload]
        kinds = 0 if self._last else groups
        return self._curves[turn].at(kinds, leads)  # type: ignore[arg-type]

    def of_waiting(self, worth: Floats, turn: int) -> Floats:
        again, beaten = self._race.after_exchange(turn, self._lead, self.grabs)
        return np.asarray(again * worth + beaten)

    @property
    def worst(self) -> float:
        return float(self._end.at(len(self._end.chances) - 1, np.array([self._lead]))[0])


class Expert:
    """Plays for the win, with all that may be known."""

    name = "expert"

    def __init__(self, settings: Settings = Settings()) -> None:  # noqa: B008 - it is frozen
        self._settings = settings

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose the move of the highest worth; chance plays no part in it."""
        moves = own_moves(view)
        if view.last_round:
            return last_move(moves, view)
        turn = _Turn(view, self._settings, knowledge())
        best = turn.best(moves)
        if hasattr(self, "log") and isinstance(turn._worth, Chances):
            self.log.append((turn.most, len(view.own.sheet.open_fields), len(view.players[1-view.seat].sheet.open_fields), view.seat, isinstance(best, Score)))
        return best


class _Turn:
    """One decision."""

    def __init__(self, view: View, settings: Settings, known: Knowledge) -> None:
        assert view.hand is not None
        self._view, self._settings, self._known = view, settings, known
        self._hand, self._sheet = view.hand, view.own.sheet
        self._mask = mask_of(self._sheet.open_fields)
        self._upper = min(self._sheet.upper, BONUS_FROM)
        self._largest = min(HAND_LIMIT, max(settings.largest, len(view.hand) + 1))
        self._count = Count.of(view)
        self._plays = plays_beside(self._mask, self._largest)
        self._after = [self._pair_after(number) for number in self._plays.numbers]
        self._kept = np.stack([known.kept(mask, upper) for mask, upper in self._after])
        self._worth = self._measure()

    def _pair_after(self, number: int) -> tuple[int, int]:
        """Give the open fields and upper points after a play of this group."""
        group = play_groups()[number]
        return (
            self._mask & ~(1 << group.field.place),
            min(self._upper + group.upper, BONUS_FROM),
        )

    def _measure(self) -> Worth:
        """Choose what to maximise."""
        settings, view, known = self._settings, self._view, self._known
        sizes = [len(player.sheet.open_fields) for player in view.players]
        own = len(self._sheet.open_fields)
        racing = own <= settings.own_race and min(sizes) <= settings.near_end
        if len(view.players) == 1 or not racing:
            ahead = np.array([known.fresh(mask, upper) for mask, upper in self._after])
            return Points(ahead, known.cost, settings.turns)
        rivals = self._rivals()
        last = own == 1
        courses = [] if last else [known.course(mask, upper) for mask, upper in self._after]
        courses.append(known.course(self._mask, self._upper))
        race = Race(rivals, courses, settings.race_turns + 1, settings.horizon, settings.alert)
        now = bonus_for(self._upper)
        steps = np.array([bonus_for(upper) - now for _, upper in self._after], float)
        worth = Chances(race, steps, 0.0, last, settings.race_turns)
        worth.grabs = self._grabs(steps)
        return worth

    def _rivals(self) -> list[Rival]:
        view, known = self._view, self._known
        found = []
        for seat, player in enumerate(view.players):
            if seat == view.seat:
                continue
            mask, upper = mask_of(player.sheet.open_fields), min(player.sheet.upper, BONUS_FROM)
            found.append(
                Rival(
                    player.sheet.total - self._sheet.total,
                    known.course(mask, upper),
                    self._hand_of(seat, mask),
                    seat > (view.seat or 0),
                )
            )
        found.sort(key=lambda rival: -(rival.ahead + float(rival.course.waiting[2])))
        return found[: self._settings.rivals]

    def _hand_of(self, seat: int, mask: int) -> float:
        """Give what another hand is worth above fresh cards, as far as the last move tells."""
        size, kept, scored = HAND_START, 0, True
        for move in self._view.moves[seat :: len(self._view.players)]:
            kept = size - len(move.leaving)
            scored = isinstance(move, Score)
            size = max(kept, HAND_START) if isinstance(move, Score) else kept + move.draw
        return self._known.hand_worth(mask, scored, kept)

    def _grabs(self, steps: Floats) -> Floats:
        """Give what each hand could add to the total with a last play, at least nothing."""
        gains = self._plays.points + steps[self._plays.groups]
        return np.maximum(self._plays.best(gains, self._largest), 0.0)

    def best(self, moves: Sequence[Move]) -> Move:
        """Give the best of these moves."""
        waiting = self._worth.of_waiting(self._planned(), 0)
        chances = [draw_chances(self._count.now(draws)) for draws in (0, MOST_DRAWN)]
        near = self._count.pile
        best, most = moves[0], NEVER * 2
        for move in moves:
            kept = self._hand - move.leaving
            if isinstance(move, Score):
                value = self._of_play(move, kept, chances[len(kept) + near < HAND_START])
            elif move.is_pass or len(kept) + move.draw > self._largest:
                continue
            else:
                value = drawn_mean(waiting, row_of(kept), move.draw, chances[move.draw > near])
            if value > most:
                best, most = move, value
        self.most = most
        return best

    def _planned(self) -> Floats:
        """Give what each hand is worth at my next turn."""
        plays, worth, largest = self._plays, self._worth, self._largest
        value = np.zeros(0)
        for turn in range(worth.turns - 1, 0, -1):
            odds = self._count.later(turn)
            gains = plays.points + self._kept_refilled(turn)[plays.groups, plays.kept]
            now = plays.best(worth.of_plays(plays.groups, gains, turn), largest)
            if turn == worth.turns - 1:
                value = np.maximum(now, worth.worst)
            else:
                later = best_exchanges(worth.of_waiting(value, turn), self._count.later(turn), largest)
                value = np.maximum(now, later)
            del odds
        return value

    def _kept_refilled(self, turn: int) -> Floats:
        """Give what kept cards are worth after each kind of play, refilled in this turn (R6)."""
        return self._kept

    def _of_play(self, score: Score, kept: Cards, chances: Floats) -> float:
        """Give the worth of a play now."""
        points = plays(self._view.rules)[score.field][score.cards]
        after = (
            self._mask & ~(1 << score.field.place),
            min(self._upper + points * score.field.is_upper, BONUS_FROM),
        )
        group = self._after.index(after)
        row = row_of(kept)
        if len(kept) < HAND_START:
            added = drawn_mean(self._kept[group], row, HAND_START - len(kept), chances)
        else:
            added = float(self._kept[group][row])
        gain = np.array([points - penalty_for(len(self._hand)) + added])
        return float(self._worth.of_plays(np.array([group]), gain, 0)[0])
