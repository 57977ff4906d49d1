"""Friends with a browser each: a whole game over bad lines, tabs, the way back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser import lent
from tests.serving import Server
from tests.web.playing import (
    DESKTOP,
    PHONE,
    act,
    decide,
    hand_of,
    is_over,
    number_of,
    own_sheet,
)

pytestmark = pytest.mark.browser

MOST_MOVES = 400
AT_NUMBER = "n => +document.querySelector('main').dataset.number >= n"


@contextmanager
def browsers(chromium: str, count: int) -> Iterator[list[BrowserContext]]:
    """Open a browser for each of some people; a script that fails ends the test."""
    problems: list[str] = []
    with lent(chromium) as browser:
        contexts = []
        for n in range(count):
            options: dict[str, Any] = {"viewport": PHONE if n == 1 else DESKTOP}
            if n > 1:
                options["reduced_motion"] = "reduce"
            context = browser.new_context(locale="en-GB", **options)
            context.set_default_timeout(30_000)
            context.on("weberror", lambda error: problems.append(str(error.error)))
            contexts.append(context)
        yield contexts
    assert problems == []


def gathered(server: Server, contexts: list[BrowserContext], *names: str) -> list[Page]:
    """Let people gather by the link and begin a game, as their pages let them; in this order."""
    first, *others = [context.new_page() for context in contexts]
    first.goto(f"{server.address}?mode=friends")
    first.get_by_label("Your name").fill(names[0])
    first.locator("#seats").select_option(str(len(names)))
    first.get_by_role("button", name="Play", exact=True).click()
    first.wait_for_url("**/j/*")
    for page, name in zip(others, names[1:], strict=True):
        page.goto(first.url)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator("#guests")).to_contain_text(name)
    # Everybody sees everybody without loading anew.
    for page in (first, *others):
        expect(page.locator(".guest-name")).to_have_text(list(names))
    first.locator(".segment", has=first.locator("#first-seat")).click()
    first.locator("#who").select_option(index=0)
    first.get_by_role("button", name="Start the game").click()
    for page in (first, *others):
        page.wait_for_url("**/t/*")
    return [first, *others]


def whose_turn(pages: list[Page]) -> Page | None:
    """Wait until all pages are at the same event, and give the one that is to move."""
    newest = max(number_of(page) for page in pages)
    for page in pages:
        page.wait_for_function(AT_NUMBER, arg=newest)
    now = [page for page in pages if page.locator(".status-now.is-now").count()]
    if not now:
        assert all(is_over(page) for page in pages)
        return None
    assert len(now) == 1
    return now[0]


def plays(pages: list[Page], moves: int) -> int:
    """Let everybody move in turn; gives how many moves there were until the end, or all."""
    for made in range(moves):
        page = whose_turn(pages)
        if page is None:
            return made
        act(page, decide(page))
    return moves


def test_four_browsers_play_to_the_end_over_a_bad_line_and_once_more(
    chromium: str, tmp_path: Path
) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 4) as contexts,
    ):
        pages = gathered(server, contexts, "Ana", "Bo", "Cy", "Di")
        assert plays(pages, 8) == 8
        whose_turn(pages)  # Ana’s again: two move before Cy
        # Cy’s line is down. The others play on until it is Cy’s turn, whose page says so.
        offline = pages[2]
        contexts[2].set_offline(True)
        online = [page for page in pages if page is not offline]
        expect(offline.locator("#notice")).to_be_visible()
        for _ in range(4):
            newest = max(number_of(page) for page in online)
            for page in online:
                page.wait_for_function(AT_NUMBER, arg=newest)
            now = [page for page in online if page.locator(".status-now.is-now").count()]
            if not now:
                break
            act(now[0], decide(now[0]))
        else:
            raise AssertionError("Cy never has the turn")
        newest = max(number_of(page) for page in online)
        assert number_of(offline) < newest
        expect(offline.locator("#notice")).to_be_visible()
        contexts[2].set_offline(False)
        offline.wait_for_function(AT_NUMBER, arg=newest)
        expect(offline.locator("#notice")).to_be_hidden()
        assert whose_turn(pages) is offline
        act(offline, decide(offline))
        for turn in range(MOST_MOVES // 8):
            if plays(pages, 8) < 8:
                break
            if turn % 3:
                continue
            whose_turn(pages)
            before, hand = number_of(pages[1]), hand_of(pages[1])
            pages[1].reload()
            assert (number_of(pages[1]), hand_of(pages[1])) == (before, hand), turn
        totals = [page.locator(".rank-total").all_text_contents() for page in pages]
        assert totals[1:] == totals[:-1]
        assert len(totals[0]) == 4
        # The rematch of the four shows nothing of the last game.
        first = pages[0].url
        for page in pages:
            page.get_by_role("button", name="Play again").or_(
                page.get_by_role("link", name="To the next game")
            ).first.click()
            page.wait_for_url(lambda url: url != first and "/t/" in url)
        assert len({page.url for page in pages}) == 1
        for page in pages:
            assert not is_over(page)
            assert all(entry is None for entry in own_sheet(page).entries)
        assert plays(pages, 4) == 4


def test_ten_tabs_use_one_stream_and_all_stay_current(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 2) as contexts,
    ):
        pages = gathered(server, contexts, "Ana", "Bo")
        streams: list[Request] = []
        contexts[1].on(
            "request", lambda asked: streams.append(asked) if "/events" in asked.url else None
        )
        tabs = [pages[1], *[contexts[1].new_page() for _ in range(9)]]
        for tab in tabs[1:]:
            tab.goto(pages[0].url)
        for _ in range(2):
            page = whose_turn(pages)
            assert page is not None
            act(page, decide(page))
            number = number_of(page)
            for tab in tabs:
                tab.wait_for_function(AT_NUMBER, arg=number)
        assert len({hand_of(tab) for tab in tabs}) == 1
        assert streams == []  # the first tab's, opened before, is enough
        tabs[0].close()  # it led the others; one of them takes over
        page = pages[0] if pages[0].locator(".status-now.is-now").count() else tabs[1]
        act(page, decide(page))
        number = number_of(page)
        for tab in tabs[1:]:
            tab.wait_for_function(AT_NUMBER, arg=number)
        assert len(streams) == 1


def test_two_tabs_that_move_at_once_make_one_move(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 2) as contexts,
    ):
        pages = gathered(server, contexts, "Ana", "Bo")
        page = whose_turn(pages)
        assert page is not None
        number = number_of(page)
        other = page.context.new_page()
        other.goto(page.url)
        for tab in (page, other):
            tab.evaluate("setTimeout(() => document.getElementById('act-1').click(), 300)")
        for tab in (*pages, other):
            tab.wait_for_function(AT_NUMBER, arg=number + 1)
        page.wait_for_timeout(800)
        for tab in (*pages, other):
            assert number_of(tab) == number + 1
        assert hand_of(page) == hand_of(other)
        assert len(hand_of(page)) == 6


def test_the_way_back_leads_to_the_game(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 2) as contexts,
    ):
        pages = gathered(server, contexts, "Ana", "Bo")
        table = pages[0].url
        page = whose_turn(pages)
        assert page is not None
        act(page, decide(page))
        number, hand = number_of(page), hand_of(page)
        page.go_back()
        page.goto(table.replace("/t/", "/j/"))  # an old link
        expect(page).to_have_url(table)
        assert (number_of(page), hand_of(page)) == (number, hand)
        page.go_back()
        page.go_forward()
        page.wait_for_function(AT_NUMBER, arg=number)
        assert hand_of(page) == hand


def without_scripts(context: BrowserContext) -> BrowserContext:
    """Give the same person in a browser that runs no scripts; the other one is closed."""
    browser, cookies = context.browser, context.cookies()
    assert browser is not None
    context.close()
    plain = browser.new_context(java_script_enabled=False, locale="en-GB")
    plain.add_cookies(cookies)  # type: ignore[arg-type]
    return plain


def test_a_page_without_scripts_gives_a_sign_of_life(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 2) as (one, two),
    ):
        ana, _ = gathered(server, [one, two], "Ana", "Bo")
        address = ana.url
        still = without_scripts(one).new_page()
        with still.expect_response("**/here") as sign:
            still.goto(address)
        assert sign.value.ok
        assert [frame.url.endswith("/here") for frame in still.frames] == [False, True]


@pytest.mark.slow
def test_who_thinks_for_long_without_scripts_is_there(chromium: str, tmp_path: Path) -> None:
    """On the own turn such a page stands still, so that no choice is lost."""
    with (
        Server(tmp_path, command="serve") as server,
        browsers(chromium, 2) as (one, two),
    ):
        ana, bo = gathered(server, [one, two], "Ana", "Bo")
        address = ana.url
        plain = without_scripts(one)
        still = plain.new_page()
        still.goto(address)
        still.wait_for_timeout(70_000)
        bo.reload()
        expect(bo.get_by_text("Ana is away.")).to_have_count(0)
        plain.close()
        expect(bo.get_by_text("Ana is away.")).to_be_visible(timeout=75_000)


@pytest.mark.parametrize("page", ["help", "me", ""])
def test_who_reads_another_page_is_there_by_a_stream(
    chromium: str, tmp_path: Path, page: str
) -> None:
    with Server(tmp_path, command="serve") as server, browsers(chromium, 1) as (one,):
        tab = one.new_page()
        tab.goto(server.address)  # gives the key
        with tab.expect_request("**/events") as stream:
            tab.goto(f"{server.address}{page}")
        assert stream.value.resource_type == "eventsource"
