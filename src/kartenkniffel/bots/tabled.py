"""Table players: they always make the solver's move, from a table of the whole game.

``table:FILE`` reckons with even odds as the solver does; ``counting:FILE`` draws its cards, refills
too, from those not seen. Neither looks at the others' sheets nor notices that a round is the last.
Strength is measured against them. ``kartenkniffel solve`` makes the file.
"""

from __future__ import annotations

import random
from functools import lru_cache
from math import inf
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kartenkniffel.bots.bot import own_moves
from kartenkniffel.bots.expert.planning import draw_chances, drawn_mean
from kartenkniffel.rules import (
    BONUS_FROM,
    COPIES,
    HAND_START,
    Exchange,
    Field,
    Move,
    Score,
    View,
    penalty_for,
    plays,
)
from kartenkniffel.solver import Table
from kartenkniffel.solver.hands import row_of

_COLUMNS = 400  # 32 kB each


class TablePlayer:
    """Makes the best move of a table, ties going to the first."""

    def __init__(self, text: str) -> None:
        """Open ``table:FILE`` or ``counting:FILE``; raises `TableError` for what is no table."""
        kind, _, file = text.partition(":")
        self._table = Table(Path(file))
        self._counts = kind == "counting"
        self.name = f"{kind}:{self._table.head.turn_cost:g}"
        self._column = lru_cache(maxsize=_COLUMNS)(self._read_column)

    def choose(self, view: View, rng: random.Random) -> Move:
        """Choose the move of the highest value; chance plays no part in it."""
        moves = own_moves(view)
        assert view.hand is not None
        hand, sheet = view.hand, view.own.sheet
        unseen = [COPIES] * 6
        if self._counts:
            seen = zip(hand.counts, view.discards.counts, strict=True)
            unseen = [COPIES - held - gone for held, gone in seen]
        # Drawn from thousands of each value, the odds stay even.
        chances = draw_chances(np.array(unseen, float) * (1 if self._counts else 1e6))
        cost = self._table.head.turn_cost
        own = self._column(sheet.open_fields, min(sheet.upper, BONUS_FROM))
        best, most = moves[0], -inf
        for move in moves:
            kept = hand - move.leaving
            if isinstance(move, Exchange):
                if move.is_pass:
                    continue
                value = drawn_mean(own, row_of(kept), move.draw, chances)
            else:
                column = self._after(view, move)
                points = plays(view.rules)[move.field][move.cards] - penalty_for(len(hand))
                missing = max(0, HAND_START - len(kept))
                value = points + drawn_mean(column, row_of(kept), missing, chances)
            if value - cost > most:
                best, most = move, value - cost
        return best

    def _after(self, view: View, score: Score) -> npt.NDArray[np.float64]:
        """Give the values of all hands once this play is made."""
        sheet = view.own.sheet
        points = plays(view.rules)[score.field][score.cards]
        rest = tuple(field for field in sheet.open_fields if field is not score.field)
        upper = sheet.upper + points * score.field.is_upper
        return self._column(rest, min(upper, BONUS_FROM))

    def _read_column(self, open_fields: tuple[Field, ...], upper: int) -> npt.NDArray[np.float64]:
        return np.asarray(self._table.column(open_fields, upper), np.float64)
