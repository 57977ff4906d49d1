"""The whole server as an ASGI application: routes, guards, live notices, errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from kartenkniffel.pad import Pads
from kartenkniffel.store import StoreError
from kartenkniffel.table import Notice, TableError, Tables, UnknownCode
from kartenkniffel.web import pages
from kartenkniffel.web.among import Among
from kartenkniffel.web.forms import failure, status_of
from kartenkniffel.web.friends import Friends
from kartenkniffel.web.guard import HEADERS, PostGuard, SecurityHeaders
from kartenkniffel.web.live import Hub
from kartenkniffel.web.own import Own
from kartenkniffel.web.pad_routes import pad_routes
from kartenkniffel.web.people import People
from kartenkniffel.web.play import Play
from kartenkniffel.web.presence import GONE_AFTER
from kartenkniffel.web.site import Site
from kartenkniffel.web.streams import Streams

LOOK_EVERY = 3.0
"""Seconds between two looks at who has come or gone."""

_log = logging.getLogger(__name__)
_STATIC = Path(__file__).parent / "static"


def create_app(
    tables: Tables,
    levels: Sequence[str],
    *,
    hosts: Sequence[str] = ("*",),
    lan: str | None = None,
    hub: Hub | None = None,
    home: bool = True,
    public: str | None = None,
    gone_after: float = GONE_AFTER,
    pads: Pads | None = None,
) -> Starlette:
    """Give the application for these tables, and for these score pads.

    ``levels`` are the bots one may play against; ``hosts`` the names that the server answers to;
    ``lan`` its address for other devices in the same network, ``public`` the one for the world.
    ``home`` says that somebody plays at this very machine. The ``hub`` is handed in by whoever must
    close its streams at the end. Somebody is gone after so many seconds.
    """
    site = Site(
        tables,
        levels,
        people=People(home=home),
        hub=hub or Hub(),
        lan=lan,
        public=public,
        gone_after=gone_after,
        pads=pads,
    )
    return _App(site).made(hosts)


class _App:
    def __init__(self, site: Site) -> None:
        self.site = site

    def made(self, hosts: Sequence[str]) -> Starlette:
        routes: list[BaseRoute] = []
        for kind in (Play, Friends, Among, Own, Streams):
            routes += kind(self.site).routes()
        if self.site.pads is not None:
            routes += pad_routes(self.site, self.site.pads)
        routes.append(Mount("/static", StaticFiles(directory=_STATIC), name="static"))
        middleware = [Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=500)]
        middleware.insert(0, Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)))
        return Starlette(
            routes=[Mount("/", routes=routes, middleware=[Middleware(PostGuard)])],
            middleware=middleware,
            exception_handlers=dict.fromkeys(
                (HTTPException, TableError, UnknownCode, StoreError, ClientDisconnect, Exception),
                self.failed,
            ),
            lifespan=self.lifespan,
        )

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        unwatch = self.site.tables.watch(self._moved_on)
        looking = asyncio.create_task(self._look_around())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            unwatch()
            self.site.hub.close()

    def _moved_on(self, notice: Notice) -> None:
        self.site.hub.publish(notice.people, notice.table, notice.number)

    async def _look_around(self) -> None:
        """Tell tables who has come or gone, and pass on what a host who has gone must not keep."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await run_in_threadpool(self._tell_changes, self.site.presence.changes())
                await run_in_threadpool(self._pass_on)
            except Exception as error:
                _log.error("who is there is looked at again: %s", type(error).__name__)

    def _tell_changes(self, people: set[str]) -> None:
        site = self.site
        for person in people:
            for id in site.tables.tables_with(person):
                with suppress(TableError):  # one that cannot be read keeps nobody else from it
                    state = site.tables.look(id)
                    site.hub.publish(state.owners, id, state.number, "people")
        for person in site.hub.all_watching():
            if not site.is_here(person):
                site.hub.unwatch(person)

    def _pass_on(self) -> None:
        for lobby in self.site.tables.lobbies.all_open():
            host = next((g.owner for g in lobby.guests if g.number == lobby.host), "")
            if len(lobby.guests) > 1 and not self.site.is_here(host):
                with suppress(TableError):
                    self.site.tables.lobbies.pass_on(lobby.id, self.site.is_here)

    async def failed(self, request: Request, error: Exception) -> Response:
        """Show a page for what went wrong, with nothing of its inside."""
        status = status_of(error)
        if isinstance(error, StoreError):
            _log.error("%s", error)
        templates = self.site.templates
        context = pages.error_context(status, failure(status, templates.translator(request)))
        response = templates.page(request, "error.html", context, status)
        # What nobody has foreseen is answered from outside of the layer that adds them.
        response.headers.update({**HEADERS, "Cache-Control": "no-store"})
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response
