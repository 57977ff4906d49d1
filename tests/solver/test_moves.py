"""The moves and their values, among them by playing the policy through the rules."""

from __future__ import annotations

import random
from functools import cache
from statistics import fmean, stdev

import pytest

from kartenkniffel.notation import format_move
from kartenkniffel.rules import (
    FIELDS,
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    Entry,
    Field,
    Move,
    Position,
    Sheet,
    moves_from,
)
from kartenkniffel.solver import Solution, State, best_moves, value
from kartenkniffel.solver.hands import row_of
from tests.solver.oracle import oracle_at

# So many cards that taking some away changes no chances worth speaking of, and R14 never comes.
ENDLESS = Cards.from_counts([10**7] * 6)


def sheet_of(fields: tuple[Field, ...], upper: int) -> Sheet:
    """Give a sheet with these fields open and so many upper points on it."""
    closed = [field for field in FIELDS if field not in fields]
    entries: list[Entry | None] = [Entry(0) if field in closed else None for field in FIELDS]
    entries[closed[0].place] = Entry(upper)
    return Sheet(tuple(entries))


class Policy:
    """Takes the best move of every state."""

    def __init__(self, cost: float) -> None:
        self._solution = cache(lambda fields, upper: Solution(State(fields, upper, NO_CARDS), cost))
        self.move = cache(self._move)

    def _move(self, state: State) -> Move:
        solution: Solution = self._solution(state.open_fields, state.upper)
        return solution.moves(state)[0].move


def total_and_turns(policy: Policy, start: State, rng: random.Random) -> tuple[int, int]:
    """Play one game to its end through `Position`; give the points that came to the sheet."""
    sheet = sheet_of(start.open_fields, start.upper)
    hand = Cards(rng.choices(range(1, 7), k=5))
    position = Position((hand,), (sheet,), ENDLESS, NO_CARDS)
    while not position.finished:
        sheet = position.sheets[0]
        move = policy.move(State(sheet.open_fields, min(sheet.upper, 63), position.hands[0]))
        drawn = Cards(rng.choices(range(1, 7), k=position.draws(move)))
        position = position.apply(move, drawn)
    return position.sheets[0].total - start.upper, position.turn


@pytest.mark.parametrize(
    ("fields", "upper", "games"),
    [
        ("5,kn", 50, 2000),
        ("6,3k,ls", 39, 2000),
        pytest.param("4,5,6,4k,fh,ls,kn", 18, 20_000, marks=pytest.mark.slow),
    ],
)
def test_the_policy_earns_its_value(fields: str, upper: int, games: int) -> None:
    cost = 12.0
    start = State.read(fields, upper, "")
    policy, rng = Policy(cost), random.Random(6)
    gains = []
    for _ in range(games):
        points, turns = total_and_turns(policy, start, rng)
        gains.append(points - cost * turns)
    deviation = stdev(gains) / games**0.5
    assert deviation < 1
    assert abs(fmean(gains) - value(start, cost)) < 3 * deviation


def test_every_legal_move_is_ranked_once() -> None:
    state = State.read("1,3k,ss,kn", 40, "112346")
    ranked = Solution(state, 12).moves(state)
    sheet = sheet_of(state.open_fields, state.upper)
    assert {one.move for one in ranked} == set(moves_from(state.hand, sheet, NO_HOUSE_RULES))
    assert len(ranked) == len({one.move for one in ranked})
    values = [one.value for one in ranked]
    assert values == sorted(values, reverse=True)


def test_move_values_are_those_of_the_oracle() -> None:
    state = State.read("2,ls", 55, "1223346")
    oracle = oracle_at(12)
    column = oracle.column(frozenset(["2", "ls"]), 55)
    means = oracle.means(column)
    for one in Solution(state, 12).moves(state):
        if format_move(one.move).startswith("x"):
            kept = state.hand - one.move.leaving
            size = len(kept) + getattr(one.move, "draw", 0)
            right = means[oracle.place[tuple(kept), size]] - 12
        else:
            kept = state.hand - one.move.leaving
            field = getattr(one.move, "field", "")
            upper = 55 + (one.move.leaving.total if field == "2" else 0)
            points = one.move.leaving.total if field == "2" else 40
            left = oracle.column(frozenset(["2", "ls"]) - {field}, upper)[row_of(kept)]
            right = points - 4 - 12 + float(left)
        assert one.value == pytest.approx(right, abs=1e-4)


def test_the_best_moves_of_an_example() -> None:
    moves = best_moves(State.read("kn,ls", 50, "11122"), 12)
    assert [format_move(one.move) for one in moves][:2] == ["x22+3", "x2+2"]
    assert len(moves) == 5


def test_passing_is_legal_and_costs_a_turn() -> None:
    state = State.read("fh", 63, "11122")
    worth = {format_move(one.move): one.value for one in Solution(state, 12).moves(state)}
    assert worth["x+0"] == pytest.approx(worth["11122@fh"] - 12, abs=1e-4)


def test_there_is_no_move_before_the_deal() -> None:
    assert best_moves(State.read("kn", 50, ""), 12) == []
