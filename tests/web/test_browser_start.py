"""The start page in a browser: what one sees first, and what belongs to another way to play."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.serving import Server
from tests.web.playing import browsing, open_game

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (768, 1024), (390, 844)])
def test_who_comes_back_sees_the_game_at_once(
    chromium: str, tmp_path: Path, size: tuple[int, int]
) -> None:
    width, height = size
    with (
        Server(tmp_path) as server,
        browsing(chromium, viewport={"width": width, "height": height}) as context,
    ):
        page = context.new_page()
        for _ in range(2):
            open_game(page, server.address)
        page.goto(server.address)
        expect(page.locator(".games--running .game").first).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_how_strong_bots_play_is_asked_where_bots_play(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        page.goto(server.address)
        strength = page.get_by_role("group", name="How strong they play")
        expect(strength).to_be_visible()
        page.locator('.segment:has([value="friends"])').click()
        expect(strength).to_be_hidden()
        page.get_by_label("Bots on seats that stay free").check()
        expect(strength).to_be_visible()
        page.locator('.segment:has([value="device"])').click()
        expect(strength).to_be_hidden()
