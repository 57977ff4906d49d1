"""States that can be, and the reasons why others cannot."""

from __future__ import annotations

from itertools import product

import pytest

from kartenkniffel.solver import State, StateError, check_cost
from kartenkniffel.solver.outline import Outline

UPPER = "123456"


@pytest.mark.parametrize(
    ("fields", "upper", "hand", "reason"),
    [
        ("kn,xx", 50, "", "'xx' is not a field; the fields are 1, 2"),
        ("kn,", 50, "", "'' is not a field"),
        ("kn,ls,kn", 50, "", "field kn is named twice"),
        ("kn", 50, "117", "digits 1 to 6"),
        ("kn", 50, "1234", "has 5 to 10 cards, or none before the deal; not 4"),
        ("kn", 50, "12345612345", "not 11"),
        ("kn", 20, "", "lie between 21 and 105, not at 20"),
        ("kn", 106, "", "lie between 21 and 105, not at 106"),
        ("kn", -1, "", "not at -1"),
        ("1,2,3,4,5,6,kn", 5, "", "are 0, not 5"),
        ("1,2,3,4,5", 7, "", "with field 6 filled the upper points cannot be 7; 6 and 12 can"),
        ("1,2,3,4,5", 63, "", "lie between 6 and 30"),
        ("1,3,5", 25, "", "cannot be 25; 24 and 26 can"),
    ],
)
def test_states_that_cannot_be(fields: str, upper: int, hand: str, reason: str) -> None:
    with pytest.raises(StateError) as error:
        State.read(fields, upper, hand)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_R8_upper_points_are_those_that_filling_the_closed_fields_can_bring() -> None:
    for closed in ("", "1", "6", "24", "136", "2345"):
        fields = ",".join([c for c in UPPER if c not in closed] + ["kn"])
        sums = {
            sum(int(c) * n for c, n in zip(closed, counts, strict=True))
            for counts in product(range(1, 6), repeat=len(closed))
        }
        for upper in range(110):
            possible = upper in sums or (upper == 63 and max(sums) > 63)
            try:
                State.read(fields, upper, "")
            except StateError:
                assert not possible, (closed, upper)
            else:
                assert possible, (closed, upper)


def test_more_than_63_upper_points_are_worth_the_same() -> None:
    assert State.read("kn", 80, "").upper == 63


@pytest.mark.parametrize("cost", [0, -1, 0.001, 101, float("nan"), float("inf")])
def test_turn_costs_without_an_answer(cost: float) -> None:
    with pytest.raises(StateError, match="turn cost"):
        check_cost(cost)


def test_the_outline_counts_all_pairs() -> None:
    outline = Outline()
    assert sum(outline.pairs(size) for size in range(13)) == 138_048
    assert list(outline.uppers(1 << 11 | 0b011111)) == [6, 12, 18, 24, 30]
