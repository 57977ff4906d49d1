"""The whole game, solved; slow."""

from __future__ import annotations

import pytest

from kartenkniffel.rules import FIELDS, NO_CARDS, Cards
from kartenkniffel.solver import Solution, State

START = State(FIELDS, 0, NO_CARDS)

pytestmark = pytest.mark.slow


def test_the_whole_game_at_turn_cost_12() -> None:
    solution = Solution(START, 12)
    assert solution.error < 2e-4
    assert solution.value(START) == pytest.approx(-38.505, abs=1e-3)
    assert solution.value(State(FIELDS, 0, Cards("66666"))) == pytest.approx(5.5, abs=0.1)


def test_the_best_points_per_turn() -> None:
    solution = Solution(START, 10.473)
    assert solution.value(START) == pytest.approx(0, abs=5e-3)


def test_three_decimals_hold_for_the_dearest_turns_too() -> None:
    assert Solution(START, 100).error < 1e-3
