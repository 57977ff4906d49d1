"""Languages: the catalogues, read from their ``.po`` files, and which one a request gets."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from babel.core import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from starlette.requests import Request

LANGUAGES = {"de": "Deutsch", "ro": "Română", "en": "English"}
"""Every language there is, by code, in its own words; German is the game's home language."""

HOME_LANGUAGE = "de"
LANGUAGE_COOKIE = "kk_language"
LOCALE_FOLDER = Path(__file__).parent / "locale"


@cache
def translations(language: str) -> Translations:
    """Give the catalogue of one of `LANGUAGES`."""
    with (LOCALE_FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as stream:
        catalogue = read_po(stream, locale=language, domain="messages")
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled, domain="messages")


def language_of(request: Request) -> str:
    """Give the language chosen before, else the best of those the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in LANGUAGES:
        return chosen
    asked = _asked(request.headers.get("accept-language", ""))
    return negotiate_locale(asked, list(LANGUAGES), sep="-") or HOME_LANGUAGE


def _asked(header: str) -> list[str]:
    """List the language tags of an Accept-Language header, the most wanted first."""
    weighted: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        tag, _, parameters = part.strip().partition(";")
        try:
            weight = float(parameters.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        if tag and weight > 0:
            weighted.append((weight, tag.strip()))
    return [tag for _, tag in sorted(weighted, key=lambda item: -item[0])]
