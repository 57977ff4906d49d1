"""Solves layer by layer: all sets of one open field, then of two, and so on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.rules import bonus_for
from kartenkniffel.solver.compiled import SOLVER, compiling
from kartenkniffel.solver.hands import MINUS, PLUS, ROWS
from kartenkniffel.solver.machine import usable_cores
from kartenkniffel.solver.outline import BYTES, Outline
from kartenkniffel.solver.plays import play_groups

Values: TypeAlias = npt.NDArray[np.float32]

TOLERANCE = 2e-6
"""How far the hands of one size may stay from their exact values, given what follows them."""

_ALIGNMENT = 64


@dataclass(slots=True)
class Layer:
    """The tables of all sets of one size, by mask, and how far their values may be off."""

    tables: dict[int, Values] = field(default_factory=dict)
    errors: dict[int, float] = field(default_factory=dict)


class Solver:
    """Solves the layers of an outline, on several threads.

    ``announce`` is told when code has to be compiled first.
    """

    def __init__(
        self,
        outline: Outline,
        cost: float,
        threads: int | None = None,
        announce: Callable[[str], None] = lambda line: None,
        bonus: Callable[[int], float] = bonus_for,
    ) -> None:
        self.outline = outline
        self.cost = cost
        self.threads = threads or usable_cores()
        self._bonus = bonus
        self._scratch = threading.local()
        self._buffers: dict[int, Values] = {}
        groups = play_groups()
        ends = np.cumsum([0, *(len(group.hands) for group in groups)])
        self._ranges = np.stack([ends[:-1], ends[1:]], axis=1)
        self._plays = (
            np.concatenate([group.hands for group in groups]),
            np.concatenate([group.kept for group in groups]),
            np.concatenate([group.points for group in groups]),
        )
        self._bits = np.array([1 << group.field.place for group in groups])
        with compiling(SOLVER, announce) as self._kernel:
            self._warm_up()

    def empty(self) -> Layer:
        """Give the layer of the finished game."""
        uppers = self.outline.uppers(0)
        ends = np.array([self._bonus(int(upper)) for upper in uppers], np.float32)
        return Layer({0: np.tile(ends, (ROWS, 1))}, {0: 0.0})

    def after(self, layer: Layer, done: Callable[[int, Values], None] | None = None) -> Layer:
        """Solve the next layer; ``done`` is called from the thread that has solved a set.

        A layer's tables last until the layer after the next one is asked for.
        """
        size = next(iter(layer.tables)).bit_count() + 1
        masks = self.outline.layers[size]
        buffer = self._buffer(size)
        solved = Layer()
        begin = 0
        for mask in masks:
            stop = begin + ROWS * self.outline.width(mask)
            solved.tables[mask] = buffer[begin:stop].reshape(ROWS, -1)
            begin = stop

        def work(mask: int) -> None:
            solved.errors[mask] = self._solve(mask, layer, solved.tables[mask])
            if done:
                done(mask, solved.tables[mask])

        if len(masks) == 1:
            work(masks[0])
            return solved
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for future in [pool.submit(work, mask) for mask in masks]:
                    future.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return solved

    def _solve(self, mask: int, before: Layer, out: Values) -> float:
        groups = np.flatnonzero(self._bits & mask)
        tables = [before.tables[mask & ~int(self._bits[group])] for group in groups]
        gap, largest = self._kernel.solve_set(
            np.array([table.ctypes.data for table in tables]),
            np.array([table.shape[1] for table in tables]),
            self._ranges[groups],
            self.outline.lanes(mask)[groups],
            self._plays,
            (PLUS, MINUS),
            self.cost,
            TOLERANCE,
            self._own_scratch(),
            out,
        )
        later = max(before.errors[mask & ~int(bit)] for bit in self._bits[groups])
        rounding = float(np.spacing(np.float32(largest))) / 2
        return float(later + gap + rounding)

    def _buffer(self, size: int) -> Values:
        """Give room for a layer; layers take turns with two, since new memory costs time."""
        parity = size % 2
        if parity not in self._buffers:
            sizes = range(parity, len(self.outline.layers), 2)
            most = max(map(self.outline.layer_bytes, sizes))
            self._buffers[parity] = np.empty(most // BYTES, np.float32)
        return self._buffers[parity]

    def _own_scratch(self) -> npt.NDArray[np.float64]:
        """Give this thread's scratch, at an address that is a multiple of 64."""
        if not hasattr(self._scratch, "area"):
            needed = self._kernel.AREAS * ROWS * self._kernel.LANES + self._kernel.NOTES
            raw = np.empty(needed + _ALIGNMENT // 8)
            skip = -raw.ctypes.data % _ALIGNMENT // 8
            self._scratch.area = raw[skip : skip + needed]
        return self._scratch.area  # type: ignore[no-any-return]

    def _warm_up(self) -> None:
        """Solve something small, so that everything is compiled when threads start."""
        mask = self.outline.start & -self.outline.start
        if mask:
            out = np.empty((ROWS, self.outline.width(mask)), np.float32)
            self._solve(mask, self.empty(), out)
