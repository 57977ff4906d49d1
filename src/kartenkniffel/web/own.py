"""The routes of what the server holds under one's key: to look at, take away and delete.

Games at the machine itself, which belong to whoever sits there, are no part of it: they stand on
the start page of every browser there, and are deleted one by one.
"""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kartenkniffel.pad import Pad, as_json
from kartenkniffel.web.people import KEY_COOKIE
from kartenkniffel.web.site import Site


class Own:
    """The routes of one's own data."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """List them."""
        return [
            Route("/me", self.me),
            Route("/me/export.json", self.export),
            Route("/me/delete", self.delete, methods=["POST"]),
        ]

    async def me(self, request: Request) -> Response:
        """Tell what the server holds."""
        held = await run_in_threadpool(self._held, request)
        pads = await run_in_threadpool(self._pads, request)
        return self.site.page(request, "me.html", {"tables": len(held) + len(pads)})

    async def export(self, request: Request) -> Response:
        """Give all of it as JSON."""
        self.site.allow(request, "move")
        held = await run_in_threadpool(self._held, request)
        pads = [as_json(pad) for pad in await run_in_threadpool(self._pads, request)]
        own = {"format": "kartenkniffel-own", "version": 1, "tables": held, "pads": pads}
        text = json.dumps(own, indent=1)
        headers = {"Content-Disposition": 'attachment; filename="kartenkniffel-own.json"'}
        return Response(text, media_type="application/json", headers=headers)

    async def delete(self, request: Request) -> Response:
        """Forget the sender, key and all."""
        self.site.allow(request, "join")
        form = await request.form()
        if form.get("sure") != "1":
            return RedirectResponse("/me", 303)
        await run_in_threadpool(self._forget, request)
        response = RedirectResponse("/", 303)
        for cookie in {*request.cookies, KEY_COOKIE}:
            if cookie.startswith("kk_"):
                response.delete_cookie(cookie, httponly=True, samesite="lax")
        return response

    def _forget(self, request: Request) -> None:
        """Delete one's pads, leave those of others, and be forgotten at all tables."""
        player = self.site.sender(request).id
        if self.site.pads is not None:
            self.site.pads.forget(player)
        self.site.tables.upkeep.forget(player)

    def _pads(self, request: Request) -> list[Pad]:
        if self.site.pads is None:
            return []
        return self.site.pads.of_person(self.site.sender(request).id, limit=None)

    def _held(self, request: Request) -> list[dict[str, object]]:
        return self.site.tables.upkeep.export(self.site.sender(request).id)
