"""Every play of every hand as a table for compiled loops, made from `kartenkniffel.rules`.

Plays come in *groups*: those of a lower field are one group, those of an upper field one for each
number of cards, since they lead to different upper sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import (
    FIELDS,
    HAND_LIMIT,
    HAND_START,
    NO_HOUSE_RULES,
    Cards,
    Field,
    penalty_for,
    plays,
)
from kartenkniffel.solver.hands import FIRST, PLUS, SIZES, Rows


@dataclass(frozen=True, slots=True)
class PlayGroup:
    """Plays for one field that all add the same to the upper sum.

    ``hands[i]`` plays so that the row ``kept[i]`` stays, and earns ``points[i]``, penalty included.
    """

    field: Field
    upper: int
    hands: Rows
    kept: Rows
    points: npt.NDArray[np.int16]


@cache
def play_groups() -> tuple[PlayGroup, ...]:
    """Give all groups in the order of the sheet."""
    return tuple(
        group
        for field in FIELDS
        for group in (
            [_group(field, {cards: points}) for cards, points in _played(field).items()]
            if field.is_upper
            else [_group(field, _played(field))]
        )
    )


def _played(field: Field) -> dict[Cards, int]:
    return dict(plays(NO_HOUSE_RULES)[field])


def _group(field: Field, played: dict[Cards, int]) -> PlayGroup:
    penalties = np.array([penalty_for(size) for size in range(HAND_LIMIT + 1)])
    hands, kept, points = [], [], []
    for cards, earned in played.items():
        size = len(cards)
        stays = np.arange(FIRST[max(0, HAND_START - size)], FIRST[HAND_LIMIT + 1 - size])
        rows = stays
        for value in cards:
            rows = PLUS[rows, value - 1]
        hands.append(rows)
        kept.append(stays)
        points.append(earned - penalties[SIZES[rows]])
    order = np.lexsort((np.concatenate(kept), np.concatenate(hands)))
    return PlayGroup(
        field,
        next(iter(played.values())) if field.is_upper else 0,
        np.concatenate(hands)[order].astype(np.uint16),
        np.concatenate(kept)[order].astype(np.uint16),
        np.concatenate(points)[order].astype(np.int16),
    )
