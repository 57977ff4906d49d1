"""What every built-in level must keep to."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.bots import LEVELS, bot
from kartenkniffel.rules import Exchange, Game, seeded
from tests.bots.positions import finish, midgame

ALL_LEVELS = pytest.mark.parametrize("code", list(LEVELS))


@ALL_LEVELS
def test_name_is_the_code(code: str) -> None:
    assert bot(code).name == code


def test_unknown_level_is_told() -> None:
    with pytest.raises(ValueError, match=r"no level is called 'godlike'; the levels are .*medium"):
        bot("godlike")


@ALL_LEVELS
@settings(max_examples=50)
@given(seed=st.integers(0, 10**9))
def test_move_is_legal_and_no_pass(code: str, seed: int) -> None:
    game = midgame(seed)
    assert game.to_move is not None
    view = game.view(game.to_move)
    move = bot(code).choose(view, random.Random(seed))
    assert move in view.legal_moves()
    assert not (isinstance(move, Exchange) and move.is_pass)


@ALL_LEVELS
def test_same_seed_same_move(code: str) -> None:
    for seed in range(8):
        game = midgame(seed)
        assert game.to_move is not None
        view = game.view(game.to_move)
        first, again = (bot(code).choose(view, random.Random(seed)) for _ in range(2))
        assert first == again


@ALL_LEVELS
def test_refuses_when_not_to_move(code: str) -> None:
    game = Game.start(["Ana", "Bo"], seeded(1))
    for seat in (1, None):
        with pytest.raises(ValueError, match="its turn"):
            bot(code).choose(game.view(seat), random.Random(1))


@ALL_LEVELS
@pytest.mark.parametrize("players", [1, 3])
def test_games_come_to_their_end(code: str, players: int) -> None:
    game = finish([bot(code) for _ in range(players)], seed=players)
    assert game.round <= 100
    assert any(sheet.is_full for sheet in game.sheets)


_PLAY = """
import sys
from kartenkniffel.bots import bot
from tests.bots.positions import finish
print(finish([bot(sys.argv[1])], seed=5).moves)
"""


@ALL_LEVELS
def test_play_does_not_hang_on_hashing(code: str) -> None:
    root = Path(__file__).parents[2]
    told = set()
    for hash_seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")]),
        }
        ran = subprocess.run(
            [sys.executable, "-c", _PLAY, code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(ran.stdout)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("code", "rounds", "points"),
    [("easy", (26, 40), (170, 240)), ("medium", (23, 32), (195, 255))],
)
def test_alone_it_plays_as_its_level_should(
    code: str, rounds: tuple[int, int], points: tuple[int, int]
) -> None:
    games = [finish([bot(code)], seed) for seed in range(60)]
    assert rounds[0] <= sum(game.round for game in games) / len(games) <= rounds[1]
    assert points[0] <= sum(game.sheets[0].total for game in games) / len(games) <= points[1]
