"""Keeps score in a real browser as people at a table do: tap a field, what was played, the hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import GUEST_HOST, lent
from tests.serving import Server


@contextmanager
def phones(chromium: str, number: int, **options: Any) -> Iterator[list[BrowserContext]]:
    """Open so many phones, strangers to each other; a script that fails ends the test."""
    options = {"locale": "en-GB", "viewport": {"width": 390, "height": 844}, **options}
    problems: list[str] = []
    with lent(chromium) as browser:
        contexts = [browser.new_context(**options) for _ in range(number)]
        for context in contexts:
            context.set_default_timeout(20_000)
            context.on("weberror", lambda error: problems.append(str(error.error)))
        yield contexts
    assert problems == []


def at_guests(server: Server, path: str) -> str:
    """Give a page's address as another machine asks for it."""
    return f"http://{GUEST_HOST}:{server.port}{path}"


def open_pad(page: Page, address: str, names: Sequence[str]) -> str:
    """Open a pad on which the first one begins, and give its path."""
    page.goto(f"{address}pad")
    for index, name in enumerate(names):
        if index >= 2:
            page.locator("#add-player").click()
        page.locator("[name=player]").nth(index).fill(name)
    page.locator('.segment:has([name="how"][value="chosen"])').click()
    page.locator("#who").select_option("0")
    page.locator("form.new-game button.button--primary").click()
    page.wait_for_url(re.compile(r"/pad/\w+$"))
    return page.url[page.url.index("/pad/") :]


def write(page: Page, player: int, code: str, points: int | None, hand: int) -> None:
    """Tap the field, what was played where it is asked, and the hand."""
    page.locator(f"#cell-{player}-{code}").click()
    dialog = page.locator("#entry-dialog")
    if points is not None:
        dialog.locator(f'.chip-choice:has([value="{points}"])').click()
    dialog.locator(f'[name="hand"][value="{hand}"]').click()
    expect(dialog).to_be_hidden()


def stands(page: Page, player: int, code: str, points: str, penalty: str = "") -> None:
    """Wait until the server has this in a field, and the page shows it."""
    cell = page.locator(f"#cell-{player}-{code}[data-standing]:not(.is-waiting)")
    expect(cell.locator(".points")).to_have_text(points)
    expect(cell.locator(".penalty")).to_contain_text(penalty)


def total(page: Page, player: int) -> int:
    """Read a player's total off the block."""
    text = page.locator(".scores .grand td").nth(player).locator(".points").inner_text()
    return int(text.replace("−", "-"))
