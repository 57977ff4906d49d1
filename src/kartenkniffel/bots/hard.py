"""The hard level: it reckons what every hand is worth, several exchanges ahead.

For the fields it has open it works out the worth of all hands of five to `LARGEST` cards: the best
of playing them now (points, less penalty, plus what the outlook says is to come for the fields then
left and the cards kept) and of an exchange, whose worth is the average over all draws of what may
follow. It does this a few times over, each time looking one exchange further.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.fitted import FITTED
from kartenkniffel.bots.hands import (
    MOST_DISCARDED,
    NEVER,
    Layer,
    hands_up_to,
    ways_to_play,
)
from kartenkniffel.bots.outlook import TURN_PRICE, OpenFields, Outlook
from kartenkniffel.rules import (
    COPIES,
    HAND_START,
    HouseRules,
    Move,
    Score,
    View,
    penalty_for,
    plays,
)

LARGEST = 8
"""The largest hand it plans for; a larger one it still plays as well as it can."""

EXCHANGES_AHEAD = 3
"""How many exchanges ahead it reckons."""

FLOOR = 3.0
"""Where its reckoning ends: a turn spent in vain, less this, for what it may still bring."""


class Hard:
    """Weighs all moves by the points they bring on average, draws and later turns included."""

    name = "hard"

    def __init__(self, outlook: Outlook = FITTED) -> None:
        self._outlook = outlook

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose the move of the highest worth; chance plays no part in it."""
        moves = own_moves(view)
        scores = [move for move in moves if isinstance(move, Score)]
        if view.last_round and scores:
            return max(scores, key=lambda score: worth_now(score, view))
        assert view.hand is not None
        hand, sheet = view.hand, view.own.sheet
        open_fields = sheet.open_fields
        largest = max(LARGEST, len(hand))
        hands = hands_up_to(largest)
        odds = draw_odds(view)
        even = [(odd + 1 / 6) / 2 for odd in odds]
        worth = hand_worth(self._outlook, open_fields, sheet.upper, view.rules, largest, even)
        size = len(hand)
        drawn = {
            grown: hands.before_drawing(worth[grown], grown, grown - size + MOST_DISCARDED, odds)
            for grown in (size, size + 1)
            if grown <= largest
        }
        best, most = moves[0], NEVER
        for move in moves:
            left = tuple(
                have - gone for have, gone in zip(hand.counts, move.leaving.counts, strict=True)
            )
            if isinstance(move, Score):
                points = plays(view.rules)[move.field][move.cards]
                rest = tuple(field for field in open_fields if field is not move.field)
                upper = sheet.upper + points * move.field.is_upper
                value = points - penalty_for(size) + self._outlook.ahead(rest, upper)
                if rest:
                    value += self._outlook.cards(rest, largest)[hands.numbers[left]]
            elif move.draw and (layers := drawn.get(sum(left) + move.draw)):
                value = layers[move.draw][hands.place(left)]
            else:
                continue
            if value > most:
                best, most = move, value
        return best


def worth_now(score: Score, view: View) -> int:
    """Give what a play adds to the total if it is the last one."""
    assert view.hand is not None
    sheet = view.own.sheet
    points = plays(view.rules)[score.field][score.cards]
    return sheet.write(score.field, points, penalty_for(len(view.hand))).total - sheet.total


def draw_odds(view: View) -> list[float]:
    """Give how likely each value is to be drawn, as far as the cards not seen tell."""
    assert view.hand is not None
    unseen = [
        COPIES - held - gone
        for held, gone in zip(view.hand.counts, view.discards.counts, strict=True)
    ]
    return [count / sum(unseen) for count in unseen] if any(unseen) else [1 / 6] * 6


def hand_worth(
    outlook: Outlook,
    open_fields: OpenFields,
    upper: int,
    rules: HouseRules,
    largest: int,
    odds: Sequence[float],
) -> dict[int, Layer]:
    """Give the worth of all hands of five and more cards, a layer for each size."""
    hands = hands_up_to(largest)
    played = _played(outlook, open_fields, upper, rules, largest)
    floor = outlook.ahead(open_fields, upper) - 2 * TURN_PRICE + FLOOR
    sizes = range(largest, HAND_START - 1, -1)
    worth = {size: [max(now, floor) for now in played[size]] for size in sizes}
    drawn = {
        size: hands.before_drawing(worth[size], size, min(size, MOST_DISCARDED + 1), odds)
        for size in sizes
    }
    for _ in range(EXCHANGES_AHEAD):
        for size in sizes:
            kept = []
            for discards in range(MOST_DISCARDED + 1):
                layers = [drawn[size][discards]] if discards else []
                if size < largest:
                    layers.append(drawn[size + 1][discards + 1])
                kept.append(layers or [[NEVER] * len(worth[size])])
            later = hands.best_discard(size, kept)
            worth[size] = [
                now if now > then - TURN_PRICE else then - TURN_PRICE
                for now, then in zip(played[size], later, strict=True)
            ]
            drawn[size] = hands.before_drawing(
                worth[size], size, min(size, MOST_DISCARDED + 1), odds
            )
    return worth


@lru_cache(maxsize=16)
def _played(
    outlook: Outlook, open_fields: OpenFields, upper: int, rules: HouseRules, largest: int
) -> dict[int, Layer]:
    """Give what playing at once is worth, for all hands of five and more cards."""
    hands = hands_up_to(largest)
    best = [NEVER] * len(hands.counts)
    for field in open_fields:
        rest = tuple(other for other in open_fields if other is not field)
        kept = outlook.cards(rest, largest) if rest else [0.0] * len(best)
        for points, pairs in ways_to_play(field, largest, rules).items():
            ahead = points + outlook.ahead(rest, upper + points * field.is_upper)
            for number, left in pairs:
                value = ahead + kept[left]
                if value > best[number]:
                    best[number] = value
    layers = {}
    for size in range(HAND_START, largest + 1):
        cost = TURN_PRICE + penalty_for(size)
        layers[size] = [value - cost for value in best[hands.starts[size] : hands.starts[size + 1]]]
    return layers
