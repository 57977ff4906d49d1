"""Far from the end: points still to come, turns paid, with the odds of the cards not seen."""

from __future__ import annotations

import numpy as np

from kartenkniffel.bots.expert.cards import Count
from kartenkniffel.bots.expert.endgame import Mean, refilled
from kartenkniffel.bots.expert.knowledge import Knowledge
from kartenkniffel.bots.expert.planning import best_exchanges, plays_beside
from kartenkniffel.rules import BONUS_FROM
from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.plays import play_groups

TURNS = 4
"""How many turns of mine are planned, this one included."""


class Points:
    """What every play and every hand is worth in points still to come.

    What is left after a play is the solver's value; what may happen before the next play is
    reckoned anew, for some turns, with the odds of the cards not seen.
    """

    def __init__(self, mask: int, upper: int, known: Knowledge, count: Count, largest: int) -> None:
        plays = plays_beside(mask, largest)
        after = [
            (mask & ~(1 << group.field.place), min(upper + group.upper, BONUS_FROM))
            for group in (play_groups()[number] for number in plays.numbers)
        ]
        self._cost = known.cost
        self._fresh = np.array([known.fresh(*pair) for pair in after])
        self._kept = np.stack([known.kept(*pair) for pair in after])
        fresh = self._fresh[plays.groups] - self._cost + plays.points
        worth = np.zeros(ROWS)
        for turn in range(TURNS - 1, 0, -1):
            odds = count.later(turn)
            kept = refilled(self._kept.T, odds)
            best = plays.best(fresh + kept[plays.kept, plays.groups], largest)
            if turn == TURNS - 1:
                worth = np.maximum(best, fresh.mean() - 2 * self._cost)
            else:
                worth = np.maximum(best, best_exchanges(worth, odds, largest) - self._cost)
        self.waiting = worth - self._cost

    def of_play(self, group: int, points: float, kept: int, mean: Mean) -> float:
        """Give what a play is worth, points less penalty and cards kept given."""
        added = mean(self._kept[group], kept)
        return float(self._fresh[group] - self._cost + points + added)
