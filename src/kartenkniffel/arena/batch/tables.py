"""The rules as arrays for compiled loops, all made from `kartenkniffel.rules`.

Hands are rows (`kartenkniffel.solver.hands`), moves their numbers in `MOVES`, sets of open fields
masks.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kartenkniffel.bots.easy import GOOD_EQUALS
from kartenkniffel.bots.goals import goals
from kartenkniffel.rules import (
    BONUS_FROM,
    FIELDS,
    HAND_LIMIT,
    HAND_START,
    NO_HOUSE_RULES,
    Cards,
    Exchange,
    Field,
    Move,
    bonus_for,
    penalty_for,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED, MOVES
from kartenkniffel.solver.draws import BEGIN, COUNTS, SUMS
from kartenkniffel.solver.hands import FIRST, MINUS, PLUS, ROWS, SIZES

NO_MOVE = -1
HAND_ROWS = ROWS - FIRST[HAND_START]
"""How many hands there are at the start of a turn."""

_GUARDS = 0b100000_100000_100000_100000_100000_100000
_FIVES = FIRST[HAND_START]


class Rules(NamedTuple):
    """What a move does, by its number, and how hands hang together."""

    leaving: npt.NDArray[np.int8]  # [move, v-1]
    packed: npt.NDArray[np.int64]  # [move], what leaves, six bits to a value
    places: npt.NDArray[np.int8]  # [move], the field, or -1 for an exchange
    amounts: npt.NDArray[np.int16]  # [move], points of a play, cards drawn by an exchange
    sizes: npt.NDArray[np.int64]  # [row]
    counts: npt.NDArray[np.int64]  # [row, v-1]
    hands: npt.NDArray[np.int64]  # [row], packed
    plus: npt.NDArray[np.uint16]
    minus: npt.NDArray[np.uint16]
    penalties: npt.NDArray[np.int64]  # [size]
    bonuses: npt.NDArray[np.int64]  # [upper], up to 63
    moves_of: npt.NDArray[np.int16]  # the legal plays of each row, one row after the other
    begin: npt.NDArray[np.int64]  # [row], where they begin
    best: npt.NDArray[np.int16]  # [row, field], the play of the most points, or -1
    lacks: npt.NDArray[np.int8]  # [row, field], how many cards its nearest goal lacks
    toward: npt.NDArray[np.int16]  # [row, field], the exchange that goes for it
    sums: npt.NDArray[np.uint16]
    sums_begin: npt.NDArray[np.int64]


@cache
def rules_tables() -> Rules:
    """Give the rules as arrays."""
    hands = _packed(COUNTS)
    leaves = np.array([move.leaving.counts for move in MOVES], np.int8)
    leaving = _packed(leaves)
    amounts = np.array([_amount(move) for move in MOVES], np.int16)
    places = np.array([_place(move) for move in MOVES], np.int8)
    # Plays of a house rule bring nothing here, and smaller hands are none that a turn begins with.
    scoring = np.flatnonzero((places != NO_MOVE) & (amounts > 0))
    held = ((hands[:, None] | _GUARDS) - leaving[scoring]) & _GUARDS == _GUARDS
    held[:_FIVES] = False
    lacks, toward = _goals_ahead(leaving)
    return Rules(
        leaves,
        leaving,
        places,
        amounts,
        SIZES.astype(np.int64),
        COUNTS,
        hands,
        PLUS,
        MINUS,
        np.array([penalty_for(size) for size in range(HAND_LIMIT + 1)]),
        np.array([bonus_for(upper) for upper in range(BONUS_FROM + 1)]),
        scoring[np.nonzero(held)[1]].astype(np.int16),
        np.cumsum([0, *held.sum(axis=1)]),
        _best_plays(scoring, held, places, amounts),
        lacks,
        toward,
        SUMS,
        BEGIN,
    )


def _best_plays(
    scoring: npt.NDArray[np.int64],
    held: npt.NDArray[np.bool_],
    places: npt.NDArray[np.int8],
    amounts: npt.NDArray[np.int16],
) -> npt.NDArray[np.int16]:
    """Give for each hand and field the play of the most points, the first of several."""
    best = np.full((ROWS, len(FIELDS)), NO_MOVE, np.int16)
    for number, move in enumerate(scoring):
        if FIELDS[places[move]].is_upper and len(MOVES[move].leaving) < GOOD_EQUALS:
            continue
        now = best[:, places[move]]
        better = (now == NO_MOVE) | (amounts[move] > amounts[now])
        now[held[:, number] & better] = move
    return best


def _goals_ahead(
    leaving: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """Give for each hand and field how many cards the nearest goal lacks, and what goes for it."""
    lacks = np.zeros((ROWS, len(FIELDS)), np.int8)
    toward = np.zeros((ROWS, len(FIELDS)), np.int16)
    exchange = {
        (cards, move.draw - len(move.discard)): number
        for number, (cards, move) in enumerate(zip(leaving.tolist(), MOVES, strict=True))
        if isinstance(move, Exchange)
    }
    # A nearest goal depends on what is wanted and not on the rest of a large hand, but is cheap.
    for field in FIELDS:
        missing, keep = _nearest(field)
        discard = _lowest(COUNTS - keep, MOST_DISCARDED)
        stuck = (SIZES == HAND_LIMIT) & (discard.sum(axis=1) == 0)
        discard[stuck] = _lowest(COUNTS[stuck], 1)
        extra = np.equal(discard.sum(axis=1), 0)
        lacks[_FIVES:, field.place] = missing[_FIVES:]
        pairs = zip(_packed(discard[_FIVES:]).tolist(), extra[_FIVES:].tolist(), strict=True)
        toward[_FIVES:, field.place] = [exchange[pair] for pair in pairs]
    return lacks, toward


def _nearest(field: Field) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give for each hand how many cards the nearest goal lacks, and which of it are held."""
    needs = np.array(
        [
            goal.needs.counts
            for goal in goals(field, Cards(), NO_HOUSE_RULES)
            if len(goal.cards) > GOOD_EQUALS
        ]
    )
    shared = np.minimum(COUNTS[:, None], needs)
    lacking = needs.sum(axis=1) - shared.sum(axis=2)
    nearest = lacking.argmin(axis=1)
    rows = np.arange(ROWS)
    return lacking[rows, nearest], shared[rows, nearest]


def _lowest(counts: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """Give the lowest cards of each of these hands, at most so many."""
    before = counts.cumsum(axis=1) - counts
    return np.clip(most - before, 0, counts)


def _packed(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    return np.asarray(counts.astype(np.int64) @ (1 << 6 * np.arange(6)))


def _place(move: Move) -> int:
    return NO_MOVE if isinstance(move, Exchange) else move.field.place


def _amount(move: Move) -> int:
    """Give the points of a play (0 for one of a house rule) or the cards an exchange draws."""
    if isinstance(move, Exchange):
        return move.draw
    return plays(NO_HOUSE_RULES)[move.field].get(move.cards, 0)
