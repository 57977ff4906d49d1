"""The accessibility scanner axe finds nothing on any page, in any state, in any theme."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.serving import Server
from tests.web.application import nearly_over
from tests.web.playing import (
    DESKTOP,
    PHONE,
    act,
    browsing,
    decide,
    open_game,
    play_to_the_end,
    wait_for_turn,
)

pytestmark = pytest.mark.browser


# What a person asks of all pages; the pages hear of it by nothing but style sheets.
THEMES: dict[str, dict[str, Any]] = {
    "dark": {"color_scheme": "dark", "contrast": "no-preference"},
    "contrast": {"color_scheme": "light", "contrast": "more"},
    "light": {"color_scheme": "light", "contrast": "no-preference"},
}


def scan(page: Page, state: str, themes: Collection[str] = tuple(THEMES)) -> None:
    """Look at a state in each theme, and fail with what axe found, in its own words."""
    page.wait_for_load_state()  # of a page that has come already
    found = []
    for theme in themes:
        page.emulate_media(**THEMES[theme])
        # Not in the middle of a flight: what moves has no settled colours. What only follows a
        # scroll is never over.
        page.wait_for_function(
            "() => document.getAnimations().every("
            "a => a.timeline !== document.timeline || a.playState !== 'running')"
        )
        found += [
            f"{state}, {theme}: {violation['id']}: {violation['help']}: "
            f"{[node['html'][:120] for node in violation['nodes'][:3]]}"
            for violation in Axe().run(page).response["violations"]
        ]
    assert found == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(chromium: str, tmp_path: Path, size: dict[str, int]) -> None:
    late = nearly_over(tmp_path, "Maximiliane-Rosalinde W.", "Bo", "Cy", "Di", "Ed")
    with (
        Server(tmp_path) as server,
        browsing(chromium, viewport=size, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(server.address)
        scan(page, "start")
        page.get_by_label("Settings", exact=True).click()
        scan(page, "settings open")
        page.goto(f"{server.address}help")
        scan(page, "help")
        page.goto(f"{server.address}nowhere")
        scan(page, "error")
        page.route("**/help", lambda route: route.abort())  # or it would leave, as soon as it can
        page.goto(f"{server.address}offline")
        scan(page, "offline")
        page.unroute("**/help")
        open_game(page, server.address, bots=4, name="Maximiliane-Rosalinde W.")
        wait_for_turn(page)
        scan(page, "turn")
        page.locator("#act-0").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        scan(page, "pass dialog")
        page.get_by_role("button", name="Go back").click()
        page.locator("[data-offer]:visible").first.click()
        scan(page, "proposal")
        page.keyboard.press("Escape")
        page.locator("#discards summary").click()
        scan(page, "discards open")
        page.keyboard.press("Escape")
        act(page, decide(page))
        wait_for_turn(page)
        scan(page, "second turn")
        page.goto(server.address.rstrip("/") + late)
        play_to_the_end(page)
        scan(page, "end")
        page.goto(server.address)
        scan(page, "start with games")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_among_friends(
    chromium: str, tmp_path: Path, size: dict[str, int]
) -> None:
    options: dict[str, Any] = {"viewport": size, "reduced_motion": "reduce"}
    with (
        Server(tmp_path, command="serve") as server,
        browsing(chromium, **options) as context,
    ):
        assert context.browser is not None
        ana = context.new_page()
        others = [
            context.browser.new_context(locale="en-GB", **options).new_page() for _ in range(2)
        ]
        bo, cy = others
        ana.goto(f"{server.address}?mode=friends")
        scan(ana, "form")
        ana.get_by_label("Your name").fill("Maximiliane-Rosalinde W.")
        ana.get_by_label("Show in the list of open tables").check()
        ana.get_by_role("button", name="Play", exact=True).click()
        ana.wait_for_url("**/j/*")
        scan(ana, "the host alone")
        link = ana.url
        bo.goto(f"{server.address}tables")
        scan(bo, "open tables")
        bo.goto(f"{server.address}j?code=WRONG")
        scan(bo, "a wrong code")
        bo.goto(link)
        scan(bo, "an invitation")
        bo.get_by_label("Your name").fill("x" * 25)
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#alert")).to_be_visible()
        scan(bo, "a name refused")
        bo.get_by_label("Your name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#lobby-wait")).to_be_visible()
        scan(bo, "a guest")
        ana.get_by_label("More about Bo").click()
        scan(ana, "what the host may do")
        cy.goto(link)
        ana.keyboard.press("Escape")
        ana.get_by_role("button", name="Start the game").click()
        for page in (ana, bo, cy):
            page.wait_for_url("**/t/*")
        scan(cy, "watching")
        bo.get_by_label("Table talk", exact=True).click()
        scan(bo, "nobody has spoken")
        bo.get_by_role("button", name="Good luck!").click()
        expect(ana.locator(".bubble")).to_be_visible()
        scan(bo, "talk")
        scan(ana, "said by another")
        bo.keyboard.press("Escape")
        bo.get_by_label("More", exact=True).click()
        scan(bo, "more")
        bo.get_by_role("button", name="Ask to end the game").click()
        expect(ana.locator("#agree")).to_be_visible()
        scan(ana, "a proposal")
        scan(bo, "the own proposal")
        bo.get_by_label("More", exact=True).click()
        bo.get_by_role("button", name="To another device").click()
        expect(bo.get_by_role("heading", name="To another device")).to_be_visible()
        scan(bo, "another device")
        seat = bo.get_by_label("Link").input_value()
        new = context.browser.new_context(locale="en-GB", **options).new_page()
        new.goto(seat)
        scan(new, "taking a seat")
        new.goto(f"{server.address}me")
        scan(new, "own data")
        ana.get_by_role("button", name="Agree").click()
        expect(ana.locator("main.table--over")).to_be_visible()
        scan(ana, "ended by agreement")
        new.goto(link)
        scan(new, "too late")


def test_axe_finds_nothing_when_time_runs_out(chromium: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"viewport": PHONE, "reduced_motion": "reduce"}
    with (
        Server(tmp_path, command="serve") as server,
        browsing(chromium, **options) as context,
    ):
        assert context.browser is not None
        ana = context.new_page()
        bo = context.browser.new_context(locale="en-GB", **options).new_page()
        ana.goto(f"{server.address}?mode=friends")
        ana.locator("#clock").select_option("30")
        ana.get_by_role("button", name="Play", exact=True).click()
        ana.wait_for_url("**/j/*")
        bo.goto(ana.url)
        bo.get_by_label("Your name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        expect(ana.locator("#seats-title")).to_contain_text("2/")
        ana.get_by_role("button", name="Start the game").click()
        for page in (ana, bo):
            page.wait_for_url("**/t/*")
        expect(ana.locator("#clock.is-short")).to_be_visible()
        scan(ana, "ten seconds left", ("light", "dark"))
        for page in (ana, bo):
            page.wait_for_function("() => document.querySelector('#stand-in, .player .tag')")
            scan(page, "a bot plays", ("light", "dark"))
        server.kill()
        expect(bo.locator("html.is-cut-off")).to_be_attached()
        scan(bo, "without a line")


def test_axe_finds_nothing_while_others_move(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=30) as server, browsing(chromium) as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_text("More options").click()
        page.get_by_label("I start").check()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/t/*")
        act(page, decide(page))
        expect(page.locator(".status-now:not(.is-now)")).to_be_visible()
        scan(page, "waiting")
