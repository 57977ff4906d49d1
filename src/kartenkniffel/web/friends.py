"""The routes before a game among friends: the invitation, sitting down, the host's powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kartenkniffel.table import Lobby, SeatError, Start, State, Table, TableError, UnknownCode
from kartenkniffel.web.forms import is_secure, number_in, wants_part
from kartenkniffel.web.guard import is_embedded_elsewhere
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.opening import Wishes, trimmed
from kartenkniffel.web.page_friends import company_sentence
from kartenkniffel.web.page_lobby import lobby_context, waiting_rows
from kartenkniffel.web.people import Person
from kartenkniffel.web.site import Site, host_of, lobby_of


class Friends:
    """The routes before a game among friends."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.lobbies = site.tables.lobbies

    def routes(self) -> list[Route]:
        """List them."""
        return [
            Route("/tables", self.open_tables),
            Route("/j", self.by_code),
            Route("/j/{id}", self.lobby),
            Route("/j/{id}/code.svg", self.code),
            Route("/j/{id}/join", self.join, methods=["POST"]),
            Route("/j/{id}/leave", self.leave, methods=["POST"]),
            Route("/j/{id}/remove", self.remove, methods=["POST"]),
            Route("/j/{id}/host", self.hand_over, methods=["POST"]),
            Route("/j/{id}/bots", self.fill, methods=["POST"]),
            Route("/j/{id}/close", self.close, methods=["POST"]),
            Route("/j/{id}/start", self.start, methods=["POST"]),
        ]

    async def open_tables(self, request: Request) -> Response:
        """Show all tables that everybody may join."""
        self.site.sender(request)
        rows = waiting_rows(self.lobbies.waiting(), self.site.templates.translator(request))
        return self.site.page(request, "open_tables.html", {"open_tables": rows})

    async def by_code(self, request: Request) -> Response:
        """Lead from a code to its table; too many wrong ones are refused."""
        if is_embedded_elsewhere(request.headers):
            raise HTTPException(403)  # or any page could use up the wrong codes of its visitors
        text, host = request.query_params.get("code", ""), host_of(request)
        if not text.strip():
            return self.site.page(request, "code.html", {"code": "", "error": ""})
        with self.site.limits.trying_a_code(host):
            try:
                lobby = await run_in_threadpool(self.lobbies.find, text)
            except UnknownCode:
                self.site.limits.wrong_code(host)
                gettext = self.site.templates.translator(request).gettext
                error = gettext(
                    "No table with this code waits for players. Please check the letters."
                )
                context: dict[str, object] = {"code": text[:20], "error": error}
                return self.site.page(request, "code.html", context, status=404)
        return RedirectResponse(f"/j/{lobby.id}", 303)

    async def lobby(self, request: Request) -> Response:
        """Show a table that waits to its guests, and to whoever comes with the link."""
        return self._shown(request, await self.site.look(request))

    async def code(self, request: Request) -> Response:
        """Show the link as a QR code."""
        lobby = lobby_of(await self.site.look(request))
        picture = qr_as_svg(self.site.address(request, f"/j/{lobby.id}"))
        return Response(picture, media_type="image/svg+xml")

    async def join(self, request: Request) -> Response:
        """Let somebody sit down."""
        person = self.site.sender(request)
        self.site.allow(request, "join")
        form = await request.form()
        name = trimmed(str(form.get("name", "")))
        if person.new_key is not None and "shown" in form:
            gettext = self.site.templates.translator(request).gettext
            error = gettext("A seat is kept for this browser by a cookie. Please allow cookies.")
            state = await self.site.look(request)
            return self._shown(request, state, error=error, status=422, name=name)
        try:
            state = await run_in_threadpool(
                self.lobbies.join, request.path_params["id"], name, person.id
            )
        except SeatError:
            gettext = self.site.templates.translator(request).gettext
            error = gettext("A name has 1 to 24 visible characters.")
            state = await self.site.look(request)
            return self._shown(request, state, error=error, status=422, name=name)
        except TableError as error:
            return await self._refused(request, error)
        response = self._answer(request, state)
        Wishes.remembered(request).called(name).remember(response, secure=is_secure(request))
        return response

    async def leave(self, request: Request) -> Response:
        """Let a guest go."""
        player = self.site.sender(request).id
        try:
            await run_in_threadpool(self.lobbies.leave, request.path_params["id"], player)
        except TableError as error:
            return await self._refused(request, error)
        return RedirectResponse("/", 303)

    async def remove(self, request: Request) -> Response:
        """Let the host take a seat away."""
        return await self._as_host(
            request, lambda id, host, form: self.lobbies.remove(id, host, number_in(form, "guest"))
        )

    async def hand_over(self, request: Request) -> Response:
        """Let the host make another guest the host."""
        return await self._as_host(
            request,
            lambda id, host, form: self.lobbies.hand_over(id, host, number_in(form, "guest")),
        )

    async def fill(self, request: Request) -> Response:
        """Let the host choose whether bots take the free seats."""

        def act(id: str, host: str, form: FormData) -> State:
            level = str(form.get("level", self.site.levels[0]))
            if level not in self.site.levels:
                raise HTTPException(400)
            return self.lobbies.fill(id, host, form.get("fill") == "1", level)

        return await self._as_host(request, act)

    async def close(self, request: Request) -> Response:
        """Let the host give the table up."""
        return await self._as_host(request, lambda id, host, _: self.lobbies.close(id, host))

    async def start(self, request: Request) -> Response:
        """Let the host start the game."""

        def act(id: str, host: str, form: FormData) -> State:
            how: Literal["random", "youngest", "seat"] = "random"
            if form.get("first") == "youngest":
                how = "youngest"
            elif form.get("first") == "seat":
                how = "seat"
            guest = None if how == "random" else number_in(form, "who")
            return self.lobbies.start(id, host, Start(how), guest)

        return await self._as_host(request, act)

    # Help for the above

    async def _as_host(
        self, request: Request, act: Callable[[str, str, FormData], State]
    ) -> Response:
        person = self.site.sender(request)
        self.site.allow(request, "move")
        form = await request.form()
        try:
            state = await run_in_threadpool(act, request.path_params["id"], person.id, form)
        except (TableError, SeatError) as error:
            return await self._refused(request, error)
        return self._answer(request, state)

    async def _refused(self, request: Request, error: TableError | SeatError) -> Response:
        """Say what does not go, on the page as it stands by now."""
        translator = self.site.templates.translator(request)
        sentence = company_sentence(error, translator)
        if sentence is None and isinstance(error, TableError):
            raise error
        sentence = sentence or translator.gettext("Please choose who starts among those who play.")
        return self._shown(request, await self.site.look(request), error=sentence, status=409)

    def _answer(self, request: Request, state: State) -> Response:
        """Lead to the table, or send its new part to the script that asks."""
        if isinstance(state, Lobby) and state.closed:
            return RedirectResponse("/", 303)
        if isinstance(state, Lobby) and wants_part(request):
            return self._shown(request, state)
        way = "j" if isinstance(state, Lobby) else "t"
        return self.site.remember(request, RedirectResponse(f"/{way}/{state.id}", 303))

    def _shown(
        self,
        request: Request,
        state: State,
        *,
        error: str = "",
        status: int = 200,
        name: str | None = None,
    ) -> Response:
        person = self.site.sender(request)
        if isinstance(state, Table):
            return self._begun(request, state, person, error)
        lobby = lobby_of(state)
        if lobby.guest_of(person.id) is None:
            self.site.hub.watch(person.id, lobby.id)
        context = lobby_context(
            lobby,
            person.id,
            translator=self.site.templates.translator(request),
            levels=self.site.levels,
            address=self.site.address(request, f"/j/{lobby.id}"),
            reachable=self.site.is_reachable(request),
            is_here=self.site.is_here,
            name=Wishes.remembered(request).name if name is None else name,
            error=error,
        )
        template = "lobby_main.html" if wants_part(request) else "lobby.html"
        return self.site.page(request, template, context, status=status)

    def _begun(self, request: Request, table: Table, person: Person, error: str) -> Response:
        """Lead those who sit there to the game; tell others that they are late."""
        if person.among(table.owners) is not None:
            return RedirectResponse(f"/t/{table.id}", 303)
        if not table.is_among_friends:
            raise HTTPException(404)  # nobody was ever invited
        gettext = self.site.templates.translator(request).gettext
        context: dict[str, object] = {
            "sentence": error or gettext("The game has begun; nobody can sit down any more."),
            "watch": f"/t/{table.id}" if table.spectators else "",
        }
        return self.site.page(request, "begun.html", context, status=410)
