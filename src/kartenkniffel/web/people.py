"""Who sends a request: a person without an account, known by a random key in a cookie.

Only the key's hash goes into the store. Whoever sits at the machine that the game runs on needs no
key: they are one person in any browser, and find their games again after clearing cookies.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

KEY_COOKIE = "kk_key"
YEAR = 365 * 24 * 3600
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Person:
    """``id`` is what the store knows; ``new_key`` must be sent to a browser that had none."""

    id: str
    new_key: str | None = None

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


THIS_MACHINE = Person("this-machine")


class People:
    """Tells who sends a request.

    ``home`` says that the machine belongs to somebody who plays at it; behind a proxy every request
    would seem to come from there.
    """

    def __init__(self, *, home: bool) -> None:
        self.home = home

    def sender(self, request: Request) -> Person:
        """Give the person behind a request, a new one where the browser has no key yet."""
        if self.home and _from_this_machine(request):
            return THIS_MACHINE
        key = request.cookies.get(KEY_COOKIE, "")
        if _KEY.fullmatch(key):
            return Person(_hash(key))
        key = secrets.token_urlsafe(32)
        return Person(_hash(key), key)


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
