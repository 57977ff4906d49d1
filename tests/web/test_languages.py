"""Every text in every language: complete, with the same placeholders, and chosen as asked."""

from __future__ import annotations

import re
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message
from starlette.requests import Request

from kartenkniffel.web.i18n import LANGUAGES, language_of, translations
from tools.messages import gather, read_catalogue


@cache
def gathered() -> Catalog:
    return gather()


def forms(message: Message) -> list[str]:
    string = message.string
    return [string or ""] if isinstance(string, str) or string is None else list(string)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_text_and_no_other(language: str) -> None:
    catalogue = read_catalogue(language)
    wanted = {message.id for message in gathered() if message.id}
    assert {message.id for message in catalogue if message.id} == wanted
    lacking = [m.id for m in catalogue if m.id and (m.fuzzy or not all(forms(m)))]
    assert lacking == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_survive_the_translation(language: str) -> None:
    for message in read_catalogue(language):
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        known = {name for text in ids for name in re.findall(r"%\((\w+)\)", text)}
        for form in forms(message):
            assert set(re.findall(r"%\((\w+)\)", form)) <= known, message.id
        last = forms(message)[-1]
        assert set(re.findall(r"%\((\w+)\)", last)) == known, message.id
        assert "%" not in re.sub(r"%\(\w+\)[sd]|%%", "", last), message.id


@pytest.mark.parametrize("language", ["de", "ro"])
def test_translations_are_not_the_english_texts(language: str) -> None:
    long = [m for m in read_catalogue(language) if isinstance(m.id, str) and len(m.id) > 24]
    same = [m.id for m in long if m.id == m.string]
    assert same == []


def asking(header: str, cookie: str = "") -> str:
    headers = [(b"accept-language", header.encode()), (b"cookie", cookie.encode())]
    return language_of(Request({"type": "http", "headers": headers}))


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "de"),
        ("de-AT", "de"),
        ("ro-MD,ro;q=0.9,en;q=0.8", "ro"),
        ("en-GB,en;q=0.7", "en"),
        ("fr, en;q=0.4, ro;q=0.7", "ro"),
        ("fr-FR,it;q=0.5", "de"),
        ("*", "de"),
        ("de;q=0, en;q=0.1", "en"),
        (";;;q=x,,=", "de"),
        ("DE", "de"),
        ("EN-us", "en"),
        ("zh-TW, RO;q=0.5", "ro"),
    ],
)
def test_the_browsers_language_is_taken(header: str, language: str) -> None:
    assert asking(header) == language


def test_a_language_once_chosen_stays() -> None:
    assert asking("de", "kk_language=ro") == "ro"
    assert asking("de", "kk_language=xx") == "de"


@pytest.mark.parametrize(
    ("language", "number", "words"),
    [
        ("de", 1, "1 Karte"),
        ("de", 2, "2 Karten"),
        ("ro", 1, "1 carte"),
        ("ro", 2, "2 cărți"),
        ("ro", 19, "19 cărți"),
        ("ro", 21, "21 de cărți"),
        ("ro", 101, "101 cărți"),
        ("en", 1, "1 card"),
        ("en", 21, "21 cards"),
    ],
)
def test_numbers_take_their_plural(language: str, number: int, words: str) -> None:
    text = translations(language).ngettext("%(num)s card", "%(num)s cards", number)
    assert text % {"num": number} == words


@pytest.mark.parametrize(
    ("language", "foreign"),
    [("de", "\"'`“‘"), ("ro", "\"'`“‘şţŞŢ"), ("en", '"`„')],
)
def test_letters_and_marks_are_those_of_the_language(language: str, foreign: str) -> None:
    # A German “ closes what „ has opened; Romanian takes ș and ț with a comma, not a cedilla.
    for message in read_catalogue(language):
        for form in forms(message) if message.id else []:
            left = re.sub("„[^„“]*“", "", form) if language == "de" else form
            assert not set(left) & set(foreign), form
            assert "..." not in form, form
            assert form == form.strip(), form
