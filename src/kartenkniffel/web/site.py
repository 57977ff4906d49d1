"""What all routes share: the tables, who is who, what may be done how often, and the pages."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from kartenkniffel.pad import Pads
from kartenkniffel.rules import RuleError
from kartenkniffel.table import Lobby, State, Table, TableError, Tables
from kartenkniffel.web import pages
from kartenkniffel.web.forms import (
    Once,
    is_secure,
    new_key,
    number_in,
    seat_shown,
    wants_part,
    wants_whole_log,
)
from kartenkniffel.web.limits import Limits
from kartenkniffel.web.live import Hub
from kartenkniffel.web.page_among import among_context
from kartenkniffel.web.page_curtain import curtain_context
from kartenkniffel.web.people import People, Person
from kartenkniffel.web.presence import GONE_AFTER, Presence
from kartenkniffel.web.templating import Templates, hears_talk, order_of

MOST_HOST = 300
"""The most characters of an address, up to its path."""


class Site:
    """The one server: routes are made of it. All calls of tables happen in worker threads."""

    def __init__(
        self,
        tables: Tables,
        levels: Sequence[str],
        *,
        people: People,
        hub: Hub,
        lan: str | None = None,
        public: str | None = None,
        gone_after: float = GONE_AFTER,
        pads: Pads | None = None,
    ) -> None:
        self.tables = tables
        self.pads = pads
        self.levels = tuple(levels)
        self.people = people
        self.lan = lan
        self.public = public
        self.hub = hub
        self.once = Once()
        self.limits = Limits()
        self.presence = Presence(hub.listens, gone_after=gone_after)
        self.templates = Templates()

    def sender(self, request: Request) -> Person:
        """Give the person behind a request, who is there at this moment."""
        person = self.people.sender(request)
        if person.new_key is None or person.home:
            self.presence.see(*person.ids)
        return person

    def allow(self, request: Request, what: str) -> None:
        """Count what somebody does; raises an `HTTPException` of status 429 for too much of it."""
        self.limits.check(what, self.people.sender(request).id, host_of(request))

    def address(self, request: Request, path: str) -> str:
        """Give the address under which others reach a page."""
        at_home = self.people.sender(request).home
        base = self.public or (self.lan if at_home and self.lan else str(request.base_url))
        if len(base) > MOST_HOST:
            raise HTTPException(400)  # nobody has such a name, and no QR code holds it
        return base.rstrip("/") + path

    def is_reachable(self, request: Request) -> bool:
        """Tell whether others can open an address of this server."""
        return bool(self.public or self.lan) or not self.people.sender(request).home

    # Tables

    async def look(self, request: Request) -> State:
        """Give the table that the address names, before its game too."""
        return await run_in_threadpool(self.tables.look, request.path_params["id"])

    def admit(self, request: Request, table: Table) -> None:
        """Let only those who sit at a table, or may watch it, see it; a stranger gets no hint."""
        person = self.sender(request)
        if person.among(table.owners) is not None:
            return
        if not table.spectators:
            raise HTTPException(404)
        self.hub.watch(person.id, table.id)

    async def seated(self, request: Request) -> tuple[Table, str]:
        """Give the table and the sender's player id; a stranger learns nothing of it."""
        table = await run_in_threadpool(self.tables.get, request.path_params["id"])
        player = self.sender(request).among(table.owners)
        if player is None:
            raise HTTPException(404)
        return table, player

    async def acting(self, request: Request) -> tuple[Table, int, FormData, str]:
        """Give the table, the seat that acts, its form and whose it is.

        Several seats of a device are named by the form. The table may have moved on; what it is
        asked to do is decided on the table as it stands.
        """
        table = self.tables.peek(request.path_params["id"])
        player = None if table is None else self.sender(request).among(table.owners)
        if table is None or player is None:
            table, player = await self.seated(request)
        self.allow(request, "move")
        form = await request.form()
        own = table.seats_of(player)
        seat = number_in(form, "seat") if len(own) > 1 else own[0]
        if seat not in own:
            raise HTTPException(403)
        return table, seat, form, player

    def is_here(self, person: str) -> bool:
        """Tell whether a person is there, or was a moment ago."""
        return self.presence.is_here(person)

    # Pages

    def table_page(
        self,
        request: Request,
        table: Table,
        *,
        look: int | None = None,
        shown: pages.Shown | None = None,
        error: RuleError | TableError | None = None,
        status: int = 200,
    ) -> Response:
        """Show the sender's side of a table, or a spectator's.

        Where people share a device that is the curtain, unless ``look`` or the page that asks says
        whose hand may be seen.
        """
        person = self.sender(request)
        player = person.among(table.owners)
        translator, key = self.templates.translator(request), new_key()
        seat, shared = table.seat_of(player), table.is_shared(player)
        if shared:
            seat = seat_shown(request) if look is None else look
        if player is not None and shared and (seat is None or not table.may_look(player, seat)):
            context = curtain_context(table, player, translator=translator, key=key, error=error)
        else:
            context = pages.table_context(
                table,
                seat,
                translator=translator,
                key=key,
                shown=shown,
                error=error,
                shared=len(table.seats_of(player)) > 1,
                next_seat=table.next_seat_of(player),
                whole_log=wants_whole_log(request),
                order=order_of(request),
            )
        context |= among_context(
            table,
            player,
            translator=translator,
            is_here=self.is_here,
            watching=self.watching(table),
            talk=hears_talk(request),
        )
        name = "table_main.html" if wants_part(request) else "table.html"
        return self.page(request, name, context, status=status)

    def watching(self, table: Table) -> int:
        """Count the people without a seat who watch a table now.

        Who sat down after looking at the invitation is among those told, but does not watch.
        """
        strangers = set(self.hub.watchers(table.id)).difference(table.owners)
        return sum(self.is_here(person) for person in strangers)

    def page(
        self, request: Request, name: str, context: dict[str, object], status: int = 200
    ) -> Response:
        """Render a page, and let the browser keep its new key."""
        response = self.templates.page(request, name, context, status)
        return self.remember(request, response)

    def remember(self, request: Request, response: Response) -> Response:
        """Let the sender's browser keep its new key."""
        person = self.people.sender(request)
        person.remember(response, secure=is_secure(request))
        return response


def host_of(request: Request) -> str:
    """Give the address that a request came from."""
    return request.client.host if request.client else "?"


def lobby_of(state: State) -> Lobby:
    """Give the table at which people gather; raises an `HTTPException` where it is no more."""
    if not isinstance(state, Lobby) or state.closed:
        raise HTTPException(404)
    return state
