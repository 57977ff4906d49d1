"""Lets friends come together in browsers of their own, as people at several devices do."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kartenkniffel.web.lan import lan_host
from tests.browser import lent
from tests.serving import Server
from tests.web.playing import DESKTOP

# What notifications a browser shows.
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((each) => each.body);
}"""

Person = Callable[..., Page]


@contextmanager
def company(chromium: str) -> Iterator[Person]:
    """Give a way to let people come, each with a browser profile of their own.

    A script that fails, or complains in a console, ends the test.
    """
    problems: list[str] = []

    def complain(text: str) -> None:
        # What a page asks for may be gone or refused; over plain http one header means nothing.
        if not re.match("Failed to load resource|The Cross-Origin-Opener-Policy header", text):
            problems.append(text)

    with lent(chromium) as browser:

        def person(**options: Any) -> Page:
            options = {"locale": "en-GB", "viewport": DESKTOP, **options}
            context = browser.new_context(**options)
            context.set_default_timeout(20_000)
            context.on("weberror", lambda error: complain(str(error.error)))
            context.on(
                "console", lambda said: complain(said.text) if said.type == "error" else None
            )
            return context.new_page()

        yield person
    assert problems == []


@contextmanager
def serving(data: Path, **options: Any) -> Iterator[Server]:
    with Server(data, command="serve", **options) as server:
        yield server


def invite(page: Page, address: str, name: str = "Ana", **wishes: str) -> str:
    """Open a table for friends and give the link to it."""
    page.goto(f"{address}?mode=friends")
    page.get_by_label("Your name").fill(name)
    for wish, value in wishes.items():
        page.locator(f"#{wish}").select_option(value)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/j/*")
    return page.url


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".guest.is-own")).to_be_attached()


def begin(host: Page, *others: Page, first: int = 0) -> None:
    """Let the host start the game, the first guest to move, and wait until all are there."""
    expect(host.locator("#who option").nth(1)).to_be_attached()  # the page knows of the second one
    host.locator(".segment", has=host.locator("#first-seat")).click()
    host.locator("#who").select_option(index=first)
    host.get_by_role("button", name="Start the game").click()
    for page in (host, *others):
        page.wait_for_url("**/t/*")
        expect(page.locator("#status-now")).to_be_visible()


def heard(page: Page) -> list[str]:
    """Give what was read out."""
    return page.locator("#announce p").all_inner_texts()


def settled(page: Page) -> None:
    """Wait until the page has heard that its line is up."""
    page.wait_for_function("() => !document.documentElement.classList.contains('is-cut-off')")
    page.wait_for_timeout(300)


def notified(page: Page, count: int) -> None:
    """Wait until the browser shows so many notifications."""
    deadline = time.monotonic() + 30
    while len(page.evaluate(SHOWN)) != count:  # a wait within the page takes a promise for a yes
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def lan_address(server: Server) -> str:
    """Give the server's address as other machines use it: no secure context for a browser."""
    host = lan_host()
    if host is None:
        pytest.skip("this machine is in no network")
    return f"http://{host}:{server.port}/"
