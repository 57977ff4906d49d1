"""The compiled loops: best moves of a set of fields, and whole games.

Nothing here knows a rule by itself: hands, plays, points and penalties are the arrays of `Rules`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kartenkniffel.rules import (
    BONUS_FROM,
    COPIES,
    HAND_LIMIT,
    HAND_START,
    MOST_PLAYERS,
    MOST_ROUNDS,
)
from kartenkniffel.rules.cards import FULL_DECK
from kartenkniffel.rules.moves import EXCHANGES, MOST_DISCARDED
from kartenkniffel.solver.draws import DRAWS, MOST_DRAWN
from kartenkniffel.solver.hands import FIRST, ROWS

_ROWS = ROWS
_FIRST = FIRST
_FIVES = FIRST[HAND_START]
_LIMIT, _START = HAND_LIMIT, HAND_START
_MOST_DISCARDED, _MOST_DRAWN = MOST_DISCARDED, MOST_DRAWN
_DISCARDS = FIRST[MOST_DISCARDED + 1]
_DRAWS = DRAWS
_EXCHANGES = len(EXCHANGES)
_PLAYERS, _ROUNDS = MOST_PLAYERS, MOST_ROUNDS
_COPIES, _DECK = COPIES, len(FULL_DECK)
_BONUS_FROM = BONUS_FROM
_GUARDS = 0b100000_100000_100000_100000_100000_100000
_UPPER = 63  # the mask of the upper fields
_NEVER = -1e9

SIMPLE, TABLE, COUNTING, RANDOM = range(4)
"""How a player chooses."""

BRAINS = 3
"""How many different tables may play in one match."""


@njit(nogil=True)
def best_moves_of_set(
    own: Any,
    after: Any,
    where: Any,
    ends: Any,
    hands: Any,
    kept: Any,
    points: Any,
    moves: Any,
    rules: Any,
    cost: float,
    found: Any,
) -> None:
    """Fill ``found[column, row of five and more]`` with the numbers of the best moves."""
    worth = np.empty(_ROWS)
    means = np.empty(_ROWS)
    best = np.empty(_ROWS)
    chosen = np.empty(_ROWS, np.int64)
    for column in range(own.shape[0]):
        worth[:] = _NEVER
        for group in range(where.shape[0]):
            table = after[where[group, column]]
            for entry in range(ends[group], ends[group + 1]):
                row = hands[entry]
                value = points[entry] + table[kept[entry]]
                if value > worth[row]:
                    worth[row] = value
                    found[column, row - _FIVES] = moves[entry]
        for target in range(_START, _LIMIT + 1):
            _expect(own[column], target, rules, means)
            for size in range(max(_START, target - 1), target + 1):
                lowest = size - _MOST_DISCARDED
                _climb(means, lowest, size, target, rules, best, chosen)
                for row in range(_FIRST[size], _FIRST[size + 1]):
                    if best[row] > worth[row]:
                        worth[row] = best[row]
                        discard = _difference(row, chosen[row], rules)
                        found[column, row - _FIVES] = 2 * discard + target - size


@njit(nogil=True)
def _expect(own: Any, target: int, rules: Any, means: Any) -> None:
    """Give all hands down to seven cards fewer the mean of what they are when filled up."""
    for row in range(_FIRST[target], _FIRST[target + 1]):
        means[row] = own[row]
    for row in range(_FIRST[target] - 1, _FIRST[max(0, target - 1 - _MOST_DISCARDED)] - 1, -1):
        total = 0.0
        for value in range(6):
            total += means[rules.plus[row, value]]
        means[row] = total / 6


@njit(nogil=True)
def _climb(
    means: Any, lowest: int, size: int, target: int, rules: Any, best: Any, chosen: Any
) -> None:
    """Find for each hand of a size the best hand to keep; passing is left out."""
    for row in range(_FIRST[lowest], _FIRST[size + 1]):
        best[row] = _NEVER
        if row < _FIRST[size] or target > size:
            best[row] = means[row]
            chosen[row] = row
        if row >= _FIRST[lowest + 1]:
            for value in range(6):
                smaller = rules.minus[row, value]
                if best[smaller] > best[row]:
                    best[row] = best[smaller]
                    chosen[row] = chosen[smaller]


@njit(nogil=True)
def _difference(row: int, kept: int, rules: Any) -> int:
    """Give the row of the cards by which two hands differ."""
    difference = 0
    for value in range(6):
        for _ in range(rules.counts[row, value] - rules.counts[kept, value]):
            difference = rules.plus[difference, value]
    return difference


@njit(nogil=True)
def play_games(
    kinds: Any,
    brains: Any,
    costs: Any,
    policies: Any,
    values: Any,
    rules: Any,
    pairs: Any,
    seed: Any,
    deals: Any,
    totals: Any,
    rounds: Any,
    trace: Any,
) -> None:
    """Play every deal from every seat.

    Fills ``totals[deal, rotation, player]`` and ``rounds[deal, rotation]``. In rotation r seat s
    belongs to player (s + r) modulo their number. Where ``trace`` has room, it is filled for the
    last game: see `Trace`.
    """
    players = len(kinds)
    seat_kinds = np.empty(players, np.int64)
    seat_brains = np.empty(players, np.int64)
    seat_totals = np.empty(players, np.int64)
    for place in range(len(deals)):
        for rotation in range(players):
            for seat in range(players):
                player = (seat + rotation) % players
                seat_kinds[seat] = kinds[player]
                seat_brains[seat] = brains[player]
            rounds[place, rotation] = _play_game(
                seat_kinds,
                seat_brains,
                costs,
                policies,
                values,
                rules,
                pairs,
                seed,
                deals[place],
                rotation,
                seat_totals,
                trace,
            )
            for seat in range(players):
                totals[place, rotation, (seat + rotation) % players] = seat_totals[seat]


@njit(nogil=True)
def _play_game(
    kinds: Any,
    brains: Any,
    costs: Any,
    policies: Any,
    values: Any,
    rules: Any,
    pairs: Any,
    seed: Any,
    deal: int,
    rotation: int,
    totals: Any,
    trace: Any,
) -> int:
    """Play one game and give its rounds; ``totals`` are by seat."""
    players = len(kinds)
    masks = np.full(players, 4095, np.int64)
    uppers = np.zeros(players, np.int64)
    hands = np.zeros(players, np.int64)
    totals[:] = 0
    pile = np.empty(_DECK, np.int64)
    discards = np.zeros(6, np.int64)
    unseen = np.empty(6, np.int64)
    chance = np.zeros(1, np.uint64)
    chance[0] = _key(seed, deal, 1000 + rotation)
    shuffles = 0
    for value in range(6):
        discards[value] = _COPIES
    top, end = 0, _reshuffle(discards, pile, seed, deal, shuffles, trace)
    for _ in range(_START):
        for seat in range(players):
            hands[seat] = rules.plus[hands[seat], pile[top]]
            top += 1
    turn = 0
    ending = False
    while turn < _ROUNDS * players and not (ending and turn % players == 0):
        seat = turn % players
        row, mask = hands[seat], masks[seat]
        pair = pairs.base[mask] + pairs.column[_UPPER & ~mask, min(uppers[seat], _BONUS_FROM)]
        brain = brains[seat]
        if kinds[seat] == TABLE:
            move = np.int64(policies[brain][pair, row - _FIVES])
        elif kinds[seat] == COUNTING:
            for value in range(6):
                unseen[value] = _COPIES - rules.counts[row, value] - discards[value]
            move = _counted(
                row,
                mask,
                uppers[seat],
                pair,
                unseen,
                discards,
                end - top,
                costs[brain],
                values[brain],
                rules,
                pairs,
            )
        elif kinds[seat] == SIMPLE:
            move = _simple(row, mask, rules)
        else:
            move = _at_random(row, mask, rules, chance)
        size = rules.sizes[row]
        for value in range(6):
            for _ in range(rules.leaving[move, value]):
                row = rules.minus[row, value]
            discards[value] += rules.leaving[move, value]
        drawn = np.int64(rules.amounts[move])
        place = rules.places[move]
        if place >= 0:
            totals[seat] += drawn - rules.penalties[size]
            masks[seat] &= ~(1 << place)
            if place < 6:
                uppers[seat] += drawn
            ending = ending or masks[seat] == 0
            drawn = max(np.int64(0), _START - rules.sizes[row])
        for _ in range(drawn):
            if top == end:
                shuffles += 1
                top, end = 0, _reshuffle(discards, pile, seed, deal, shuffles, trace)
            row = rules.plus[row, pile[top]]
            top += 1
        hands[seat] = row
        if turn < trace.moves.shape[0]:
            trace.moves[turn] = move
            trace.rows[turn] = row
            trace.totals[turn] = totals[seat] + rules.bonuses[min(uppers[seat], _BONUS_FROM)]
            trace.piles_left[turn] = end - top
        turn += 1
    for seat in range(players):
        totals[seat] += rules.bonuses[min(uppers[seat], _BONUS_FROM)]
    return turn // players


@njit(nogil=True)
def _reshuffle(discards: Any, pile: Any, seed: Any, deal: int, number: int, trace: Any) -> int:
    """Make the discards the pile, in an order that hangs on deal and number alone (R14)."""
    state = np.zeros(1, np.uint64)
    state[0] = _key(seed, deal, number)
    end = 0
    for value in range(6):
        for _ in range(discards[value]):
            pile[end] = value
            end += 1
        discards[value] = 0
    for place in range(end - 1, 0, -1):
        other = _below(state, place + 1)
        pile[place], pile[other] = pile[other], pile[place]
    if number < trace.shuffles.shape[0]:
        trace.shuffles[number, :end] = pile[:end] + 1
        trace.shuffles[number, end:] = 0
    return end


# splitmix64, see https://prng.di.unimi.it/splitmix64.c (public domain); the constants are its own.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MIX_AGAIN = np.uint64(0x94D049BB133111EB)


@njit(nogil=True)
def _mixed(number: Any) -> Any:
    number = (number ^ (number >> np.uint64(30))) * _MIX
    number = (number ^ (number >> np.uint64(27))) * _MIX_AGAIN
    return number ^ (number >> np.uint64(31))


@njit(nogil=True)
def _key(seed: Any, deal: int, number: int) -> Any:
    """Give where chance begins for the shuffle of this number of a deal."""
    return _mixed(_mixed(_mixed(seed + _STEP) + np.uint64(deal) + _STEP) + np.uint64(number))


@njit(nogil=True)
def _below(state: Any, limit: int) -> Any:
    """Give a number from 0 to below the limit."""
    state[0] += _STEP
    return np.int64(((_mixed(state[0]) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@njit(nogil=True)
def _simple(row: int, mask: int, rules: Any) -> Any:
    """Play what brings the most, else go for the nearest goal."""
    best = -1
    for place in range(12):
        if mask >> place & 1:
            move = rules.best[row, place]
            if move >= 0 and (best < 0 or rules.amounts[move] > rules.amounts[best]):
                best = move
    if best >= 0:
        return best
    nearest = 100
    for place in range(12):
        if mask >> place & 1 and rules.lacks[row, place] < nearest:
            nearest = rules.lacks[row, place]
            best = rules.toward[row, place]
    return best


@njit(nogil=True)
def _at_random(row: int, mask: int, rules: Any, chance: Any) -> Any:
    """Take any play in one case of four, where there is one, else any exchange."""
    if _below(chance, 4) == 0:
        begin = rules.begin[row]
        for _ in range(8):
            move = rules.moves_of[begin + _below(chance, rules.begin[row + 1] - begin)]
            if mask >> rules.places[move] & 1:
                return np.int64(move)
    while True:
        move = _below(chance, _EXCHANGES)
        held = ((rules.hands[row] | _GUARDS) - rules.packed[move]) & _GUARDS == _GUARDS
        if held and rules.sizes[row] + (move & 1) <= _LIMIT:
            return move


@njit(nogil=True)
def _counted(
    row: int,
    mask: int,
    upper: int,
    pair: int,
    unseen: Any,
    discards: Any,
    left: int,
    cost: float,
    values: Any,
    rules: Any,
    pairs: Any,
) -> Any:
    """Give the best move when cards are drawn from those not seen, later ones evenly."""
    odds = np.empty(_DRAWS)
    _draw_odds(unseen, odds, rules)
    size = rules.sizes[row]
    best, most = np.int64(-1), _NEVER
    own = values[pair]
    for discard in range(_DISCARDS):
        if not _holds(rules.hands[row], rules.hands[discard]):
            continue
        kept = row
        for value in range(6):
            for _ in range(rules.counts[discard, value]):
                kept = rules.minus[kept, value]
        for extra in range(2):
            drawn = rules.sizes[discard] + extra
            if drawn == 0 or size + extra > _LIMIT:
                continue
            value = _expected(own, kept, drawn, odds, rules) - cost
            if value > most:
                best, most = np.int64(2 * discard + extra), value
    for entry in range(rules.begin[row], rules.begin[row + 1]):
        move = np.int64(rules.moves_of[entry])
        place = rules.places[move]
        if not mask >> place & 1:
            continue
        kept = row
        for value in range(6):
            for _ in range(rules.leaving[move, value]):
                kept = rules.minus[kept, value]
        points = rules.amounts[move]
        rest = mask & ~(1 << place)
        after = min(upper + points, _BONUS_FROM) if place < 6 else min(upper, _BONUS_FROM)
        column = pairs.base[rest] + pairs.column[_UPPER & ~rest, after]
        drawn = max(0, _START - rules.sizes[kept])
        value = points - rules.penalties[size] - cost
        value += _expected(values[column], kept, drawn, odds, rules)
        if value > most:
            best, most = move, value
    return best


@njit(nogil=True)
def _holds(hand: Any, cards: Any) -> Any:
    return ((hand | _GUARDS) - cards) & _GUARDS == _GUARDS


@njit(nogil=True)
def _draw_odds(unseen: Any, odds: Any, rules: Any) -> None:
    """Give each multiset of up to six cards its chance when drawn without putting back."""
    cards = 0
    for value in range(6):
        cards += unseen[value]
    for size in range(_MOST_DRAWN + 1):
        ways = _choose(cards, size)
        for draw in range(_FIRST[size], _FIRST[size + 1]):
            odd = 1.0
            for value in range(6):
                odd *= _choose(unseen[value], rules.counts[draw, value])
            odds[draw] = odd / ways if ways else 0.0


@njit(nogil=True)
def _choose(cards: int, size: int) -> float:
    ways = 1.0
    for taken in range(size):
        ways = ways * (cards - taken) / (taken + 1)
    return ways


@njit(nogil=True)
def _expected(own: Any, kept: int, drawn: int, odds: Any, rules: Any) -> float:
    begin = rules.sums_begin[kept]
    total = 0.0
    for draw in range(_FIRST[drawn], _FIRST[drawn + 1]):
        total += odds[draw] * own[rules.sums[begin + draw]]
    return total
