"""Friends in browsers of their own: what they see of each other, live, on any line."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from kartenkniffel.web.lan import lan_host
from tests.browser import lent
from tests.serving import Server
from tests.web.playing import DESKTOP, PHONE, act, decide, leaving, number_of
from tests.web.test_browser_device import HIDDEN

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
WIDE_NAME = "W" * 24
ARABIC = "عبد الرحمن بن محمد"
FAMILY = "👩‍👩‍👧‍👦🎲🃏"

INSIDE_PLAYER = """() => {
  const box = (which) => document.querySelector(which).getBoundingClientRect();
  const [player, bubble] = [box('.player'), box('.bubble')];
  return player.top < bubble.top && bubble.bottom < player.bottom;
}"""
# What the clock shows as soon as it warns.
SHORT_AT = "() => document.querySelector('#clock.is-short time')?.textContent"

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


def seats(page: Page) -> int:
    return page.locator(".guest:not(.guest--free)").count()


def heard(page: Page) -> list[str]:
    """Give what was read out."""
    return page.locator("#announce p").all_inner_texts()


def settled(page: Page) -> None:
    """Wait until the page has heard that its line is up."""
    page.wait_for_function("() => !document.documentElement.classList.contains('is-cut-off')")
    page.wait_for_timeout(300)


def test_from_an_invitation_to_a_rematch(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo, cy = person(), person(viewport=PHONE), person()
        link = invite(ana, server.address, seats="2")
        expect(ana).to_have_title("1/2 · Table of Ana – Karten-Kniffel")
        cy.goto(link)
        cy.get_by_label("Your name").fill("Cy, unsent")
        join(bo, link, "Bo")
        expect(ana.locator("#announce")).to_contain_text("2/2: Ana, Bo")
        expect(ana).to_have_title("2/2 · Table of Ana – Karten-Kniffel")
        expect(cy.get_by_text("Every seat is taken.")).to_be_visible()
        begin(ana, bo, cy)  # who waited without a seat goes on to watch
        expect(cy.get_by_text("You are watching.")).to_be_visible()
        expect(ana.locator(".watching")).to_have_attribute("title", "1 watches")
        expect(ana).to_have_title("Your turn – Karten-Kniffel")
        expect(cy).to_have_title("Ana’s turn – Karten-Kniffel")
        assert cy.locator("#hand, #ways").count() == 0
        act(ana, decide(ana))
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        ana.get_by_label("More", exact=True).click()
        ana.get_by_role("button", name="Ask to end the game").click()
        expect(ana.get_by_role("button", name="Withdraw")).to_be_visible()
        expect(cy.locator("#proposal")).to_contain_text("Ana asks to end the game as it stands.")
        bo.get_by_role("button", name="Agree").click()
        for page in (ana, bo, cy):
            expect(page.locator("main.table--over")).to_be_visible()
        ana.get_by_role("button", name="Play again").click()
        ana.wait_for_url(lambda url: url != bo.url)
        for page in (bo, cy):
            page.get_by_role("link", name="To the next game").click()
            page.wait_for_url(ana.url)
        expect(cy.get_by_text("You are watching.")).to_be_visible()


def test_what_is_said_is_heard_once_and_seen_for_a_moment(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person(viewport=PHONE)
        link = invite(ana, server.address)
        join(bo, link, "Bo")
        begin(ana, bo)
        bo.keyboard.press("t")
        for _ in range(30):
            if bo.evaluate("document.activeElement.id") == "say-hello":
                break
            bo.keyboard.press("Tab")
        bo.keyboard.press("Enter")
        expect(bo.locator(".said.is-own")).to_have_text(re.compile("Bo.*Hello!"))
        expect(bo.locator("#talk")).to_have_attribute("open", "")
        assert bo.evaluate("document.activeElement.id") == "say-hello"
        bo.keyboard.press("Escape")
        expect(bo.locator("#talk-list")).to_be_hidden()
        expect(ana.locator(".bubble")).to_have_text("Hello!")
        expect(ana.locator("#talk.has-news")).to_be_attached()
        ana.wait_for_function(INSIDE_PLAYER)
        act(ana, decide(ana))  # pages come anew, but not the news
        assert heard(ana).count("Bo: Hello!") == 1
        assert "Bo: Hello!" not in heard(bo)
        expect(ana.locator(".bubble")).to_have_count(0)
        ana.get_by_label("Table talk", exact=True).click()
        expect(ana.locator("#talk:not(.has-news)")).to_be_attached()
        with leaving(ana):
            ana.get_by_role("button", name="Mute the talk").click()
        settled(ana)
        bo.get_by_label("Table talk", exact=True).click()
        bo.locator("#say-emoji-1").click()
        expect(bo.locator(".said")).to_have_count(2)
        ana.wait_for_timeout(300)
        assert ana.locator(".said, .bubble, #talk.has-news").count() == 0
        assert heard(ana) == []


def test_the_clock_counts_down_and_warns_once(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        link = invite(ana, server.address, clock="30")
        join(bo, link, "Bo")
        begin(ana, bo)
        clock = ana.locator("#clock time")
        expect(clock).to_have_text(re.compile("0:2[0-9]"))
        before = clock.inner_text()
        bo.get_by_label("Table talk", exact=True).click()
        bo.locator("#say-hello").click()  # the page of the other comes anew
        expect(ana.locator(".bubble")).to_be_visible()
        assert "0:18" < clock.inner_text() <= before
        assert ana.wait_for_function(SHORT_AT).json_value() in ("0:10", "0:09")
        expect(ana.locator("#announce")).to_contain_text("Ten seconds left.")
        bo.locator("#say-sorry").click()
        expect(ana.locator(".bubble")).to_have_text("Sorry!")
        assert ana.locator("#clock.is-short").count() == 1
        assert heard(ana).count("Ten seconds left.") == 1
        assert "Ten seconds left." not in heard(bo)
        expect(ana.get_by_role("button", name="I play again")).to_be_visible()
        ana.get_by_role("button", name="I play again").click()
        expect(ana.locator("#stand-in")).to_have_count(0)


def test_a_page_without_a_line_says_so_and_catches_up(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        link = invite(ana, server.address, clock="120")
        join(bo, link, "Bo")
        begin(ana, bo)
        settled(bo)
        bo.context.set_offline(True)
        expect(bo.get_by_text("Reconnecting…")).to_be_visible()
        assert bo.locator("html.is-cut-off #clock").count() == 1
        act(ana, decide(ana))
        bo.wait_for_timeout(500)
        assert number_of(bo) < number_of(ana)
        bo.context.set_offline(False)
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        expect(bo.locator("#notice")).to_be_hidden()
        assert bo.locator("html.is-cut-off").count() == 0
        server.kill()
        for page in (ana, bo):
            expect(page.get_by_text("Reconnecting…")).to_be_visible()
        server.start()
        for page in (ana, bo):
            expect(page.locator("#notice")).to_be_hidden(timeout=40_000)
        act(bo, decide(bo))
        expect(ana.locator(".status-now.is-now")).to_be_visible()


def test_a_waiting_table_too_catches_up(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo, cy = person(), person(), person()
        link = invite(ana, server.address)
        join(bo, link, "Bo")
        settled(bo)
        bo.context.set_offline(True)
        expect(bo.get_by_text("Reconnecting…")).to_be_visible()
        join(cy, link, "Cy")
        assert seats(bo) == 2
        bo.context.set_offline(False)
        expect(bo.locator(".guest.is-own ~ .guest .guest-name")).to_have_text("Cy")
        expect(bo.locator("#notice")).to_be_hidden()
        server.kill()
        expect(bo.get_by_text("Reconnecting…")).to_be_visible()
        server.start()
        expect(bo.locator("#notice")).to_be_hidden(timeout=40_000)
        begin(ana, bo, cy)


def test_what_one_does_in_the_lobby_outlives_what_others_do(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo, cy = person(), person(), person()
        link = invite(ana, server.address, seats="3")
        cy.goto(link)
        cy.get_by_label("Your name").press_sequentially("Cyr")
        join(bo, link, "Bo")
        expect(cy.get_by_text("Bo", exact=True)).to_be_visible()
        cy.keyboard.type("il")
        expect(cy.get_by_label("Your name")).to_have_value("Cyril")
        ana.get_by_label("More about Bo").click()
        ana.locator(".segment", has=ana.locator("#first-seat")).click()
        ana.get_by_label("More about Bo").click()
        ana.locator("#who").select_option(label="Bo")
        joins: list[str] = []
        cy.on("request", lambda r: joins.append(r.url) if r.url.endswith("/join") else None)
        cy.get_by_role("button", name="Sit down").dblclick()
        expect(cy.locator(".guest.is-own")).to_contain_text("Cyril")
        expect(ana.locator("#seats-title")).to_contain_text("3/3")
        assert len(joins) == 1
        assert ana.locator("#who option:checked").inner_text() == "Bo"
        assert ana.locator("#first-seat").is_checked()
        # Bo leaves: another is found for what was chosen, and Cy is not taken for Bo.
        bo.get_by_role("button", name="Leave the table").click()
        bo.wait_for_url(server.address)
        expect(ana.locator("#seats-title")).to_contain_text("2/3")
        ana.get_by_label("More about Cyril").click()
        ana.get_by_role("button", name="Take the seat away").click()
        expect(cy.get_by_text("The host has given this seat to others.")).to_be_visible()
        expect(ana.locator("#start-button")).to_have_attribute("aria-disabled", "true")
        ana.locator("#start-button").click(force=True)
        assert ana.url == link
        assert "A game needs two players" in heard(ana)[-1]


def test_what_does_not_go_is_said_in_a_sentence(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        link = invite(ana, server.address, seats="2")
        bo.goto(link)
        bo.get_by_label("Your name").fill("x" * 25)
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#alert")).to_have_text("A name has 1 to 24 visible characters.")
        expect(bo.get_by_label("Your name")).to_have_value("x" * 25)
        assert bo.url == link
        # Sent by a page that has not heard yet that the last seat is taken.
        bo.route("**/j/*?part=1", lambda route: route.abort())
        join(person(), link, "Cy")
        bo.get_by_label("Your name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#notice")).to_have_text("The last seat has just been taken.")
        expect(bo.get_by_text("Every seat is taken.")).to_be_visible()
        ana.evaluate(
            """() => Promise.all(Array.from({ length: 70 }, () =>
              fetch(`${location.pathname}/join`, { method: 'POST', body: 'name=' })))"""
        )
        ana.locator("#leave").evaluate("form => form.action = form.action.replace('leave', 'join')")
        ana.get_by_role("button", name="Leave the table").click()
        expect(ana.locator("#notice")).to_contain_text("That was a lot in a short time.")


def lan_address(server: Server) -> str:
    """Give the server's address as other machines use it: no secure context for a browser."""
    host = lan_host()
    if host is None:
        pytest.skip("this machine is in no network")
    return f"http://{host}:{server.port}/"


class Streams:
    """The streams of a browser, from now on."""

    def __init__(self, context: BrowserContext) -> None:
        self._open: list[tuple[Request, Page]] = []
        context.on("request", self._opened)
        context.on("requestfailed", self._closed)
        context.on("requestfinished", self._closed)

    def _opened(self, request: Request) -> None:
        if request.url.endswith("/events"):
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


def test_a_link_is_copied_over_plain_http(chromium: str, tmp_path: Path) -> None:
    options = ["--host", "0.0.0.0"]
    with serving(tmp_path, options=options) as server, company(chromium) as person:
        ana = person()
        link = invite(ana, lan_address(server))
        assert ana.evaluate("navigator.clipboard === undefined")
        ana.get_by_role("button", name="Copy").click()
        expect(ana.get_by_role("button", name="Copied")).to_be_visible()
        assert ana.get_by_label("Link").input_value() == link
        ana.goto(lan_address(server))
        ana.locator("#code").evaluate("code => code.maxLength = 200")
        ana.locator("#code").focus()
        ana.keyboard.press("ControlOrMeta+v")
        expect(ana.locator("#code")).to_have_value(link)
        assert ana.locator("#notify-choice").count() == 0


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((each) => each.body);
}"""


def test_one_notification_to_a_turn_for_who_looks_elsewhere(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        ana.context.grant_permissions(["notifications"], origin=server.address.rstrip("/"))
        link = invite(ana, server.address)
        join(bo, link, "Bo")
        begin(ana, bo, first=1)
        assert ana.evaluate(SHOWN) == []
        tabs = [ana]
        for _ in range(9):
            tabs.append(ana.context.new_page())
            tabs[-1].goto(ana.url)
        for tab in tabs:
            tab.evaluate(HIDDEN, True)
        act(bo, decide(bo))
        for tab in tabs:
            expect(tab.locator(".status-now.is-now")).to_be_attached()
        ana.wait_for_timeout(1500)
        assert ana.evaluate(SHOWN) == []  # off until it is wanted
        ana.evaluate(HIDDEN, False)
        act(ana, decide(ana))
        ana.get_by_label("Settings", exact=True).click()
        ana.locator("[data-notify=on]").click()
        expect(ana.locator("[data-notify=on]")).to_have_attribute("aria-pressed", "true")
        ana.evaluate(HIDDEN, True)
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        act(bo, decide(bo))
        ana.wait_for_function(f"async () => (await ({SHOWN})()).length > 0")
        ana.wait_for_timeout(1500)
        assert ana.evaluate(SHOWN) == ["It is your turn."]
        ana.evaluate(HIDDEN, False)  # whoever looks knows it
        ana.wait_for_function(f"async () => (await ({SHOWN})()).length === 0")
        act(ana, decide(ana))
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        act(bo, decide(bo))
        expect(ana.locator(".status-now.is-now")).to_be_visible()
        ana.wait_for_timeout(1500)
        assert ana.evaluate(SHOWN) == []  # one tab is in sight


def test_a_refused_permission_is_said(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana = person()
        invite(ana, server.address)
        ana.get_by_label("Settings", exact=True).click()
        ana.locator("[data-notify=on]").click()
        expect(ana.get_by_text("The browser does not allow notifications.")).to_be_visible()
        expect(ana.locator("[data-notify=off]")).to_have_attribute("aria-pressed", "true")


def test_without_scripts_all_goes_by_forms(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(java_script_enabled=False), person(java_script_enabled=False)
        link = invite(ana, server.address)
        assert (
            ana.locator("noscript meta[http-equiv=refresh]").count()
            or ana.locator("meta[http-equiv=refresh]").count()
        )
        bo.goto(link)
        assert bo.locator("meta[http-equiv=refresh]").count() == 0  # it would take a name away
        bo.get_by_label("Your name").fill("Bo")
        with leaving(bo):
            bo.get_by_role("button", name="Sit down").click()
        assert bo.url == link
        ana.goto(link)
        ana.get_by_label("More about Bo").click()
        with leaving(ana):
            ana.get_by_role("button", name="Make the host").click()
        bo.goto(link)
        bo.get_by_role("button", name="Start the game").click()
        bo.wait_for_url("**/t/*")
        ana.goto(bo.url)
        ana.get_by_label("Table talk", exact=True).click()
        with leaving(ana):
            ana.get_by_role("button", name="Hello!").click()
        bo.goto(bo.url)
        bo.get_by_label("Table talk", exact=True).click()
        expect(bo.locator(".said")).to_have_text(re.compile("Ana.*Hello!"))
        bo.get_by_label("More", exact=True).click()
        with leaving(bo):
            bo.get_by_role("button", name="Ask to end the game").click()
        ana.goto(bo.url)
        ana.get_by_role("button", name="Agree").click()
        expect(ana.locator("main.table--over")).to_be_visible()


FITS = "document.documentElement.scrollWidth <= innerWidth"
# How far the hand moves while a menu opens, in pixels.
MOVES = """menu => {
  const top = () => document.getElementById('hand').getBoundingClientRect().top;
  const before = top();
  menu.open = true;
  const after = top();
  menu.open = false;
  return after - before;
}"""
INSIDE = """element => {
  const box = element.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth;
}"""


@pytest.mark.parametrize("language", ["de", "ro", "en"])
def test_long_names_and_many_people_fit_the_narrowest_phone(
    chromium: str, tmp_path: Path, language: str
) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        pages = [person(viewport=NARROW, locale=language) for _ in range(3)]
        ana = pages[0]
        ana.goto(f"{server.address}?mode=friends")
        assert ana.evaluate(FITS)
        ana.locator("#name").fill(WIDE_NAME)
        ana.locator("#seats").select_option("10")
        ana.locator(".new-game .button--big").click()
        ana.wait_for_url("**/j/*")
        for page, name in zip(pages[1:], (ARABIC, FAMILY), strict=True):
            page.goto(ana.url)
            assert page.evaluate(FITS)
            page.locator("#name").fill(name)
            page.locator("#join-button").click()
            expect(page.locator(".guest.is-own")).to_be_attached()
            assert page.evaluate(FITS)
        expect(ana.locator(".guest-menu")).to_have_count(2)
        assert ana.evaluate(FITS)
        ana.locator(".guest-menu summary").first.click()
        assert ana.locator(".guest-menu[open] .menu-sheet").evaluate(INSIDE)
        ana.keyboard.press("Escape")
        expect(ana.locator(".guest-menu[open]")).to_have_count(0)
        ana.locator("#fill-up").click()
        expect(ana.locator("#no-bots")).to_be_visible()
        ana.locator("#start-button").click()
        for page in pages:
            page.wait_for_url("**/t/*")
            assert page.evaluate(FITS)
            for menu in ("#talk", "#ways"):
                assert page.locator(menu).evaluate(MOVES) == 0
                page.locator(f"{menu} > summary").click()
                assert page.locator(f"{menu} .menu-sheet").evaluate(INSIDE)
                assert page.evaluate(FITS)
                page.keyboard.press("Escape")
                expect(page.locator(f"{menu}[open]")).to_have_count(0)
                focused = page.evaluate("document.activeElement.parentElement.id")
                assert f"#{focused}" == menu
        asking, answering = pages[2], pages[1]
        asking.locator("#ways > summary").click()
        asking.locator("#end").click()
        expect(asking.locator("#withdraw")).to_be_visible()
        assert asking.locator("#withdraw").evaluate(INSIDE)
        expect(answering.locator("#agree")).to_be_visible()
        for part in ("#proposal", "#agree", "#refuse"):
            assert answering.locator(part).evaluate(INSIDE)
        assert answering.evaluate(FITS)
