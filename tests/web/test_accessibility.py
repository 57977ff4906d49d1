"""The accessibility scanner axe finds nothing on any page, in any state, in any theme."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.serving import Server
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


def scan(page: Page, state: str) -> None:
    """Fail with what axe found, in its own words."""
    # Not in the middle of a flight: what moves has no settled colours.
    page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
    results = Axe().run(page)
    found = [
        f"{state}: {violation['id']}: {violation['help']}: "
        f"{[node['html'][:120] for node in violation['nodes'][:3]]}"
        for violation in results.response["violations"]
    ]
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(chromium: str, tmp_path: Path, theme: str, size: dict[str, int]) -> None:
    with (
        Server(tmp_path) as server,
        browsing(
            chromium,
            viewport=size,
            color_scheme="dark" if theme == "dark" else "light",
            contrast="more" if theme == "contrast" else "no-preference",
            reduced_motion="reduce",
        ) as context,
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
        page.goto(f"{server.address}offline")
        scan(page, "offline")
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
        play_to_the_end(page)
        scan(page, "end")
        page.goto(server.address)
        scan(page, "start with games")


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
