"""Threads that begin at the same moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def together(threads: int, do: Callable[[int], object]) -> list[Any]:
    """Call a function with 0, 1, … in as many threads; gives what each returned or raised."""
    barrier = threading.Barrier(threads)

    def run(number: int) -> object:
        barrier.wait(10)
        try:
            return do(number)
        except Exception as error:
            return error

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))
