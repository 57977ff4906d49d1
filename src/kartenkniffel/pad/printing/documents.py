"""What is on the pages of a document: the data from which the templates draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from kartenkniffel.pad.printing.errors import PrintError
from kartenkniffel.pad.printing.finished import FinishedGame
from kartenkniffel.pad.printing.names import printable
from kartenkniffel.pad.printing.paper import (
    MOST_COLUMNS,
    Paper,
    format_for_blocks,
    format_for_result,
    format_for_sheets,
    parts,
)
from kartenkniffel.pad.printing.typeset import typeset
from kartenkniffel.pad.printing.words import LANGUAGES, Words, signed
from kartenkniffel.rules import (
    HAND_LIMIT,
    HAND_START,
    LOWER_FIELDS,
    NO_HOUSE_RULES,
    UPPER_FIELDS,
    Cards,
    Field,
    Sheet,
    penalty_for,
    plays,
    points_for,
)
from kartenkniffel.rules.position import check_players

MOST_PAGES = 50
"""The most pages of a document: each takes some megabytes of memory while it is made."""

_MOST_TITLE = 80

_EXAMPLES = {
    Field.THREE_OF_A_KIND: "55526",
    Field.FOUR_OF_A_KIND: "33336",
    Field.FULL_HOUSE: "44422",
    Field.SMALL_STRAIGHT: "2345",
    Field.LARGE_STRAIGHT: "12345",
    Field.KNIFFEL: "66666",
}


def blank_pdf(
    players: int,
    *,
    names: Sequence[str] = (),
    paper: Paper = Paper.A4,
    language: str = LANGUAGES[0],
    pages: int | None = None,
    together: bool = False,
) -> bytes:
    """Give sheets to write on, as PDF: one for each player, or with ``together`` a common block.

    ``names`` are those of the first players; the others get a line to write theirs on. Without
    ``pages`` there are as many as one game takes. With it the sheets go round the players as often
    as they all fit, and what is left of the last page gets sheets without names.

    Raises `PlayersError` (R2), and `PrintError` for what cannot be printed.
    """
    check_players(players)
    words = Words(language)
    if len(names) > players:
        raise PrintError(f"there are {len(names)} names for {players} players")
    shown = [printable(name) for name in names] + [""] * (players - len(names))
    page = (format_for_blocks if together else format_for_sheets)(paper, players)
    seats = parts(players, MOST_COLUMNS[paper] if together else 1)
    units = [[_blank(shown[seat]) for seat in part] for part in seats]
    data = {
        "blocks": _shared_out(units, page.places, pages, named=any(shown)),
        "page": asdict(page),
        "together": together,
        "title": words.blank_title(),
        **_common(words),
    }
    return typeset("blank", data)


def finished_pdf(
    game: FinishedGame, *, paper: Paper = Paper.A4, language: str = LANGUAGES[0]
) -> bytes:
    """Give a finished game as PDF: who won, the ranking, and every sheet as it was written.

    Raises `PrintError` for a language that there is not.
    """
    words = Words(language)
    names = [printable(name) for name in game.names]
    columns = [
        {**_written(sheet), "name": name, "place": place}
        for name, sheet, place in zip(names, game.sheets, game.places, strict=True)
    ]
    data = {
        "blocks": [
            [columns[seat] for seat in part] for part in parts(len(columns), MOST_COLUMNS[paper])
        ],
        "ranking": [columns[seat] for seat in game.ranking],
        "page": asdict(format_for_result(paper)),
        "title": printable(game.title, _MOST_TITLE) or words.result_title(),
        "result": words.of_result([names[seat] for seat in game.winners], game.date),
        **_common(words),
    }
    return typeset("finished", data)


def _common(words: Words) -> dict[str, Any]:
    return {
        "language": words.language,
        "words": words.labels(),
        "upper": [_upper_row(field, words) for field in UPPER_FIELDS],
        "lower": [_lower_row(field, words) for field in LOWER_FIELDS],
        "hand": [[size, penalty_for(size)] for size in range(HAND_START + 1, HAND_LIMIT + 1)],
    }


def _upper_row(field: Field, words: Words) -> dict[str, Any]:
    """Give a field with three cards as its example: such in all six make just the bonus (R11)."""
    cards = Cards([field.number] * 3)
    return {
        "number": field.number,
        "name": words.field(field),
        "example": list(str(cards)),
        "points": f"= {points_for(cards, field, NO_HOUSE_RULES)}",
    }


def _lower_row(field: Field, words: Words) -> dict[str, Any]:
    """Give a field with its points (R9), or the word for a sum where they depend on the cards."""
    cards = Cards(_EXAMPLES[field])
    points = points_for(cards, field, NO_HOUSE_RULES)
    fixed = set(plays(NO_HOUSE_RULES)[field].values()) == {points}
    return {
        "name": words.field(field),
        "example": list(_EXAMPLES[field]),
        "points": str(points) if fixed else words.labels()["sum"],
    }


def _blank(name: str) -> dict[str, Any]:
    return {"name": name}


def _written(sheet: Sheet) -> dict[str, Any]:
    return {
        "entries": [
            entry and {"points": entry.points, "penalty": entry.penalty} for entry in sheet.entries
        ],
        "upper": sheet.upper,
        "bonus": signed(sheet.bonus),
        "lower": sheet.lower,
        "penalties": signed(-sheet.penalties),
        "total": signed(sheet.total).removeprefix("+"),
    }


def _shared_out(
    units: list[list[dict[str, Any]]], places: int, pages: int | None, named: bool
) -> list[list[dict[str, Any]]]:
    """Fill the places of all pages with blocks, each player as often as every other."""
    needed = -(-len(units) // places)
    if pages is None:
        pages = needed
    if not 1 <= pages <= MOST_PAGES:
        raise PrintError(f"a document has 1 to {MOST_PAGES} pages, not {pages}")
    if named and pages < needed:
        raise PrintError(f"sheets for all these players take {needed} pages, not {pages}")
    rounds, left = divmod(pages * places, len(units))
    spare = [[_blank("") for _ in unit] for unit in units[:left]]
    return units * rounds + spare
