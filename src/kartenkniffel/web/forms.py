"""Reads what forms send, and says in words what became of a request that failed."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from http import HTTPStatus

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from kartenkniffel.store import StoreError
from kartenkniffel.table import (
    DamagedTable,
    MovedOn,
    NotFinished,
    NotHost,
    NotSeated,
    NotYourTurn,
    TableError,
    UnknownCode,
    UnknownTable,
)
from kartenkniffel.web.translator import Translator

_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_key() -> str:
    """Give a fresh key for the commands of a page."""
    return secrets.token_urlsafe(12)


def key_in(form: FormData) -> str:
    """Give the command's key; without one the request is a bad one."""
    key = str(form.get("key", ""))
    if not _KEY.fullmatch(key):
        raise HTTPException(400)
    return key


def number_in(form: FormData, name: str = "number") -> int:
    """Give a whole number from 0 up, by default that of the event that the page showed."""
    number = _number(str(form.get(name, "")))
    if number is None:
        raise HTTPException(400)
    return number


def texts_in(form: FormData, name: str) -> list[str]:
    """Give all that a form sends under a name."""
    return [value for value in form.getlist(name) if isinstance(value, str)]


def wants_part(request: Request) -> bool:
    """Tell whether only the page's main part is asked for."""
    return _is_fetched(request) or request.query_params.get("part") == "1"


def seat_shown(request: Request) -> int | None:
    """Give the seat whose hand a page shows now, as its scripts say.

    A header cannot be sent by going to an address, so no entry of a history shows a hand.
    """
    return _number(request.headers.get("x-seat", "")) if _is_fetched(request) else None


def wants_whole_log(request: Request) -> bool:
    """Tell whether the log is to list every move; scripts say so by a header, in posts too."""
    return "all" in (request.query_params.get("log"), request.headers.get("x-log"))


def is_secure(request: Request) -> bool:
    """Tell whether a request came over https, to this server or to a proxy that it believes."""
    return request.url.scheme == "https"


def _is_fetched(request: Request) -> bool:
    return request.headers.get("x-part") == "1"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


class Once:
    """Remembers which pages with a hand were asked for by a plain form.

    Going back to such a page, or loading it anew, sends the same form again: then it is refused.
    What scripts send stands in no history, and may come again when the line was bad.
    """

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._keys: OrderedDict[str, None] = OrderedDict()

    def first(self, request: Request, key: str) -> bool:
        """Tell whether this is the first such request with this key."""
        if _is_fetched(request):
            return True
        known = key in self._keys
        self._keys[key] = None
        if len(self._keys) > self._most:
            self._keys.popitem(last=False)
        return not known


def status_of(error: Exception) -> int:
    """Give the status of the page that tells of an error."""
    match error:
        case HTTPException():
            return error.status_code
        case UnknownTable() | UnknownCode():
            return 404
        case NotSeated() | NotHost():
            return 403
        case DamagedTable():
            return 410
        case NotFinished() | NotYourTurn() | MovedOn():
            return 409
        case TableError():
            return 409
        case ClientDisconnect():
            return 400
        case StoreError():
            return 503
        case _:
            return 500


def failure(status: int, translator: Translator) -> str:
    """Say in a sentence why there is no page."""
    gettext = translator.gettext
    sentences = {
        400: gettext("The server could not make sense of this request."),
        403: gettext("This request did not come from a page of this game."),
        404: gettext("There is nothing here. The game may have been deleted."),
        405: gettext("This address can be used from the game’s own pages only."),
        409: gettext("This is possible once the game is over."),
        410: gettext("This game cannot be read any more: it is damaged, or of a newer version."),
        413: gettext("This request is larger than the game ever sends."),
        429: gettext("That was a lot in a short time. Please wait a moment, then try again."),
    }
    if status in sentences:
        return sentences[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return gettext("Something went wrong on the server. Every accepted move is kept.")
    return sentences[400]
