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

from kartenkniffel.bots import LEVELS, Bot, bot
from kartenkniffel.rules import Exchange, Game, seeded
from tests.bots.positions import midgame

ALL_LEVELS = pytest.mark.parametrize("code", list(LEVELS))


def finish(bots: list[Bot], seed: int) -> Game:
    game = Game.start([b.name for b in bots], seeded(seed))
    rng = random.Random(seed)
    while game.to_move is not None:
        view = game.view(game.to_move)
        game = game.apply(bots[game.to_move].choose(view, rng))
    return game


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
@pytest.mark.parametrize("players", [1, 2, 3, 10])
def test_games_come_to_their_end(code: str, players: int) -> None:
    game = finish([bot(code) for _ in range(players)], seed=players)
    assert game.round <= 100
    assert any(sheet.is_full for sheet in game.sheets)


_PLAY = """
from tests.bots.test_levels import finish
from kartenkniffel.bots import bot
import sys
print(finish([bot(sys.argv[1])] * 2, seed=5).moves)
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
