"""Measures the solver against a straightforward compiled one, on this machine and in one run.

``.venv/bin/python -m tools.bench_solver`` solves the whole game with the real solver, and a random
sample of its pairs of open fields and upper points with the plain one (``--sample 0``: all of them,
which takes minutes). Both use all cores. The ratio is what counts: other programs on the machine
slow both alike. Times of the processor are given too, which other programs hardly touch.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kartenkniffel.solver import State, Table
from kartenkniffel.solver.build import Build
from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.outline import Outline, fields_of
from tools.plain_solver import PlainSolver

COST = 12.0
ALL = "1,2,3,4,5,6,3k,4k,fh,ss,ls,kn"


@dataclass(frozen=True)
class Spent:
    """Seconds on the clock, and of all cores in this process."""

    wall: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    wall, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    user, system = after.user - before.user, after.system - before.system
    return Spent(time.perf_counter() - wall, user + system)


def plain_sample(table: Table, outline: Outline, count: int, seed: int) -> tuple[Spent, float]:
    """Solve a random sample of pairs plainly, from the real table's values of what follows."""
    plain = PlainSolver(outline, COST)
    chosen = random.Random(seed).sample([pair for pair in plain.pairs if pair[0]], count)
    row_of: dict[tuple[int, int], int] = {}
    children = np.full((count, 36), -1)
    for number, pair in enumerate(chosen):
        for group, child in enumerate(plain.children(*pair)):
            if child:
                children[number, group] = row_of.setdefault(child, count + len(row_of))
    columns = np.empty((count + len(row_of), ROWS), np.float32)

    def real(pair: tuple[int, int]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        mask, column = pair
        return table.column(fields_of(mask), int(outline.uppers(mask)[column]))

    for pair, row in row_of.items():
        columns[row] = real(pair)
    plain.run(columns, np.arange(1), children[:1])  # compiles
    result = spent(lambda: plain.run(columns, np.arange(count), children))
    off = max(float(abs(columns[n] - real(pair)).max()) for n, pair in enumerate(chosen))
    return result, off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=600, help="pairs for the plain solver")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the table is written for a while")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "bench.table"
        Build(path.with_name("first"), State.read("1,kn", 62, ""), COST).run(print)  # compiles
        real = spent(lambda: Build(path, State.read(ALL, 0, ""), COST).run())
        report("real, whole game into a file", real, 1.0)
        with Table(path) as table:
            outline = table.head.outline()
            pairs = sum(outline.pairs(size) for size in range(1, 13))
            if given.sample:
                sample, off = plain_sample(table, outline, given.sample, given.seed)
                share = given.sample / pairs
                report(f"plain, {given.sample} of {pairs} pairs, scaled up", sample, share)
            else:
                whole = PlainSolver(outline, COST)
                columns: list[np.ndarray[tuple[int, int], np.dtype[np.float32]]] = []
                sample, share = spent(lambda: columns.append(whole.solve())), 1.0
                off = abs(float(columns[0][-1, 0]) - table.value(State.read(ALL, 0, "")))
                report("plain, whole game in memory", sample, 1.0)
        print(f"values differ by at most {off:.6f}")
        print(
            f"plain / real: {sample.wall / share / real.wall:.1f} on the clock, "
            f"{sample.processor / share / real.processor:.1f} in processor time"
        )


def report(what: str, result: Spent, share: float) -> None:
    wall, processor = result.wall / share, result.processor / share
    print(f"{what:<44} {wall:8.1f} s  {processor:8.1f} s of processor", flush=True)


if __name__ == "__main__":
    main()
