"""Ratings over a pool of bots."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from kartenkniffel.arena import ArenaError, prepare, ratings_text, run_pool_command
from kartenkniffel.arena.ratings import rate_pool

POOL = ["easy", "medium", "easy", "medium"]


def test_the_stronger_come_first_and_everyone_plays_as_much() -> None:
    ratings = run_pool_command(POOL, 20, 3, players=2, workers=1)
    assert {rating.name for rating in ratings[:2]} == {"medium", "medium#2"}
    assert [rating.games for rating in ratings] == [3 * 20] * 4
    assert sum(rating.share for rating in ratings) == pytest.approx(2)
    assert [rating.mean for rating in ratings] == sorted(
        (rating.mean for rating in ratings), reverse=True
    )
    assert all(rating.surely < rating.mean for rating in ratings)
    lines = ratings_text(ratings).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [rating.name for rating in ratings]


def test_same_ratings_whatever_runs_them() -> None:
    match = prepare(POOL[:3], 6, 2)
    told: list[tuple[int, int]] = []
    here = rate_pool(match, 3, progress=lambda done, games: told.append((done, games)))
    with ThreadPoolExecutor(2) as threads:
        assert rate_pool(match, 3, threads) == here
    assert told[-1] == (6, 6)


@pytest.mark.parametrize("players", [1, 5])
def test_games_of_a_pool_have_two_players_at_least_and_all_at_most(players: int) -> None:
    with pytest.raises(ArenaError, match=re.escape(f"between 2 and 4 bots, not {players}")):
        run_pool_command(POOL, 2, 1, players=players, workers=1)
