"""Lets compiled players play each other and measures how fast: see `kartenkniffel.arena.batch`.

``python -m tools.batch_match table:12.table simple --games 40000``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from kartenkniffel.arena.batch import run_batch

_WARM_UP = 256


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+", help="simple, random, table:FILE, counting:FILE")
    parser.add_argument("-n", "--games", type=int, default=40_000)
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("-t", "--threads", type=int)
    options = parser.parse_args(words)
    # The first games make files where they are missing.
    run_batch(options.players, _WARM_UP, options.seed, announce=print)
    begin = time.perf_counter()
    batch = run_batch(options.players, options.games, options.seed, threads=options.threads)
    seconds = time.perf_counter() - begin
    print(
        f"{batch.games} games, {batch.rounds.mean():.2f} rounds, "
        f"{batch.games / seconds:,.0f} games a second"
    )
    for player, share, points in zip(options.players, batch.shares(), batch.points(), strict=True):
        assert share
        assert points
        print(
            f"{player:30}  wins {share.mean:.2%} ({share.low:.2%} to {share.high:.2%})"
            f"  points {points.mean:.1f} ({points.low:.1f} to {points.high:.1f})"
        )


if __name__ == "__main__":
    main()
