"""Gathers the texts of the pages and brings the catalogues up to date: `make messages`.

New texts come in without a translation, and texts that are gone leave; what a catalogue then lacks
is told, and the tests refuse it.
"""

from __future__ import annotations

import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
LANGUAGES = ("de", "ro", "en")
ROOMS = ("web", "pad")
"""The rooms with texts; each has its own catalogues, since a room may not ask one above it."""


def gather(room: str = "web") -> Catalog:
    """Give all texts that a room shows, without translations."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    mappings = config["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    catalog = Catalog(project="kartenkniffel", charset="utf-8", fuzzy=False)
    extracted = extract_from_dir(
        SOURCE,
        method_map=methods,
        options_map={"**.html": {"silent": "false", "trimmed": "true"}},
        comment_tags=("Translators:",),
        strip_comment_tags=True,
    )
    for file, _, message, comments, context in extracted:
        if not file.startswith(f"kartenkniffel/{room}/"):
            continue
        catalog.add(message, None, [(file, 0)], auto_comments=comments, context=context)
    return catalog


def catalogue_file(language: str, room: str = "web") -> Path:
    """Give the file of a language's catalogue."""
    folder = SOURCE / "kartenkniffel" / room / "locale"
    return folder / language / "LC_MESSAGES" / "messages.po"


def read_catalogue(language: str, room: str = "web") -> Catalog:
    """Read a language's catalogue; an empty one where there is none yet."""
    file = catalogue_file(language, room)
    if not file.exists():
        return Catalog(locale=language, project="kartenkniffel", charset="utf-8", fuzzy=False)
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def update(language: str, gathered: Catalog, room: str = "web") -> list[str]:
    """Bring a catalogue up to date and give the texts that it lacks."""
    catalogue = read_catalogue(language, room)
    catalogue.update(gathered, no_fuzzy_matching=True, keep_user_comments=False)
    catalogue.obsolete.clear()
    _head(catalogue, language)
    if language == "en":
        # The texts in the source are English; only the plural forms need to be told apart.
        for message in catalogue:
            if message.id:
                message.string = message.id
    file = catalogue_file(language, room)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stream:
        write_po(stream, catalogue, width=0, sort_output=True, include_lineno=False)
    return [str(m.id) for m in catalogue if m.id and not _translated(m.string)]


def _head(catalogue: Catalog, language: str) -> None:
    """Give the catalogue a header that says what is true and does not change by itself."""
    catalogue.header_comment = f"# The texts of kartenkniffel in the language {language}."
    catalogue.project, catalogue.version = "kartenkniffel", "1"
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)


def _translated(string: str | list[str] | tuple[str, ...] | None) -> bool:
    return all(string) if isinstance(string, list | tuple) else bool(string)


def main() -> int:
    """Update all catalogues; the exit code is 1 where a text lacks its translation."""
    lacking = False
    for room in ROOMS:
        gathered = gather(room)
        for language in LANGUAGES:
            for text in update(language, gathered, room):
                print(f"{room}: {language}: not translated: {text}")
                lacking = True
        print(f"{room}: {len(gathered)} texts in {len(LANGUAGES)} languages")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
