"""The routes of the start page and of running games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from kartenkniffel.notation import dump_record
from kartenkniffel.rules import (
    NO_CARDS,
    Cards,
    Exchange,
    Field,
    Move,
    PlayersError,
    RuleError,
    Score,
)
from kartenkniffel.table import (
    PACES,
    Lobby,
    MovedOn,
    NotFinished,
    NotYourTurn,
    Pace,
    SeatError,
    State,
    Table,
    TableError,
    TableSummary,
    known_pace,
)
from kartenkniffel.web import pages
from kartenkniffel.web.forms import (
    is_secure,
    key_in,
    new_key,
    number_in,
    texts_in,
    wants_part,
)
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.opening import Wishes
from kartenkniffel.web.page_lobby import waiting_rows
from kartenkniffel.web.people import Person
from kartenkniffel.web.site import Site
from kartenkniffel.web.templating import pace_of, settings_response

MOST_SHOWN = 5
"""How many of the open tables the start page shows."""

_STATIC = Path(__file__).parent / "static"


class Play:
    """The routes of the start page and of running games."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tables = site.tables

    def routes(self) -> list[Route]:
        """List them."""
        return [
            Route("/", self.start),
            Route("/help", self.help),
            Route("/offline", self.offline),
            Route("/worker.js", self.worker),
            Route("/lan", self.lan_page),
            Route("/lan.svg", self.lan_code),
            Route("/tables", self.open, methods=["POST"]),
            Route("/settings", self.settings, methods=["POST"]),
            Route("/t/{id}", self.table),
            Route("/t/{id}/reveal", self.reveal, methods=["POST"]),
            Route("/t/{id}/skip", self.skip, methods=["POST"]),
            Route("/t/{id}/exchange", self.exchange, methods=["POST"]),
            Route("/t/{id}/score", self.score, methods=["POST"]),
            Route("/t/{id}/again", self.again, methods=["POST"]),
            Route("/t/{id}/delete", self.delete, methods=["POST"]),
            Route("/t/{id}/record.json", self.record),
        ]

    # Pages

    async def start(self, request: Request) -> Response:
        """Show the start page."""
        wishes = Wishes.remembered(request)
        return await self._start_page(request, wishes.in_mode(request.query_params.get("mode")))

    async def _start_page(self, request: Request, wishes: Wishes, error: str = "") -> Response:
        person = self.site.sender(request)
        translator = self.site.templates.translator(request)
        tables = await run_in_threadpool(self._tables_of, person)
        gathering = [each for id in person.ids for each in self.tables.lobbies.of_player(id)]
        open_tables = self.tables.lobbies.waiting()
        context = pages.start_context(
            tables,
            levels=self.site.levels,
            key=new_key(),
            translator=translator,
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
            lan=self.site.lan is not None,
            friends=wishes.friends,
            gathering=waiting_rows(gathering, translator),
            open_tables=waiting_rows(
                [each for each in open_tables if not person.among(each.owners)][:MOST_SHOWN],
                translator,
            ),
        )
        return self.site.page(request, "start.html", context, status=422 if error else 200)

    def _tables_of(self, person: Person) -> list[TableSummary]:
        found = [table for id in person.ids for table in self.tables.of_player(id)]
        return sorted(found, key=lambda table: (table.finished, -table.changed_at.timestamp()))

    async def help(self, request: Request) -> Response:
        """Show the rules."""
        translator = self.site.templates.translator(request)
        return self.site.page(request, "help.html", pages.help_context(translator))

    async def offline(self, request: Request) -> Response:
        """Show what a browser keeps for the time when there is no server."""
        return self.site.page(request, "offline.html", {})

    async def worker(self, request: Request) -> Response:
        """Give the worker that shows it; at the root, since it watches over all pages."""
        return FileResponse(_STATIC / "worker.js", media_type="text/javascript")

    async def lan_page(self, request: Request) -> Response:
        """Show how other devices find the game."""
        if self.site.lan is None:
            raise HTTPException(404)
        return self.site.page(request, "lan.html", {"address": self.site.lan})

    async def lan_code(self, request: Request) -> Response:
        """Show the address as a QR code."""
        if self.site.lan is None:
            raise HTTPException(404)
        return Response(qr_as_svg(self.site.lan), media_type="image/svg+xml")

    async def table(self, request: Request) -> Response:
        """Show a table to those who sit there or may watch."""
        state = await self.site.look(request)
        if isinstance(state, Lobby):
            return RedirectResponse(f"/j/{state.id}", 303)
        self.site.admit(request, state)
        return self.site.table_page(request, state, shown=pages.Shown.read(request.query_params))

    async def record(self, request: Request) -> Response:
        """Give the record of a finished game."""
        table = await run_in_threadpool(self.tables.get, request.path_params["id"])
        self.site.admit(request, table)
        try:
            record = await run_in_threadpool(self.tables.record, table.id)
        except NotFinished:
            raise HTTPException(409) from None
        name = f"kartenkniffel-{table.opened_at:%Y-%m-%d}-{table.id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(dump_record(record), media_type="application/json", headers=headers)

    # Actions

    async def open(self, request: Request) -> Response:
        """Open a table."""
        person = self.site.sender(request)
        self.site.allow(request, "open")
        form = await request.form()
        translator = self.site.templates.translator(request)
        wishes = Wishes.read(form, self.site.levels)
        if problem := wishes.problem(self.site.levels, translator):
            return await self._start_page(request, wishes, error=problem)
        try:
            opened = await run_in_threadpool(self._open, person, wishes, request, key_in(form))
        except (SeatError, PlayersError):
            sentence = translator.gettext("A name has 1 to 24 visible characters.")
            return await self._start_page(request, wishes, error=sentence)
        way = "j" if isinstance(opened, Lobby) else "t"
        response = RedirectResponse(f"/{way}/{opened.id}", 303)
        wishes.remember(response, secure=is_secure(request))
        return self.site.remember(request, response)

    def _open(self, person: Person, wishes: Wishes, request: Request, key: str) -> State:
        translator = self.site.templates.translator(request)
        settings = {"pace": pace_of(request)}
        if wishes.mode == "friends":
            terms = wishes.terms(settings)
            name = wishes.name or translator.gettext("Player 1")
            return self.tables.lobbies.invite(name, person.id, terms, key=f"{person.id}:{key}")
        return self.tables.open(
            wishes.seats(person.own_games, translator),
            wishes.chosen_start(),
            wishes.rules(),
            key=f"{person.own_games}:{key}",
            settings=settings,
        )

    async def exchange(self, request: Request) -> Response:
        """Exchange cards (R5)."""
        table, seat, form, _ = await self.site.acting(request)

        def read(current: Table) -> Move:
            discard = pages.cards_at(_hand(current, seat), texts_in(form, "card"))
            more = ("same", "more").index(str(form.get("draw")))
            return Exchange(discard, len(discard) + more)

        def unsure(move: Move) -> bool:
            return isinstance(move, Exchange) and move.is_pass and form.get("confirm") != "1"

        return await self._act(request, table, seat, form, read, unsure)

    async def score(self, request: Request) -> Response:
        """Write down a field (R6)."""
        table, seat, form, _ = await self.site.acting(request)

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
            if table.is_current(number):
                raise HTTPException(400) from None
            # The page was rendered for another hand. The table refuses the stale number, unless
            # this is the repeat of a command that it has carried out already.
            move = Exchange(NO_CARDS, 0)
        first = self.site.once.first(request, key)
        if table.is_current(number) and table.to_move == seat and unsure(move):
            shown = pages.Shown(passing=True)
            return self.site.table_page(request, table, look=seat if first else None, shown=shown)
        try:
            table = await run_in_threadpool(
                self.tables.move, table.id, seat, move, number=number, key=key
            )
        except (RuleError, MovedOn, NotYourTurn) as error:
            table, _ = await self.site.seated(request)
            broken = isinstance(error, RuleError)
            look = seat if broken and first and table.to_move == seat else None
            status = 422 if broken else 409
            return self.site.table_page(request, table, look=look, error=error, status=status)
        if wants_part(request) or table.is_shared(self.site.sender(request).among(table.owners)):
            return self.site.table_page(request, table, look=seat if first else None)
        return RedirectResponse(f"/t/{table.id}", 303)

    async def reveal(self, request: Request) -> Response:
        """Show the hand of the seat to move, where people share a device; never by a GET."""
        table, seat, form, player = await self.site.acting(request)
        number, key = number_in(form), key_in(form)
        if not table.is_shared(player):
            return RedirectResponse(f"/t/{table.id}", 303)
        first = self.site.once.first(request, key)
        error: TableError | None = None
        if seat != table.to_move:
            error = NotYourTurn(table.id, seat, table.to_move)
        elif not table.is_current(number) or not first:
            error = MovedOn(table.id, number, table.number)
        if error is not None:
            return self.site.table_page(request, table, error=error, status=409)
        shown = pages.Shown.read({name: str(value) for name, value in form.items()})
        return self.site.table_page(request, table, look=seat, shown=shown)

    async def skip(self, request: Request) -> Response:
        """Let the bots move at once."""
        table, _ = await self.site.seated(request)
        self.site.allow(request, "move")
        await run_in_threadpool(self.tables.skip, table.id)
        if wants_part(request):
            return self.site.table_page(request, table)
        return RedirectResponse(f"/t/{table.id}", 303)

    async def again(self, request: Request) -> Response:
        """Open the rematch, or lead to it."""
        table, _ = await self.site.seated(request)
        self.site.allow(request, "move")
        try:
            following = await run_in_threadpool(self.tables.rematch, table.id)
        except NotFinished:
            raise HTTPException(409) from None
        return RedirectResponse(f"/t/{following.id}", 303)

    async def delete(self, request: Request) -> Response:
        """Take a table off the sender's list; it is gone for good where nobody else is there."""
        id, person = request.path_params["id"], self.site.sender(request)
        owners = await run_in_threadpool(self.tables.owners_of, id)
        player = person.among(owners)
        if player is None:
            raise HTTPException(404)
        await run_in_threadpool(self.tables.upkeep.drop, id, player)
        return RedirectResponse("/", 303)

    async def settings(self, request: Request) -> Response:
        """Keep what was chosen in the menu."""
        form = await request.form()
        response = settings_response(form, secure=is_secure(request))
        pace, table = form.get("pace"), response.headers["location"].removeprefix("/t/")
        if pace in PACES:
            await run_in_threadpool(self._set_pace, request, table, known_pace(pace))
        return response

    def _set_pace(self, request: Request, id: str, pace: Pace) -> None:
        """Let a pace that is chosen at a table count there at once."""
        try:
            if self.site.sender(request).among(self.tables.get(id).owners):
                self.tables.set_pace(id, pace)
        except TableError:
            pass  # The page was that of no table.


def _hand(table: Table, seat: int | None) -> Cards:
    return table.view(seat).hand or NO_CARDS
