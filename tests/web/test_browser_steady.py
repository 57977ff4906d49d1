"""Pages hold still while a game goes on, and nothing on them is cut off."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.serving import Server
from tests.web.pad_playing import open_pad, phones, stands, write
from tests.web.playing import browsing
from tests.web.test_browser_table import shown
from tests.web.test_pages import context, holding, table, table_page
from tests.web.test_pages import page as rendered

pytestmark = pytest.mark.browser

FIVE = ("Ana", "Maximiliane-Rosalinde", "Cy", "Di", "Ed")
TEN = (*FIVE, "Fe", "Gil", "Hugo", "Ida", "Jo")
SMALL_DESKTOP = {"width": 1280, "height": 800}
BLOCK = """() => {
  const paper = document.getElementById('block-paper');
  return [paper.getBoundingClientRect().left, paper.scrollWidth - paper.clientWidth];
}"""

# Where the words of each line of the ranking begin and end.
RANKING = """() => [...document.querySelectorAll('.ranking tr')].map(line =>
  [...line.cells].filter(cell => !cell.querySelector('.sr, .long')).map(cell => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
  }))"""
CHART = """() => {
  const drawn = [...document.querySelectorAll('.chart')].find(each => each.checkVisibility());
  const { left, right } = drawn.getBoundingClientRect();
  const texts = [...drawn.querySelectorAll('text')].map(each => each.getBoundingClientRect());
  return left >= 0 && right <= innerWidth
    && texts.every(each => left <= each.left && each.right <= right);
}"""


def block(page: Page) -> tuple[float, float]:
    """Give where the score block begins, and how much of it is out of sight."""
    left, hidden = page.evaluate(BLOCK)
    return left, hidden


@pytest.mark.parametrize("players", [3, 5])
def test_up_to_five_columns_are_in_sight_and_stay_where_they_are(
    chromium: str, players: int
) -> None:
    with browsing(chromium, viewport=SMALL_DESKTOP) as browser:
        places, fans = set(), set()
        for turns in range(0, 40, 3):
            made = table(turns, FIVE[:players])
            if made.finished:
                break
            with shown(browser, table_page(made)) as page:
                left, hidden = block(page)
                assert hidden == 0, turns
                places.add(left)
                fans.add(page.locator(".discard-top .card").count())
        assert len(places) == 1
        assert len(fans) > 1


def test_more_columns_are_said_to_go_on_until_one_has_seen_them(chromium: str) -> None:
    at = holding("1223344556", table(45, TEN))
    fade = "getComputedStyle(document.getElementById('block-paper')).getPropertyValue('--fade')"
    with (
        browsing(chromium, viewport=SMALL_DESKTOP) as browser,
        shown(browser, table_page(at)) as page,
    ):
        assert block(page)[1] > 100
        page.wait_for_function(f"() => {fade} === '36px'")
        page.evaluate("document.getElementById('block-paper').scrollLeft = 9999")
        page.wait_for_function(f"() => {fade} === '0px'")
    with (
        browsing(chromium, viewport=SMALL_DESKTOP) as browser,
        shown(browser, table_page(table(45, FIVE))) as page,
    ):
        assert page.evaluate(fade) == "0px"


def test_three_columns_fit_a_phone(chromium: str) -> None:
    phone = {"width": 390, "height": 844}
    with (
        browsing(chromium, viewport=phone) as browser,
        shown(browser, table_page(table(31, ("Ana", "Mara", "Emil")))) as page,
    ):
        assert block(page)[1] == 0


@pytest.mark.parametrize(("width", "locale"), [(390, "ro-RO"), (320, "de-DE"), (320, "ro-RO")])
def test_what_a_pad_shows_at_the_end_fits_a_phone(
    chromium: str, tmp_path: Path, width: int, locale: str
) -> None:
    size = {"width": width, "height": 740}
    with (
        Server(tmp_path) as server,
        phones(chromium, 1, viewport=size, locale=locale) as (phone,),
    ):
        page = phone.new_page()
        open_pad(page, server.address, ["Wolfgang", "Maximiliane-Rosalinde"])
        write(page, 0, "kn", None, 10)
        stands(page, 0, "kn", "50", "−10")
        page.locator("#end-it summary").click()
        page.locator("#end-it button").click()
        expect(page.locator(".pad-ending")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for line in page.evaluate(RANKING):
            assert len(line) in (4, 7)
            assert all(right + 3 <= left for (_, right), (left, _) in pairwise(line)), line
        assert page.evaluate(CHART)


@pytest.mark.parametrize(
    ("size", "players"),
    [(SMALL_DESKTOP, 3), (SMALL_DESKTOP, 5), ({"width": 1440, "height": 900}, 2)],
)
def test_the_hand_stays_where_it_is_from_turn_to_turn(
    chromium: str, size: dict[str, int], players: int
) -> None:
    with browsing(chromium, viewport=size) as browser:
        places, hurried = set(), set()
        for turns in range(0, 12 * players, players + 1):
            with shown(browser, table_page(table(turns, FIVE[:players]))) as page:
                places.add(round(page.locator("#hand").bounding_box()["y"]))  # type: ignore[index]
                hurried.add(page.locator("#skip").count())
        assert hurried == {0, 1}
        assert len(places) == 1


def test_what_is_asked_moves_no_cards(chromium: str) -> None:
    made = table(31)
    asked = {
        "text": "Maximiliane-Rosalinde asks to end the game as it stands.",
        "waiting": "Bo, Cy",
        "own": False,
        "may_answer": True,
        "number": 1,
    }
    places = []
    with browsing(chromium, viewport={"width": 1280, "height": 720}) as browser:
        for question in (None, asked):
            html = rendered("table.html", {**context(made), "asked": question})
            with shown(browser, html) as page:
                places.append(page.locator("#hand").bounding_box())
                if question:
                    expect(page.locator("#agree")).to_be_in_viewport(ratio=1)
    assert places[0] == places[1]


@pytest.mark.parametrize("width", [390, 320])
def test_each_entry_of_the_discards_takes_one_line(chromium: str, width: int) -> None:
    made = table(45)
    size = {"width": width, "height": 844}
    with (
        browsing(chromium, viewport=size) as browser,
        shown(browser, table_page(made)) as page,
    ):
        page.locator("#discards summary").click()
        sheet = page.locator(".discard-sheet").bounding_box()
        assert sheet
        assert 0 <= sheet["x"] <= sheet["x"] + sheet["width"] <= width
        for entry in page.locator(".discard-counts li").all():
            box = entry.bounding_box()
            assert box
            assert box["height"] < 30
            assert box["x"] + box["width"] <= sheet["x"] + sheet["width"] - 8
