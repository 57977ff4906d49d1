"""The policy of a table file: at every hand the move that the table itself names best."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from kartenkniffel.arena.batch.policy import best_moves, policy_of, values_of
from kartenkniffel.arena.batch.tables import HAND_ROWS, rules_tables
from kartenkniffel.rules.moves import MOVES
from kartenkniffel.solver import State, Table
from kartenkniffel.solver.build import Build
from kartenkniffel.solver.hands import FIRST, HANDS, ROWS
from kartenkniffel.solver.outline import Outline, fields_of
from kartenkniffel.solver.pairs import pair_tables


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "end.table"
    Build(path, State.read("6,fh,ss,kn", 30, ""), 12).run()
    return path


def test_it_names_moves_that_the_table_holds_best(table_file: Path) -> None:
    chance = random.Random(1)
    with Table(table_file) as table:
        outline = table.head.outline()
        for mask in [mask for layer in outline.layers[1:] for mask in layer]:
            moves = best_moves(table, outline, mask)
            for column, upper in enumerate(outline.uppers(mask)):
                for row in chance.sample(range(HAND_ROWS), 12):
                    state = State(fields_of(mask), int(upper), HANDS[row + FIRST[5]])
                    ranked = table.moves(state)
                    named = MOVES[moves[column, row]]
                    values = {one.move: one.value for one in ranked}
                    assert values[named] == pytest.approx(ranked[0].value, abs=1e-4)


def test_the_files_are_made_once_and_again_for_a_newer_table(table_file: Path) -> None:
    policy, values = policy_of(table_file), values_of(table_file)
    made = policy.stat().st_mtime_ns
    assert policy_of(table_file).stat().st_mtime_ns == made
    later = policy.stat().st_mtime + 10
    os.utime(table_file, (later, later))
    assert policy_of(table_file).stat().st_mtime_ns != made
    with Table(table_file) as table:
        outline = table.head.outline()
        pairs = sum(map(outline.pairs, range(len(outline.layers))))
        assert policy.stat().st_size == pairs * HAND_ROWS * 2
        by_pair = np.fromfile(values, "<f4").reshape(pairs, ROWS)
        assert np.array_equal(by_pair[-1], table.columns(outline.start)[:, -1])


def test_pairs_stand_in_the_order_of_the_file() -> None:
    pairs, outline = pair_tables(), Outline()
    number = 0
    for layer in outline.layers:
        for mask in layer:
            for upper in outline.uppers(mask):
                assert pairs.base[mask] + pairs.column[63 & ~mask, upper] == number
                number += 1


def test_plays_are_those_of_the_rules() -> None:
    rules = rules_tables()
    for row in random.Random(2).sample(range(FIRST[5], ROWS), 200):
        held = [
            number
            for number, move in enumerate(MOVES)
            if number >= 924 and move.leaving <= HANDS[row] and rules.amounts[number]
        ]
        assert list(rules.moves_of[rules.begin[row] : rules.begin[row + 1]]) == held
