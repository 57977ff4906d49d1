"""Counting cards: what may be drawn now, and in later rounds (R14, R15)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kartenkniffel.bots.expert.knowledge import Floats
from kartenkniffel.rules import COPIES, View

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

    def now(self, reshuffled: bool) -> Floats:
        """Give the cards that may be drawn in this turn, or that may if the pile runs out in it."""
        return self.unseen + self.back if reshuffled else self.unseen

    def later(self, turn: int) -> Floats:
        """Give the odds of a card drawn in my turn of this number, the present one being 0."""
        left = self.pile - DRAWN_A_TURN * self.players * turn
        part = min(max(left / (DRAWN_A_TURN * self.players) + 0.5, 0.0), 1.0)
        total, back = max(self.unseen.sum(), 1.0), max(self.back.sum(), 1.0)
        return np.asarray(part * self.unseen / total + (1 - part) * self.back / back)
