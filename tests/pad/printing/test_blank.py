"""Blank sheets, every paper in every language for every number of players."""

from __future__ import annotations

import itertools

import pytest

from kartenkniffel.pad.printing import LANGUAGES, Paper, PrintError, blank_pdf
from kartenkniffel.pad.printing.paper import format_for_blocks, format_for_sheets, parts
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    LOWER_FIELDS,
    MALUS,
    MALUS_BELOW,
    MOST_PLAYERS,
    NO_HOUSE_RULES,
    PlayersError,
    penalty_for,
    plays,
)
from tests.pad.printing.looks import assert_well_made
from tests.pad.printing.pages import catalog, fonts, read, tags

FIELD_NAMES = {
    "de": "Einser Zweier Dreier Vierer Fünfer Sechser Dreierpasch Viererpasch Full House "
    "Kleine Straße Große Straße Kniffel",
    "ro": "Unu Doi Trei Patru Cinci Șase Trei de un fel Careu Full house "
    "Chintă mică Chintă mare Kniffel",
    "en": "Ones Twos Threes Fours Fives Sixes Three of a kind Four of a kind Full house "
    "Small straight Large straight Kniffel",
}
SUMS = {
    "de": ["Summe oben", "Bonus oder Malus", "Summe unten", "Strafpunkte", "Gesamt"],
    "ro": ["Suma de sus", "Bonus sau malus", "Suma de jos", "Penalizări", "Total"],
    "en": ["Upper sum", "Bonus or malus", "Lower sum", "Penalties", "Total"],
}
TITLES = {"de": "Wertungsblätter", "ro": "foi de scor", "en": "score sheets"}


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", Paper)
def test_a_sheet_for_each_player(paper: Paper, language: str, players: int) -> None:
    pages = read(blank_pdf(players, paper=paper, language=language))
    page_format = format_for_sheets(paper, players)
    assert len(pages) == -(-players // page_format.places)
    assert page_format.places > 1 if paper is Paper.A4 else page_format.places == 1
    grid = (page_format.across, page_format.down)
    for page in pages:
        assert_well_made(page, paper, grid, page_format.gap)
        assert_complete(page.text, language, page_format.places)
        # Twelve fields and the sum of penalties, and the five boxes that say which there are.
        assert len(page.blue) == page_format.places * (12 + 1 + 5)


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", Paper)
def test_a_block_with_a_column_to_each_player(paper: Paper, language: str, players: int) -> None:
    names = [f"Name {letter}" for letter in "ABCDEFGHIJ"[:players]]
    pages = read(blank_pdf(players, names=names, paper=paper, language=language, together=True))
    page_format = format_for_blocks(paper, players)
    assert page_format.places > 1 if paper is Paper.A4 else page_format.places == 1
    for page in pages:
        assert_well_made(page, paper, (page_format.across, page_format.down), page_format.gap)
        assert_complete(page.text, language, page_format.places)
        columns = sum(flat(page.text).count(name) for name in names)
        assert len(page.blue) == columns * (12 + 1) + page_format.places * 5
    for name in names:
        assert sum(flat(page.text).count(name) for page in pages) == page_format.places


def assert_complete(text: str, language: str, sheets: int) -> None:
    """Check that all that belongs on a sheet is there, as often as there are sheets."""
    text = flat(text)
    for name in SUMS[language]:
        assert text.count(name) >= sheets, name
    for word in FIELD_NAMES[language].split():
        assert text.count(word) >= sheets, word
    for figure in (f"{BONUS_FROM}: +{BONUS}", f"{MALUS_BELOW}: −{-MALUS}"):
        assert text.count(figure) == sheets, figure
    for number in range(1, 7):
        assert text.count(f"{number} {number} {number} = {3 * number}") == sheets
    penalties = " ".join(str(penalty_for(size)) for size in range(6, 11))
    assert text.count("6 7 8 9 10") == sheets
    assert text.count(penalties) == sheets
    for field in LOWER_FIELDS:
        values = set(plays(NO_HOUSE_RULES)[field].values())
        if len(values) == 1:
            assert text.count(f" {values.pop()} ") >= sheets


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_tagged_and_says_what_it_is(language: str, together: bool) -> None:
    pdf = blank_pdf(3, names=["Ana"], language=language, together=together)
    said = catalog(pdf)
    assert said["language"] == language
    assert said["title"] == f"Karten-Kniffel: {TITLES[language]}"
    assert said["shows_title"]
    assert said["marked"]
    assert "<pdfuaid:part>1</pdfuaid:part>" in said["xmp"]
    found = tags(pdf)
    sheets = 4 if together else 6
    assert found.count("/H1") == sheets
    assert found.count("/Table") == 2 * sheets  # the block, and which penalty goes with which hand
    assert found.count("/THead") == 2 * sheets
    # Field, points and penalty, or field and three players; then six cells of the penalties.
    assert found.count("/TH") == sheets * ((4 if together else 3) + 6)


def test_all_fonts_are_inside() -> None:
    inside = fonts(blank_pdf(4, names=["Ana", "محمد", "日本", "😀"]))
    assert all(inside.values())
    for family in ("NotoSans", "NotoSansArabic", "NotoSansCJK", "NotoEmoji"):
        assert any(family in name for name in inside), family


def names_on(pdf: bytes, names: list[str]) -> list[dict[str, int]]:
    return [{name: page.text.count(name) for name in names} for page in read(pdf)]


def test_names_go_round_until_the_pages_are_full() -> None:
    names = ["Ana", "Zbigniew"]
    assert names_on(blank_pdf(2, names=names), names) == [{"Ana": 2, "Zbigniew": 2}]
    twice = names_on(blank_pdf(2, names=names, paper=Paper.A5, pages=4), names)
    assert [page["Ana"] for page in twice] == [1, 0, 1, 0]
    # Whoever is left over gets a sheet without a name, so that all have equally many.
    odd = names_on(blank_pdf(2, names=names, paper=Paper.A5, pages=3), names)
    assert odd == [{"Ana": 1, "Zbigniew": 0}, {"Ana": 0, "Zbigniew": 1}, {"Ana": 0, "Zbigniew": 0}]


def test_players_without_a_name_write_theirs() -> None:
    text = read(blank_pdf(4, names=["Ana", "", "Bo"], language="en"))[0].text
    assert text.count("Ana") == 1
    assert text.count("Bo\n") + text.count("Bo ") == 1
    assert text.count("Name") == 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"names": ["Ana", "Bo", "Cy"]}, "there are 3 names for 2 players"),
        ({"pages": 0}, "a document has 1 to 50 pages, not 0"),
        ({"pages": 51}, "a document has 1 to 50 pages, not 51"),
        (
            {"names": ["Ana", "Bo"], "pages": 1, "paper": Paper.A5},
            "sheets for all these players take 2 pages, not 1",
        ),
        ({"language": "fr"}, "the languages are de, ro, en; there is no other"),
    ],
)
def test_what_cannot_be_printed_is_said(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(PrintError) as told:
        blank_pdf(2, **options)  # type: ignore[arg-type]
    assert str(told.value) == sentence


@pytest.mark.parametrize("players", [0, -1, 11])
def test_R2_one_to_ten_players(players: int) -> None:
    with pytest.raises(PlayersError):
        blank_pdf(players)


def test_seats_are_shared_out_evenly() -> None:
    for players, most in itertools.product(range(1, 11), (3, 5, 10)):
        shared = parts(players, most)
        assert [seat for part in shared for seat in part] == list(range(players))
        assert max(map(len, shared)) <= most
        assert max(map(len, shared)) - min(map(len, shared)) <= 1
