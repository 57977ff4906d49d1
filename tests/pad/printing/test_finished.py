"""Finished games: the figures are the sheets' own, and all of them are on the pages."""

from __future__ import annotations

import datetime
import random
from pathlib import Path

import pytest

from kartenkniffel.notation import load_record
from kartenkniffel.pad.printing import LANGUAGES, FinishedGame, Paper, PrintError, finished_pdf
from kartenkniffel.rules import (
    FIELDS,
    MOST_PLAYERS,
    NO_HOUSE_RULES,
    Field,
    PlayersError,
    Sheet,
    penalty_for,
    plays,
)
from tests.pad.printing.looks import assert_well_made
from tests.pad.printing.pages import Page, catalog, fonts, read, tags

CASES = Path(__file__).parents[2] / "cases"
NAMES = [f"Name {letter}" for letter in "ABCDEFGHIJ"]


def played(players: int, seed: int = 1, filled: float = 0.95) -> FinishedGame:
    rng = random.Random(seed)
    sheets = []
    for _ in range(players):
        sheet = Sheet()
        for field in FIELDS:
            if rng.random() < filled:
                points = rng.choice(sorted(plays(NO_HOUSE_RULES)[field].values()))
                sheet = sheet.write(field, points, penalty_for(rng.randint(5, 10)))
        sheets.append(sheet)
    return FinishedGame.of(NAMES[:players], sheets, date=datetime.date(2026, 3, 5))


def lines(pages: list[Page]) -> list[str]:
    return [" ".join(line.split()) for page in pages for line in page.text.split("\n")]


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


WORDS = {
    "de": ("Einser", "Kniffel", "Summe oben", "Bonus oder Malus", "Strafpunkte", "Gesamt", "Platz"),
    "ro": ("Unu", "Kniffel", "Suma de sus", "Bonus sau malus", "Penalizări", "Total", "Loc"),
    "en": ("Ones", "Kniffel", "Upper sum", "Bonus or malus", "Penalties", "Total", "Place"),
}


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", Paper)
def test_every_figure_is_on_the_pages(paper: Paper, language: str, players: int) -> None:
    game = played(players, seed=players)
    pages = read(finished_pdf(game, paper=paper, language=language))
    for page in pages:
        assert_well_made(page, paper)
    assert sum(len(page.blue) for page in pages) == players * (12 + 1)
    columns = {Paper.A4: 10, Paper.A5: 5, Paper.LARGE: 3}[paper]
    assert_rows(lines(pages), game, WORDS[language], blocks=-(-players // columns))


def assert_rows(found: list[str], game: FinishedGame, words: tuple[str, ...], blocks: int) -> None:
    """Check each row of the blocks: what stands in it, read from left to right over all blocks."""
    ones, kniffel, upper, bonus, penalties, total, place = words

    def row(start: str) -> str:
        parts = [line[len(start) :].strip() for line in found if line.startswith(f"{start} ")]
        return " ".join(parts[-blocks:])

    def entries(field: Field) -> str:
        texts = []
        for sheet in game.sheets:
            entry = sheet[field]
            if entry:
                texts.append(f"{entry.points}" + (f" −{entry.penalty}" if entry.penalty else ""))
        return " ".join(texts)

    assert row(f"1 {ones}") == entries(Field.ONES)
    assert row(kniffel) == entries(Field.KNIFFEL)
    assert row(upper) == " ".join(str(sheet.upper) for sheet in game.sheets)
    assert row(bonus) == " ".join(signed(sheet.bonus) for sheet in game.sheets)
    assert row(penalties) == " ".join(signed(-sheet.penalties) for sheet in game.sheets)
    assert row(total) == " ".join(str(sheet.total).replace("-", "−") for sheet in game.sheets)
    if len(game.names) > 1:
        assert row(place) == " ".join(map(str, game.places))


def test_the_ranking_has_the_best_first_and_shares_places() -> None:
    def worth(points: int) -> Sheet:
        return Sheet().write(Field.KNIFFEL, 50).write(Field.THREE_OF_A_KIND, points)

    game = FinishedGame.of(["Ana", "Bo", "Cy", "Di"], [worth(n) for n in (20, 30, 30, 10)])
    assert game.totals == (50, 60, 60, 40)
    assert game.places == (3, 1, 1, 4)
    assert game.ranking == (1, 2, 0, 3)
    assert game.winners == (1, 2)
    found = lines(read(finished_pdf(game, language="en")))
    start = found.index("Place Player Total")
    assert found[start + 1 : start + 5] == ["1 Bo 60", "1 Cy 60", "3 Ana 50", "4 Di 40"]
    assert "Bo and Cy share the win" in found


@pytest.mark.parametrize(
    ("language", "verdict", "day", "title"),
    [
        ("de", "Name B gewinnt", "5. März 2026", "Karten-Kniffel: Ergebnis"),
        ("ro", "Name B câștigă", "5 martie 2026", "Karten-Kniffel: rezultat"),
        ("en", "Name B wins", "March 5, 2026", "Karten-Kniffel: result"),
    ],
)
def test_who_won_and_when(language: str, verdict: str, day: str, title: str) -> None:
    game = FinishedGame.of(
        NAMES[:2], [Sheet(), Sheet().write(Field.KNIFFEL, 50)], date=datetime.date(2026, 3, 5)
    )
    pdf = finished_pdf(game, language=language)
    found = lines(read(pdf))
    assert found[:3] == [title, day, verdict]
    said = catalog(pdf)
    assert said["title"] == title
    assert said["language"] == language
    assert said["marked"]
    assert "<pdfuaid:part>1</pdfuaid:part>" in said["xmp"]
    assert tags(pdf).count("/H1") == 1
    assert tags(pdf).count("/H2") == 2
    assert tags(pdf).count("/Table") == 2
    assert all(fonts(pdf).values())


def test_a_title_of_ones_own_is_the_documents_too() -> None:
    game = FinishedGame.of(["Ana"], [Sheet()], title="Freitag <i>bei</i> Ana")
    pdf = finished_pdf(game)
    assert catalog(pdf)["title"] == "Freitag <i>bei</i> Ana"
    assert lines(read(pdf))[0] == "Freitag <i>bei</i> Ana"


def test_nobody_wins_alone() -> None:
    found = lines(read(finished_pdf(played(1), language="en")))
    assert not any("wins" in line or line in ("Ranking", "Place Player Total") for line in found)


def test_open_fields_stay_empty() -> None:
    game = FinishedGame.of(["Ana", "Bo"], [Sheet(), Sheet().write(Field.KNIFFEL, 50, penalty=2)])
    found = lines(read(finished_pdf(game, language="en")))
    assert "Kniffel 50 −2" in found
    assert "1 Ones" in found
    assert "Total −20 28" in found


def test_a_game_of_the_cases_is_printed_as_it_came_out() -> None:
    game = load_record((CASES / "game-001.json").read_bytes()).replay()
    done = FinishedGame.of(game.names, game.sheets)
    assert done.winners == game.winners
    found = lines(read(finished_pdf(done, language="en")))
    totals = " ".join(str(sheet.total).replace("-", "−") for sheet in game.sheets)
    assert f"Total {totals}" in found


def test_names_and_sheets_pair_up() -> None:
    with pytest.raises(PrintError, match="2 names do not go with 1 sheets"):
        FinishedGame.of(["Ana", "Bo"], [Sheet()])
    with pytest.raises(PlayersError):
        FinishedGame.of([], [])
    with pytest.raises(PlayersError):
        FinishedGame.of([*NAMES, "K"], [Sheet()] * 11)
