"""Games and positions for bots to play in."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kartenkniffel.bots import Bot
from kartenkniffel.rules import Game, HouseRules, Score, seeded


def midgame(seed: int, turns: int | None = None) -> Game:
    """Give a running game of 1 to 10 players after some moves, mostly plays where there are any."""
    rng = random.Random(seed)
    players = rng.randint(1, 10)
    rules = HouseRules(five_of_a_kind_is_full_house=rng.random() < 0.5)
    game = Game.start([f"P{i}" for i in range(players)], seeded(seed), rules)
    eagerness = rng.random()
    for _ in range(rng.randint(0, 60 * players) if turns is None else turns):
        moves = game.legal_moves()
        scores = [move for move in moves if isinstance(move, Score)]
        # Playing as many cards as can be leaves lower fields open for positions near the end.
        chosen = rng.choice(scores if scores and rng.random() < eagerness else moves)
        following = game.apply(chosen)
        if following.finished:
            break
        game = following
    return game


def finish(bots: Sequence[Bot], seed: int) -> Game:
    """Play a whole game between these bots."""
    game = Game.start([bot.name for bot in bots], seeded(seed))
    rng = random.Random(seed)
    while game.to_move is not None:
        move = bots[game.to_move].choose(game.view(game.to_move), rng)
        game = game.apply(move)
    return game
