"""Renders the templates in a request's language and theme."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from kartenkniffel.web.i18n import (
    HOME_LANGUAGE,
    LANGUAGE_COOKIE,
    LANGUAGES,
    language_of,
    translations,
)
from kartenkniffel.web.pages import Translator
from kartenkniffel.web.people import YEAR

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "kk_theme"
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
            )
        )
        headers = {"Content-Language": language, "Vary": "Accept-Language, Cookie"}
        return HTMLResponse(html, status, headers)


def settings_response(form: FormData) -> Response:
    """Keep the language and the theme that a form chose, and lead back."""
    response = RedirectResponse(_local(str(form.get("next", "/"))), 303)
    for cookie, value, known in (
        (LANGUAGE_COOKIE, form.get("language"), LANGUAGES),
        (THEME_COOKIE, form.get("theme"), THEMES),
    ):
        if isinstance(value, str) and value in known:
            response.set_cookie(cookie, value, max_age=YEAR, httponly=True, samesite="lax")
    return response


def _local(path: str) -> str:
    """Give the path where it leads to a page of this server, else the start page."""
    safe = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if safe and len(path) < 500 else "/"


def _path(request: Request) -> str:
    """Give the page that a change of settings leads back to."""
    if request.method != "GET":
        id = request.path_params.get("id")
        return f"/t/{id}" if id else "/"
    return request.url.path


def _environment(language: str) -> Environment:
    environment: Any = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(translations(language), newstyle=True)
    environment.globals["home_language"] = HOME_LANGUAGE
    assert isinstance(environment, Environment)
    return environment
