"""The catalogues of the sheets: complete, with the same placeholders, in each language's marks."""

from __future__ import annotations

import re

import pytest

from kartenkniffel.pad.printing import LANGUAGES
from kartenkniffel.pad.printing.words import Words
from kartenkniffel.rules import FIELDS
from kartenkniffel.web import i18n
from tools.messages import gather, read_catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_text_and_no_other(language: str) -> None:
    catalogue = read_catalogue(language, "pad")
    assert {m.id for m in catalogue if m.id} == {m.id for m in gather("pad") if m.id}
    assert [m.id for m in catalogue if m.id and (m.fuzzy or not m.string)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_survive_the_translation(language: str) -> None:
    for message in read_catalogue(language, "pad"):
        if message.id:
            texts = (str(message.id), str(message.string))
            found = [set(re.findall(r"%\((\w+)\)s", text)) for text in texts]
            assert found[0] == found[1], message.id


def test_fields_have_the_names_that_they_have_on_the_screen() -> None:
    from kartenkniffel.web.page_words import field_name

    assert set(LANGUAGES) == set(i18n.LANGUAGES)
    for language in LANGUAGES:
        for field in FIELDS:
            on_screen = field_name(field, i18n.translations(language)).replace("\u00ad", "")
            assert Words(language).field(field) == on_screen


def test_letters_are_those_of_the_language() -> None:
    # Romanian takes ș and ț with a comma, not a cedilla.
    for message in read_catalogue("ro", "pad"):
        assert not set(str(message.string)) & set("şţŞŢ") or not message.id
