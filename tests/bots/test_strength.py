"""Proofs of strength over many games: each level against the next, and how long it thinks."""

from __future__ import annotations

import random
import statistics
import time

import pytest

from kartenkniffel.arena import BotReport, run_command
from kartenkniffel.bots import bot
from kartenkniffel.rules import Game, seeded

pytestmark = pytest.mark.slow

GAMES = 2000


def first_of(*codes: str, games: int = GAMES) -> BotReport:
    """Play a match and give the figures of the bot named first."""
    return run_command(codes, games, seed=20, workers=2).bots[0]


def share(*codes: str, games: int = GAMES) -> float:
    """Give the first bot's part of all wins."""
    found = first_of(*codes, games=games).share
    assert found
    return found.mean


def thought(code: str, other: str, games: int = 40) -> list[float]:
    """Give the seconds of processor time of each move, in ascending order.

    The arena goes by the clock, which runs on while other programs have the processor.
    """
    bots = [bot(code), bot(other)]
    times = []
    for number in range(games):
        game = Game.start(["A", "B"], seeded(f"20-{number}"))
        chance = random.Random(f"20-{number}")
        while (seat := game.to_move) is not None:
            view = game.view(seat)
            mine = (seat + number) % 2 == 0
            begun = time.process_time()
            move = bots[0 if mine else 1].choose(view, chance)
            if mine:
                times.append(time.process_time() - begun)
            game = game.apply(move)
    return sorted(times)


@pytest.mark.parametrize(("stronger", "weaker"), [("medium", "easy"), ("hard", "medium")])
def test_a_level_beats_the_one_below(stronger: str, weaker: str) -> None:
    assert share(stronger, weaker) >= 0.6


@pytest.mark.parametrize(
    ("level", "games", "points", "rounds"), [("easy", GAMES, 120, 45), ("hard", 300, 200, 26)]
)
def test_a_level_alone(level: str, games: int, points: float, rounds: float) -> None:
    alone = first_of(level, games=games)
    assert alone.points
    assert alone.rounds
    assert alone.points.mean >= points
    assert alone.rounds <= rounds


def test_hard_thinks_quickly() -> None:
    times = thought("hard", "medium")
    assert statistics.mean(times) < 0.03
    assert times[-2] < 0.1  # it builds its tables at its first move


def test_expert_beats_hard() -> None:
    # About 74 of 100 (docs/bots.md).
    assert share("expert", "hard", games=1000) >= 0.65


def test_expert_thinks_quickly() -> None:
    times = thought("expert", "hard")
    assert statistics.median(times) < 0.02
    assert times[len(times) * 99 // 100] < 0.1
