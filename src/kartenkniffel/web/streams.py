"""The route of the live notices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kartenkniffel.table import TableError
from kartenkniffel.web.live import Stream, since
from kartenkniffel.web.people import Person
from kartenkniffel.web.site import Site


class Streams:
    """The route of the live notices: one stream for all tables of a person."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """List it."""
        return [Route("/events", self.events)]

    async def events(self, request: Request) -> Response:
        """Open a stream; with ``Last-Event-ID`` what has changed since comes first."""
        person = self.site.sender(request)
        if person.new_key is not None and not person.home:
            raise HTTPException(403)
        hub, presence = self.site.hub, self.site.presence
        stream = hub.open(*person.ids)
        missed = await run_in_threadpool(self._missed, request, person)
        for id, number in missed.items():
            stream.tell(id, number)

        def end() -> None:
            hub.drop(stream, *person.ids)
            presence.see(*person.ids)

        async def close(_: Any) -> None:
            end()

        return EventSourceResponse(
            _ending(stream, end), client_close_handler_callable=close, send_timeout=10
        )

    def _missed(self, request: Request, person: Person) -> dict[str, int]:
        """Give the tables that have changed since the browser heard of any last."""
        last = since(request.headers.get("last-event-id"))
        if last is None:
            return {}
        missed: dict[str, int] = {}
        for id in person.ids:
            missed |= self.site.tables.changed_since(id, last)
            for table in self.site.hub.watched(id):
                try:
                    missed[table] = self.site.tables.look(table).number
                except TableError:
                    missed[table] = 0
        return missed


async def _ending(stream: Stream, end: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
    async for event in stream.events():
        yield event
    end()
