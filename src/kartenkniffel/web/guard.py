"""What every request and answer must pass: same-origin posts, small bodies, strict headers."""

from __future__ import annotations

from email.message import Message
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

MOST_BODY = 32_768
"""The largest body a request may have, in bytes."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What every answer carries."""


FRAMED = "/here"
"""The one page that pages of this server may show inside them."""


class SecurityHeaders:
    """Adds the headers to every answer; what is not a static file is never kept by a cache."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with the headers added to what comes back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sending(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if scope["path"] == FRAMED:
                    name = "Content-Security-Policy"
                    own = "frame-ancestors 'self'"
                    headers[name] = headers[name].replace("frame-ancestors 'none'", own)
                static = scope["path"].startswith("/static/")
                headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        await self.app(scope, receive, sending)


class PostGuard:
    """Refuses posts from other sites and bodies that are too large, before anything reads them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or raise the `HTTPException` it earns."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not _same_origin(headers):
            raise HTTPException(403)
        if not _is_utf8(headers.get("content-type", "")):
            raise HTTPException(400)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > MOST_BODY:
            raise HTTPException(413)
        received = 0

        async def receiving() -> AsgiMessage:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BODY:
                raise HTTPException(413)
            return message

        await self.app(scope, receiving, send)


def is_embedded_elsewhere(headers: Headers) -> bool:
    """Tell whether a page of another site asks for something without leading there, as for a
    picture."""
    foreign = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    return foreign and headers.get("sec-fetch-mode") != "navigate"


def _is_utf8(content_type: str) -> bool:
    """Tell whether a form is in the encoding that pages of this server send, if it names one."""
    charset = Message()
    charset["content-type"] = content_type
    return str(charset.get_param("charset", "utf-8")).lower() in ("utf-8", "utf8")


def _same_origin(headers: Headers) -> bool:
    """Tell whether a post comes from a page of this server, or from no page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:
        return False
