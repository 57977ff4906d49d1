"""The score pad in a real browser: taps, several phones, no network, no scripts, accessibility."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.pad.reckoning import CODES, Column, possible
from tests.serving import Server
from tests.web.pad_playing import at_guests, open_pad, phones, stands, total, write
from tests.web.playing import browsing, leaving
from tests.web.test_accessibility import scan

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 640}
EVERYWHERE = ["--host", "0.0.0.0"]


def test_an_evening_on_one_small_phone(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1, viewport=SMALL) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo", "Cy"])
        columns = [Column() for _ in range(3)]
        expect(page.locator("#pad-now")).to_have_text("Ana’s turn")
        for round_number, code in enumerate(CODES):
            page.locator("#exchange-0 button").click()
            expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
            page.locator("#exchange-1 button").click()
            expect(page.locator("#pad-now")).to_have_text("Cy’s turn")
            page.locator("#exchange-2 button").click()
            expect(page.locator("#pad-now")).to_have_text("Ana’s turn")
            for player, column in enumerate(columns):
                on_offer = possible(code)
                points = on_offer[(round_number * 5 + player * 2) % len(on_offer)]
                hand = 5 + (round_number + player) % 6
                write(page, player, code, points if len(on_offer) > 1 else None, hand)
                column.write(code, points, hand)
                stands(page, player, code, str(points))
                expect(page.locator(".scores .grand td").nth(player)).to_contain_text(
                    str(column.total).replace("-", "−")
                )
        best = max(columns, key=lambda column: column.total)
        expect(page.locator("#pad-now")).to_contain_text("wins")
        expect(page.locator(".is-winner .rank-total")).to_have_text(str(best.total))
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not page.evaluate(wide)
        with leaving(page):
            page.locator("#next").click()
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
        # A mistake is undone with one tap, and made again with another.
        write(page, 1, "kn", None, 5)
        stands(page, 1, "kn", "50")
        page.locator("#undo-button").click()
        expect(page.locator("#cell-1-kn[data-standing]")).to_have_count(0)
        page.locator("#redo-button").click()
        stands(page, 1, "kn", "50")
        assert not page.evaluate(wide)


def test_two_phones_see_and_write_at_once(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, options=EVERYWHERE) as server,
        phones(chromium, 2) as (home, away),
    ):
        anas, bos = home.new_page(), away.new_page()
        path = open_pad(anas, server.address, ["Ana", "Bo"])
        bos.goto(at_guests(server, path))
        bos.get_by_role("button", name="Bo", exact=True).click()
        expect(bos.locator("#claim")).to_have_count(0)
        expect(bos.locator(".cell")).to_have_count(12)
        write(anas, 0, "kn", None, 6)
        expect(bos.locator(".scores tbody tr").filter(has_text="Kniffel")).to_contain_text("50")
        write(bos, 1, "fh", None, 5)
        stands(anas, 1, "fh", "25")
        # Both open the same field before either has written.
        for page in (anas, bos):
            page.locator("#cell-1-6").click()
        anas.locator('.chip-choice:has([value="18"])').click()
        anas.locator('[name="hand"][value="5"]').click()
        stands(anas, 1, "6", "18")
        stands(bos, 1, "6", "18")
        bos.locator('.chip-choice:has([value="24"])').click()
        bos.locator('[name="hand"][value="7"]').click()
        for page in (anas, bos):
            question = page.locator(".question")
            expect(question).to_contain_text("There stands 18 points, from the scorekeeper.")
            expect(question).to_contain_text("Also came: 24 points, penalty 4, from Bo.")
        bos.get_by_role("button", name="Take the other").click()
        for page in (anas, bos):
            stands(page, 1, "6", "24", "−4")
            expect(page.locator(".question")).to_have_count(0)
            assert total(page, 1) == 25 + 24 - 4 - 20
        anas.goto(f"{server.address.rstrip('/')}{path}/games")
        anas.get_by_text("Delete this pad").click()
        anas.get_by_role("button", name="Delete all for good").click()
        expect(bos.locator("#notice")).to_contain_text("has been deleted")


def test_what_is_written_without_a_network_is_sent_later_in_order_and_once(
    chromium: str, tmp_path: Path
) -> None:
    with (
        Server(tmp_path, options=EVERYWHERE) as server,
        phones(chromium, 2) as (home, away),
    ):
        anas, bos = home.new_page(), away.new_page()
        path = open_pad(anas, server.address, ["Ana", "Bo"])
        bos.goto(at_guests(server, path))
        write(anas, 0, "kn", None, 5)
        stands(anas, 0, "kn", "50")
        home.set_offline(True)
        notice = anas.locator("#notice")
        expect(notice).to_contain_text("Totals are as of the last contact")
        write(anas, 1, "6", 24, 7)
        anas.locator("#exchange-0 button").click()
        write(anas, 1, "3k", 20, 5)
        cell = anas.locator("#cell-1-6.is-waiting")
        expect(cell.locator(".points")).to_have_text("24")
        expect(cell.locator(".penalty")).to_have_text("−4")
        expect(anas.locator("#waiting-list li")).to_have_count(3)
        assert total(anas, 1) == -20
        # Meanwhile another page of the same person fills a field that waits here.
        home.set_offline(False)
        for code, points in (("6", "24"), ("3k", "20")):
            stands(anas, 1, code, points)
            expect(bos.locator("main")).to_contain_text(points)
        expect(notice).to_be_hidden()
        expect(anas.locator("#waiting")).to_be_hidden()
        assert total(anas, 1) == 24 - 4 + 20 - 20
        words = anas.locator(".change-words").all_text_contents()
        told = [text.strip() for text in words[:4]]
        assert told == [
            "Bo, Three of a kind: 20 points",
            "Ana has exchanged",
            "Bo, Sixes: 24 points, penalty 4",
            "Ana, Kniffel: 50 points",
        ]


def test_a_double_tap_is_one_turn(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        path = open_pad(page, server.address, ["Ana", "Bo"])

        def turns() -> list[list[str | None]]:
            told = phone.request.get(f"{server.address.rstrip('/')}{path}/pad.json").json()
            return [player["turns"] for player in told["games"][0]["players"]]

        def delay(route: Route) -> None:
            page.wait_for_timeout(300)
            route.continue_()

        page.locator("#exchange-button-0").dblclick()
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
        # So slow that by the second tap the page shows the next player under the finger.
        box = page.locator("#exchange-button-1").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down(click_count=1)
        page.mouse.up(click_count=1)
        expect(page.locator("#pad-now")).to_have_text("Ana’s turn")
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        expect(page.locator("#waiting-list li")).to_have_count(0)
        assert turns() == [[None], [None]]
        # Two quick taps while the server takes its time.
        page.route("**/exchange", delay)
        for _ in range(2):
            page.locator("#exchange-button-0").evaluate("button => button.click()")
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")
        expect(page.locator("#waiting-list li")).to_have_count(0)
        assert turns() == [[None, None], [None]]


def test_two_phones_tell_one_turn_and_one_of_them_late(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path, options=EVERYWHERE) as server,
        phones(chromium, 2) as (home, away),
    ):
        anas, bos = home.new_page(), away.new_page()
        path = open_pad(anas, server.address, ["Ana", "Bo"])
        bos.goto(at_guests(server, path))
        bos.get_by_role("button", name="Bo", exact=True).click()
        expect(bos.locator("#claim")).to_have_count(0)
        away.set_offline(True)
        expect(bos.locator("#notice")).to_contain_text("No connection")
        # Bo writes down two exchanges with an entry between, and another entry.
        bos.locator("#exchange-button-1").click()
        write(bos, 1, "kn", None, 5)
        bos.locator("#exchange-button-1").click()
        write(bos, 1, "6", 18, 5)
        expect(bos.locator("#waiting-list li")).to_have_count(4)
        # Meanwhile the scorekeeper takes three of them for exchanges.
        for number in range(3):
            for player, name in ((0, "Bo’s turn"), (1, "Ana’s turn")):
                anas.locator(f"#exchange-button-{player}").click()
                expect(anas.locator("#pad-now")).to_have_text(name)
            expect(anas.locator(".status-round")).to_have_text(f"Round {number + 2}")
        away.set_offline(False)
        stands(anas, 1, "kn", "50")
        stands(anas, 1, "6", "18")
        expect(bos.locator("#waiting-list li")).to_have_count(0)
        told = home.request.get(f"{server.address.rstrip('/')}{path}/pad.json").json()
        turns = [player["turns"] for player in told["games"][0]["players"]]
        assert turns == [[None, None, None], [None, "kn", None, "6"]]


def test_nothing_is_lost_by_a_dead_server_and_a_reload(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        path = open_pad(page, server.address, ["Ana", "Bo"])
        write(page, 0, "ls", None, 9)
        stands(page, 0, "ls", "40", "−8")
        address = server.address
        server.kill()
        write(page, 1, "5", 15, 6)
        expect(page.locator("#cell-1-5.is-waiting")).to_have_count(1)
        page.close()
        server.start()
        assert server.address == address
        page = phone.new_page()
        page.goto(f"{address.rstrip('/')}{path}")
        stands(page, 0, "ls", "40", "−8")
        stands(page, 1, "5", "15", "−2")
        assert total(page, 1) == 15 - 2 - 20


def test_what_comes_too_fast_is_sent_later(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        busy = "<!doctype html><title>!</title><h1>Please wait a moment.</h1>"

        def refuse(route: Route) -> None:
            route.fulfill(status=429, body=busy, content_type="text/html")

        page.route("**/enter", refuse, times=1)
        write(page, 0, "kn", None, 5)
        stands(page, 0, "kn", "50")
        expect(page.locator("#waiting-list li")).to_have_count(0)
        page.route("**/undo", refuse)
        page.locator("#undo-button").click()
        expect(page.locator("#notice")).to_have_text("Please wait a moment.")
        stands(page, 0, "kn", "50")


@pytest.mark.parametrize("status", [200, 403, 404])
def test_a_network_that_answers_for_the_server_takes_nothing(
    chromium: str, tmp_path: Path, status: int
) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        login = "<!doctype html><title>Hotel</title><main><h1>Please log in</h1></main>"

        def answer(route: Route) -> None:
            route.fulfill(status=status, body=login, content_type="text/html")

        page.route("**/pad/**", answer)
        write(page, 0, "kn", None, 5)
        expect(page.locator("#notice")).to_contain_text("Totals are as of the last contact")
        expect(page.locator("#waiting-list")).to_contain_text("Kniffel: 50 – not sent yet")
        page.unroute("**/pad/**")
        stands(page, 0, "kn", "50")
        expect(page.locator("#waiting-list li")).to_have_count(0)
        expect(page.locator("#notice")).to_be_hidden()


def test_what_was_refused_stays_in_sight_with_the_reason(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page, other = phone.new_page(), phone.new_page()
        path = open_pad(page, server.address, ["Ana", "Bo"])
        other.goto(f"{server.address.rstrip('/')}{path}")
        page.route("**/enter", lambda route: route.abort())
        write(page, 1, "kn", None, 5)
        expect(page.locator("#waiting-list")).to_contain_text("not sent yet")
        other.get_by_text("End the game by hand").click()
        other.get_by_role("button", name="End the game", exact=True).click()
        expect(other.locator("#pad-now")).to_have_text("Shared win: Ana, Bo")
        page.unroute("**/enter")
        line = page.locator("#waiting-list li.is-refused").first
        expect(line).to_contain_text("Bo · Kniffel: 50")
        expect(line).to_contain_text("The game is over")
        page.get_by_role("button", name="Put away").click()
        expect(page.locator("#waiting")).to_be_hidden()
        page.reload()
        expect(page.locator("#waiting")).to_be_hidden()


def test_without_scripts_the_pad_does_all_but_live_and_offline(
    chromium: str, tmp_path: Path
) -> None:
    with (
        Server(tmp_path) as server,
        browsing(chromium, viewport=SMALL, java_script_enabled=False) as context,
    ):
        page = context.new_page()
        page.goto(f"{server.address}pad")
        expect(page.locator("[name=player]").nth(9)).to_be_visible()
        page.locator("[name=player]").nth(0).fill("Ana")
        page.locator("[name=player]").nth(3).fill("Bo")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.locator("#cell-0-4k").click()
        panel = page.locator("#entry")
        panel.locator("[name=cards]").fill("44445")
        panel.locator('[name="hand"][value="6"]').click()
        stands(page, 0, "4k", "21", "−2")
        page.locator("#exchange-1 button").click()
        expect(page.locator("#pad-now")).to_have_text("Ana’s turn")
        page.locator("#cell-0-4k").click()
        panel.get_by_role("button", name="Take it out").click()
        expect(page.locator("#cell-0-4k[data-standing]")).to_have_count(0)
        page.locator("#undo-button").click()
        stands(page, 0, "4k", "21", "−2")
        page.get_by_text("End the game by hand").click()
        page.get_by_role("button", name="End the game", exact=True).click()
        expect(page.locator("#pad-now")).to_have_text("Ana wins")
        page.locator("#next").click()
        expect(page.locator("#pad-now")).to_have_text("Bo’s turn")


def test_by_keyboard_alone(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, phones(chromium, 1) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, ["Ana", "Bo"])
        page.locator("#cell-0-3").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#dialog-title")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        stands(page, 0, "3", "9", "−2")
        expect(page.locator("#cell-0-3")).to_be_focused()
        # Five cards tell their sum, in any order; others are not taken.
        page.locator("#cell-1-4k").click()
        cards = page.locator('#entry-dialog [name="cards"]')
        hand = page.locator('#entry-dialog [name="hand"][value="5"]')
        cards.fill("44355")
        hand.click()
        assert "at least four" in cards.evaluate("input => input.validationMessage")
        cards.fill("44544")
        hand.click()
        stands(page, 1, "4k", "21")
        # Without saying what was played nothing is written, and the panel says so.
        page.locator("#cell-1-3k").click()
        page.locator('#entry-dialog [name="hand"][value="5"]').click()
        expect(page.locator("#entry-dialog .entry-missing")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#cell-1-3k[data-standing]")).to_have_count(0)


def test_axe_finds_nothing_on_the_pad(chromium: str, tmp_path: Path) -> None:
    with (
        Server(tmp_path) as server,
        phones(chromium, 1, viewport=SMALL, reduced_motion="reduce") as (phone,),
    ):
        page = phone.new_page()
        page.goto(f"{server.address}pad")
        scan(page, "no pads")
        path = open_pad(page, server.address, ["Maximiliane", "Bo", "Cy", "Dee"])
        scan(page, "new pad")
        for code in ("6", "3k", "kn"):
            page.locator(f"#cell-1-{code}").click()
            scan(page, f"panel {code}")
            page.keyboard.press("Escape")
        write(page, 0, "3k", 20, 8)
        stands(page, 0, "3k", "20", "−6")
        page.locator("#cell-0-3k").click()
        scan(page, "correction")
        page.keyboard.press("Escape")
        for summary in ("#changes", "#pad-settings", "#print", "#end-it"):
            page.locator(f"{summary} summary").click()
        scan(page, "all open")
        phone.set_offline(True)
        write(page, 1, "kn", None, 5)
        expect(page.locator("#waiting")).to_be_visible()
        scan(page, "offline")
        phone.set_offline(False)
        stands(page, 1, "kn", "50")
        page.get_by_role("button", name="End the game", exact=True).click()
        expect(page.locator("#pad-now")).to_have_text("Bo wins")
        page.locator("#chart-numbers summary").click()
        page.locator("#other-people > summary").click()
        scan(page, "over")
        for under in ("/games", "/share"):
            page.goto(f"{server.address.rstrip('/')}{path}{under}")
            scan(page, under)
        page.goto(f"{server.address}pad")
        scan(page, "pads")


@pytest.mark.parametrize("size", [SMALL, {"width": 390, "height": 844}])
def test_large_letters_and_ten_players_fit(
    chromium: str, tmp_path: Path, size: dict[str, int]
) -> None:
    with Server(tmp_path) as server, phones(chromium, 1, viewport=size) as (phone,):
        page = phone.new_page()
        open_pad(page, server.address, [f"Player number {n}" for n in range(10)])
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("#cell-9-3k").click()
        dialog = page.locator("#entry-dialog")
        assert dialog.evaluate("d => d.scrollWidth <= d.clientWidth")
        button = dialog.locator('[name="hand"][value="10"]')
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert re.fullmatch(r".*Three of a kind", page.locator("#dialog-title").inner_text())
