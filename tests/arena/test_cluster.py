"""The arena on a real Dask cluster of several processes, one of which is killed on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from kartenkniffel.arena import ArenaError, run_command

if TYPE_CHECKING:
    from distributed import LocalCluster

BOTS = ["medium", "easy"]
GAMES = 200


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalCluster]:
    from distributed import LocalCluster  # slow to import, and only here

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as started:
        yield started


def test_same_result_with_a_worker_killed_in_the_middle(workers: LocalCluster) -> None:
    alone = run_command(BOTS, GAMES, 5, workers=1)
    killed: list[int] = []

    def progress(done: int, games: int) -> None:
        if not killed and done < games:
            pid = next(iter(workers.workers.values())).process.pid
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    spread = run_command(BOTS, GAMES, 5, dask=workers.scheduler_address, progress=progress)
    assert killed
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)
    assert spread.to_json() == alone.to_json()


def test_no_scheduler_is_one_sentence() -> None:
    with pytest.raises(ArenaError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9"):
        run_command(BOTS, 2, 1, dask="tcp://127.0.0.1:9")
