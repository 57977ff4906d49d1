"""Counting cards: what may be drawn now, and in later rounds (R14, R15)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kartenkniffel.bots.expert.knowledge import Floats
from kartenkniffel.bots.expert.planning import draw_chances
from kartenkniffel.rules import COPIES, View
from kartenkniffel.solver.draws import BEGIN, MOST_DRAWN, SUMS
from kartenkniffel.solver.hands import FIRST

DRAWN_A_TURN = 2.7
"""How many cards a player draws in a turn, on average."""


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """The cards as far as they are known: ``unseen`` by value, ``pile`` how many can be drawn.

    ``back`` are the cards of a reshuffled pile: all but those in hands.
    """

    unseen: Floats
    pile: int
    back: Floats
    players: int

    @classmethod
    def of(cls, view: View) -> Count:
        """Count what the viewer cannot see."""
        assert view.hand is not None
        own, gone = np.array(view.hand.counts), np.array(view.discards.counts)
        unseen = (COPIES - own - gone).astype(float)
        in_hands = sum(player.hand_size for player in view.players) - len(view.hand)
        share = in_hands / max(unseen.sum(), 1.0)
        return cls(unseen, view.draw_pile, COPIES - own - share * unseen, len(view.players))

    def chances(self) -> Floats:
        """Give each multiset of up to six cards its chance to be drawn in this turn.

        Where more are drawn than the pile holds, the last ones come from the reshuffled pile.
        """
        chances = draw_chances(self.unseen)
        if self.pile >= MOST_DRAWN:
            return chances
        after = draw_chances(self.back)
        first = np.arange(FIRST[self.pile], FIRST[self.pile + 1])
        for size in range(self.pile + 1, MOST_DRAWN + 1):
            rest = np.arange(FIRST[size - self.pile], FIRST[size - self.pile + 1])
            both = SUMS[BEGIN[first][:, None] + rest]
            chances[FIRST[size] : FIRST[size + 1]] = np.bincount(
                both.ravel() - FIRST[size],
                np.outer(chances[first], after[rest]).ravel(),
                FIRST[size + 1] - FIRST[size],
            )
        return chances

    def later(self, turn: int) -> Floats:
        """Give the odds of a card drawn in my turn of this number, the present one being 0."""
        left = self.pile - DRAWN_A_TURN * self.players * turn
        part = min(max(left / (DRAWN_A_TURN * self.players) + 0.5, 0.0), 1.0)
        total, back = max(self.unseen.sum(), 1.0), max(self.back.sum(), 1.0)
        return np.asarray(part * self.unseen / total + (1 - part) * self.back / back)
