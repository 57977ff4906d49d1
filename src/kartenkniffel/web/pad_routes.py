"""The routes of the score pad: reads requests, asks the pad, shows a person their side of it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kartenkniffel.pad import (
    DamagedPad,
    NamesError,
    NewGame,
    NotYours,
    Pad,
    PadError,
    PadGame,
    Pads,
    StartError,
    UnknownPad,
    as_csv,
    as_json,
)
from kartenkniffel.rules import HouseRules, RuleError
from kartenkniffel.web.forms import key_in, new_key, number_in, wants_part
from kartenkniffel.web.lan import qr_as_svg
from kartenkniffel.web.pad_after import history_context
from kartenkniffel.web.pad_forms import Cell, Wanted, maybe_number, passed_in, told_in
from kartenkniffel.web.pad_home import home_context
from kartenkniffel.web.pad_page import Look, Panel, pad_context
from kartenkniffel.web.pad_print import blank_sheets, finished_sheets
from kartenkniffel.web.pad_words import refusal
from kartenkniffel.web.people import Person
from kartenkniffel.web.site import Site

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


def pad_routes(site: Site, pads: Pads) -> list[Route]:
    """Give the routes of these pads; whoever looks at a pad is told by the hub when it moves on."""
    return _PadPages(site, pads).routes()


class _PadPages:
    """The handlers. Each awaits the pads in a worker thread, so that no page waits for a disk."""

    def __init__(self, site: Site, pads: Pads) -> None:
        self.site = site
        self.pads = pads
        self.templates = site.templates
        pads.watch(self._moved_on)

    def routes(self) -> list[Route]:
        shown: dict[str, Handler] = {
            "/pad": self.home,
            "/pad/{pad}": self.page,
            "/pad/{pad}/games": self.games,
            "/pad/{pad}/share": self.share,
            "/pad/{pad}/code.svg": self.code,
            "/pad/{pad}/pad.json": self.json,
            "/pad/{pad}/pad.csv": self.csv,
        }
        typeset: dict[str, Handler] = {
            "/pad/sheets.pdf": self.blank,
            "/pad/{pad}/sheets.pdf": self.sheets,
            "/pad/{pad}/game.pdf": self.finished,
        }
        sent: dict[str, Handler] = {
            "/pad/{pad}/enter": self.enter,
            "/pad/{pad}/correct": self.correct,
            "/pad/{pad}/exchange": self.exchange,
            "/pad/{pad}/undo": self.undo,
            "/pad/{pad}/redo": self.redo,
            "/pad/{pad}/answer": self.answer,
            "/pad/{pad}/rename": self.rename,
            "/pad/{pad}/recount": self.recount,
            "/pad/{pad}/counting": self.counting,
            "/pad/{pad}/end": self.end,
            "/pad/{pad}/claim": self.claim,
            "/pad/{pad}/next": self.next,
            "/pad/{pad}/delete": self.delete,
            "/pad/{pad}/leave": self.leave,
        }
        return [
            *(Route(path, self._telling(do, "join")) for path, do in typeset.items()),
            *(Route(path, self._telling(do)) for path, do in shown.items()),
            Route("/pad", self._telling(self.open, "open"), methods=["POST"]),
            *(
                Route(path, self._telling(do, "move"), methods=["POST"])
                for path, do in sent.items()
            ),
        ]

    def _telling(self, handler: Handler, limit: str | None = None) -> Handler:
        """Let the errors of a pad that cannot be shown at all become pages of their own.

        What costs something is done within a limit of the site; typesetting is no more often asked
        for than tables are joined.
        """

        async def handle(request: Request) -> Response:
            if limit is not None:
                self.site.allow(request, limit)
            try:
                return await handler(request)
            except UnknownPad:
                raise HTTPException(404) from None
            except DamagedPad:
                raise HTTPException(410) from None

        return handle

    def _moved_on(self, id: str, number: int, people: frozenset[str]) -> None:
        self.site.hub.publish(people, id, number)

    # Pages

    async def home(self, request: Request) -> Response:
        return await self._home(request)

    async def _home(
        self, request: Request, wanted: Wanted | None = None, error: Exception | None = None
    ) -> Response:
        person = self._person(request)
        pads = await run_in_threadpool(self.pads.of_person, person)
        context = home_context(pads, person, wanted=wanted, key=new_key())
        context["error"] = self._told(request, error)
        return self._answer(request, "pad_home.html", context, 422 if error else 200)

    async def page(self, request: Request) -> Response:
        pad = await self._pad(request)
        cell = Cell.parse(request.query_params.get("cell", ""))
        return self._page(request, pad, None if cell is None else Panel(cell))

    async def games(self, request: Request) -> Response:
        pad = await self._pad(request)
        person = self._person(request)
        translator = self.templates.translator(request)
        context = history_context(pad, translator, owner=person == pad.owner)
        return self._answer(request, "pad_games.html", context)

    async def share(self, request: Request) -> Response:
        pad = await self._pad(request)
        context: dict[str, object] = {
            "id": pad.id,
            "address": self._address(request, pad),
            "reachable": self.site.is_reachable(request),
        }
        return self._answer(request, "pad_share.html", context)

    async def code(self, request: Request) -> Response:
        pad = await self._pad(request)
        return Response(qr_as_svg(self._address(request, pad)), media_type="image/svg+xml")

    async def json(self, request: Request) -> Response:
        pad = await self._pad(request)
        text = json.dumps(as_json(pad), ensure_ascii=False, indent=1)
        return _download(text, "application/json", pad, "json")

    async def csv(self, request: Request) -> Response:
        pad = await self._pad(request)
        # With the mark in front, spreadsheets read the names' letters right.
        return _download(f"\ufeff{as_csv(pad)}", "text/csv; charset=utf-8", pad, "csv")

    async def blank(self, request: Request) -> Response:
        return await blank_sheets(request)

    async def sheets(self, request: Request) -> Response:
        game = self._game(request, await self._pad(request), None)
        return await blank_sheets(request, game.board.players)

    async def finished(self, request: Request) -> Response:
        return await finished_sheets(request, self._game(request, await self._pad(request), None))

    # Actions

    async def open(self, request: Request) -> Response:
        form = await request.form()
        wanted, key = Wanted.read(form), key_in(form)
        try:
            pad = await run_in_threadpool(
                self.pads.open, self._person(request), wanted.game(), key=key
            )
        except (RuleError, PadError) as error:
            return await self._home(request, wanted, error)
        return self._remembering(request, RedirectResponse(f"/pad/{pad.id}", 303))

    async def enter(self, request: Request) -> Response:
        form = await request.form()
        cell, told = Cell.sent(form), told_in(form)
        return await self._do(
            request,
            form,
            self.pads.enter,
            cell.player,
            cell.field,
            told,
            panel=Panel(cell, told),
            passed=passed_in(form),
            seen=number_in(form),
            turns=maybe_number(form, "turns"),
        )

    async def correct(self, request: Request) -> Response:
        form = await request.form()
        cell = Cell.sent(form)
        told = None if form.get("empty") == "1" else told_in(form)
        return await self._do(
            request,
            form,
            self.pads.correct,
            cell.player,
            cell.field,
            told,
            panel=Panel(cell, told),
            standing=maybe_number(form, "standing"),
        )

    async def exchange(self, request: Request) -> Response:
        form = await request.form()
        player, turns = number_in(form, "player"), maybe_number(form, "turns")
        return await self._do(request, form, self.pads.exchange, player, turns=turns)

    async def undo(self, request: Request) -> Response:
        form = await request.form()
        return await self._do(request, form, self.pads.undo, line=number_in(form, "line"))

    async def redo(self, request: Request) -> Response:
        form = await request.form()
        return await self._do(request, form, self.pads.redo, line=number_in(form, "line"))

    async def answer(self, request: Request) -> Response:
        form = await request.form()
        question, take = number_in(form, "question"), form.get("take") == "1"
        standing = number_in(form, "standing")
        return await self._do(request, form, self.pads.answer, question, take, standing=standing)

    async def rename(self, request: Request) -> Response:
        form = await request.form()
        player, name = number_in(form, "player"), str(form.get("name", ""))
        return await self._do(request, form, self.pads.rename, player, name)

    async def recount(self, request: Request) -> Response:
        form = await request.form()
        player, exchanges = number_in(form, "player"), number_in(form, "exchanges")
        return await self._do(request, form, self.pads.recount, player, exchanges)

    async def counting(self, request: Request) -> Response:
        form = await request.form()
        return await self._do(request, form, self.pads.count, form.get("on") == "1")

    async def end(self, request: Request) -> Response:
        return await self._do(request, await request.form(), self.pads.end)

    async def claim(self, request: Request) -> Response:
        form = await request.form()

        def claim(id: str, person: str, game: int, player: int | None, *, key: str) -> Pad:
            return self.pads.claim(id, person, player, key=key)

        return await self._do(request, form, claim, maybe_number(form, "player"))

    async def next(self, request: Request) -> Response:
        form = await request.form()
        pad = await self._pad(request)
        wanted = Wanted.read(form) if form.get("player") else Wanted.after(pad)
        game: NewGame = wanted.game()
        after = number_in(form, "game")
        person = self._person(request)
        try:
            await run_in_threadpool(
                self.pads.begin, pad.id, person, game, after=after, key=key_in(form)
            )
        except (RuleError, PadError) as error:
            return self._page(request, pad, error=error, status=_status(error), wanted=wanted)
        return RedirectResponse(f"/pad/{pad.id}", 303)

    async def delete(self, request: Request) -> Response:
        pad = await self._pad(request)
        return await self._go(request, self.pads.delete, pad)

    async def leave(self, request: Request) -> Response:
        pad = await self._pad(request)
        return await self._go(request, self.pads.leave, pad)

    async def _go(self, request: Request, do: Callable[[str, str], None], pad: Pad) -> Response:
        try:
            await run_in_threadpool(do, pad.id, self._person(request))
        except NotYours:
            raise HTTPException(403) from None
        return RedirectResponse("/pad", 303)

    # Help for the above

    def _person(self, request: Request) -> str:
        """Give the id of whoever sends a request."""
        return self._sender(request).id

    def _sender(self, request: Request) -> Person:
        """Give whoever sends a request: the same person however often one asks."""
        return self.site.sender(request)

    async def _pad(self, request: Request) -> Pad:
        return await run_in_threadpool(self.pads.get, request.path_params["pad"])

    async def _do(
        self,
        request: Request,
        form: FormData,
        command: Callable[..., Pad],
        *values: object,
        panel: Panel | None = None,
        **options: object,
    ) -> Response:
        """Carry out a command of `Pads` with these values, and show what came of it.

        A question that it raised is news for whoever sent it, so the answer is a conflict then.
        Where an entry does not fit, its ``panel`` is open again.
        """
        before = await self._pad(request)
        person, game = self._person(request), number_in(form, "game")
        try:
            pad = await run_in_threadpool(
                command, before.id, person, game, *values, key=key_in(form), **options
            )
        except (RuleError, PadError) as error:
            if isinstance(error, UnknownPad | DamagedPad):
                raise
            pad, status = await self._pad(request), _status(error)
            again = panel if status == 422 else None
            return self._page(request, pad, again, error=error, status=status, game_number=game)
        asked = bool(set(pad.game_at(game).questions) - set(before.game_at(game).questions))
        if asked or wants_part(request):
            return self._page(request, pad, status=409 if asked else 200, game_number=game)
        query = f"?game={game}" if game != len(pad.games) else ""
        return RedirectResponse(f"/pad/{pad.id}{query}", 303)

    def _page(
        self,
        request: Request,
        pad: Pad,
        panel: Panel | None = None,
        *,
        error: Exception | None = None,
        status: int = 200,
        game_number: int | None = None,
        wanted: Wanted | None = None,
    ) -> Response:
        person = self._person(request)
        self.site.hub.watch(person, pad.id)
        game = self._game(request, pad, game_number)
        look = Look(game, panel, whole=_wants_whole(request))
        context = pad_context(
            pad,
            person,
            look,
            translator=self.templates.translator(request),
            key=new_key(),
            error=error,
            wanted=wanted,
        )
        name = "pad_main.html" if wants_part(request) else "pad.html"
        return self._answer(request, name, context, status)

    def _game(self, request: Request, pad: Pad, number: int | None) -> PadGame:
        asked = request.query_params.get("game", "")
        if number is None and asked.isascii() and asked.isdecimal() and len(asked) < 9:
            number = int(asked)
        try:
            return pad.game if number is None else pad.game_at(number)
        except PadError:
            raise HTTPException(404) from None

    def _answer(
        self, request: Request, name: str, context: dict[str, object], status: int = 200
    ) -> Response:
        return self._remembering(request, self.templates.page(request, name, context, status))

    def _remembering(self, request: Request, response: Response) -> Response:
        """Let a browser that had no key keep the one it was given."""
        self._sender(request).remember(response, secure=request.url.scheme == "https")
        return response

    def _told(self, request: Request, error: Exception | None) -> str:
        if error is None:
            return ""
        return refusal(error, HouseRules(), self.templates.translator(request))

    def _address(self, request: Request, pad: Pad) -> str:
        """Give the pad's address for other devices."""
        return self.site.address(request, f"/pad/{pad.id}")


def _status(error: RuleError | PadError) -> int:
    """Give the status of a refusal: not allowed, not fitting, or come too late."""
    if isinstance(error, NotYours):
        return 403
    unfit = isinstance(error, RuleError | NamesError | StartError)
    return 422 if unfit or error.reason == "points_missing" else 409


def _wants_whole(request: Request) -> bool:
    return "all" in (request.query_params.get("log"), request.headers.get("x-log"))


def _download(text: str, media_type: str, pad: Pad, ending: str) -> Response:
    name = f"kartenkniffel-pad-{pad.opened_at:%Y-%m-%d}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media_type, headers=headers)
