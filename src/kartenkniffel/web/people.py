"""Who sends a request: a person without an account, known by a random key in a cookie.

Only the key's hash goes into the store. A server that only this machine can reach needs no keys:
whoever sits at it is one person in any browser, and finds the games again after clearing cookies.
"""

from __future__ import annotations

import hashlib
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
    """Tells who sends a request; ``local`` when only this machine can reach the server."""

    def __init__(self, *, local: bool) -> None:
        self.local = local

    def sender(self, request: Request) -> Person:
        """Give the person behind a request, a new one where the browser has no key yet."""
        if self.local:
            return THIS_MACHINE
        key = request.cookies.get(KEY_COOKIE, "")
        if _KEY.fullmatch(key):
            return Person(_hash(key))
        key = secrets.token_urlsafe(32)
        return Person(_hash(key), key)


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
