"""The route of the live notices."""

from __future__ import annotations

from collections.abc import Callable

from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kartenkniffel.table import TableError
from kartenkniffel.web.live import Stream, since
from kartenkniffel.web.people import Person
from kartenkniffel.web.site import Site

SEND_TIMEOUT = 10
"""Seconds after which a browser that takes no notice any more is given up."""


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

        def end() -> None:
            hub.drop(stream, *person.ids)
            presence.see(*person.ids)

        try:
            missed = await run_in_threadpool(self._missed, request, person)
        except BaseException:
            end()
            raise
        for id, number in missed.items():
            stream.tell(id, number)
        return _Response(stream, end)

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


class _Response(EventSourceResponse):
    """A stream on its way; ``end`` is called when it is over, however that comes about.

    Whoever seems to listen counts as being there: a line that broke must not be taken for one.
    """

    def __init__(self, stream: Stream, end: Callable[[], None]) -> None:
        super().__init__(stream.events(), send_timeout=SEND_TIMEOUT)
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is to tell."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end()
