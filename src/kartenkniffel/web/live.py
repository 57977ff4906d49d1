"""Live notices: which of a person's tables have moved on, pushed to their open streams.

A notice carries a table's id and event number only; the page then asks for its own part. So no
stream can carry a secret, a slow reader never makes a queue grow, and a missed notice heals.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Collection

from sse_starlette import ServerSentEvent

RETRY = 1000
"""Milliseconds after which a browser tries again when its stream breaks."""


class Stream:
    """One open stream: the newest number of each table since the last look."""

    def __init__(self) -> None:
        self._news: dict[str, int] = {}
        self._woken = asyncio.Event()
        self._closed = False

    def tell(self, table: str, number: int) -> None:
        """Note that a table is at this event now; 0 says that it was deleted."""
        known = self._news.get(table, 0)
        self._news[table] = number if number == 0 else max(known, number)
        self._woken.set()

    def close(self) -> None:
        """Let the stream say goodbye and end."""
        self._closed = True
        self._woken.set()

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Give what there is to tell, until closed."""
        yield ServerSentEvent(event="hello", data="{}", retry=RETRY)
        while not self._closed:
            await self._woken.wait()
            self._woken.clear()
            news, self._news = self._news, {}
            for table, number in news.items():
                data = json.dumps({"table": table, "number": number})
                yield ServerSentEvent(event="table", data=data)
        yield ServerSentEvent(event="bye", data="{}")


class Hub:
    """All open streams by person. Belongs to one event loop; `publish` may come from any thread."""

    def __init__(self) -> None:
        self._streams: dict[str, set[Stream]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def open(self, person: str) -> Stream:
        """Open a stream for a person, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        stream = Stream()
        if self._closed:
            stream.close()
        self._streams.setdefault(person, set()).add(stream)
        return stream

    def drop(self, person: str, stream: Stream) -> None:
        """Forget a stream that has ended; a second time does nothing."""
        streams = self._streams.get(person, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(person, None)

    def publish(self, people: Collection[str], table: str, number: int) -> None:
        """Tell these people's streams that a table has moved on."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, tuple(people), table, number)

    def close(self) -> None:
        """End every stream, and those opened later at once."""
        self._closed = True
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    def _tell(self, people: Collection[str], table: str, number: int) -> None:
        for person in people:
            for stream in self._streams.get(person, ()):
                stream.tell(table, number)
