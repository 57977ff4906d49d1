"""Any name at all: whole where it goes, shortened where not, never markup, never over an edge."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.pad.printing import FinishedGame, Paper, blank_pdf, finished_pdf
from kartenkniffel.pad.printing.names import printable
from kartenkniffel.rules import Sheet
from tests.pad.printing.looks import assert_margins_white, assert_well_made
from tests.pad.printing.pages import Page, read

MARKUP = [
    "<b>Ana</b> &amp; <script>",
    "#panic[boom]",
    "*Ana* _Bo_ $x^2$ `y` = z",
    "#sys.inputs.data",
    '"); #let data = none',
    "\\u{41} // a /* b */ @c",
    "- Ana\\",
    "~~~ '' --- ...",
]

HARD = [
    "W" * 24,
    "i" * 24,
    "Maximilian-Ferdinand IV.",
    "👩‍👩‍👧‍👦" * 8,
    "🏳️‍🌈 Zoë 👍🏽",
    "محمد علي بن عبد الله",
    "שלום Ana עברית 12",
    "日本語の名前です" * 3,
    "ท่านผู้หญิง" * 3,
    "श्रीमती देवनागरी",
    "e" + "\u0336\u0301" * 31,
    "𓀀𓀁𓀂",
    "Ana\u202eoB",
    "a\nb\tc\x00d",
    "\ud83d lone",
    "\u200d\u200c",
    "x" * 100_000,
]


@pytest.mark.parametrize("name", MARKUP)
@pytest.mark.parametrize("paper", Paper)
def test_markup_is_text(name: str, paper: Paper) -> None:
    text = " ".join(read(blank_pdf(1, names=[name], paper=paper))[0].text.split())
    assert name in text
    game = FinishedGame.of([name, "Bo"], [Sheet(), Sheet()], title=name)
    text = " ".join(" ".join(page.text for page in read(finished_pdf(game, paper=paper))).split())
    assert text.count(name) >= 2  # as title, in the ranking


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("name", HARD, ids=range(len(HARD)))
def test_no_name_goes_over_an_edge(name: str, paper: Paper, together: bool) -> None:
    players = 10 if together else 3  # where each has least room
    plain = without_names(players, paper, together)
    pdf = blank_pdf(players, names=[name] * players, paper=paper, together=together)
    named = read(pdf, letters=False)
    assert len(plain) == len(named)
    for before, after in zip(plain, named, strict=True):
        # The name has changed the picture where names go, and nowhere else.
        assert_margins_white_of(after, paper, together)
        changed = (before.grey != after.grey).any(axis=1)
        assert changed.sum() < 0.2 * len(changed)
        assert (before.blue == after.blue).all()


@cache
def without_names(players: int, paper: Paper, together: bool) -> list[Page]:
    return read(blank_pdf(players, paper=paper, together=together), letters=False)


def assert_margins_white_of(page: Page, paper: Paper, together: bool) -> None:
    grid, gap = ((1, 1), 0.0)
    if paper is Paper.A4:
        grid, gap = ((1, 2), 10.0) if together else ((3, 2), 8.0)
    assert_margins_white(page, grid, gap)


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("language", ["de", "ro", "en"])
def test_longest_names_of_all_ten(paper: Paper, language: str) -> None:
    names = ["Wilhelmine-Charlotte II."] * 10
    game = FinishedGame.of(names, [Sheet()] * 10, title="Ein Abend " * 9)
    for page in read(finished_pdf(game, paper=paper, language=language)):
        assert_well_made(page, paper)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ana ", "Ana"),
        ("Zoe\u0308", "Zoe\u0308"),
        ("𓀀 Bo", "\ufffd Bo"),
        ("a\u202eb\nc", "a\ufffdb\ufffdc"),
        ("\ud83d", "\ufffd"),
        ("x" * 65, "x" * 63 + "…"),
        ("x" * 64, "x" * 64),
        ("", ""),
    ],
)
def test_what_has_no_glyph_shows_as_a_gap(name: str, shown: str) -> None:
    assert printable(name) == shown


def test_letters_of_many_scripts_have_glyphs() -> None:
    for name in ["Ștefan", "Łukasz", "Ηλίας", "Игорь", "გიორგი", "Արամ", "ابن", "דוד", "दीपक"]:
        assert printable(name) == name
    for name in ["মিতা", "ತಾರಾ", "தமிழ்", "สมชาย", "ລາວ", "မြန်မာ", "ខ្មែរ", "አበበ"]:
        assert printable(name) == name
    for name in ["李小龍", "김", "ひろ", "カナ"]:
        assert printable(name) == name
    for name in ["😀", "🇷🇴", "👩🏽‍🚀", "❤️", "♠♥", "①"]:
        assert printable(name) == name


@settings(max_examples=40)
@given(st.lists(st.text(max_size=70), min_size=1, max_size=10))
def test_any_names_can_be_printed(names: list[str]) -> None:
    pages = read(blank_pdf(len(names), names=names, together=True))
    assert len(pages) == 1
    game = FinishedGame.of(names, [Sheet()] * len(names), title=names[0])
    for page in read(finished_pdf(game)):
        assert_margins_white(page, (1, 1), 0)


@given(st.text(max_size=80))
def test_what_is_printed_is_one_short_line(name: str) -> None:
    shown = printable(name)
    assert len(shown) <= 64
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in shown)
    assert printable(shown) == shown
