"""The expert's choice of a move.

With three and more fields open it maximises points less the cost of turns, as the solver does, but
with the odds of the cards not seen (`Points`). With two or one it maximises the chance to win
(`LastTwo`, `LastField`). Either way it reckons some turns ahead over all hands, and weighs the
draws of this turn by the exact chances of the cards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.ending import last_move
from kartenkniffel.bots.expert.cards import Count
from kartenkniffel.bots.expert.endgame import LastField, LastTwo
from kartenkniffel.bots.expert.knowledge import Floats, Knowledge, knowledge
from kartenkniffel.bots.expert.planning import drawn_mean, plays_beside
from kartenkniffel.bots.expert.points import Points
from kartenkniffel.bots.expert.race import Race, Rival
from kartenkniffel.rules import (
    BONUS_FROM,
    HAND_LIMIT,
    HAND_START,
    Exchange,
    Move,
    Score,
    View,
    penalty_for,
    plays,
)
from kartenkniffel.solver.hands import row_of
from kartenkniffel.solver.plays import play_groups
from kartenkniffel.solver.state import mask_of

_CAUTION = 0.0005
"""By how much the chance to win must rise for it to wait: a win at once is certain."""

_HOPELESS = 0.002
"""A chance that is none: the rivals' courses are not known that well."""


class Expert:
    """Plays for the win, with all that may be known."""

    name = "expert"

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose the move of the highest worth; chance plays no part in it."""
        moves = own_moves(view)
        if view.last_round:
            return last_move(moves, view)
        return _Turn(view, knowledge()).best(moves)


class _Turn:
    """One decision."""

    def __init__(self, view: View, known: Knowledge) -> None:
        assert view.hand is not None
        self._view, self._known = view, known
        self._hand, self._sheet = view.hand, view.own.sheet
        self._mask = mask_of(self._sheet.open_fields)
        self._upper = min(self._sheet.upper, BONUS_FROM)
        self._racing = len(self._sheet.open_fields) <= 2 and len(view.players) > 1
        self._largest = _largest(len(view.hand), self._racing)
        self._count = Count.of(view, self._known)
        self._worth = self._measure()
        self._chances = self._count.chances()

    def _measure(self) -> Points | LastField | LastTwo:
        """Choose what to maximise."""
        if not self._racing:
            return self._points()
        race = Race(rivals(self._view, self._known))
        end = LastField.alone if len(self._sheet.open_fields) == 1 else LastTwo
        return end(self._mask, self._upper, race, self._count, self._largest)

    def _points(self) -> Points:
        return Points(self._mask, self._upper, self._known, self._count, self._largest)

    def best(self, moves: Sequence[Move]) -> Move:
        """Give the best of these moves; where all is lost, that of the most points."""
        best, most = self._best(moves)
        if not isinstance(self._worth, Points) and most < _HOPELESS:
            self._worth = self._points()
            best, _ = self._best(moves)
        return best

    def _best(self, moves: Sequence[Move]) -> tuple[Move, float]:
        best, most = moves[0], -inf
        caution = 0.0 if isinstance(self._worth, Points) else _CAUTION
        for move in moves:
            kept = self._hand - move.leaving
            if isinstance(move, Score):
                value = self._of_play(move, row_of(kept))
            elif move.is_pass or len(kept) + move.draw > self._largest:
                continue
            else:
                value = self._mean(self._worth.waiting, row_of(kept), move.draw) - caution
            if value > most:
                best, most = move, value
        return best, most

    def _of_play(self, score: Score, kept: int) -> float:
        points = plays(self._view.rules)[score.field][score.cards]
        numbers = plays_beside(self._mask, self._largest).numbers
        upper = points * score.field.is_upper
        group = next(
            place
            for place, number in enumerate(numbers)
            if play_groups()[number].field is score.field and play_groups()[number].upper == upper
        )
        missing = max(0, HAND_START - len(self._hand) + len(score.cards))
        return self._worth.of_play(
            group,
            points - penalty_for(len(self._hand)),
            kept,
            lambda worth, row: self._mean(worth, row, missing),
        )

    def _mean(self, worth: Floats, kept: int, draws: int) -> float:
        return drawn_mean(worth, kept, draws, self._chances)


def _largest(size: int, racing: bool) -> int:
    """Give the largest hand to plan for; far larger ones than that in hand hardly matter.

    Hands of eight to ten cost much of the time, and a race asks for more of it.
    """
    if size > HAND_LIMIT - 3:
        return HAND_LIMIT
    if racing:
        return max(size + 1, 7)
    return 8 if size < 7 else HAND_LIMIT


def rivals(view: View, known: Knowledge) -> list[Rival]:
    """Give the other players as they stand in the race."""
    assert view.seat is not None
    own = view.own.sheet.total
    found = []
    for seat, player in enumerate(view.players):
        if seat == view.seat:
            continue
        sheet = player.sheet
        mask = mask_of(sheet.open_fields)
        kept, scored = _last_kept(view, seat)
        kind = 0 if scored else min(max(kept - 1, 1), 3)
        apart = kind and known.knows_kind(mask)
        found.append(
            Rival(
                sheet.total - own,
                known.course(mask, min(sheet.upper, BONUS_FROM), kind),
                0.0 if apart else known.hand_worth(mask, scored, min(kept, HAND_LIMIT)),
                seat > view.seat,
            )
        )
    return found


def _last_kept(view: View, seat: int) -> tuple[int, bool]:
    """Give how many cards stayed in a hand over its last move, and whether that was a play."""
    size, kept, scored = HAND_START, 0, True
    for move in view.moves[seat :: len(view.players)]:
        kept = size - len(move.leaving)
        scored = not isinstance(move, Exchange)
        size = max(kept, HAND_START) if isinstance(move, Score) else kept + move.draw
    return kept, scored
