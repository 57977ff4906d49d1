"""Finds and starts the system's Chromium, for the browser tests and for the Makefile.

Playwright's own download of a browser is not used: the tests run what people have.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
GUEST_HOST = "phone.test"
"""Under this name a server on this machine takes a browser for one on another machine."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    f"--host-resolver-rules=MAP {GUEST_HOST} 127.0.0.1",
]

_running: list[tuple[Playwright, Browser]] = []


def find_chromium() -> str | None:
    """The path of Chromium or Chrome; KARTENKNIFFEL_CHROMIUM, when set, is the only candidate."""
    named = os.environ.get("KARTENKNIFFEL_CHROMIUM")
    for name in [named] if named else NAMES:
        if path := shutil.which(name):
            return path
    return None


def chromium_path() -> str:
    """The path of Chromium; without one, skips the running test, but fails it in CI."""
    if path := find_chromium():
        return path
    reason = "Chromium is missing: install it or set KARTENKNIFFEL_CHROMIUM (`make test` does)"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@contextmanager
def lent(chromium: str) -> Iterator[Browser]:
    """Lend the browser that tests share, since starting one takes seconds.

    What a test has of it are contexts, which share nothing; they are closed at its end. It is lent
    to one at a time, who would close those of another.
    """
    if _running and not _running[0][1].is_connected():
        close_browser()
    if not _running:
        from playwright.sync_api import sync_playwright

        playwright = sync_playwright().start()
        _running.append(
            (playwright, playwright.chromium.launch(executable_path=chromium, args=FLAGS))
        )
    browser = _running[0][1]
    assert not browser.contexts, "the browser is lent already"
    try:
        yield browser
    finally:
        for context in browser.contexts:
            context.close()


def close_browser() -> None:
    """Close the shared browser; until then this thread counts as one with a running event loop."""
    for playwright, browser in _running:
        browser.close()
        playwright.stop()
    _running.clear()


if __name__ == "__main__":
    found = find_chromium()
    if found is None:
        sys.exit(1)
    print(f"Chromium: {found}")
