"""One thread that writes for all, so that many callers share one wait for the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from kartenkniffel.store.errors import StoreClosed

T = TypeVar("T")
_Step: TypeAlias = Callable[[Connection], Any]
_Asked: TypeAlias = tuple[_Step, Future[Any]]

MOST_IN_GROUP = 256
"""How many steps share one commit at most."""


class GroupWriter:
    """Runs writing steps one after the other in its own thread and commits them in groups.

    While one group waits for the disk the next one gathers. A step that raises is undone alone; a
    failure of the database itself fails its whole group.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: SimpleQueue[_Asked | None] = SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    def do(self, step: Callable[[Connection], T]) -> T:
        """Run a step and give its result once it is committed; raises what it raises."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise StoreClosed
            self._queue.put((step, future))
        return future.result()

    def close(self) -> None:
        """Finish the steps asked for and stop."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            if not self._write_group(first):
                return

    def _write_group(self, first: _Asked) -> bool:
        """Write a step and those waiting behind it; tell whether to go on after that."""
        group = [first]
        done: list[tuple[Any, Exception | None]] = []
        more: _Asked | None = first
        try:
            with self._engine.begin() as connection:
                while more is not None:
                    done.append(_alone(connection, more[0]))
                    if len(group) == MOST_IN_GROUP:
                        break
                    try:
                        more = self._queue.get_nowait()
                    except Empty:
                        break
                    if more is not None:
                        group.append(more)
        except Exception as error:
            done = [(None, error)] * len(group)
        for (_, future), (result, refusal) in zip(group, done, strict=True):
            if refusal is None:
                future.set_result(result)
            else:
                future.set_exception(refusal)
        return more is not None


def _alone(connection: Connection, step: _Step) -> tuple[Any, Exception | None]:
    """Run one step of a group: its result, or what it raised when nothing of it was kept."""
    savepoint = connection.begin_nested()
    try:
        result = step(connection)
    except Exception as error:
        # Where the database fails it may have dropped the transaction, savepoints and all.
        if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
            raise
        savepoint.rollback()
        return None, error
    savepoint.commit()
    return result, None
