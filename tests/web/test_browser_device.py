"""People pass one device around in a real browser; no hand stays where the next could see it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Route, expect

from tests.serving import Server
from tests.web.playing import (
    DESKTOP,
    PHONE,
    act,
    browsing,
    decide,
    hand_of,
    is_over,
    leaving,
    number_of,
)
from tests.web.test_accessibility import scan
from tests.web.test_other_ways import by_looking_again

pytestmark = pytest.mark.browser

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
HIDDEN = """is => {
  Object.defineProperty(document, 'hidden', {value: is, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def open_device(page: Page, address: str, *names: str, bots: int = 0) -> None:
    """Open a game of these people and so many bots, the first one to start."""
    page.goto(address)
    page.get_by_label("On one device").check()
    while page.locator(".player-row:not(.is-spare)").count() < len(names) + bots:
        page.get_by_role("button", name="Add a player").click()
    for row, name in enumerate(names):
        page.get_by_label(f"Name of player {row + 1}", exact=True).fill(name)
    for row in range(len(names), len(names) + bots):
        page.get_by_label(f"What player {row + 1} is", exact=True).select_option("medium")
    page.get_by_label("Somebody").check()
    page.get_by_label("Who is that?").select_option(names[0])
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/t/"))


def no_hand(page: Page) -> None:
    """Nothing in the document tells of a hand: no cards, no offers, no data for scripts."""
    html = page.content()
    assert "pick-box" not in html
    assert "data-offer" not in html
    assert not re.search(r'"plays": ?\{"', html)
    assert "Drawn:" not in html


def show_cards(page: Page) -> None:
    page.get_by_role("button", name="Show my cards").click()
    expect(page.locator(".pick").first).to_be_visible()


def pass_on(page: Page) -> None:
    page.get_by_role("button", name="Hide and pass on to").click()
    no_hand(page)
    expect(page.locator("#curtain, main.table--over").first).to_be_attached()
    no_hand(page)


def turn(page: Page) -> None:
    """Reveal, move and pass on."""
    show_cards(page)
    act(page, decide(page))
    if not is_over(page):
        assert "Hide and pass on" in page.content()
        pass_on(page)


def test_three_people_play_a_whole_game_on_a_phone(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium, **TOUCH) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", "Bo", "Cy")
        turns = 0
        while not is_over(page):
            no_hand(page)
            name = ("Ana", "Bo", "Cy")[turns % 3]
            expect(page.get_by_role("heading", level=1)).to_have_text(f"{name}’s turn")
            turn(page)
            turns += 1
        assert turns >= 36
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.locator(".ranking tbody tr").count() == 3
        expect(page.get_by_role("heading", level=1)).to_have_text(
            re.compile("(Ana|Bo|Cy) wins|Shared win")
        )


def test_bots_sit_in_and_take_nothing_away(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=0.7) as server, browsing(chromium, **TOUCH) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", "Bo", bots=2)
        show_cards(page)
        act(page, decide(page))
        number, hand = number_of(page), hand_of(page)
        pass_on(page)  # to Bo, who is next at once
        turn_of = page.get_by_role("heading", level=1)
        expect(turn_of).to_have_text("Bo’s turn")
        show_cards(page)
        act(page, decide(page))
        number, hand = number_of(page), hand_of(page)
        page.wait_for_function(
            "n => +document.querySelector('main').dataset.number >= n", arg=number + 2
        )
        assert hand_of(page) == hand
        expect(turn_of).to_have_text("Ana’s turn")
        pass_on(page)
        turn(page)
        turn(page)
        # The curtain follows the bots too, and they can be hurried by key.
        page.keyboard.press("s")
        expect(page.get_by_role("button", name="Show my cards")).to_be_visible()
        no_hand(page)


def test_skip_and_pace(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=30) as server, browsing(chromium, **TOUCH) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", bots=3)
        act(page, decide(page))
        page.get_by_role("button", name="Skip").click()
        expect(page.locator(".status-now.is-now")).to_be_visible()
        page.locator("#settings summary").click()
        with page.expect_response("**/settings"):
            page.get_by_role("button", name="None", exact=True).click()
        expect(page.get_by_role("button", name="None", exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
        page.reload()
        act(page, decide(page))
        expect(page.locator(".status-now.is-now")).to_be_visible()


def revealed(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    open_device(page, server.address, "Ana", "Bo")
    show_cards(page)
    return page


@pytest.mark.parametrize("moved", [False, True], ids=["before the move", "after the move"])
def test_nothing_brings_a_hand_back(chromium: str, tmp_path: Path, moved: bool) -> None:
    with Server(tmp_path) as server, browsing(chromium, **TOUCH) as context:
        page = revealed(context, server)
        if moved:
            act(page, decide(page))
        hand = hand_of(page)
        # Another tab shows the curtain and takes nothing away here.
        other = context.new_page()
        other.goto(page.url)
        expect(other.locator("#curtain")).to_be_visible()
        no_hand(other)
        other.close()
        assert hand_of(page) == hand
        # The task switcher's picture, and coming back from it.
        page.evaluate(HIDDEN, True)
        no_hand(page)
        expect(page.get_by_text("The cards are hidden")).to_be_visible()
        page.evaluate(HIDDEN, False)
        expect(page.locator("#curtain")).to_be_visible()
        no_hand(page)
        if moved:
            show_cards(page)
            expect(page.get_by_role("heading", level=1)).to_have_text("Bo’s turn")
        else:
            show_cards(page)
        # The page cache keeps the document as `pagehide` left it.
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
        no_hand(page)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        expect(page.locator("#curtain")).to_be_visible()
        no_hand(page)
        show_cards(page)
        page.reload()
        expect(page.locator("#curtain")).to_be_visible()
        no_hand(page)
        show_cards(page)
        page.goto(server.address)
        page.go_back()
        expect(page.locator("#curtain")).to_be_visible()
        no_hand(page)
        page.go_back()
        page.go_forward()
        expect(page.locator("#curtain")).to_be_visible()
        no_hand(page)


def test_an_answer_that_comes_after_the_curtain_is_not_shown(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", "Bo")
        held: list[Route] = []
        page.route("**/reveal", lambda route: held.append(route))
        with page.expect_request("**/reveal"):
            page.get_by_role("button", name="Show my cards").click()
        page.evaluate(HIDDEN, True)
        with page.expect_response("**/reveal") as answer:
            held[0].continue_()
        assert "pick-box" in answer.value.text()
        page.wait_for_timeout(200)
        no_hand(page)
        page.evaluate(HIDDEN, False)
        expect(page.locator("#curtain")).to_be_visible()
        page.wait_for_timeout(200)
        no_hand(page)


def test_without_scripts_it_goes_by_forms(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_label("On one device").check()
        assert page.locator(".player-row:visible").count() == 10
        page.get_by_label("Name of player 2").fill("Ana")
        page.get_by_label("Name of player 5").fill("Bo")
        page.get_by_label("What player 7 is").select_option("medium")
        page.get_by_label("The youngest").check()
        page.get_by_label("Who is that?").select_option("Player 5")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/t/*")
        table = page.url
        for name, following in (("Bo", "Ana"), ("Ana", "Bo"), ("Bo", "Ana")):
            reveal = page.get_by_role("button", name="Show my cards")
            by_looking_again(page, reveal)
            expect(page.get_by_role("heading", level=1)).to_have_text(f"{name}’s turn")
            no_hand(page)
            with leaving(page):
                reveal.click()
            with leaving(page):
                page.locator(".block [data-offer]").first.click()
            with leaving(page):
                page.get_by_role("button", name="Write down").click()
            assert page.locator(".pick").count() >= 5
            with leaving(page):
                page.get_by_role("button", name=f"Hide and pass on to {following}").click()
            no_hand(page)
            # Back to the answer of a form: the browser would have to send the form once more.
            with contextlib.suppress(Error):
                page.go_back()
                assert "pick-box" not in page.content()
            page.wait_for_timeout(300)
            page.goto(table)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(chromium: str, tmp_path: Path, size: dict[str, int]) -> None:
    with (
        Server(tmp_path, pause=30) as server,
        browsing(chromium, viewport=size, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(server.address)
        page.get_by_label("On one device").check()
        page.get_by_label("The youngest").check()
        scan(page, "form")
        with leaving(page):
            page.get_by_role("button", name="Play", exact=True).click()
        expect(page.get_by_role("alert")).to_be_visible()
        scan(page, "form refused")
        open_device(page, server.address, "Ana", "Maximiliane-Rosalinde W.", bots=1)
        scan(page, "curtain")
        show_cards(page)
        scan(page, "hand")
        act(page, decide(page))
        scan(page, "after the move")
        pass_on(page)
        scan(page, "second curtain")
        turn(page)
        scan(page, "curtain while bots move")
        page.goto(server.address)
        page.locator(".forget summary").first.click()
        scan(page, "deleting")
        page.get_by_role("button", name="Delete for good").click()
        expect(page.locator(".game")).to_have_count(0)


def test_rows_come_and_go(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_label("On one device").check()
        add = page.get_by_role("button", name="Add a player")
        for _ in range(8):
            add.click()
        expect(add).to_be_hidden()
        for row in range(10):
            page.get_by_label(f"Name of player {row + 1}", exact=True).fill(f"P{row}")
        page.get_by_label("Somebody").check()
        page.get_by_label("Who is that?").select_option("P4")
        page.get_by_role("button", name="Remove player 2", exact=True).click()
        shown = page.locator(".player-row:not(.is-spare) [name=player]")
        assert [each.input_value() for each in shown.all()] == [
            f"P{row}" for row in range(10) if row != 1
        ]
        assert page.get_by_label("Who is that?").input_value() == "3"
        for _ in range(7):
            page.locator(".remove:visible").last.click()
        expect(page.locator(".remove:visible")).to_have_count(2)


def test_a_game_deleted_in_another_tab_leads_on(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = revealed(context, server)
        other = context.new_page()
        other.goto(server.address)
        other.locator(".forget summary").click()
        other.get_by_role("button", name="Delete for good").click()
        expect(page.locator("#notice")).to_contain_text("has been deleted")
        page.locator("#notice a").click()
        expect(page.get_by_role("heading", name="New game")).to_be_visible()
