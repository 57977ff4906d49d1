"""Whole games in a real browser against a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kartenkniffel.notation import load_record, result_to_json
from tests.serving import Server
from tests.web.playing import (
    PHONE,
    act,
    browsing,
    choose,
    data_cards,
    decide,
    hand_of,
    is_over,
    number_of,
    open_game,
    play_to_the_end,
    wait_for_turn,
)

pytestmark = pytest.mark.browser


def totals(page: Page) -> list[int]:
    """Give the totals of the ranking, in its order."""
    cells = page.locator(".rank-total").all_text_contents()
    return [int(text.strip().replace("−", "-")) for text in cells]


def check_the_end(page: Page, tmp_path: Path) -> None:
    """The ranking adds up, and the record replays to the same totals."""
    shown = totals(page)
    assert shown == sorted(shown, reverse=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    file = tmp_path / "record.json"
    download.value.save_as(file)
    result = result_to_json(load_record(file.read_bytes()).replay())
    assert result["finished"]
    assert sorted((p["total"] for p in result["players"]), reverse=True) == shown
    command = [sys.executable, "-c", "from kartenkniffel.cli import main; main()"]
    done = subprocess.run([*command, "replay", str(file), "--json"], capture_output=True)
    assert done.returncode == 0
    assert json.loads(done.stdout) == result


def test_a_game_at_a_desk(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, bots=2)
        assert play_to_the_end(page, keys=True) >= 12
        check_the_end(page, tmp_path)
        first = page.url
        page.get_by_role("button", name="Play again").click()
        page.wait_for_url(lambda url: url != first)
        assert not is_over(page)
        page.goto(server.address)
        expect(page.get_by_role("heading", name="Go on playing")).to_be_visible()
        expect(page.get_by_role("heading", name="Finished games")).to_be_visible()


def test_a_game_on_a_phone(chromium: str, tmp_path: Path) -> None:
    options = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    with Server(tmp_path) as server, browsing(chromium, **options) as context:
        page = context.new_page()
        open_game(page, server.address)
        assert play_to_the_end(page) >= 12
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0
        check_the_end(page, tmp_path)


def test_a_game_over_a_killed_server(chromium: str, tmp_path: Path) -> None:
    server = Server(tmp_path / "data", pause=0)
    with server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        for turn in range(12):
            if not wait_for_turn(page):
                break
            if turn in (2, 5, 9):
                before = number_of(page)
                hand = hand_of(page)
                server.kill()
                server.start()
                page.reload()
                wait_for_turn(page)
                assert number_of(page) == before
                assert hand_of(page) == hand
            act(page, decide(page))
        # Killed while the page stays open: it catches up by itself, without a reload.
        wait_for_turn(page)
        server.kill()
        expect(page.locator("#notice")).to_be_visible()
        server.start()
        expect(page.locator("#notice")).to_be_hidden(timeout=40_000)
        play_to_the_end(page)
        check_the_end(page, tmp_path)


def test_a_bot_whose_turn_it_was_moves_after_a_kill(chromium: str, tmp_path: Path) -> None:
    server = Server(tmp_path, pause=1.5)
    with server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        before = number_of(page) + 1
        act(page, decide(page))
        server.kill()  # within the bot's pause
        server.start()
        page.reload()
        wait_for_turn(page)
        assert number_of(page) == before + 1


def test_two_tabs_show_the_same_and_a_stale_one_heals(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        first = context.new_page()
        open_game(first, server.address)
        wait_for_turn(first)
        second = context.new_page()
        second.goto(first.url)
        act(first, decide(first))
        wait_for_turn(first)
        number = number_of(first)
        second.wait_for_function(
            "n => +document.querySelector('main').dataset.number >= n", arg=number
        )
        assert hand_of(second) == hand_of(first)


def test_ten_tabs_stay_live(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        first = context.new_page()
        open_game(first, server.address)
        wait_for_turn(first)
        others = [context.new_page() for _ in range(9)]
        for page in others:
            page.goto(first.url)
        act(first, decide(first))
        wait_for_turn(first)
        number = number_of(first)
        for page in others:
            page.wait_for_function(
                "n => +document.querySelector('main').dataset.number >= n", arg=number
            )


def test_an_arriving_event_clears_nothing(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=1.0) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, bots=3)
        wait_for_turn(page)
        act(page, decide(page))
        number = number_of(page)
        hand = hand_of(page)
        page.locator(".pick").nth(1).click()
        page.keyboard.press("Escape")
        for value in hand[1:4]:
            page.keyboard.press(value)
        page.locator("#discards summary").click()
        page.locator(".pick-box").nth(4).focus()
        page.wait_for_function(
            "n => +document.querySelector('main').dataset.number > n", arg=number
        )
        assert sorted(str(data_cards(page))) == sorted(hand[1:4])
        assert page.evaluate("document.activeElement.classList.contains('pick-box')")
        assert page.locator("#discards").get_attribute("open") is not None


def test_the_pass_asks_back_and_a_dialog_outlives_events(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        number = number_of(page)
        page.get_by_role("button", name="Pass", exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Go back").click()
        expect(dialog).to_be_hidden()
        assert number_of(page) == number
        page.get_by_role("button", name="Pass", exact=True).click()
        dialog.get_by_role("button", name="Pass", exact=True).click()
        page.wait_for_function(
            "n => +document.querySelector('main').dataset.number > n", arg=number
        )


def test_a_double_click_moves_once(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=30) as server, browsing(chromium) as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_text("More options").click()
        page.get_by_label("I start").check()
        page.get_by_role("button", name="Play", exact=True).dblclick()
        page.wait_for_url("**/t/*")
        number = number_of(page)
        page.locator("#act-1").dblclick()
        page.wait_for_function(
            "n => +document.querySelector('main').dataset.number > n", arg=number
        )
        page.wait_for_timeout(500)
        page.reload()
        assert number_of(page) == number + 1
        page.goto(server.address)
        assert page.locator(".game").count() == 1


def test_the_back_button_loses_nothing(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        act(page, decide(page))
        wait_for_turn(page)
        number = number_of(page)
        page.go_back()
        expect(page.get_by_role("heading", name="Go on playing")).to_be_visible()
        page.go_forward()
        wait_for_turn(page)
        assert number_of(page) == number


def test_chosen_cards_that_do_not_fit_cannot_be_written(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        offer = page.locator("#block [data-offer]").first
        offer.click()
        expect(page.locator("#act-write")).to_be_visible()
        choose_all = hand_of(page)
        choose(page, data_cards(page), keys=True)
        offer.click()
        for value in choose_all:
            page.keyboard.press(value)
        if page.locator("#act-write[aria-disabled=true]").count():
            number = number_of(page)
            page.locator("#act-write").click(force=True)
            page.wait_for_timeout(300)
            assert number_of(page) == number
            assert page.locator("#act-words").text_content()


def test_a_server_that_fails_is_said_and_loses_no_choice(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        page.route("**/exchange", lambda route: route.fulfill(status=503, body="no room"))
        page.locator(".pick").first.click()
        page.locator("#act-1").click()
        expect(page.get_by_text("The server could not do this.")).to_be_visible()
        assert len(data_cards(page)) == 1
        page.unroute("**/exchange")
        number = number_of(page)
        page.locator("#act-1").click()
        page.wait_for_function(
            "n => +document.querySelector('main').dataset.number > n", arg=number
        )
        expect(page.get_by_text("The server could not do this.")).to_be_hidden()


def test_a_tab_follows_the_language_that_another_chooses(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        first = context.new_page()
        open_game(first, server.address)
        wait_for_turn(first)
        second = context.new_page()
        second.goto(f"{server.address}help")
        second.get_by_label("Settings", exact=True).click()
        second.get_by_role("button", name="Română").click()
        expect(second.locator("html")).to_have_attribute("lang", "ro")
        act(first, decide(first))
        expect(first.locator("html")).to_have_attribute("lang", "ro")


def test_without_a_server_a_page_says_so_and_goes_on_by_itself(
    chromium: str, tmp_path: Path
) -> None:
    server = Server(tmp_path)
    with server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        number, hand = number_of(page), hand_of(page)
        server.kill()
        page.goto(page.url)
        expect(page.get_by_role("heading", name="The game cannot be reached")).to_be_visible()
        kept = page.evaluate(
            "async () => (await (await caches.open('kartenkniffel-offline')).keys())"
            ".map(request => new URL(request.url).pathname)"
        )
        assert not [path for path in kept if path.startswith("/t/")]
        server.start()
        wait_for_turn(page)
        assert (number_of(page), hand_of(page)) == (number, hand)
