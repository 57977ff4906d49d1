"""The easy level: it plays what it has, as a beginner does.

As soon as its cards fill a field it plays them where they bring the most points. Otherwise it goes
for the open field that lacks the fewest cards, but throws away only a card or two and rarely thinks
of drawing one more. It sees neither penalty nor bonus nor malus, saves nothing for later, and does
not mind how far the others have come.
"""

from __future__ import annotations

import random

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.goals import goals, shared
from kartenkniffel.rules import (
    Cards,
    Exchange,
    Field,
    HouseRules,
    Move,
    Score,
    View,
    plays,
)

GOOD_EQUALS = 2
"""With so many equal cards it is content with an upper field; one card will do on the last turn."""

DARES_TO_DISCARD = 2
"""The most cards it throws away at once."""

BOLD = 0.25
"""How often it draws one card more than it discards, while its hand is small."""

SMALL_HAND = 7
"""A hand of fewer cards is small."""


class Easy:
    """Plays what it has, and goes for what lies nearest."""

    name = "easy"

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose a move; chance decides between goals that lie equally near."""
        moves = own_moves(view)
        assert view.hand is not None
        scores = [
            move
            for move in moves
            if isinstance(move, Score)
            and (view.last_round or not move.field.is_upper or len(move.cards) >= GOOD_EQUALS)
        ]
        if scores:
            return max(scores, key=lambda move: plays(view.rules)[move.field][move.cards])
        return _exchange(view.hand, view.own.sheet.open_fields, view.rules, rng)


def _exchange(
    hand: Cards, open_fields: tuple[Field, ...], rules: HouseRules, rng: random.Random
) -> Exchange:
    """Keep what brings the hand nearest to an open field, and draw anew for the rest."""
    starts: dict[Cards, int] = {}
    for field in open_fields:
        for goal in goals(field, hand, rules):
            if len(goal.cards) > GOOD_EQUALS:
                starts.setdefault(shared(goal.needs, hand), goal.missing(hand))
    nearest = min(starts.values())
    keep = rng.choice([cards for cards, missing in starts.items() if missing == nearest])
    discard = Cards(sorted(hand - keep)[:DARES_TO_DISCARD])
    bold = len(hand) < SMALL_HAND and rng.random() < BOLD
    return Exchange(discard, len(discard) + (bold or not discard))
