"""The arena as the command line runs it: in processes of its own, and easy to stop."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.match import DEFAULT_SECONDS_PER_MOVE, Match, Progress, prepare
from kartenkniffel.arena.processes import terminate_as_exit, worker_processes
from kartenkniffel.arena.ratings import Rating, rate_pool
from kartenkniffel.arena.report import Report


def run_command(
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    dask: str | None = None,
    seconds_per_move: float = DEFAULT_SECONDS_PER_MOVE,
    seconds_to_start: float | None = None,
    records: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Play a match in so many processes, by default one to a processor core, or on a cluster.

    ``dask`` is the address of the cluster's scheduler. Raises `ArenaError`, whose message is one
    sentence, for what cannot be played. An interrupt or a signal to terminate ends all processes
    and outside programs and goes on its way as ``KeyboardInterrupt`` or ``SystemExit``.
    """
    with terminate_as_exit():
        match = prepare(
            bots,
            games,
            seed,
            seconds_per_move=seconds_per_move,
            seconds_to_start=seconds_to_start,
            records=records,
        )
        with _executor(match, workers, dask) as pool:
            return match.play(pool, progress)


def run_pool_command(
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    players: int,
    workers: int | None = None,
    dask: str | None = None,
    seconds_per_move: float = DEFAULT_SECONDS_PER_MOVE,
    progress: Progress | None = None,
) -> list[Rating]:
    """Rate a pool of bots, of which every choice of so many ``players`` plays so many games.

    Otherwise like `run_command`.
    """
    with terminate_as_exit():
        match = prepare(bots, games, seed, seconds_per_move=seconds_per_move)
        with _executor(match, workers, dask) as pool:
            return rate_pool(match, players, pool, progress or (lambda done, games: None))


@contextmanager
def _executor(match: Match, workers: int | None, dask: str | None) -> Iterator[Executor | None]:
    """Give what plays a match, ``None`` for this very process."""
    if workers is not None and workers < 1:
        raise ArenaError(f"a match needs at least one process, not {workers}")
    wanted = min(workers or os.cpu_count() or 1, len(match.stints()))
    if dask:
        from kartenkniffel.arena.cluster import cluster

        with cluster(dask) as pool:
            yield pool
    elif wanted == 1:
        yield None
    else:
        with worker_processes(wanted) as pool:
            yield pool
