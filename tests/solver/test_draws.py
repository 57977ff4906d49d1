"""The tables of what drawing makes of a hand."""

from __future__ import annotations

import random

from kartenkniffel.solver.draws import BEGIN, DRAWS, SUMS
from kartenkniffel.solver.hands import HANDS, ROWS


def test_hands_and_draws_add_up() -> None:
    chance = random.Random(1)
    for row in chance.sample(range(ROWS), 800):
        room = range(int(BEGIN[row + 1] - BEGIN[row]))
        for draw in chance.sample(room, min(20, len(room))):
            assert HANDS[SUMS[BEGIN[row] + draw]] == HANDS[row] + HANDS[draw]


def test_as_many_draws_as_fit() -> None:
    for row, hand in enumerate(HANDS):
        fitting = sum(len(draw) <= 10 - len(hand) for draw in HANDS[:DRAWS])
        assert BEGIN[row + 1] - BEGIN[row] == fitting
