"""The routes of what people at a running game do besides moving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kartenkniffel.table import (
    EMOJI,
    OFFER_MINUTES,
    PHRASES,
    Lobby,
    NotPossible,
    State,
    Table,
    TableError,
    UnknownTable,
)
from kartenkniffel.web.forms import key_in, number_in, wants_part
from kartenkniffel.web.guard import FRAMED
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.page_friends import company_sentence
from kartenkniffel.web.site import Site

_Act = Callable[[str, str, FormData], Table]


class Among:
    """The routes of what people at a running game do besides moving."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.company = site.tables.company

    def routes(self) -> list[Route]:
        """List them."""
        return [
            Route(FRAMED, self.here),
            Route("/t/{id}/say", self.say, methods=["POST"]),
            Route("/t/{id}/propose", self.propose, methods=["POST"]),
            Route("/t/{id}/answer", self.answer, methods=["POST"]),
            Route("/t/{id}/stand-in", self.stand_in, methods=["POST"]),
            Route("/t/{id}/leave", self.leave, methods=["POST"]),
            Route("/t/{id}/back", self.back, methods=["POST"]),
            Route("/t/{id}/device", self.offer, methods=["POST"]),
            Route("/t/{id}/seat/{token}", self.claim_page),
            Route("/t/{id}/seat/{token}/code.svg", self.claim_code),
            Route("/t/{id}/seat/{token}", self.claim, methods=["POST"]),
        ]

    async def here(self, request: Request) -> Response:
        """Note that somebody is there whose browser runs no scripts, so has no stream.

        The page shows nothing; it stands unseen in the table's and loads itself anew.
        """
        self.site.sender(request)
        return self.site.page(request, "here.html", {})

    async def say(self, request: Request) -> Response:
        """Say one of the phrases."""
        self.site.allow(request, "say")

        def act(id: str, player: str, form: FormData) -> Table:
            phrase = str(form.get("phrase"))
            if phrase not in PHRASES and phrase not in EMOJI:
                raise HTTPException(400)
            return self.company.say(id, player, phrase, key_in(form) + phrase)

        return await self._do(request, act)

    async def propose(self, request: Request) -> Response:
        """Ask the others to end the game, or to take back one's latest move."""

        def act(id: str, player: str, form: FormData) -> Table:
            matter: Literal["end", "undo"] = "undo" if form.get("matter") == "undo" else "end"
            if form.get("matter") not in ("end", "undo"):
                raise HTTPException(400)
            return self.company.propose(id, player, matter, self.site.is_here)

        return await self._do(request, act)

    async def answer(self, request: Request) -> Response:
        """Agree to what was proposed, or not."""

        def act(id: str, player: str, form: FormData) -> Table:
            number = number_in(form, "asked") if "asked" in form else None
            agreed = form.get("agree") == "1"
            return self.company.answer(id, player, agreed, number, self.site.is_here)

        return await self._do(request, act)

    async def stand_in(self, request: Request) -> Response:
        """Let a bot play for somebody who has been gone a while."""
        return await self._do(
            request,
            lambda id, player, form: self.company.stand_in(
                id, player, number_in(form, "seat"), self.site.is_here
            ),
        )

    async def leave(self, request: Request) -> Response:
        """Let a bot play for the sender, who goes."""
        answer = await self._do(
            request, lambda id, player, _: self.company.leave(id, player, self.site.is_here)
        )
        return RedirectResponse("/", 303) if answer.status_code < 400 else answer

    async def back(self, request: Request) -> Response:
        """Let the sender play again."""
        return await self._do(request, lambda id, player, _: self.company.take_back(id, player))

    # Another device

    async def offer(self, request: Request) -> Response:
        """Make a link that takes the sender's place to another device."""
        state = await self.site.look(request)
        player = self.site.sender(request).among(state.owners)
        if player is None:
            raise HTTPException(404)
        self.site.allow(request, "join")
        token = await run_in_threadpool(self.company.offer, state.id, player)
        path = f"/t/{state.id}/seat/{token}"
        context: dict[str, object] = {
            "address": self.site.address(request, path),
            "picture": f"{path}/code.svg",
            "minutes": OFFER_MINUTES,
            "back": _path(state),
            "reachable": self.site.is_reachable(request),
        }
        return self.site.page(request, "device.html", context)

    async def claim_code(self, request: Request) -> Response:
        """Show such a link as a QR code."""
        id, token = request.path_params["id"], request.path_params["token"]
        if await run_in_threadpool(self.company.offered_name, id, token) is None:
            raise HTTPException(404)
        picture = qr_as_svg(self.site.address(request, f"/t/{id}/seat/{token}"))
        return Response(picture, media_type="image/svg+xml")

    async def claim_page(self, request: Request) -> Response:
        """Ask whether this device shall take the place."""
        id, token = request.path_params["id"], request.path_params["token"]
        self.site.allow(request, "join")
        try:
            name = await run_in_threadpool(self.company.offered_name, id, token)
        except UnknownTable:
            name = None
        if name is None:
            return self._no_claim(request, NotPossible(id, "claim", ""))
        context: dict[str, object] = {"name": name, "path": f"/t/{id}/seat/{token}"}
        return self.site.page(request, "claim.html", {**context, "action": context["path"]})

    async def claim(self, request: Request) -> Response:
        """Give the place to the device that asks."""
        id, token = request.path_params["id"], request.path_params["token"]
        self.site.allow(request, "join")
        player = self.site.sender(request).id
        try:
            state = await run_in_threadpool(self.company.claim, id, player, token)
        except UnknownTable:
            return self._no_claim(request, NotPossible(id, "claim", ""))
        except NotPossible as error:
            return self._no_claim(request, error)
        return self.site.remember(request, RedirectResponse(_path(state), 303))

    def _no_claim(self, request: Request, error: NotPossible) -> Response:
        """Say why this device gets no place; a table that is gone looks like a link that is."""
        sentence = company_sentence(error, self.site.templates.translator(request))
        context: dict[str, object] = {"sentence": sentence, "watch": ""}
        return self.site.page(request, "begun.html", context, status=410)

    # Help for the above

    async def _do(self, request: Request, act: _Act) -> Response:
        table, player = await self.site.seated(request)
        self.site.allow(request, "move")
        form = await request.form()
        try:
            table = await run_in_threadpool(act, table.id, player, form)
        except TableError as error:
            table, _ = await self.site.seated(request)
            return self.site.table_page(request, table, error=error, status=409)
        if wants_part(request):
            return self.site.table_page(request, table)
        return RedirectResponse(f"/t/{table.id}", 303)


def _path(state: State) -> str:
    return f"/j/{state.id}" if isinstance(state, Lobby) else f"/t/{state.id}"
