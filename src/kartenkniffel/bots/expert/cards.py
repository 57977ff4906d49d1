"""Counting cards: what may be drawn now, and in later rounds (R14, R15)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kartenkniffel.bots.expert.beliefs import hidden
from kartenkniffel.bots.expert.knowledge import Floats, Knowledge
from kartenkniffel.bots.expert.planning import draw_chances
from kartenkniffel.rules import COPIES, View
from kartenkniffel.solver.draws import BEGIN, MOST_DRAWN, SUMS
from kartenkniffel.solver.hands import FIRST

DRAWN_A_TURN = 2.7
"""How many cards a player draws in a turn, on average."""


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """The cards as far as they are known, by value.

    ``unseen`` are all that are in the draw pile or in other hands, in the proportions that the
    ``pile`` of so many cards is believed to have; ``back`` are those of a reshuffled pile, all but
    those in hands.
    """

    unseen: Floats
    pile: int
    back: Floats
    players: int

    @classmethod
    def of(cls, view: View, known: Knowledge) -> Count:
        """Count what the viewer cannot see, other hands as they are believed to be."""
        assert view.hand is not None
        in_pile, in_hands = hidden(view, known)
        # A small pile known on average only is drawn from like a larger one of its kind.
        unseen = in_pile * (1.0 + in_hands.sum() / max(view.draw_pile, 1))
        back = COPIES - np.array(view.hand.counts) - in_hands
        return cls(unseen, view.draw_pile, back, len(view.players))

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
