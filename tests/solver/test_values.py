"""Values against the oracle, and how values must compare with each other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kartenkniffel.rules import FIELDS, Cards
from kartenkniffel.solver import Solution, State
from kartenkniffel.solver import plays as plays_module
from kartenkniffel.solver.hands import FIRST, HANDS, ROWS
from kartenkniffel.solver.layers import Layer, Solver
from kartenkniffel.solver.outline import Outline
from tests.solver.oracle import oracle_at

CASES = [
    ("kn", 21, 12.0),
    ("6", 40, 12.0),
    ("3k,4k", 63, 12.0),
    ("ss,ls", 45, 3.5),
    ("1,fh", 62, 25.0),
    ("5,6", 24, 8.25),
    ("2,3,kn", 16, 12.0),
]


def solved(fields: str, upper: int, cost: float) -> list[Layer]:
    """Solve some fields and give all layers."""
    state = State.read(fields, upper, "")
    solver = Solver(Outline(state.mask, state.upper), cost)
    layers = [solver.empty()]
    for _ in state.open_fields:
        layers.append(solver.after(layers[-1]))
        layers[-1].tables = {mask: table.copy() for mask, table in layers[-1].tables.items()}
    return layers


def assert_as_the_oracle_says(fields: str, upper: int, cost: float) -> None:
    state = State.read(fields, upper, "")
    solution = Solution(state, cost)
    oracle = oracle_at(cost)
    right = oracle.column(frozenset(fields.split(",")), upper)
    assert solution.error < 1e-4
    for row in [0, *random.Random(fields).sample(range(FIRST[5], ROWS), 40)]:
        value = solution.value(State(state.open_fields, state.upper, HANDS[row]))
        assert value == pytest.approx(right[row], abs=solution.error)
    table = solved(fields, upper, cost)[-1].tables[state.mask][:, 0]
    assert table == pytest.approx(right, abs=solution.error)


@pytest.mark.parametrize(("fields", "upper", "cost"), CASES)
def test_values_are_those_of_the_oracle(fields: str, upper: int, cost: float) -> None:
    assert_as_the_oracle_says(fields, upper, cost)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_values_of_four_open_fields_are_those_of_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    fields = sorted(rng.sample(FIELDS, 4), key=FIELDS.index)
    closed = [field for field in FIELDS[:6] if field not in fields]
    upper = sum(field.number * rng.randint(1, 5) for field in closed)
    cost = rng.choice([0.5, 2, 6.75, 12, 40, 100])
    assert_as_the_oracle_says(",".join(fields), min(upper, 63), cost)


def test_a_turn_cost_near_nothing_is_solved() -> None:
    fields, cost = "4k,kn", 0.01
    right = oracle_at(cost).column(frozenset(fields.split(",")), 63)
    solution = Solution(State.read(fields, 63, ""), cost)
    assert solution.value(State.read(fields, 63, "")) == pytest.approx(right[0], abs=1e-3)


def test_R11_an_upper_point_more_never_hurts() -> None:
    for layer in solved("1,2,3,6,kn", 9, 12.0):
        for mask, table in layer.tables.items():
            assert (np.diff(table, axis=1) >= -2e-5).all(), mask


def test_R7_a_penalty_less_never_hurts(monkeypatch: pytest.MonkeyPatch) -> None:
    dear = solved("6,3k,kn", 40, 12.0)
    monkeypatch.setattr(plays_module, "penalty_for", lambda size: max(0, size - 5))
    plays_module.play_groups.cache_clear()
    try:
        cheap = solved("6,3k,kn", 40, 12.0)
    finally:
        plays_module.play_groups.cache_clear()
    for before, after in zip(dear, cheap, strict=True):
        for mask, table in before.tables.items():
            assert (after.tables[mask] >= table - 2e-5).all()
    assert cheap[-1].tables.popitem()[1][0, 0] > dear[-1].tables.popitem()[1][0, 0] + 0.5


def test_a_dearer_turn_never_helps() -> None:
    state = State.read("4,4k,ls", 50, "")
    values = [Solution(state, cost).value(state) for cost in (1, 4.2, 12, 12.001, 60)]
    assert values == sorted(values, reverse=True)


def test_a_hand_that_can_score_is_worth_no_less_than_the_play() -> None:
    state = State.read("kn", 63, "666661")
    assert Solution(state, 12).value(state) == pytest.approx(50 - 2 - 12 + 35, abs=1e-4)


def test_the_finished_game_is_worth_its_bonus() -> None:
    for upper, bonus in ((42, -20), (43, 0), (62, 0), (63, 35)):
        state = State((), upper, Cards())
        solution = Solution(state, 12)
        assert (solution.value(state), solution.moves(state)) == (bonus, [])


def test_a_solution_answers_for_its_own_fields_only() -> None:
    solution = Solution(State.read("kn", 50, ""), 12)
    with pytest.raises(ValueError, match="other open fields"):
        solution.value(State.read("ls", 50, ""))
