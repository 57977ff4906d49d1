"""Live notices: which tables have moved on, pushed to the open streams of the people there.

A notice carries a table's id and event number only; the page then asks for its own part. So no
stream can carry a secret, a slow reader never makes a queue grow, and a missed notice heals: each
has an id that tells the time, and a browser that comes back with it hears what has changed since.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Sequence
from datetime import UTC, datetime, timedelta

from sse_starlette import ServerSentEvent

RETRY = 1000
"""Milliseconds after which a browser tries again when its stream breaks."""

MOST_STREAMS = 12
"""How many streams one person may have open; one more ends the oldest."""

MOST_WATCHERS = 2000
"""How many people without a seat are told of one table at most."""

MOST_WATCHED = 20
"""How many tables one stream is told of that are not the person's own."""

MARGIN = timedelta(seconds=5)
"""How much further back is looked when somebody comes back: clocks and writers are not exact."""


def event_id() -> str:
    """Give an id for a notice: the time in microseconds."""
    return str(time.time_ns() // 1000)


def since(last_event_id: str | None) -> datetime | None:
    """Give the time from which somebody who comes back has missed notices."""
    if not last_event_id or not (last_event_id.isascii() and last_event_id.isdecimal()):
        return None
    try:
        return datetime.fromtimestamp(int(last_event_id) / 1_000_000, UTC) - MARGIN
    except (OverflowError, ValueError, OSError):
        return None


class Stream:
    """One open stream: the newest number of each table since the last look."""

    def __init__(self) -> None:
        self._news: dict[str, tuple[str, int]] = {}
        self._woken = asyncio.Event()
        self._closed = False

    def tell(self, table: str, number: int, kind: str = "table") -> None:
        """Note that a table is at this event now; 0 says that it was deleted.

        Of ``kind`` ``people`` it is who is there that has changed, not the table.
        """
        known_kind, known = self._news.get(table, (kind, 0))
        kind = "table" if "table" in (kind, known_kind) else kind
        self._news[table] = (kind, number if number == 0 else max(known, number))
        self._woken.set()

    def close(self) -> None:
        """Let the stream say goodbye and end."""
        self._closed = True
        self._woken.set()

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Give what there is to tell, until closed."""
        yield ServerSentEvent(event="hello", data="{}", id=event_id(), retry=RETRY)
        while not self._closed:
            await self._woken.wait()
            self._woken.clear()
            news, self._news = self._news, {}
            for table, (kind, number) in news.items():
                data = json.dumps({"table": table, "number": number})
                yield ServerSentEvent(event=kind, data=data, id=event_id())
        yield ServerSentEvent(event="bye", data="{}")


class Hub:
    """All open streams by person. Belongs to one event loop; `publish` may come from any thread."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Stream]] = {}
        self._watchers: dict[str, OrderedDict[str, None]] = {}
        self._watched: dict[str, OrderedDict[str, None]] = {}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def open(self, *people: str) -> Stream:
        """Open a stream for a person, who may go by several ids, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        stream = Stream()
        if self._closed:
            stream.close()
        for person in people:
            streams = self._streams.setdefault(person, [])
            streams.append(stream)
        # By the key alone: at home many browsers are the same machine.
        if len(streams := self._streams[people[0]]) > MOST_STREAMS:
            streams.pop(0).close()
        return stream

    def drop(self, stream: Stream, *people: str) -> None:
        """Forget a stream that has ended; a second time does nothing."""
        for person in people:
            streams = self._streams.get(person, [])
            if stream in streams:
                streams.remove(stream)
            if not streams:
                self._streams.pop(person, None)

    def listens(self, person: str) -> bool:
        """Tell whether a person has a stream open."""
        return person in self._streams

    def watch(self, person: str, table: str) -> None:
        """Tell a person without a seat of this table too, from now on."""
        with self._lock:
            watchers = self._watchers.setdefault(table, OrderedDict())
            watchers[person] = None
            watchers.move_to_end(person)
            watched = self._watched.setdefault(person, OrderedDict())
            watched[table] = None
            watched.move_to_end(table)
            if len(watchers) > MOST_WATCHERS:
                # Rather one who looked once and listens no more than one who still follows.
                idle = (each for each in watchers if each not in self._streams)
                self._forget(next(idle, next(iter(watchers))), table)
            if len(watched) > MOST_WATCHED:
                self._forget(person, watched.popitem(last=False)[0])

    def _forget(self, person: str, table: str) -> None:
        for kept, key in ((self._watchers.get(table), person), (self._watched.get(person), table)):
            if kept is not None:
                kept.pop(key, None)
        if not self._watchers.get(table):
            self._watchers.pop(table, None)
        if not self._watched.get(person):
            self._watched.pop(person, None)

    def unwatch(self, person: str) -> None:
        """Forget what somebody watched who has been gone a while."""
        with self._lock:
            for table in list(self._watched.get(person, ())):
                self._forget(person, table)

    def watchers(self, table: str) -> list[str]:
        """List the people who watch a table."""
        with self._lock:
            return list(self._watchers.get(table, ()))

    def watched(self, person: str) -> list[str]:
        """List the tables that a person watches."""
        with self._lock:
            return list(self._watched.get(person, ()))

    def all_watching(self) -> list[str]:
        """List everybody who watches some table."""
        with self._lock:
            return list(self._watched)

    def publish(
        self, people: Collection[str], table: str, number: int, kind: str = "table"
    ) -> None:
        """Tell these people's streams, and those of all who watch, that a table has moved on."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            everybody = (*people, *(each for each in self.watchers(table) if each not in people))
            loop.call_soon_threadsafe(self._tell, everybody, table, number, kind)

    def close(self) -> None:
        """End every stream, and those opened later at once."""
        self._closed = True
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    def _tell(self, people: Sequence[str], table: str, number: int, kind: str) -> None:
        for person in people:
            for stream in self._streams.get(person, ()):
                stream.tell(table, number, kind)
