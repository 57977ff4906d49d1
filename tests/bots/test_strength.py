"""Proofs of strength over many games: each level against the next, and how long hard thinks."""

from __future__ import annotations

import statistics

import pytest

from tools.match import Played, match, share

pytestmark = pytest.mark.slow

GAMES = 2000


def played(*codes: str, games: int = GAMES) -> list[Played]:
    return match(codes, games, seed=20, processes=2)


@pytest.mark.parametrize(("stronger", "weaker"), [("medium", "easy"), ("hard", "medium")])
def test_a_level_beats_the_one_below(stronger: str, weaker: str) -> None:
    assert share(played(stronger, weaker), 0) >= 0.6


def test_easy_alone() -> None:
    games = played("easy")
    assert statistics.mean(game.totals[0] for game in games) >= 120
    assert statistics.mean(game.rounds for game in games) <= 45


def test_hard_alone() -> None:
    games = played("hard", games=300)
    assert statistics.mean(game.totals[0] for game in games) >= 200
    assert statistics.mean(game.rounds for game in games) <= 26


def test_hard_thinks_quickly() -> None:
    thought = [seconds for game in played("hard", games=40) for seconds in game.times[0]]
    assert statistics.mean(thought) < 0.03
    # Each process builds its tables at its first move.
    assert sorted(thought)[-3] < 0.1


def test_expert_beats_hard() -> None:
    # About 74 of 100 (docs/bots.md).
    assert share(played("expert", "hard", games=1000), 0) >= 0.65


def test_expert_thinks_quickly() -> None:
    games = played("expert", "hard", games=40)
    thought = sorted(seconds for game in games for seconds in game.times[game.seating.index(0)])
    assert statistics.median(thought) < 0.02
    assert thought[len(thought) * 99 // 100] < 0.1
