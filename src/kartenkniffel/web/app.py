"""The pages as an ASGI application: reads requests, asks the table, shows a seat its part."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
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
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kartenkniffel.notation import dump_record
from kartenkniffel.rules import NO_CARDS, Exchange, Field, Move, RuleError, Score
from kartenkniffel.table import (
    MovedOn,
    NotFinished,
    NotYourTurn,
    SeatError,
    Table,
    TableError,
    Tables,
    UnknownTable,
)
from kartenkniffel.web import pages
from kartenkniffel.web.guard import PostGuard, SecurityHeaders
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.live import Hub, Stream
from kartenkniffel.web.opening import Wishes
from kartenkniffel.web.people import People, Person
from kartenkniffel.web.templating import Templates, settings_response

_STATIC = Path(__file__).parent / "static"
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")


def create_app(
    tables: Tables,
    levels: Sequence[str],
    *,
    hosts: Sequence[str] = ("*",),
    lan: str | None = None,
    hub: Hub | None = None,
) -> Starlette:
    """Give the application for these tables.

    ``levels`` are the bots one may play against; ``hosts`` the names that the server answers to;
    ``lan`` its address for other devices in the same network. The ``hub`` is handed in by whoever
    must close its streams at the end.
    """
    return _Pages(tables, levels, hosts=hosts, lan=lan, hub=hub or Hub()).app()


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
    ) -> None:
        self.tables = tables
        self.levels = tuple(levels)
        self.people = People(home=True)
        self.hosts = list(hosts)
        self.lan = lan
        self.hub = hub
        self.templates = Templates()

    def app(self) -> Starlette:
        routes = [
            Route("/", self.start),
            Route("/help", self.help),
            Route("/lan", self.lan_page),
            Route("/lan.svg", self.lan_code),
            Route("/tables", self.open, methods=["POST"]),
            Route("/settings", self.settings, methods=["POST"]),
            Route("/events", self.events),
            Route("/t/{id}", self.table),
            Route("/t/{id}/exchange", self.exchange, methods=["POST"]),
            Route("/t/{id}/score", self.score, methods=["POST"]),
            Route("/t/{id}/again", self.again, methods=["POST"]),
            Route("/t/{id}/delete", self.delete, methods=["POST"]),
            Route("/t/{id}/record.json", self.record),
            Mount("/static", StaticFiles(directory=_STATIC), name="static"),
        ]
        middleware = [Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=500)]
        middleware.insert(0, Middleware(TrustedHostMiddleware, allowed_hosts=self.hosts))
        return Starlette(
            routes=[Mount("/", routes=routes, middleware=[Middleware(PostGuard)])],
            middleware=middleware,
            exception_handlers={HTTPException: self.failed, Exception: self.failed},
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
            self.hub.publish(_owners(self.tables.get(id)), id, number)

    # Pages

    async def start(self, request: Request) -> Response:
        return await self._start_page(request, Wishes.remembered(request))

    async def _start_page(self, request: Request, wishes: Wishes, error: str = "") -> Response:
        person = self.people.sender(request)
        context = pages.start_context(
            await run_in_threadpool(self.tables.of_player, person.id),
            levels=self.levels,
            key=_new_key(),
            translator=self.templates.translator(request),
            name=wishes.name,
            bots=len(wishes.levels),
            level=wishes.levels[0],
            start=wishes.start,
            house_rule=wishes.house_rule,
            error=error or None,
            lan=self.lan is not None,
        )
        return self._page(request, "start.html", context, status=422 if error else 200)

    async def help(self, request: Request) -> Response:
        translator = self.templates.translator(request)
        return self._page(request, "help.html", pages.help_context(translator))

    async def lan_page(self, request: Request) -> Response:
        if self.lan is None:
            raise HTTPException(404)
        return self._page(request, "lan.html", {"address": self.lan})

    async def lan_code(self, request: Request) -> Response:
        if self.lan is None:
            raise HTTPException(404)
        return Response(qr_as_svg(self.lan), media_type="image/svg+xml")

    async def table(self, request: Request) -> Response:
        table, seat = await self._seated(request)
        return self._table_page(request, table, seat, shown=pages.Shown.read(request.query_params))

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
        try:
            opened = await run_in_threadpool(
                self.tables.open,
                wishes.seats(person.id, translator),
                wishes.chosen_start(),
                wishes.rules(),
                key=f"{person.id}:{_key(form)}",
            )
        except SeatError:
            sentence = translator.gettext("A name has 1 to 24 characters.")
            return await self._start_page(request, wishes, error=sentence)
        response = RedirectResponse(f"/t/{opened.id}", 303)
        wishes.remember(response)
        self._remember(request, person, response)
        return response

    async def exchange(self, request: Request) -> Response:
        table, seat = await self._seated(request)
        form = await request.form()

        def read(current: Table) -> Move:
            discard = pages.cards_at(_hand(current, seat), _texts(form, "card"))
            return Exchange(discard, len(discard) + (form.get("draw") == "more"))

        def unsure(move: Move) -> bool:
            return isinstance(move, Exchange) and move.is_pass and form.get("confirm") != "1"

        return await self._act(request, table, seat, form, read, unsure)

    async def score(self, request: Request) -> Response:
        table, seat = await self._seated(request)
        form = await request.form()

        def read(current: Table) -> Move:
            cards = pages.cards_at(_hand(current, seat), _texts(form, "card"))
            return Score(cards, Field(str(form.get("field"))))

        return await self._act(request, table, seat, form, read, lambda move: False)

    async def _act(
        self,
        request: Request,
        table: Table,
        seat: int | None,
        form: FormData,
        read: Callable[[Table], Move],
        unsure: Callable[[Move], bool],
    ) -> Response:
        if seat is None:
            raise HTTPException(403)
        number, key = _number(form), _key(form)
        try:
            move = read(table)
        except ValueError:
            if number == table.number:
                raise HTTPException(400) from None
            # The page was rendered for another hand. The table refuses the stale number, unless
            # this is the repeat of a command that it has carried out already.
            move = Exchange(NO_CARDS, 0)
        if number == table.number and unsure(move):
            return self._table_page(request, table, seat, shown=pages.Shown(passing=True))
        try:
            table = await run_in_threadpool(
                self.tables.move, table.id, seat, move, number=number, key=key
            )
        except (RuleError, MovedOn, NotYourTurn) as error:
            table, seat = await self._seated(request)
            status = 422 if isinstance(error, RuleError) else 409
            return self._table_page(request, table, seat, error=error, status=status)
        if _wants_part(request):
            return self._table_page(request, table, table.seat_of(self.people.sender(request).id))
        return RedirectResponse(f"/t/{table.id}", 303)

    async def again(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        try:
            following = await run_in_threadpool(self.tables.rematch, table.id)
        except NotFinished:
            raise HTTPException(409) from None
        return RedirectResponse(f"/t/{following.id}", 303)

    async def delete(self, request: Request) -> Response:
        table, _ = await self._seated(request)
        await run_in_threadpool(self.tables.delete, table.id)
        self.hub.publish(_owners(table), table.id, 0)
        return RedirectResponse("/", 303)

    async def settings(self, request: Request) -> Response:
        return settings_response(await request.form())

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
        try:
            table = await run_in_threadpool(self.tables.get, request.path_params["id"])
        except UnknownTable:
            raise HTTPException(404) from None
        seat = table.seat_of(self.people.sender(request).id)
        if seat is None:
            raise HTTPException(404)
        return table, seat

    def _table_page(
        self,
        request: Request,
        table: Table,
        seat: int | None,
        *,
        shown: pages.Shown | None = None,
        error: RuleError | TableError | None = None,
        status: int = 200,
    ) -> Response:
        context = pages.table_context(
            table,
            seat,
            translator=self.templates.translator(request),
            key=_new_key(),
            shown=shown,
            error=error,
        )
        name = "table_main.html" if _wants_part(request) else "table.html"
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
        status = error.status_code if isinstance(error, HTTPException) else 500
        translator = self.templates.translator(request)
        context = pages.error_context(status, _failure(status, translator))
        response = self.templates.page(request, "error.html", context, status)
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response


async def _ending(stream: Stream, end: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
    async for event in stream.events():
        yield event
    end()


def _failure(status: int, translator: pages.Translator) -> str:
    gettext = translator.gettext
    sentences = {
        400: gettext("The server could not make sense of this request."),
        403: gettext("This request did not come from a page of this game."),
        404: gettext("There is nothing here. The game may have been deleted."),
        405: gettext("This address can be used from the game's own pages only."),
        409: gettext("This is possible once the game is over."),
        413: gettext("This request is larger than the game ever sends."),
    }
    if status in sentences:
        return sentences[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return gettext("Something went wrong on the server. Every accepted move is kept.")
    return sentences[400]


def _owners(table: Table) -> set[str]:
    return {seat.owner for seat in table.seats if seat.owner is not None}


def _hand(table: Table, seat: int | None) -> Any:
    return table.view(seat).hand or NO_CARDS


def _wants_part(request: Request) -> bool:
    return request.headers.get("x-part") == "1" or request.query_params.get("part") == "1"


def _new_key() -> str:
    return secrets.token_urlsafe(12)


def _key(form: FormData) -> str:
    key = str(form.get("key", ""))
    if not _KEY.fullmatch(key):
        raise HTTPException(400)
    return key


def _number(form: FormData) -> int:
    text = str(form.get("number", ""))
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise HTTPException(400)
    return int(text)


def _texts(form: FormData, name: str) -> list[str]:
    return [value for value in form.getlist(name) if isinstance(value, str)]
