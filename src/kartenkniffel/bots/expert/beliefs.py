"""Which hands others may hold, inferred from what they kept (R15).

Players keep good cards and discard bad ones. A `Belief` follows one player from the deal on: chance
draws the cards, as far as they are not on the discard pile, and every public move makes those hands
more likely from which it kept the best. How good kept cards are, the knowledge says.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Lock

import numpy as np

from kartenkniffel.bots.expert.knowledge import Floats, Knowledge
from kartenkniffel.bots.expert.planning import Integers
from kartenkniffel.rules import (
    BONUS_FROM,
    COPIES,
    FULL_DECK,
    HAND_LIMIT,
    HAND_START,
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    Exchange,
    HouseRules,
    Move,
    Sheet,
    View,
    penalty_for,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED
from kartenkniffel.solver.draws import COUNTS
from kartenkniffel.solver.hands import FIRST, MINUS, PLUS
from kartenkniffel.solver.state import mask_of

POINTS_OFF = 1.4
"""How sure a player is to keep the best: so many points less make it e times less likely.

Fitted to the hands of table players and experts (``python -m tools.expert_beliefs``).
"""

_ANYWAY = 0.01  # how likely it is that a player keeps anything else, next to the best
_REMEMBERED = 64  # games
_FITTINGS = 8

_HELD = COUNTS > 0


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """How likely one player holds each hand of ``size`` cards, in the order of rows."""

    size: int
    chances: Floats

    @classmethod
    def empty(cls) -> Belief:
        """Give the belief of a hand without cards."""
        return cls(0, np.ones(1))

    @property
    def mean(self) -> Floats:
        """How many cards of each value the hand has on average."""
        return np.asarray(self.chances @ COUNTS[_of_size(self.size)])

    def drawing(self, cards: int, pool: Floats) -> Belief:
        """Give the belief once so many cards were drawn.

        ``pool`` are the cards, by value, that may be in this hand or are as likely to be drawn.
        """
        chances = self.chances
        for size in range(self.size, self.size + cards):
            left = np.maximum(pool - COUNTS[_of_size(size)], 0.0)
            drawn = chances[:, None] * left / max(pool.sum() - size, 1.0)
            grown = _of_size(size + 1)
            below = _below(size + 1)
            chances = np.where(_HELD[grown], drawn[below, np.arange(6)], 0.0).sum(axis=1)
        return Belief(self.size + cards, _shares(chances))

    def parting(self, gone: Cards) -> Belief:
        """Give the belief once these cards left the hand."""
        return Belief(self.size - len(gone), _shares(self.chances[self._whole(gone)]))

    def keeping_best(self, gone: Cards, worth: Floats) -> Belief:
        """Give the belief once these cards were discarded, since what was kept is the best.

        ``worth`` is what kept hands of up to nine cards are worth, in points.
        """
        left = self.parting(gone)
        missed = _most_kept(worth, self.size)[self._whole(gone)] - worth[_of_size(left.size)]
        likely = _ANYWAY + np.exp(-missed / POINTS_OFF)
        return Belief(left.size, _shares(left.chances * likely))

    def _whole(self, gone: Cards) -> Integers:
        """Give for every hand that may be left the place of the hand it was."""
        size = self.size - len(gone)
        whole = np.arange(FIRST[size], FIRST[size + 1])
        for value in gone:
            whole = PLUS[whole, value - 1].astype(np.intp)
        return whole - FIRST[self.size]


def _of_size(size: int) -> slice:
    return slice(FIRST[size], FIRST[size + 1])


def _below(size: int) -> Integers:
    """Give the places, among hands one card smaller, of hands less one card of each value."""
    return MINUS[_of_size(size)].astype(np.intp) - FIRST[size - 1]


def _shares(chances: Floats) -> Floats:
    total = chances.sum()
    return chances / total if total > 0 else np.full(len(chances), 1 / len(chances))


def _most_kept(worth: Floats, size: int) -> Floats:
    """Give for every hand of a size the most that any part of it is worth that can be kept."""
    most = worth[_of_size(max(size - MOST_DISCARDED, 0))]
    for cards in range(max(size - MOST_DISCARDED, 0) + 1, size + 1):
        most = most[_below(cards)].max(axis=1)
        if cards < HAND_LIMIT:
            most = np.maximum(most, worth[_of_size(cards)])
    return most


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A game as everyone saw it so far, with a belief for each seat."""

    rules: HouseRules
    moves: tuple[Move, ...]
    beliefs: tuple[Belief, ...]
    sheets: tuple[Sheet, ...]
    draw_pile: int
    discards: Cards

    @classmethod
    def dealt(cls, players: int, rules: HouseRules = NO_HOUSE_RULES) -> Followed:
        """Give the beliefs after the deal (R3)."""
        belief = Belief.empty().drawing(HAND_START, np.full(6, float(COPIES)))
        pile = len(FULL_DECK) - players * HAND_START
        return cls(rules, (), (belief,) * players, (Sheet(),) * players, pile, NO_CARDS)

    def is_past_of(self, view: View) -> bool:
        """Tell whether these are the first moves of a game."""
        alike = len(self.beliefs) == len(view.players) and self.rules == view.rules
        return alike and self.moves == view.moves[: len(self.moves)]

    def after(self, move: Move, known: Knowledge) -> Followed:
        """Give the beliefs once this move was made."""
        seat = len(self.moves) % len(self.beliefs)
        belief, sheet = self.beliefs[seat], self.sheets[seat]
        gone = move.leaving
        if isinstance(move, Exchange) and move.is_pass:
            left, draws = belief, 0  # the same hand once more tells nothing new
        elif isinstance(move, Exchange):
            mask = mask_of(sheet.open_fields)
            worth = known.kept(mask, min(sheet.upper, BONUS_FROM))
            left, draws = belief.keeping_best(gone, worth), move.draw
        else:
            points = plays(self.rules)[move.field][gone]
            sheet = sheet.write(move.field, points, penalty_for(belief.size))
            left = belief.parting(gone)
            draws = max(0, HAND_START - left.size)
        pile, discards = self.draw_pile - draws, self.discards + gone
        if pile < 0:  # R14
            pile, discards = pile + len(discards), NO_CARDS
        pool = COPIES - np.array(discards.counts, float)
        return Followed(
            self.rules,
            (*self.moves, move),
            (*self.beliefs[:seat], left.drawing(draws, pool), *self.beliefs[seat + 1 :]),
            (*self.sheets[:seat], sheet, *self.sheets[seat + 1 :]),
            pile,
            discards,
        )


_memory: deque[Followed] = deque(maxlen=_REMEMBERED)
_lock = Lock()


def follow(view: View, known: Knowledge) -> Followed:
    """Give the beliefs of everyone who saw the moves of a game.

    Games followed lately are gone on with; the result is the same as from the deal on.
    """
    with _lock:
        remembered = tuple(_memory)
    known_part = [one for one in remembered if one.is_past_of(view)]
    seen = max(known_part, key=lambda one: len(one.moves), default=None)
    followed = seen or Followed.dealt(len(view.players), view.rules)
    for move in view.moves[len(followed.moves) :]:
        followed = followed.after(move, known)
    with _lock:
        if seen is not None and seen in _memory:
            _memory.remove(seen)
        _memory.append(followed)
    return followed


def hidden(view: View, known: Knowledge) -> tuple[Floats, Floats]:
    """Give how many cards of each value the draw pile and all other hands have on average.

    What is believed of each hand is fitted to what the viewer cannot see: each value's cards are
    all somewhere, and each hand and the pile have as many cards as they have.
    """
    assert view.hand is not None
    pool = COPIES - np.array(view.discards.counts, float)
    unseen = pool - np.array(view.hand.counts)
    beliefs = follow(view, known).beliefs
    others = [seat for seat in range(len(view.players)) if seat != view.seat]
    sizes = np.array([view.draw_pile, *(view.players[seat].hand_size for seat in others)], float)
    places = np.array([pool, *(beliefs[seat].mean for seat in others)])
    return _fitted(places, sizes, unseen)


def _fitted(places: Floats, sizes: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Scale columns and rows in turn until they have the sums that they must have."""
    for _ in range(_FITTINGS):
        places = places * (values / np.maximum(places.sum(axis=0), 1e-9))
        places = places * (sizes / np.maximum(places.sum(axis=1), 1e-9))[:, None]
    return places[0], places[1:].sum(axis=0)
