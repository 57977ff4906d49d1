"""The pages as an ASGI application: reads requests, asks the table, shows a seat its part."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from kartenkniffel.notation import dump_record
from kartenkniffel.pad import Pads
from kartenkniffel.rules import NO_CARDS, Exchange, Field, Move, RuleError, Score
from kartenkniffel.store import StoreError
from kartenkniffel.table import (
    PACES,
    DamagedTable,
    MovedOn,
    NotFinished,
    NotYourTurn,
    Pace,
    SeatError,
    Table,
    TableError,
    Tables,
    UnknownTable,
    known_pace,
)
from kartenkniffel.web import pages
from kartenkniffel.web.forms import (
    Once,
    failure,
    key_in,
    new_key,
    number_in,
    seat_shown,
    status_of,
    texts_in,
    wants_part,
    wants_whole_log,
)
from kartenkniffel.web.guard import PostGuard, SecurityHeaders
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.live import Hub, Stream
from kartenkniffel.web.opening import Wishes
from kartenkniffel.web.pad_routes import pad_routes
from kartenkniffel.web.page_curtain import curtain_context
from kartenkniffel.web.people import People, Person
from kartenkniffel.web.templating import Templates, order_of, pace_of, settings_response

_log = logging.getLogger(__name__)
_STATIC = Path(__file__).parent / "static"


def create_app(
    tables: Tables,
    levels: Sequence[str],
    *,
    hosts: Sequence[str] = ("*",),
    lan: str | None = None,
    hub: Hub | None = None,
    pads: Pads | None = None,
) -> Starlette:
    """Give the application for these tables, and for these score pads.

    ``levels`` are the bots one may play against; ``hosts`` the names that the server answers to;
    ``lan`` its address for other devices in the same network. The ``hub`` is handed in by whoever
    must close its streams at the end.
    """
    return _Pages(tables, levels, hosts=hosts, lan=lan, hub=hub or Hub(), pads=pads).app()


class _Pages:
    """The routes. Each awaits the table in a worker thread, so that no page waits for a disk."""

    def __init__(
        self,
        tables: Tables,
        levels: Sequence[str],
        *,
        hosts: Sequence[str],
        lan: str | None,
        hub: Hub,
        pads: Pads | None,
    ) -> None:
        self.pads = pads
        self.tables = tables
        self.levels = tuple(levels)
        self.people = People(home=True)
        self.hosts = list(hosts)
        self.lan = lan
        self.hub = hub
        self.once = Once()
        self.templates = Templates()

    def app(self) -> Starlette:
        routes: list[BaseRoute] = [
            Route("/", self.start),
            Route("/help", self.help),
            Route("/offline", self.offline),
            Route("/worker.js", self.worker),
            Route("/lan", self.lan_page),
            Route("/lan.svg", self.lan_code),
            Route("/tables", self.open, methods=["POST"]),
            Route("/settings", self.settings, methods=["POST"]),
            Route("/events", self.events),
            Route("/t/{id}", self.table),
            Route("/t/{id}/reveal", self.reveal, methods=["POST"]),
            Route("/t/{id}/skip", self.skip, methods=["POST"]),
            Route("/t/{id}/exchange", self.exchange, methods=["POST"]),
            Route("/t/{id}/score", self.score, methods=["POST"]),
            Route("/t/{id}/again", self.again, methods=["POST"]),
            Route("/t/{id}/delete", self.delete, methods=["POST"]),
            Route("/t/{id}/record.json", self.record),
            Mount("/static", StaticFiles(directory=_STATIC), name="static"),
        ]
        if self.pads is not None:
            routes += pad_routes(self.pads, self.templates, self.people, self.hub, self.lan)
        middleware = [Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=500)]
        middleware.insert(0, Middleware(TrustedHostMiddleware, allowed_hosts=self.hosts))
        return Starlette(
            routes=[Mount("/", routes=routes, middleware=[Middleware(PostGuard)])],
            middleware=middleware,
            exception_handlers=dict.fromkeys(
                (HTTPException, TableError, StoreError, ClientDisconnect, Exception), self.failed
            ),
            lifespan=self.lifespan,
        )

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        unwatch = self.tables.watch(self._moved_on)
        try:
            yield
        finally:
            unwatch()
            self.hub.close()

    def _moved_on(self, id: str, number: int) -> None:
        if number:
            with suppress(UnknownTable):  # deleted in the meantime
                self.hub.publish(_owners(self.tables.get(id)), id, number)

    # Pages

    async def start(self, request: Request) -> Response:
        return await self._start_page(request, Wishes.remembered(request))

    async def _start_page(self, request: Request, wishes: Wishes, error: str = "") -> Response:
        person = self.people.sender(request)
        context = pages.start_context(
            await run_in_threadpool(self.tables.of_player, person.id),
            levels=self.levels,
            key=new_key(),
            translator=self.templates.translator(request),
            name=wishes.name,
            mode=wishes.mode,
            bots=wishes.bots,
            level=wishes.level,
            start=wishes.start,
            rows=wishes.rows,
            first=wishes.first,
            who=wishes.who,
            house_rule=wishes.house_rule,
            error=error or None,
            lan=self.lan is not None,
        )
        return self._page(request, "start.html", context, status=422 if error else 200)

    async def help(self, request: Request) -> Response:
        translator = self.templates.translator(request)
        return self._page(request, "help.html", pages.help_context(translator))

    async def offline(self, request: Request) -> Response:
        """Show what a browser keeps for the time when there is no server."""
        return self._page(request, "offline.html", {})

    async def worker(self, request: Request) -> Response:
        """Give the worker that shows it; at the root, since it watches over all pages."""
        return FileResponse(_STATIC / "worker.js", media_type="text/javascript")

    async def lan_page(self, request: Request) -> Response:
        if self.lan is None:
            raise HTTPException(404)
        return self._page(request, "lan.html", {"address": self.lan})

    async def lan_code(self, request: Request) -> Response:
        if self.lan is None:
            raise HTTPException(404)
        return Response(qr_as_svg(self.lan), media_type="image/svg+xml")

    async def table(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        return self._table_page(request, table, shown=pages.Shown.read(request.query_params))

    async def record(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        try:
            record = await run_in_threadpool(self.tables.record, table.id)
        except NotFinished:
            raise HTTPException(409) from None
        name = f"kartenkniffel-{table.opened_at:%Y-%m-%d}-{table.id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(dump_record(record), media_type="application/json", headers=headers)

    # Actions

    async def open(self, request: Request) -> Response:
        person = self.people.sender(request)
        form = await request.form()
        translator = self.templates.translator(request)
        wishes = Wishes.read(form, self.levels)
        if problem := wishes.problem(self.levels, translator):
            return await self._start_page(request, wishes, error=problem)
        try:
            opened = await run_in_threadpool(
                self.tables.open,
                wishes.seats(person.id, translator),
                wishes.chosen_start(),
                wishes.rules(),
                key=f"{person.id}:{key_in(form)}",
                settings={"pace": pace_of(request)},
            )
        except SeatError:
            sentence = translator.gettext("A name has 1 to 24 visible characters.")
            return await self._start_page(request, wishes, error=sentence)
        response = RedirectResponse(f"/t/{opened.id}", 303)
        wishes.remember(response)
        self._remember(request, person, response)
        return response

    async def exchange(self, request: Request) -> Response:
        table, seat, form = await self._acting(request)

        def read(current: Table) -> Move:
            discard = pages.cards_at(_hand(current, seat), texts_in(form, "card"))
            more = ("same", "more").index(str(form.get("draw")))
            return Exchange(discard, len(discard) + more)

        def unsure(move: Move) -> bool:
            return isinstance(move, Exchange) and move.is_pass and form.get("confirm") != "1"

        return await self._act(request, table, seat, form, read, unsure)

    async def score(self, request: Request) -> Response:
        table, seat, form = await self._acting(request)

        def read(current: Table) -> Move:
            cards = pages.cards_at(_hand(current, seat), texts_in(form, "card"))
            return Score(cards, Field(str(form.get("field"))))

        return await self._act(request, table, seat, form, read, lambda move: False)

    async def _act(
        self,
        request: Request,
        table: Table,
        seat: int,
        form: FormData,
        read: Callable[[Table], Move],
        unsure: Callable[[Move], bool],
    ) -> Response:
        number, key = number_in(form), key_in(form)
        try:
            move = read(table)
        except ValueError:
            if number == table.number:
                raise HTTPException(400) from None
            # The page was rendered for another hand. The table refuses the stale number, unless
            # this is the repeat of a command that it has carried out already.
            move = Exchange(NO_CARDS, 0)
        first = self.once.first(request, key)
        if number == table.number and table.to_move == seat and unsure(move):
            shown = pages.Shown(passing=True)
            return self._table_page(request, table, look=seat if first else None, shown=shown)
        try:
            table = await run_in_threadpool(
                self.tables.move, table.id, seat, move, number=number, key=key
            )
        except (RuleError, MovedOn, NotYourTurn) as error:
            table, _ = await self._seated(request)
            broken = isinstance(error, RuleError)
            look = seat if broken and first and table.to_move == seat else None
            status = 422 if broken else 409
            return self._table_page(request, table, look=look, error=error, status=status)
        if wants_part(request) or table.is_shared(self.people.sender(request).id):
            return self._table_page(request, table, look=seat if first else None)
        return RedirectResponse(f"/t/{table.id}", 303)

    async def reveal(self, request: Request) -> Response:
        """Show the hand of the seat to move, where people share a device; never by a GET."""
        table, seat, form = await self._acting(request)
        number, key = number_in(form), key_in(form)
        if not table.is_shared(self.people.sender(request).id):
            return RedirectResponse(f"/t/{table.id}", 303)
        first = self.once.first(request, key)
        error: TableError | None = None
        if seat != table.to_move:
            error = NotYourTurn(table.id, seat, table.to_move)
        elif number != table.number or not first:
            error = MovedOn(table.id, number, table.number)
        if error is not None:
            return self._table_page(request, table, error=error, status=409)
        shown = pages.Shown.read({name: str(value) for name, value in form.items()})
        return self._table_page(request, table, look=seat, shown=shown)

    async def skip(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        await run_in_threadpool(self.tables.skip, table.id)
        if wants_part(request):
            return self._table_page(request, table)
        return RedirectResponse(f"/t/{table.id}", 303)

    async def again(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        try:
            following = await run_in_threadpool(self.tables.rematch, table.id)
        except NotFinished:
            raise HTTPException(409) from None
        return RedirectResponse(f"/t/{following.id}", 303)

    async def delete(self, request: Request) -> Response:
        id, player = request.path_params["id"], self.people.sender(request).id
        if not await run_in_threadpool(self.tables.belongs_to, id, player):
            raise HTTPException(404)
        try:
            owners = _owners(await run_in_threadpool(self.tables.get, id))
        except DamagedTable:
            owners = {player}
        await run_in_threadpool(self.tables.delete, id)
        self.hub.publish(owners, id, 0)
        return RedirectResponse("/", 303)

    async def settings(self, request: Request) -> Response:
        form = await request.form()
        response = settings_response(form)
        pace, table = form.get("pace"), response.headers["location"].removeprefix("/t/")
        if pace in PACES:
            await run_in_threadpool(self._set_pace, request, table, known_pace(pace))
        return response

    def _set_pace(self, request: Request, id: str, pace: Pace) -> None:
        """Let a pace that is chosen at a table count there at once."""
        try:
            if self.tables.get(id).seats_of(self.people.sender(request).id):
                self.tables.set_pace(id, pace)
        except TableError:
            pass  # The page was that of no table.

    # Live

    async def events(self, request: Request) -> Response:
        person = self.people.sender(request)
        if person.new_key is not None:
            raise HTTPException(403)
        stream = self.hub.open(person.id)

        async def close(_: Any) -> None:
            self.hub.drop(person.id, stream)

        return EventSourceResponse(
            _ending(stream, lambda: self.hub.drop(person.id, stream)),
            client_close_handler_callable=close,
            send_timeout=10,
        )

    # Help for the above

    async def _seated(self, request: Request) -> tuple[Table, int | None]:
        """Give the table and the sender's seat; a stranger learns nothing of it, not even this."""
        table = await run_in_threadpool(self.tables.get, request.path_params["id"])
        seat = table.seat_of(self.people.sender(request).id)
        if seat is None:
            raise HTTPException(404)
        return table, seat

    async def _acting(self, request: Request) -> tuple[Table, int, FormData]:
        """Give the table, the seat that acts and its form; several seats of a device are named."""
        table, seat = await self._seated(request)
        form = await request.form()
        own = table.seats_of(self.people.sender(request).id)
        if len(own) > 1:
            seat = number_in(form, "seat")
        if seat not in own:
            raise HTTPException(403)
        return table, seat, form

    def _table_page(
        self,
        request: Request,
        table: Table,
        *,
        look: int | None = None,
        shown: pages.Shown | None = None,
        error: RuleError | TableError | None = None,
        status: int = 200,
    ) -> Response:
        """Show the sender's side of a table.

        Where people share a device that is the curtain, unless ``look`` or the page that asks says
        whose hand may be seen.
        """
        player = self.people.sender(request).id
        translator, key = self.templates.translator(request), new_key()
        seat, shared = table.seat_of(player), table.is_shared(player)
        if shared:
            seat = seat_shown(request) if look is None else look
        if shared and (seat is None or not table.may_look(player, seat)):
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
        name = "table_main.html" if wants_part(request) else "table.html"
        return self._page(request, name, context, status=status)

    def _page(
        self, request: Request, name: str, context: dict[str, object], status: int = 200
    ) -> Response:
        response = self.templates.page(request, name, context, status)
        self._remember(request, self.people.sender(request), response)
        return response

    def _remember(self, request: Request, person: Person, response: Response) -> None:
        person.remember(response, secure=request.url.scheme == "https")

    async def failed(self, request: Request, error: Exception) -> Response:
        """Show a page for what went wrong, with nothing of its inside."""
        status = status_of(error)
        if isinstance(error, StoreError):
            _log.error("%s", error)
        translator = self.templates.translator(request)
        context = pages.error_context(status, failure(status, translator))
        response = self.templates.page(request, "error.html", context, status)
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response


async def _ending(stream: Stream, end: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
    async for event in stream.events():
        yield event
    end()


def _owners(table: Table) -> set[str]:
    return {seat.owner for seat in table.seats if seat.owner is not None}


def _hand(table: Table, seat: int | None) -> Any:
    return table.view(seat).hand or NO_CARDS
