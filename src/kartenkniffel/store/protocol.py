"""What a storage of append-only event logs can do, whatever it is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a log: ``number`` counts 1, 2, … in its ``log``; ``body`` is a JSON object.

    ``key`` is the key of the command that made it, if it had one; ``at`` is the time in UTC.
    """

    log: str
    number: int
    body: Mapping[str, Any]
    key: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class LogInfo:
    """What is known of a log without reading its events; ``last`` is its last event's number."""

    id: str
    kind: str
    created: datetime
    changed: datetime
    last: int
    finished: bool


class Store(Protocol):
    """Append-only logs of events. Every method may be called from any thread.

    What a writing method has done is on the disk when it returns: all of it, or nothing where it
    raises. Any method raises `StoreError` when the storage fails or is closed.
    """

    def create(
        self,
        log: str,
        kind: str,
        owners: Collection[str],
        bodies: Sequence[Mapping[str, Any]],
        key: str | None = None,
        *,
        finished: bool = False,
    ) -> list[Event]:
        """Make a log with its first events and give them.

        A key makes one log only: when some log was made with it, nothing is done and that log's
        first events are given, whatever its id. Raises `LogExists` where the id is taken.
        """
        ...

    def append(
        self,
        log: str,
        after: int,
        bodies: Sequence[Mapping[str, Any]],
        key: str | None = None,
        *,
        finished: bool | None = None,
        joining: Collection[str] = (),
        parting: Collection[str] = (),
    ) -> list[Event]:
        """Add events to a log whose last event is number ``after``, and give them.

        When the key is in the log already, nothing is done and the events that it made then are
        given. In the same step ``finished`` marks the log (``None`` leaves the mark), ``joining``
        become owners of it and ``parting`` owners no more. Raises `Conflict` where the log's last
        event is another one, `UnknownLog` where there is none.
        """
        ...

    def read(self, log: str, after: int = 0) -> list[Event]:
        """Give the events with a number above ``after``, in order; raises `UnknownLog`."""
        ...

    def made(self, log: str, key: str) -> list[Event]:
        """Give the events made with this key; empty when it has not been used in this log."""
        ...

    def info(self, log: str) -> LogInfo:
        """Give what is known of a log without reading it; raises `UnknownLog`."""
        ...

    def logs(self, owner: str, kind: str, limit: int | None = None) -> list[LogInfo]:
        """List an owner's logs of a kind: unfinished ones first, then those changed last."""
        ...

    def unfinished(self, kind: str) -> list[LogInfo]:
        """List all logs of a kind that are not marked as finished, the oldest first."""
        ...

    def finished(self, kind: str, before: datetime) -> list[LogInfo]:
        """List the finished logs of a kind that were last changed before a time, oldest first."""
        ...

    def mentioning(self, text: str, kind: str) -> list[LogInfo]:
        """List all logs of a kind with an event that has this text as a value, the oldest first.

        It reads every event, so it is for rare questions only. Logs where the text stands in other
        letter case may be listed too.
        """
        ...

    def owners(self, log: str) -> list[str]:
        """List the owners of a log, sorted; empty where there is no such log."""
        ...

    def part(self, log: str, owner: str) -> None:
        """Let somebody own a log no more; its events stay. Does nothing where there is none."""
        ...

    def amend(self, log: str, bodies: Mapping[int, Mapping[str, Any]]) -> None:
        """Put other bodies in the place of those with these numbers, such as without a name.

        A log is not written anew but for this: somebody wants to be forgotten.
        """
        ...

    def delete(self, log: str) -> None:
        """Remove a log and all its events; does nothing where there is none."""
        ...

    def purge(self) -> None:
        """Let nothing of what was deleted or amended be left on the disk, as far as can be."""
        ...

    def close(self) -> None:
        """Finish what is being written and let go of the storage; a second call does nothing."""
        ...
