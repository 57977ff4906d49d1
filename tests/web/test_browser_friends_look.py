"""Friends in browsers of their own: what they see of each other, live, on any line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.friends import (
    SHOWN,
    begin,
    company,
    heard,
    invite,
    join,
    lan_address,
    notified,
    serving,
    settled,
)
from tests.web.playing import PHONE, act, decide, leaving, number_of
from tests.web.test_browser_device import HIDDEN

pytestmark = pytest.mark.browser

SOON = 12_000
"""Within so many milliseconds comes what the page does after a few seconds of its own."""
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


def seats(page: Page) -> int:
    return page.locator(".guest:not(.guest--free)").count()


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
        expect(ana.locator(".bubble")).to_have_count(0, timeout=SOON)
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
        expect(ana.get_by_role("button", name="I play again")).to_be_visible(timeout=10_000 + SOON)
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
        expect(bo.get_by_text("Reconnecting…")).to_be_visible(timeout=SOON)
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
            expect(page.get_by_text("Reconnecting…")).to_be_visible(timeout=SOON)
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
        expect(bo.get_by_text("Reconnecting…")).to_be_visible(timeout=SOON)
        join(cy, link, "Cy")
        assert seats(bo) == 2
        bo.context.set_offline(False)
        expect(bo.locator(".guest.is-own ~ .guest .guest-name")).to_have_text("Cy")
        expect(bo.locator("#notice")).to_be_hidden()
        server.kill()
        expect(bo.get_by_text("Reconnecting…")).to_be_visible(timeout=SOON)
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
        notified(ana, 1)
        ana.wait_for_timeout(1500)
        assert ana.evaluate(SHOWN) == ["It is your turn."]
        ana.evaluate(HIDDEN, False)  # whoever looks knows it
        notified(ana, 0)
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
