"""Renders the templates in a request's language and theme."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from kartenkniffel.table import PACES, Pace, known_pace
from kartenkniffel.web.i18n import (
    HOME_LANGUAGE,
    LANGUAGE_COOKIE,
    LANGUAGES,
    language_of,
    translations,
)
from kartenkniffel.web.page_hand import ORDERS, Order, known_order
from kartenkniffel.web.pages import Translator
from kartenkniffel.web.people import YEAR

THEMES = ("auto", "light", "dark", "contrast")
THEME_COOKIE = "kk_theme"
PACE_COOKIE = "kk_pace"
ORDER_COOKIE = "kk_order"
TALK_COOKIE = "kk_talk"
TALKS = ("on", "off")
_FOLDER = Path(__file__).parent / "templates"


class Templates:
    """The templates, one environment to a language."""

    def __init__(self) -> None:
        self._environments = {language: _environment(language) for language in LANGUAGES}

    def translator(self, request: Request) -> Translator:
        """Give the catalogue of the request's language."""
        return translations(language_of(request))

    def page(
        self, request: Request, name: str, context: dict[str, object], status: int = 200
    ) -> Response:
        """Render a template for this request."""
        language = language_of(request)
        theme = request.cookies.get(THEME_COOKIE)
        html = (
            self._environments[language]
            .get_template(name)
            .render(
                context,
                language=language,
                languages=LANGUAGES,
                theme=theme if theme in THEMES else "auto",
                path=_path(request),
                pace=context.get("pace") or pace_of(request),
            )
        )
        headers = {"Content-Language": language, "Vary": "Accept-Language, Cookie"}
        return HTMLResponse(html, status, headers)


def settings_response(form: FormData, *, secure: bool) -> Response:
    """Keep what a form chose (language, theme, pace, order of the hand), and lead back.

    A ``secure`` cookie never travels in the clear.
    """
    response = RedirectResponse(_local(str(form.get("next", "/"))), 303)
    for cookie, value, known in (
        (LANGUAGE_COOKIE, form.get("language"), LANGUAGES),
        (THEME_COOKIE, form.get("theme"), THEMES),
        (PACE_COOKIE, form.get("pace"), PACES),
        (ORDER_COOKIE, form.get("order"), ORDERS),
        (TALK_COOKIE, form.get("talk"), TALKS),
    ):
        if isinstance(value, str) and value in known:
            response.set_cookie(
                cookie, value, max_age=YEAR, httponly=True, secure=secure, samesite="lax"
            )
    return response


def pace_of(request: Request) -> Pace:
    """Give the pace of bots that this person has chosen."""
    chosen = request.cookies.get(PACE_COOKIE)
    return known_pace(chosen) if chosen in PACES else "normal"


def order_of(request: Request) -> Order:
    """Give the order in which this person wants the cards of a hand."""
    return known_order(request.cookies.get(ORDER_COOKIE))


def hears_talk(request: Request) -> bool:
    """Tell whether this person wants to see what others say at the table."""
    return request.cookies.get(TALK_COOKIE) != "off"


def _local(path: str) -> str:
    """Give the path where it leads to a page of this server, else the start page."""
    safe = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if safe and len(path) < 500 else "/"


def _path(request: Request) -> str:
    """Give the page that a change of settings leads back to."""
    if request.method != "GET":
        id = request.path_params.get("id")
        way = "j" if request.url.path.startswith("/j/") else "t"
        return f"/{way}/{id}" if id else "/"
    return request.url.path


@cache  # all applications of a process share one: compiling the templates takes its time
def _environment(language: str) -> Environment:
    environment: Any = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        auto_reload=False,  # or each page would ask the disk about each of its parts
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(translations(language), newstyle=True)
    environment.globals["home_language"] = HOME_LANGUAGE
    assert isinstance(environment, Environment)
    return environment
