"""Means and their intervals."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.arena.estimate import Estimate, estimate, estimate_share, t_quantile


def limits(values: list[float]) -> tuple[float, float]:
    found = estimate_share(values)
    assert found
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize(
    ("freedom", "factor"),
    [
        (1, 12.7062),
        (5, 2.5706),
        (6, 2.4469),
        (7, 2.3646),
        (10, 2.2281),
        (30, 2.0423),
        (120, 1.9799),
    ],
)
def test_factors_are_those_of_the_tables(freedom: int, factor: float) -> None:
    assert t_quantile(freedom) == pytest.approx(factor, abs=1e-4)


def test_by_hand() -> None:
    # Mean 7; squares 9 + 1 + 1 + 9 = 20, spread √(20/3), half 3.1824 · √(20/3) / 2 = 4.1085.
    found = estimate([4, 6, 8, 10])
    assert found
    assert found.mean == 7
    assert found.low == pytest.approx(2.8915, abs=1e-4)
    assert found.high == pytest.approx(11.1085, abs=1e-4)


def test_share_by_hand() -> None:
    # 100 deals, 60 won in both games, 40 in one: mean 0.8, spread 0.25 · √(96/99) = 0.2462,
    # half 1.9842 · 0.02462 = 0.0489.
    found = estimate_share([1.0] * 60 + [0.5] * 40)
    assert found
    assert found.mean == pytest.approx(0.8)
    assert found.low == pytest.approx(0.7511, abs=1e-4)
    assert found.high == pytest.approx(0.8489, abs=1e-4)


def test_of_one_and_of_none() -> None:
    assert estimate([]) is None
    assert estimate_share([]) is None
    assert estimate([3.0]) == Estimate(3.0, None, None)
    alone = estimate_share([1.0])
    assert alone
    assert alone.low == pytest.approx(0.025)
    assert alone.high == 1.0


def test_deals_that_are_all_the_same_prove_little() -> None:
    for number, low in [(2, 0.158), (10, 0.692), (100, 0.964), (1000, 0.996)]:
        found = estimate_share([1.0] * number)
        assert found
        # The limit of Clopper and Pearson for as many wins of as many games.
        assert found.low == pytest.approx(low, abs=1e-3)
        assert found.high == 1.0
    level = estimate_share([0.5] * 100)
    assert level
    assert (level.low, level.high) == pytest.approx((0.482, 0.518), abs=1e-3)


def test_one_odd_deal_does_not_make_it_surer() -> None:
    same, _ = limits([1.0] * 100)
    odd, _ = limits([1.0] * 99 + [0.5])
    assert odd < same


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_shares_stay_between_0_and_1(values: list[float]) -> None:
    low, high = limits(values)
    mean = sum(values) / len(values)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1


@pytest.mark.parametrize("chances", [(1, 2, 1), (1, 4, 15), (0, 1, 60)])
@pytest.mark.parametrize("number", [5, 30])
def test_interval_holds_the_truth_19_times_in_20(
    chances: tuple[int, int, int], number: int
) -> None:
    rng = random.Random(1)
    truth = (chances[1] / 2 + chances[2]) / sum(chances)
    held = 0
    for _ in range(500):
        low, high = limits(rng.choices([0.0, 0.5, 1.0], chances, k=number))
        held += low <= truth <= high
    assert held >= 0.93 * 500
