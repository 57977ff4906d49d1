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
from kartenkniffel.bots.goals import goals, shared
from kartenkniffel.rules import (
    BONUS_FROM,
    FIELDS,
    HAND_LIMIT,
    HAND_START,
    NO_HOUSE_RULES,
    Cards,
    Exchange,
    bonus_for,
    penalty_for,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED, MOVES
from kartenkniffel.solver.draws import BEGIN, COUNTS, SUMS
from kartenkniffel.solver.hands import FIRST, HANDS, MINUS, PLUS, ROWS, SIZES

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
    hands = np.array([_packed(hand) for hand in HANDS])
    leaving = np.array([_packed(move.leaving) for move in MOVES])
    plays_of = [_plays_of(row, hands, leaving) for row in range(ROWS)]
    exchange = {move: number for number, move in enumerate(MOVES) if isinstance(move, Exchange)}
    best = np.full((ROWS, len(FIELDS)), NO_MOVE, np.int16)
    lacks = np.zeros((ROWS, len(FIELDS)), np.int8)
    toward = np.zeros((ROWS, len(FIELDS)), np.int16)
    amounts = np.array([_amount(number) for number in range(len(MOVES))], np.int16)
    places = np.array([_place(number) for number in range(len(MOVES))], np.int8)
    for row in range(_FIVES, ROWS):
        for move in plays_of[row]:
            now = best[row, places[move]]
            good = places[move] >= 6 or len(MOVES[move].leaving) >= GOOD_EQUALS
            if good and (now == NO_MOVE or amounts[move] > amounts[now]):
                best[row, places[move]] = move
    # A nearest goal depends on what is wanted and not on the rest of a large hand, but is cheap.
    for row in range(_FIVES, ROWS):
        for field in FIELDS:
            missing, keep = _nearest(row, field.place)
            lacks[row, field.place] = missing
            discard = Cards(sorted(HANDS[row] - keep)[:MOST_DISCARDED])
            extra = 0 if discard else 1
            if len(HANDS[row]) == HAND_LIMIT and not discard:
                discard, extra = Cards(sorted(HANDS[row])[:1]), 0
            toward[row, field.place] = exchange[Exchange(discard, len(discard) + extra)]
    return Rules(
        np.array([move.leaving.counts for move in MOVES], np.int8),
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
        np.array([move for moves in plays_of for move in moves], np.int16),
        np.cumsum([0, *map(len, plays_of)]),
        best,
        lacks,
        toward,
        SUMS,
        BEGIN,
    )


@cache
def _goal_lists() -> tuple[tuple[tuple[int, int, Cards], ...], ...]:
    """Give for each field what its goals need: packed, how many cards, and as cards."""
    return tuple(
        tuple(
            dict.fromkeys(
                (_packed(goal.needs), len(goal.needs), goal.needs)
                for goal in goals(field, Cards(), NO_HOUSE_RULES)
                if len(goal.cards) > GOOD_EQUALS
            )
        )
        for field in FIELDS
    )


def _nearest(row: int, place: int) -> tuple[int, Cards]:
    """Give how many cards the nearest goal of a field lacks, and which cards of it are held."""
    hand = HANDS[row]
    found = [
        (size - int(np.minimum(COUNTS[row], needs.counts).sum()), number)
        for number, (_, size, needs) in enumerate(_goal_lists()[place])
    ]
    missing, number = min(found)
    return missing, shared(_goal_lists()[place][number][2], hand)


def _packed(cards: Cards) -> int:
    return sum(count << (6 * place) for place, count in enumerate(cards.counts))


def _plays_of(row: int, hands: npt.NDArray[np.int64], leaving: npt.NDArray[np.int64]) -> list[int]:
    if row < _FIVES:
        return []
    held = ((hands[row] | _GUARDS) - leaving) & _GUARDS == _GUARDS
    return [int(move) for move in np.flatnonzero(held) if _amount(int(move)) and move >= _PLAYS]


_PLAYS = 2 * FIRST[MOST_DISCARDED + 1]  # the first play in MOVES; exchanges come before


def _place(number: int) -> int:
    move = MOVES[number]
    return NO_MOVE if isinstance(move, Exchange) else move.field.place


def _amount(number: int) -> int:
    """Give the points of a play (0 for one of a house rule) or the cards an exchange draws."""
    move = MOVES[number]
    if isinstance(move, Exchange):
        return move.draw
    return plays(NO_HOUSE_RULES)[move.field].get(move.cards, 0)
