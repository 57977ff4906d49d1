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
from math import inf

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.ending import last_move, rival, wins_at_once
from kartenkniffel.bots.fitted import FITTED
from kartenkniffel.bots.hands import (
    NEVER,
    Counts,
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
    bonus_for,
    penalty_for,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED

LARGEST = 6
"""The largest hand it plans for; a larger one it still plays as well as it can.

Each card more makes it a good deal stronger up to nine, and so sets this level apart from the
others (docs/decisions/0017).
"""

EXCHANGES_AHEAD = 3
"""How many exchanges ahead it reckons: on average this is then off by less than a point."""

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
        if view.last_round:
            return last_move(moves, view)
        assert view.hand is not None
        hand, sheet = view.hand, view.own.sheet
        size, largest = len(hand), max(LARGEST, len(hand))
        hands = hands_up_to(largest)
        odds = draw_odds(view)
        # Later draws come in part from cards now in other hands, or from a reshuffled pile.
        later_odds = [(odd + 1 / 6) / 2 for odd in odds]
        due = _due(view)
        worth = hand_worth(
            self._outlook, sheet.open_fields, sheet.upper, view.rules, largest, later_odds, due
        )
        drawn = {
            grown: hands.before_drawing(worth[grown], grown, grown - size + MOST_DISCARDED, odds)
            for grown in range(size, min(size + 1, largest) + 1)
        }
        best, most = moves[0], -inf
        for move in moves:
            counts = zip(hand.counts, move.leaving.counts, strict=True)
            left = tuple(have - gone for have, gone in counts)
            if isinstance(move, Score):
                if wins_at_once(move, view):
                    return move
                value = self._worth_of_play(move, view, left, largest, due)
            elif move.is_pass or sum(left) + move.draw > largest:
                continue
            else:
                value = drawn[sum(left) + move.draw][move.draw][hands.place(left)]
            if value > most:
                best, most = move, value
        return best

    def _worth_of_play(
        self, score: Score, view: View, left: Counts, largest: int, due: float
    ) -> float:
        """Give the points of a play less the penalty, and what is to come after it."""
        sheet = view.own.sheet
        points = plays(view.rules)[score.field][score.cards]
        rest = tuple(field for field in sheet.open_fields if field is not score.field)
        upper = sheet.upper + points * score.field.is_upper
        value = (
            points - penalty_for(sum(left) + len(score.cards)) + self._outlook.ahead(rest, upper)
        )
        if rest:
            return value + self._outlook.cards(rest, largest)[hands_up_to(largest).numbers[left]]
        return value if value >= due else NEVER


def _due(view: View) -> float:
    """Give what the last field must bring, bonus or malus included, so as not to lose by ending.

    Whoever is behind would rather wait for a better hand; it is no use where none is good enough.
    """
    sheet = view.own.sheet
    if len(sheet.open_fields) > 1:
        return NEVER
    due = rival(view) - (sheet.total - sheet.bonus)
    (field,) = sheet.open_fields
    reach = max(
        points + bonus_for(sheet.upper + points * field.is_upper)
        for points in plays(view.rules)[field].values()
    )
    return due if due <= reach else NEVER


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
    due: float = NEVER,
    exchanges: int = EXCHANGES_AHEAD,
) -> dict[int, Layer]:
    """Give the worth of all hands of five and more cards, a layer for each size.

    ``due`` is what the play that fills the last field must bring at least.
    """
    hands = hands_up_to(largest)
    played = _played(outlook, open_fields, upper, rules, largest, due)
    floor = outlook.ahead(open_fields, upper) - 2 * TURN_PRICE + FLOOR
    sizes = range(largest, HAND_START - 1, -1)
    worth = {size: [max(now, floor) for now in played[size]] for size in sizes}
    drawn = {
        size: hands.before_drawing(worth[size], size, min(size, MOST_DISCARDED + 1), odds)
        for size in sizes
    }
    for _ in range(exchanges):
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
    outlook: Outlook,
    open_fields: OpenFields,
    upper: int,
    rules: HouseRules,
    largest: int,
    due: float,
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
        values = best[hands.starts[size] : hands.starts[size + 1]]
        penalty = penalty_for(size)
        if len(open_fields) == 1:
            values = [value if value - penalty >= due else NEVER for value in values]
        layers[size] = [value - penalty - TURN_PRICE for value in values]
    return layers
