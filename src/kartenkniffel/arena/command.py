"""The arena as the command line runs it: in processes of its own, and easy to stop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.match import DEFAULT_SECONDS_PER_MOVE, Progress, prepare
from kartenkniffel.arena.processes import terminate_as_exit, worker_processes
from kartenkniffel.arena.report import Report


def run_command(
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    seconds_per_move: float = DEFAULT_SECONDS_PER_MOVE,
    seconds_to_start: float | None = None,
    records: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Play a match in so many processes, by default one to a processor core.

    Raises `ArenaError`, whose message is one sentence, for what cannot be played. An interrupt or
    a signal to terminate ends all processes and outside programs and goes on its way as
    ``KeyboardInterrupt`` or ``SystemExit``.
    """
    if workers is not None and workers < 1:
        raise ArenaError(f"a match needs at least one process, not {workers}")
    with terminate_as_exit():
        match = prepare(
            bots,
            games,
            seed,
            seconds_per_move=seconds_per_move,
            seconds_to_start=seconds_to_start,
            records=records,
        )
        wanted = min(workers or os.cpu_count() or 1, len(match.stints()))
        if wanted == 1:
            return match.play(progress=progress)
        with worker_processes(wanted) as pool:
            return match.play(pool, progress)
