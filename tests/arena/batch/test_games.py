"""Whole compiled games, replayed by the rules move by move."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from kartenkniffel.arena.batch import PlayerError, run_batch
from kartenkniffel.arena.batch.kernel import play_games
from kartenkniffel.arena.batch.match import BATCH, Prepared, Trace, longest
from kartenkniffel.arena.batch.players import BatchPlayer
from kartenkniffel.bots import Easy
from kartenkniffel.bots.goals import goals
from kartenkniffel.rules import NO_HOUSE_RULES, Cards, Exchange, Field, Game, Score
from kartenkniffel.rules.game import recorded
from kartenkniffel.rules.moves import MOVES
from kartenkniffel.solver.hands import HANDS

TABLE = os.environ.get("KARTENKNIFFEL_TABLE", "")
"""A table file of the whole game; the slow tests make one of their own where it is not named."""


def prepared(*players: str) -> Prepared:
    return Prepared([BatchPlayer.read(player) for player in players])


def held_against_the_rules(players: Prepared, seed: int, deal: int) -> Game:
    """Trace the last rotation of a deal, and play its moves through the rules."""
    count = players.players
    trace = Trace.of_length(longest(count))
    batch = players.play(seed, range(deal, deal + 1), trace)
    # Each rotation overwrites the one before, which may have been longer.
    rotation = count - 1
    length = int(batch.rounds[0, rotation]) * count
    shuffled = trace.shuffles[trace.shuffles.any(axis=1)].tolist()
    piles = ["".join(str(card) for card in pile if card) for pile in shuffled]
    game = Game.start([f"seat {seat}" for seat in range(count)], recorded(piles))
    for turn in range(length):
        seat = turn % count
        assert game.to_move == seat
        game = game.apply(MOVES[trace.moves[turn]])  # raises where a move breaks a rule
        assert game.hands[seat] == HANDS[trace.rows[turn]]
        assert game.sheets[seat].total == trace.totals[turn]
        assert len(game.pile) == trace.piles_left[turn]
    assert game.finished
    assert game.round == batch.rounds[0, rotation]
    totals = [int(batch.totals[0, rotation, (seat + rotation) % count]) for seat in range(count)]
    assert totals == [sheet.total for sheet in game.sheets]
    return game


@pytest.mark.parametrize("count", range(1, 11))
def test_random_games_are_games_by_the_rules(count: int) -> None:
    players = prepared(*["random"] * count)
    shuffles = [
        len(held_against_the_rules(players, 7, deal).shuffles)
        for deal in range(1200 // count**2 + 5)
    ]
    assert max(shuffles) > 3  # the discard pile came back more than once (R14)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10])
def test_simple_games_are_games_by_the_rules(count: int) -> None:
    players = prepared(*["simple"] * count)
    games = [held_against_the_rules(players, 3, deal) for deal in range(2000 // count)]
    assert {len(game.shuffles) > 1 for game in games} == ({True, False} if count < 3 else {True})


def test_the_simple_player_scores_as_the_easy_level_does_and_else_nears_a_goal() -> None:
    easy, chance = Easy(), random.Random(1)
    for deal in range(20):
        game = held_against_the_rules(prepared("simple"), 5, deal)
        replayed = Game.start(game.names, recorded(game.shuffles))
        for move in game.moves:
            view = replayed.view(0)
            if isinstance(move, Score):
                assert easy.choose(view, chance) == move
            else:
                assert isinstance(easy.choose(view, chance), Exchange)
                hand, open_fields = replayed.hands[0], replayed.sheets[0].open_fields
                assert lacking(hand - move.discard, open_fields) == lacking(hand, open_fields)
            replayed = replayed.apply(move)


def lacking(hand: Cards, open_fields: tuple[Field, ...]) -> int:
    return min(
        goal.missing(hand)
        for field in open_fields
        for goal in goals(field, hand, NO_HOUSE_RULES)
        if len(goal.cards) > 2
    )


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    one, two = (run_batch(["simple", "random"], 1200, 9, threads=count) for count in (1, 2))
    assert np.array_equal(one.totals, two.totals)
    assert np.array_equal(one.rounds, two.rounds)
    other = run_batch(["simple", "random"], 1200, 10)
    assert not np.array_equal(one.totals, other.totals)


def test_the_machine_code_is_kept_for_the_next_process() -> None:
    prepared("random")
    stats = play_games.stats
    assert BATCH.cache_folder() in Path(stats.cache_path).parents
    assert sum(stats.cache_hits.values()) + sum(stats.cache_misses.values()) == 1
    assert list(Path(stats.cache_path).glob("*.play_games-*.nbi"))


def test_equal_players_share_every_deal() -> None:
    batch = run_batch(["simple", "simple"], 400, 1)
    assert [share and share.mean for share in batch.shares()] == [0.5, 0.5]


@pytest.mark.parametrize("text", ["godlike", "table", "table:", "simple:file", "simple:"])
def test_players_there_are_not(text: str) -> None:
    with pytest.raises(PlayerError, match="no player is called"):
        run_batch([text], 1, 1)


def test_too_many_players() -> None:
    with pytest.raises(PlayerError, match="1 to 10 players, not 11"):
        run_batch(["simple"] * 11, 1, 1)


def test_cards_come_as_often_as_they_should() -> None:
    """The first cards of many piles: each value a sixth of the time, five deviations wide."""
    players = prepared("simple")
    counts = np.zeros(6)
    for deal in range(600):
        trace = Trace.of_length(1)
        players.play(1, range(deal, deal + 1), trace)
        counts += Cards("".join(map(str, trace.shuffles[0, :20]))).counts
    spread = (600 * 20 * (1 / 6) * (5 / 6)) ** 0.5
    assert np.abs(counts - 2000).max() < 5 * spread


def whole_table(folder: Path) -> Path:
    """Give a table of the whole game; making one takes half a minute and 4.4 GB."""
    if TABLE:
        return Path(TABLE)
    from kartenkniffel.rules import FIELDS, NO_CARDS
    from kartenkniffel.solver import State
    from kartenkniffel.solver.build import Build

    path = folder / "12.table"
    Build(path, State(FIELDS, 0, NO_CARDS), 12).run()
    return path


@pytest.mark.slow
def test_table_players_play_by_the_rules_and_to_the_known_score(tmp_path: Path) -> None:
    table = whole_table(tmp_path)
    mixed = prepared(f"table:{table}", f"counting:{table}", "simple")
    for deal in range(100):
        held_against_the_rules(mixed, 4, deal)
    ten = prepared(*[f"table:{table}"] * 10)
    for deal in range(20):
        held_against_the_rules(ten, 4, deal)
    points, _ = run_batch([f"table:{table}"] * 2, 40_000, 1).points()
    assert points
    assert 231 < points.mean < 233.5
    share, _ = run_batch([f"counting:{table}", f"table:{table}"], 20_000, 1).shares()
    assert share
    assert share.low is not None
    assert share.low > 0.52
