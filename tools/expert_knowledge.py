"""Makes what the expert level knows, from a table of the whole game.

``kartenkniffel solve --turn-cost 14 --out 14.table`` and then
``python -m tools.expert_knowledge 14.table`` write ``src/kartenkniffel/bots/expert/knowledge.npz``.
Two cores take some three minutes, 9 GB of disk beside the table and 3 GB of memory.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kartenkniffel.arena.batch.policy import policy_of, values_of
from kartenkniffel.arena.batch.tables import HAND_ROWS, rules_tables
from kartenkniffel.rules import HAND_START
from kartenkniffel.solver import Table
from kartenkniffel.solver.hands import FIRST, ROWS
from kartenkniffel.solver.machine import usable_cores
from kartenkniffel.solver.outline import ALL_FIELDS, Outline
from kartenkniffel.solver.pairs import pair_tables
from tools.expert_statistics import FINISHED, KINDS, WAITING, watch_hands, watch_race

OUT = Path("src/kartenkniffel/bots/expert/knowledge.npz")
Floats: TypeAlias = npt.NDArray[np.float64]

KEPT_ROWS = FIRST[HAND_START + 1]
"""Values of hands of up to five cards are kept."""

RANKS = (0, 40, 40, 36, 32, 28, 24, 24, 20, 16, 16, 12, 1)
"""How many patterns describe what the upper points do to hands, by number of open fields."""

RACE_FIELDS = 5
"""Up to so many open fields races are watched from every pair, from there on from one of a set."""

KIND_FIELDS = 3
"""Up to so many open fields it counts how many cards a player kept."""

TURNS = 12
"""For so many turns."""

_SAMPLE = 6000  # pairs a layer's patterns are made from
_FEW = 25  # numbers of games too small for a mean of their own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--runs", type=int, default=2000, help="races from each pair")
    parser.add_argument("--games", type=int, default=400_000, help="games watched for hands")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    with Table(options.table) as table:
        outline, cost = table.head.outline(), table.head.turn_cost
    pairs = sum(map(outline.pairs, range(len(outline.layers))))
    policy = np.memmap(policy_of(options.table), np.int16, "r", shape=(pairs, HAND_ROWS))
    values = np.memmap(values_of(options.table), np.float32, "r", shape=(pairs, ROWS))
    known: dict[str, Any] = {"cost": np.float32(cost), "fresh": np.array(values[:, 0])}
    known |= shapes(values, outline)
    known |= races(policy, outline, options.runs)
    known |= hand_worths(policy, values, options.games)
    np.savez_compressed(options.out, **known)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


def shapes(values: npt.NDArray[np.float32], outline: Outline) -> dict[str, Any]:
    """Describe what hands of up to five cards are worth above a fresh one.

    For each set of fields a mean over its upper points, one byte a hand; for what the upper points
    change some patterns, the same for all sets of a size, and how much of each a pair has.
    """
    weights = _weights()
    rng = np.random.default_rng(1)
    means = np.zeros((ALL_FIELDS + 1, KEPT_ROWS), np.int8)
    scales = np.zeros(ALL_FIELDS + 1, np.float32)
    found: dict[str, Any] = {}
    begin = 0
    for size, layer in enumerate(outline.layers):
        rest = []
        for mask in layer:
            end = begin + outline.width(mask)
            worth = values[begin:end, :KEPT_ROWS].astype(np.float64)
            worth -= worth[:, :1]
            mean = worth.mean(axis=0)
            scales[mask] = max(np.abs(mean).max() / 127, 1e-6)
            means[mask] = np.round(mean / scales[mask])
            rest.append((worth - means[mask] * scales[mask]).astype(np.float32))
            begin = end
        if not size:
            continue
        all_rest = np.concatenate(rest)
        sample = rng.permutation(len(all_rest))[:_SAMPLE]
        rank = min(RANKS[size], len(sample))
        patterns = np.linalg.svd(all_rest[sample] * weights, full_matrices=False)[2][:rank]
        amounts = (all_rest * weights) @ patterns.T
        steps = np.maximum(np.abs(amounts).max(axis=0) / 127, 1e-6)
        amounts = np.round(amounts / steps)
        found[f"patterns{size}"] = (patterns / weights * steps[:, None]).astype(np.float16)
        found[f"amounts{size}"] = amounts.astype(np.int8)
        off = all_rest - amounts @ (patterns / weights * steps[:, None])
        small = off[:, : FIRST[HAND_START]]
        spread = np.sqrt(np.average(small**2, axis=1, weights=weights[: FIRST[HAND_START]] ** 2))
        print(f"{size} open: {len(off)} pairs, off by {spread.mean():.2f} points", flush=True)
    return found | {"means": means, "scales": scales}


def _weights() -> Floats:
    """Give how much each hand counts: as often as it is dealt, all sizes alike, rare ones too."""
    ways = np.zeros(KEPT_ROWS)
    ways[0] = 1
    plus = rules_tables().plus
    for row in range(FIRST[HAND_START]):
        for value in range(6):
            ways[plus[row, value]] += ways[row] / 6
    return np.asarray(np.sqrt(ways + 0.2 * ways.mean()))


def races(policy: npt.NDArray[np.int16], outline: Outline, runs: int) -> dict[str, Any]:
    """Watch how the table player finishes: chances and totals, turn by turn, by pair.

    Kinds other than fresh cards are kept where few fields are open; ``race_rows[kind, place]``
    tells where.
    """
    tasks = [
        (mask, int(upper))
        for layer in outline.layers[1 : RACE_FIELDS + 1]
        for mask in layer
        for upper in outline.uppers(mask)
    ]
    # Behind them one race for each set, from upper points in the middle.
    tasks += [
        (mask, int(outline.uppers(mask)[outline.width(mask) // 2]))
        for mask in range(ALL_FIELDS + 1)
    ]
    sums = np.zeros((len(tasks), KINDS, 2, TURNS, 3), np.float32)
    rules, pairs = rules_tables(), pair_tables()

    def watch(number: int) -> None:
        mask, upper = tasks[number]
        own = np.zeros(sums.shape[1:])
        if mask:
            watch_race(mask, upper, policy, rules, pairs, runs, np.uint64(14), own)
        sums[number] = own

    with ThreadPoolExecutor(usable_cores()) as pool:
        for number, _ in enumerate(pool.map(watch, range(len(tasks)))):
            if number % 10_000 == 0:
                print(f"races: {number} of {len(tasks)}", flush=True)
    near = sum(map(outline.pairs, range(1, KIND_FIELDS + 1)))
    seen = sums[:near, 1:, :, 0, 0].sum(axis=2) >= _FEW  # else they go on as with fresh cards
    for kind in range(1, KINDS):
        sums[:near, kind] = np.where(
            seen[:, kind - 1, None, None, None], sums[:near, kind], sums[:near, 0]
        )
    chosen = np.concatenate([sums[:, 0], *(sums[:near, kind] for kind in range(1, KINDS))])
    starts = np.maximum(chosen[:, :, 0, 0].sum(axis=1)[:, None], 1)
    found: dict[str, Any] = {
        "near": np.int32(near),
        "finishes": np.round(chosen[:, FINISHED, :, 0] / starts * 255).astype(np.uint8),
    }
    for name, what in (("finished", FINISHED), ("waiting", WAITING)):
        mean, spread = _smoothed(chosen[:, what])
        found[f"{name}_mean"] = np.clip(np.round(mean), -128, 127).astype(np.int8)
        found[f"{name}_spread"] = np.clip(np.round(spread * 2), 0, 255).astype(np.uint8)
    return found


def _smoothed(sums: Floats) -> tuple[Floats, Floats]:
    """Give means and standard deviations; where games are few, the turn before counts too."""
    sums = sums.copy()
    overall = sums.sum(axis=1)
    overall[:, 0] = np.maximum(overall[:, 0], 1)
    before = overall / overall[:, :1] * _FEW
    for turn in range(TURNS):
        missing = np.maximum(_FEW - sums[:, turn, 0], 0) / _FEW
        sums[:, turn] += before * missing[:, None]
        before = sums[:, turn] / sums[:, turn, :1] * _FEW
    mean = sums[..., 1] / sums[..., 0]
    return mean, np.sqrt(np.maximum(sums[..., 2] / sums[..., 0] - mean**2, 1.0))


def hand_worths(
    policy: npt.NDArray[np.int16], values: npt.NDArray[np.float32], games: int
) -> dict[str, Any]:
    """Watch what a hand is worth when so many cards of it stayed; by open fields."""
    sums = np.zeros((ALL_FIELDS + 1, 2, 11, 2))
    watch_hands(policy, values, rules_tables(), pair_tables(), games, np.uint64(41), sums)
    sizes = np.array([mask.bit_count() for mask in range(ALL_FIELDS + 1)])
    for size in range(13):  # sets seen rarely lean on all of their size
        here = sizes == size
        overall = sums[here].sum(axis=0)
        mean = overall[..., 1] / np.maximum(overall[..., 0], 1)
        sums[here, ..., 0] += _FEW
        sums[here, ..., 1] += _FEW * mean
    worth = sums[..., 1] / sums[..., 0]
    return {"hand_worth": np.clip(np.round(worth * 4), -128, 127).astype(np.int8)}


if __name__ == "__main__":
    main()
