"""What a bot is."""

from __future__ import annotations

import random
from typing import Protocol

from kartenkniffel.rules import Move, View


class Bot(Protocol):
    """A player that is a program: shown what its seat may know, it chooses a move.

    The same view and the same state of ``rng`` always give the same move, and a bot keeps nothing
    in mind between two moves that would change one. A built-in bot never passes (``x+0``) while
    another move exists.
    """

    @property
    def name(self) -> str:
        """The level's code, such as ``medium``."""
        ...

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose a legal move; raises ``ValueError`` where it is not this seat's turn."""
        ...


def own_moves(view: View) -> list[Move]:
    """List the moves a bot may choose from; raises ``ValueError`` where there are none."""
    moves = view.legal_moves()
    if not moves:
        raise ValueError("a bot can only choose a move when it is its turn")
    return moves
