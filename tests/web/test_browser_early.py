"""A tap that comes before a page's scripts are there counts, and the page it leads to is alive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from tests.serving import Server
from tests.web.friends import begin, company, heard, invite, join, notified, serving
from tests.web.pad_playing import open_pad, phones, stands, write
from tests.web.playing import act, browsing, decide, leaving, number_of, open_game, wait_for_turn
from tests.web.test_browser_device import HIDDEN, no_hand, open_device

pytestmark = pytest.mark.browser

# Send a move as if this page had missed the latest one.
OUTDATED = """button => {
  button.form.elements.number.value = 0;
  button.form.requestSubmit(button);
}"""


@contextmanager
def too_early(page: Page, script: str) -> Iterator[None]:
    """Load the page without this script of its, for what is done within.

    What that leads to has its scripts, and has asked the server how things stand.
    """
    with page.expect_response(is_look) as look:
        page.route(f"**/static/{script}", lambda route: route.abort())
        page.reload()
        page.unroute(f"**/static/{script}")
        with leaving(page):
            yield
    assert look.value.ok
    look.value.finished()


def is_look(answer: Response) -> bool:
    return "part=1" in answer.url


def test_cards_shown_early_are_followed_by_a_page_that_is_alive(
    chromium: str, tmp_path: Path
) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_device(page, server.address, "Ana", "Bo")
        with too_early(page, "table.js"):
            page.get_by_role("button", name="Show my cards").click()
        act(page, decide(page))
        page.get_by_role("button", name="Hide and pass on to Bo").click()
        no_hand(page)
        expect(page.get_by_role("button", name="Show my cards")).to_be_visible()
        expect(page.locator("#notice")).to_be_hidden()


def test_a_pass_asked_back_early_stays_asked(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        with too_early(page, "table.js"):
            page.locator("#act-0").click()
        with page.expect_response(is_look) as look:  # the table is looked at once more
            page.evaluate("dispatchEvent(new Event('online'))")
        assert look.value.ok
        look.value.finished()
        number = page.locator("main").get_attribute("data-number") or ""
        page.locator(".passing").get_by_role("button", name="Pass", exact=True).click()
        expect(page.locator("main")).not_to_have_attribute("data-number", number)
        wait_for_turn(page)


def test_others_are_heard_while_a_pass_is_asked_back(chromium: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        join(bo, invite(ana, server.address), "Bo")
        begin(ana, bo)
        with too_early(ana, "table.js"):
            ana.locator("#act-0").click()
        bo.get_by_label("Table talk", exact=True).click()
        bo.locator("#say-hello").click()
        expect(ana.locator(".bubble")).to_have_text("Hello!")
        assert "Bo: Hello!" in heard(ana)
        ana.get_by_label("Table talk", exact=True).click()
        ana.locator("#say-hello").click()
        expect(ana.locator(".said.is-own")).to_be_visible()
        ana.keyboard.press("Escape")
        bo.keyboard.press("Escape")
        bo.get_by_label("More", exact=True).click()
        bo.get_by_role("button", name="Ask to end the game").click()
        expect(ana.locator("#proposal")).to_contain_text("Bo asks to end the game as it stands.")
        # What is refused beside it is said, and the question stays.
        ana.locator(".pick").first.click()
        ana.locator("#act-0").evaluate(OUTDATED)
        expect(ana.locator("#notice")).to_be_visible()
        expect(ana.locator("#alert")).to_have_text(ana.locator("#notice").inner_text())
        expect(ana.locator("#act-exchange")).to_be_hidden()
        number = number_of(ana)
        ana.locator(".passing").get_by_role("button", name="Pass", exact=True).click()
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        assert number_of(ana) > number
        expect(ana.locator(".passing")).to_have_count(0)


# A browser grants these two to a person's click only: tell which one a click would have.
BROUGHT = """async () => {
  const [notification] = await registration.getNotifications();
  const brought = new Promise((resolve) => {
    WindowClient.prototype.focus = async function () { resolve(`focus ${this.url}`); };
    Clients.prototype.openWindow = async (url) => resolve(`open ${url}`);
  });
  ExtendableEvent.prototype.waitUntil = () => {};
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  return brought;
}"""


def test_a_notification_leads_to_the_tab_that_asked_a_pass_back(
    chromium: str, tmp_path: Path
) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo = person(), person()
        ana.context.grant_permissions(["notifications"], origin=server.address.rstrip("/"))
        join(bo, invite(ana, server.address), "Bo")
        begin(ana, bo)
        ana.get_by_label("Settings", exact=True).click()
        ana.locator("[data-notify=on]").click()
        expect(ana.locator("[data-notify=on]")).to_have_attribute("aria-pressed", "true")
        with too_early(ana, "table.js"):
            ana.locator("#act-0").click()
        ana.locator(".passing").get_by_role("button", name="Pass", exact=True).click()
        expect(bo.locator(".status-now.is-now")).to_be_visible()
        assert ana.url.endswith("/exchange")
        ana.evaluate(HIDDEN, True)
        act(bo, decide(bo))
        notified(ana, 1)
        (worker,) = ana.context.service_workers
        assert worker.evaluate(BROUGHT) == f"focus {ana.url}"


def test_who_sits_down_early_reads_what_was_wrong_and_sees_who_comes(
    chromium: str, tmp_path: Path
) -> None:
    with serving(tmp_path) as server, company(chromium) as person:
        ana, bo, cy = person(), person(), person()
        link = invite(ana, server.address)
        bo.goto(link)
        with too_early(bo, "lobby.js"):
            bo.get_by_label("Your name").fill("x" * 25)
            bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator("#notice")).to_have_text("A name has 1 to 24 visible characters.")
        join(cy, link, "Cy")
        expect(bo.locator(".guest-name").nth(1)).to_have_text("Cy")
        bo.get_by_label("Your name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.locator(".guest.is-own")).to_contain_text("Bo")


def test_a_field_tapped_early_has_its_panel_until_it_is_sent(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        with too_early(page, "pad.js"):
            page.locator("#cell-0-3k").click()
        panel = page.locator("#entry")
        panel.locator('.chip-choice:has([value="20"])').click()
        # Another page of the same person writes meanwhile: what is chosen here stays.
        other = phone.new_page()
        other.goto(page.url.partition("?")[0])
        with page.expect_response(is_look) as look:
            other.locator("#exchange-button-0").click()
        assert look.value.ok
        look.value.finished()
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
        expect(panel.locator('[name="points"][value="20"]')).to_be_checked()
        # What is refused beside it is said.
        page.get_by_text("Names and turns").click()
        page.locator("#name-1").fill("")
        page.locator("#person-1 button").first.click()
        expect(page.locator("#alert")).to_be_visible()
        expect(page.locator("#announce")).to_contain_text(page.locator("#alert").inner_text())
        expect(panel.locator('[name="points"][value="20"]')).to_be_checked()
        with leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        stands(page, 0, "3k", "20", "−2")


def test_a_field_tapped_early_gives_way_to_another(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        path = open_pad(page, server.address, ["Ana", "Bo"])
        with too_early(page, "pad.js"):
            page.locator("#cell-0-3k").click()
        write(page, 0, "4k", 24, 6)
        stands(page, 0, "4k", "24", "−2")
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
        expect(page.locator("#entry")).to_have_count(0)
        assert page.url.endswith(path)


def test_an_entry_refused_early_is_no_lost_connection(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        with too_early(page, "pad.js"):
            page.locator("#cell-0-3k").click()
        panel = page.locator("#entry")
        with page.expect_response(is_look) as look, leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        assert look.value.ok
        expect(page.locator("#alert")).to_be_visible()
        panel.locator('.chip-choice:has([value="20"])').click()
        with leaving(page):
            panel.locator('[name="hand"][value="6"]').click()
        stands(page, 0, "3k", "20", "−2")
