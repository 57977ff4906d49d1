"""A Dask cluster as the arena's executor; needs the extra ``cluster``."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from kartenkniffel.arena.errors import ArenaError

_SECONDS_TO_CONNECT = 10
_RETRIES = 3  # a stint whose worker has died is played anew, elsewhere


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Give the workers of the scheduler at an address, such as ``tcp://10.0.0.1:8786``.

    They need this package, and what files bots are made of, at the same places. Raises
    `ArenaError` where there is no scheduler or no Dask.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise ArenaError("a cluster needs Dask: pip install 'kartenkniffel[cluster]'") from None
    try:
        client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError):
        raise ArenaError(f"no Dask scheduler answers at {address}") from None
    with client:
        # The same stint is a new task each time: what bots there are can change between matches.
        pool = client.get_executor(pure=False, retries=_RETRIES)  # type: ignore[no-untyped-call]
        try:
            yield pool
        except KilledWorker as error:
            raise ArenaError(f"a stint has ended several workers: {error}") from None
        finally:
            pool.shutdown(wait=False)
