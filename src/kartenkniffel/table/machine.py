"""The bots at the tables: a move for every view, whatever a bot does."""

from __future__ import annotations

import logging
import random
import threading
import traceback
from collections.abc import Callable, Mapping

from kartenkniffel.bots import Bot
from kartenkniffel.rules import Exchange, Move, Score, View, plays

_log = logging.getLogger(__name__)


class BotPlayers:
    """Chooses moves with the bot of a level; each thread has bots of its own."""

    def __init__(self, bots: Mapping[str, Callable[[], Bot]], rng: random.Random) -> None:
        self._bots = bots
        self._rng = rng
        self._own = threading.local()

    def choose(self, level: str, view: View) -> Move:
        """Give a legal move: the bot's, or a plain one where it fails."""
        # A generator of its own for each decision: from the table's own the shuffles could be read.
        rng = random.Random(self._rng.getrandbits(128))
        legal = view.legal_moves()
        try:
            move = self._bot(level).choose(view, rng)
            if move not in legal:
                raise ValueError("the bot's move is not legal")
            return move
        except Exception as error:
            _log.error("the bot %s failed and a plain move is made:\n%s", level, told(error))
            return plain_move(view, rng)

    def _bot(self, level: str) -> Bot:
        bots: dict[str, Bot] = self._own.__dict__
        if level not in bots:
            bots[level] = self._bots[level]()
        return bots[level]


def plain_move(view: View, rng: random.Random) -> Move:
    """Give the play with the most points, else any exchange but a pass."""
    legal = view.legal_moves()
    scores = [move for move in legal if isinstance(move, Score)]
    if scores:
        return max(scores, key=lambda score: plays(view.rules)[score.field][score.cards])
    exchanges = [move for move in legal if isinstance(move, Exchange) and not move.is_pass]
    return rng.choice(exchanges or legal)


def told(error: BaseException) -> str:
    """Give an error for the log: where and of what kind, but not what it says.

    Its text may hold a hand, and whoever reads the log may sit at the table (R15).
    """
    lines = traceback.format_tb(error.__traceback__)
    return "".join(lines) + type(error).__name__
