"""The middle level: it goes for one goal at a time, the one that promises most.

A *goal* is a set of cards that fills an open field. The bot reckons, as people do, that each card
missing takes a turn, and that each turn has its price. What a goal brings beyond that it compares
with what the same field brings on average from five fresh cards; it follows the goal with the
greatest gain. What it does not see: that some cards are easier to draw than others, that a card can
serve two goals, what the cards left over after a play are worth, and how far the others have come.
It takes the bonus seriously only when the last upper field decides it.

The constants were tried out in matches, not for the most points but for a level that
fills its sheet in about 25 rounds for some 200 points, as a practised person does.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from math import exp, factorial, prod

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.ending import last_move
from kartenkniffel.bots.goals import Goal, goals, shared
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    HAND_START,
    MALUS,
    MALUS_BELOW,
    VALUES,
    Cards,
    Exchange,
    Field,
    HouseRules,
    Move,
    Score,
    Sheet,
    View,
    bonus_for,
    multisets,
    penalty_for,
)
from kartenkniffel.rules.moves import MOST_DISCARDED

TURN_PRICE = 10.0
"""What a turn costs, in points."""

EXTRA_CARD_UNTIL = 6
"""A hand of fewer cards than this draws one card more than it discards."""

USUAL_EQUALS = 3
"""How many equal cards it expects of an upper field that is still open; six times three make 63."""

BONUS_CARE = 0.1
"""How much of the bonus it sees before the last upper field."""


class Medium:
    """Plans for the open fields, one goal at a time, with an eye on penalty, bonus and malus."""

    name = "medium"

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose a move; chance plays no part in it."""
        moves = own_moves(view)
        assert view.hand is not None
        if view.last_round:
            return last_move(moves, view)
        plans = _plans(view.hand, view.own.sheet, view.rules)
        best = plans[0]
        if best.turns == 0:
            return Score(best.goal.cards, best.goal.field)
        return _exchange(view.hand, plans)


@dataclass(frozen=True, slots=True)
class _Plan:
    goal: Goal
    turns: int
    gain: float


def _plans(hand: Cards, sheet: Sheet, rules: HouseRules) -> list[_Plan]:
    """List a plan for each goal of the open fields, the most promising first."""
    open_fields = sheet.open_fields
    later = {
        field: sum(USUAL_EQUALS * f.number for f in open_fields if f.is_upper and f is not field)
        for field in open_fields
    }
    blur = sum(field.is_upper for field in open_fields) - 1
    plans = []
    for field in open_fields:
        usual = _usual(field, rules)
        for goal in goals(field, hand, rules):
            turns, worth = _outlook(goal, hand)
            if field.is_upper:
                sure = sheet.upper + later[field]
                worth += _bonus_ahead(sure + goal.points, blur)
                worth -= _bonus_ahead(sure + USUAL_EQUALS * field.number, blur)
            plans.append(_Plan(goal, turns, worth - usual))
    plans.sort(key=lambda plan: -plan.gain)
    return plans


def _outlook(goal: Goal, hand: Cards) -> tuple[int, float]:
    """Give the turns a goal is away, and its points less what these turns cost."""
    turns = goal.missing(hand)
    grown = len(hand) if turns == 0 else max(len(hand), EXTRA_CARD_UNTIL)
    return turns, goal.points - penalty_for(grown) - TURN_PRICE * turns


def _exchange(hand: Cards, plans: list[_Plan]) -> Exchange:
    """Keep what the best plan needs, and what the next ones do as far as more must be kept."""
    keep = shared(plans[0].goal.needs, hand)
    must_keep = len(hand) - MOST_DISCARDED
    for wanted in (*(plan.goal.needs for plan in plans[1:]), hand):
        room = must_keep - len(keep)
        if room <= 0:
            break
        useful = shared(wanted, hand)
        more = [value for value in VALUES for _ in range(useful.count(value) - keep.count(value))]
        keep += Cards(more[-room:])
    discard = hand - keep
    extra = len(hand) < EXTRA_CARD_UNTIL or not discard
    return Exchange(discard, len(discard) + extra)


def _bonus_ahead(upper: float, open_upper: int) -> float:
    """Give bonus or malus as this level sees it when the upper fields come to about this sum."""
    if open_upper == 0:
        return bonus_for(round(upper))
    blur = 2.0 * open_upper**0.5
    bonus = BONUS / (1 + exp((BONUS_FROM - 0.5 - upper) / blur))
    malus = MALUS / (1 + exp((upper - MALUS_BELOW + 0.5) / blur))
    return BONUS_CARE * (bonus + malus)


@cache
def _usual(field: Field, rules: HouseRules) -> float:
    """Give what a field's best goal is worth on average with five fresh cards in hand."""
    total = deals = 0.0
    for hand in multisets(HAND_START):
        ways = factorial(HAND_START) / prod(map(factorial, hand.counts))
        total += ways * max(_outlook(goal, hand)[1] for goal in goals(field, hand, rules))
        deals += ways
    return total / deals
