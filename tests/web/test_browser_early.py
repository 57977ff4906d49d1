"""A tap that comes before a page's scripts are there counts, and the page it leads to is alive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from tests.serving import Server
from tests.web.pad_playing import open_pad, phones, stands
from tests.web.playing import act, browsing, decide, leaving, open_game, wait_for_turn
from tests.web.test_browser_device import no_hand, open_device

pytestmark = pytest.mark.browser


@contextmanager
def too_early(page: Page, script: str) -> Iterator[None]:
    """Load the page without this script of its, for what is done within.

    What that leads to has its scripts, and has asked the server how things stand.
    """
    with page.expect_response(is_look) as look:
        page.route(f"**/static/{script}", lambda route: route.abort())
        page.reload()
        page.unroute(f"**/static/{script}")
        with leaving(page):
            yield
    assert look.value.ok
    look.value.finished()


def is_look(answer: Response) -> bool:
    return "part=1" in answer.url


def test_cards_shown_early_are_followed_by_a_page_that_is_alive(
    chromium: str, tmp_path: Path
) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", "Bo")
        with too_early(page, "table.js"):
            page.get_by_role("button", name="Show my cards").click()
        act(page, decide(page))
        page.get_by_role("button", name="Hide and pass on to Bo").click()
        no_hand(page)
        expect(page.get_by_role("button", name="Show my cards")).to_be_visible()
        expect(page.locator("#notice")).to_be_hidden()


def test_a_pass_asked_back_early_stays_asked(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        with too_early(page, "table.js"):
            page.locator("#act-0").click()
        with page.expect_response(is_look) as look:  # the table is looked at once more
            page.evaluate("dispatchEvent(new Event('online'))")
        assert look.value.ok
        look.value.finished()
        number = page.locator("main").get_attribute("data-number") or ""
        page.locator(".passing").get_by_role("button", name="Pass", exact=True).click()
        expect(page.locator("main")).not_to_have_attribute("data-number", number)
        wait_for_turn(page)


def test_who_sits_down_early_reads_what_was_wrong_and_sees_who_comes(
    chromium: str, tmp_path: Path
) -> None:
    with Server(tmp_path, command="serve") as server, browsing(chromium) as context:
        assert context.browser is not None
        ana = context.new_page()
        bo, cy = (context.browser.new_context(locale="en-GB").new_page() for _ in range(2))
        ana.goto(f"{server.address}?mode=friends")
        ana.get_by_role("button", name="Play", exact=True).click()
        ana.wait_for_url("**/j/*")
        bo.goto(ana.url)
        with too_early(bo, "lobby.js"):
            bo.get_by_label("Your name").fill("x" * 25)
            bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#notice")).to_have_text("A name has 1 to 24 visible characters.")
        cy.goto(ana.url)
        cy.get_by_label("Your name").fill("Cy")
        cy.get_by_role("button", name="Sit down").click()
        expect(bo.locator(".guest-name").nth(1)).to_have_text("Cy")
        bo.get_by_label("Your name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator(".guest.is-own")).to_contain_text("Bo")


def test_a_field_tapped_early_has_its_panel_until_it_is_sent(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        with too_early(page, "pad.js"):
            page.locator("#cell-0-3k").click()
        panel = page.locator("#entry")
        panel.locator('.chip-choice:has([value="20"])').click()
        # Another page of the same person writes meanwhile: what is chosen here stays.
        other = phone.new_page()
        other.goto(page.url.partition("?")[0])
        with page.expect_response(is_look) as look:
            other.locator("#exchange-button-0").click()
        assert look.value.ok
        look.value.finished()
        expect(panel.locator('[name="points"][value="20"]')).to_be_checked()
        with leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        stands(page, 0, "3k", "20", "−2")


def test_an_entry_refused_early_is_no_lost_connection(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        with too_early(page, "pad.js"):
            page.locator("#cell-0-3k").click()
        panel = page.locator("#entry")
        with page.expect_response(is_look) as look, leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        assert look.value.ok
        expect(page.locator("#alert")).to_be_visible()
        panel.locator('.chip-choice:has([value="20"])').click()
        with leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        stands(page, 0, "3k", "20", "−2")
