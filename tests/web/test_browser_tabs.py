"""Tabs of one browser share one stream, whichever of them listens."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.web.friends import company, invite, join, lan_address, serving

pytestmark = pytest.mark.browser


class Streams:
    """The streams of a browser, from now on."""

    opened = 0
    """How many were ever opened."""

    def __init__(self, context: BrowserContext) -> None:
        self._open: list[tuple[Request, Page]] = []
        context.on("request", self._opened)
        context.on("requestfailed", self._closed)
        context.on("requestfinished", self._closed)

    def _opened(self, request: Request) -> None:
        if request.url.endswith("/events"):
            self.opened += 1
            self._open.append((request, request.frame.page))

    def _closed(self, request: Request) -> None:
        self._open = [each for each in self._open if each[0] != request]

    def pages(self) -> list[Page]:
        """List the pages that listen now, the longest first."""
        return [page for _, page in self._open if not page.is_closed()]

    def settle(self, looker: Page, count: int) -> list[Page]:
        """Wait until so many listen, and still do a moment later; give them."""
        deadline = time.monotonic() + 30
        steady = 0
        while steady < 5:
            assert time.monotonic() < deadline, self.pages()
            looker.wait_for_timeout(100)
            steady = steady + 1 if len(self.pages()) == count else 0
        return self.pages()


def test_ten_tabs_over_plain_http_share_one_stream(chromium: str, tmp_path: Path) -> None:
    options = ["--host", "0.0.0.0"]
    with serving(tmp_path, options=options) as server, company(chromium) as person:
        ana, bo = person(), person()
        streams = Streams(ana.context)
        link = invite(ana, lan_address(server), seats="10")
        assert not ana.evaluate("isSecureContext || Boolean(navigator.locks)")
        tabs = [ana]
        for _ in range(9):
            tabs.append(ana.context.new_page())
            tabs[-1].goto(link)
        (leader,) = streams.settle(ana, 1)
        # On a busy machine two may lead for a moment; never does each tab open one of its own.
        assert streams.opened <= 3
        join(bo, link, "Bo")
        for tab in tabs:
            expect(tab.locator("#seats-title")).to_contain_text("2/10")
        # The one that listens is closed: another takes over, and no notice is lost.
        tabs.remove(leader)
        leader.close()
        join(person(), link, "Cy")
        for tab in tabs:
            expect(tab.locator("#seats-title")).to_contain_text("3/10")
        (sleeper,) = streams.settle(tabs[0], 1)
        # The one that listens hangs: it answers nobody, so another takes over.
        tabs.remove(sleeper)
        sleeper.evaluate(
            "setTimeout(() => { const now = Date.now(); while (Date.now() < now + 12000); })"
        )
        assert sleeper in streams.settle(tabs[0], 2)
        join(person(), link, "Di")
        for tab in tabs:
            expect(tab.locator("#seats-title")).to_contain_text("4/10")
        # It wakes up: of two that listen one steps down, and it knows how things stand.
        expect(sleeper.locator("#seats-title")).to_contain_text("4/10")
        streams.settle(tabs[0], 1)
        join(person(), link, "Ed")
        for tab in (*tabs, sleeper):
            expect(tab.locator("#seats-title")).to_contain_text("5/10")
        streams.settle(tabs[0], 1)
