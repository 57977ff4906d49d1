"""What the expert level knows: a file made by ``tools/expert_knowledge.py``.

For every pair of open fields and upper points it has what the table player at turn cost 14 may
expect with fresh cards and with up to five cards kept, and how its race to the end goes, turn by
turn. All of it is rounded, so that it stays small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.solver.hands import FIRST, MINUS
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.pairs import pair_tables

Floats: TypeAlias = npt.NDArray[np.float64]

FILE = Path(__file__).with_name("knowledge.npz")

KEPT = FIRST[6]
"""Hands of up to five cards, whose worth is known; that of larger ones is taken from them."""

_MOST_KEPT = 9  # cards that can stay in hand over a play


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How a race goes on from a pair with fresh cards, by turns from the first.

    ``finishes[t]`` is the chance to fill the last field with turn t, ``survives[t]`` not to have
    done so by then. What the total has grown by has a mean and a spread: for those who finish with
    turn t, and for those who have not finished by then.
    """

    finishes: Floats
    survives: Floats
    finished: Floats
    finished_spread: Floats
    waiting: Floats
    waiting_spread: Floats


class Knowledge:
    """The file, opened."""

    def __init__(self, path: Path = FILE) -> None:
        with np.load(path) as file:
            self._arrays = {name: file[name] for name in file.files}
        self.cost = float(self._arrays["cost"])
        self._fresh = self._arrays["fresh"]
        self._pairs = pair_tables()
        layers = Outline().layers
        self._layer_begin = [int(self._pairs.base[layer[0]]) for layer in layers]
        self._near = int(self._arrays["near"])
        self._watched = len(self._arrays["finishes"]) - (1 << 12) - 3 * self._near
        self.kept = lru_cache(maxsize=4096)(self._kept)
        self.course = lru_cache(maxsize=4096)(self._course)

    def fresh(self, mask: int, upper: int) -> float:
        """Give what is still to come with fresh cards, turns paid."""
        return float(self._fresh[self._pairs.number(mask, upper)])

    def _kept(self, mask: int, upper: int) -> Floats:
        """Give, for all hands of up to nine cards kept, what they add to that."""
        number = self._pairs.number(mask, upper)
        size = mask.bit_count()
        worth = np.zeros(FIRST[_MOST_KEPT + 1])
        if mask:
            amounts = self._arrays[f"amounts{size}"][number - self._layer_begin[size]]
            worth[:KEPT] = self._arrays["means"][mask] * self._arrays["scales"][mask]
            worth[:KEPT] += amounts @ self._arrays[f"patterns{size}"].astype(np.float32)
            for cards in range(6, _MOST_KEPT + 1):
                rows = slice(FIRST[cards], FIRST[cards + 1])
                worth[rows] = worth[MINUS[rows]].max(axis=1)
        return worth

    def hand_worth(self, mask: int, scored: bool, kept: int) -> float:
        """Give what a hand is worth above a fresh one when so many cards of it stayed."""
        return float(self._arrays["hand_worth"][mask, int(scored), kept]) / 4

    def knows_kind(self, mask: int) -> bool:
        """Tell whether courses tell apart how many cards were kept."""
        return mask.bit_count() <= 3

    def _course(self, mask: int, upper: int, kind: int = 0) -> Course:
        """Give how the race goes on; with many open fields the upper points count for little.

        ``kind`` is 0 for fresh cards, else for an exchange that kept up to two, three or more.
        """
        number = self._pairs.number(mask, upper) - self._layer_begin[1]
        if kind and number < self._near:
            number += self._watched + (1 << 12) + (kind - 1) * self._near
        elif not 0 <= number < self._watched:
            number = self._watched + mask
        arrays = self._arrays
        finishes = arrays["finishes"][number] / 255.0
        parts = {
            part: (
                arrays[f"{part}_mean"][number].astype(float),
                arrays[f"{part}_spread"][number] / 2.0,
            )
            for part in ("finished", "waiting")
        }
        return Course(
            finishes,
            np.maximum(1.0 - finishes.cumsum(), 0.0),
            *parts["finished"],
            *parts["waiting"],
        )


@cache
def knowledge() -> Knowledge:
    """Give the knowledge, loaded once."""
    return Knowledge()
