"""Work to be done at a later time, by a few threads."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable


class Later:
    """Runs jobs when they are due, each in one of its threads; a job must not raise."""

    def __init__(self, threads: int, name: str) -> None:
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        # Daemons, so that a job that never ends cannot keep the program from ending.
        self._threads = [
            threading.Thread(target=self._run, name=f"{name} {number}", daemon=True)
            for number in range(1, threads + 1)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, seconds: float, job: Callable[[], object]) -> None:
        """Have a job run in so many seconds; after `close` it is dropped."""
        with self._changed:
            if not self._closed:
                due = time.monotonic() + seconds
                heapq.heappush(self._due, (due, next(self._order), job))
                self._changed.notify()

    def close(self, patience: float) -> None:
        """Drop what is not yet due and wait so many seconds at most for what runs."""
        with self._changed:
            self._closed = True
            self._due.clear()
            self._changed.notify_all()
        deadline = time.monotonic() + patience
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, deadline - time.monotonic()))

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job()

    def _next(self) -> Callable[[], object] | None:
        """Wait for the next job that is due; ``None`` when closed."""
        with self._changed:
            while not self._closed:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
        return None
