"""The moves of a state and what each is worth, from values of the states after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import (
    BONUS_FROM,
    HAND_LIMIT,
    NO_HOUSE_RULES,
    Entry,
    Exchange,
    Field,
    Move,
    Sheet,
    moves_from,
    penalty_for,
    plays,
)
from kartenkniffel.solver.hands import FIRST, PLUS, ROWS, row_of
from kartenkniffel.solver.state import State

Column: TypeAlias = npt.NDArray[np.float32]
Columns: TypeAlias = Callable[[tuple[Field, ...], int], Column]
"""Gives, for open fields and upper points, the values of all 8,008 hands."""

_SAME = 1e-9  # moves closer than this are worth the same; the earlier one is named first


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move and what the game is worth with it, its own turn cost taken off."""

    move: Move
    value: float


def ranked_moves(state: State, cost: float, columns: Columns) -> list[RankedMove]:
    """Give all legal moves of a hand, the best first; none before the deal or after the end."""
    if not state.hand or not state.open_fields:
        return []
    own = _expectations(columns(state.open_fields, state.upper), len(state.hand))
    ranked = []
    for move in moves_from(state.hand, _sheet(state), NO_HOUSE_RULES):
        if isinstance(move, Exchange):
            kept = state.hand - move.discard
            value = own[len(kept) + move.draw][row_of(kept)]
        else:
            points = plays(NO_HOUSE_RULES)[move.field][move.cards]
            after = tuple(field for field in state.open_fields if field is not move.field)
            upper = state.upper + (points if move.field.is_upper else 0)
            column = columns(after, min(upper, BONUS_FROM))
            value = points - penalty_for(len(state.hand)) + column[row_of(state.hand - move.cards)]
        ranked.append(RankedMove(move, float(value) - cost))
    ranked.sort(key=lambda one: -round(one.value / _SAME))
    return ranked


def state_value(state: State, cost: float, columns: Columns) -> float:
    """Give what the game is still worth in a state."""
    if not state.hand or not state.open_fields:
        return float(columns(state.open_fields, state.upper)[0])
    return ranked_moves(state, cost, columns)[0].value


def _sheet(state: State) -> Sheet:
    filled = Entry(0)
    return Sheet(tuple(None if f in state.open_fields else filled for f in Field))


def _expectations(column: Column, size: int) -> dict[int, npt.NDArray[np.float64]]:
    """Give, for hands drawn up to this size and to one more, the mean for every kept hand."""
    means = {}
    for target in range(size, min(size + 1, HAND_LIMIT) + 1):
        mean = np.zeros(ROWS)
        mean[FIRST[target] : FIRST[target + 1]] = column[FIRST[target] : FIRST[target + 1]]
        for below in range(target - 1, -1, -1):
            rows = slice(FIRST[below], FIRST[below + 1])
            mean[rows] = mean[PLUS[rows]].mean(axis=1)
        means[target] = mean
    return means
