"""Who sends a request: a person without an account, known by a random key in a cookie.

Only the key's hash goes into the store. Whoever sits at the machine that the game runs on also
finds the games that were opened there, in any browser and after clearing cookies; among friends a
browser is a person there too.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

KEY_COOKIE = "kk_key"
YEAR = 365 * 24 * 3600
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


THIS_MACHINE = "this-machine"
"""The player id that games opened at the machine itself belong to."""


@dataclass(frozen=True, slots=True)
class Person:
    """``id`` is what the store knows; ``new_key`` must be sent to a browser that had none.

    ``home`` is somebody who sits at the machine that the game runs on.
    """

    id: str
    new_key: str | None = None
    home: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """All player ids that this person goes by."""
        return (self.id, THIS_MACHINE) if self.home else (self.id,)

    @property
    def own_games(self) -> str:
        """The player id to which games belong that nobody else has a seat in."""
        return self.ids[-1]

    def among(self, owners: Collection[str]) -> str | None:
        """Give the id by which this person is among some, or ``None`` for a stranger."""
        return next((id for id in self.ids if id in owners), None)

    def remember(self, response: Response, *, secure: bool) -> None:
        """Let the browser keep a new key."""
        if self.new_key is not None:
            response.set_cookie(
                KEY_COOKIE,
                self.new_key,
                max_age=YEAR,
                httponly=True,
                secure=secure,
                samesite="lax",
            )


class People:
    """Tells who sends a request.

    ``home`` says that the machine belongs to somebody who plays at it; behind a proxy every request
    would seem to come from there.
    """

    def __init__(self, *, home: bool) -> None:
        self.home = home

    def sender(self, request: Request) -> Person:
        """Give the person behind a request, a new one where the browser has no key yet."""
        home = self.home and _from_this_machine(request)
        key = request.cookies.get(KEY_COOKIE, "")
        if _KEY.fullmatch(key):
            return Person(_hash(key), home=home)
        if not hasattr(request.state, "new_key"):
            request.state.new_key = secrets.token_urlsafe(32)
        key = request.state.new_key
        return Person(_hash(key), key, home)


def _from_this_machine(request: Request) -> bool:
    """Tell whether a request comes from here under a name that no other site can have."""
    client = request.client.host if request.client else ""
    return _is_loopback(client) and _is_loopback(request.url.hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
