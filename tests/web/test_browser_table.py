"""The table page in a browser: what moves, keys, sounds, order, what is heard, and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

import kartenkniffel.web
from kartenkniffel.rules import Cards, Exchange, Move
from tests.serving import Server
from tests.web.playing import (
    act,
    browsing,
    data_cards,
    decide,
    hand_of,
    number_of,
    open_game,
    wait_for_turn,
)
from tests.web.test_pages import holding, table, table_page

pytestmark = pytest.mark.browser

WEB = Path(kartenkniffel.web.__file__).parent
TEN = tuple(f"{name} {n:02}" for n, name in enumerate(["Maximiliane-Rosalinde"] * 10, 1))
COUNT_TRANSITIONS = """
  window.transitions = 0;
  const start = document.startViewTransition;
  document.startViewTransition = function (change) {
    window.transitions += 1;
    return start.call(document, change);
  };
"""
COUNT_SOUNDS = """
  window.contexts = 0;
  window.AudioContext = class extends AudioContext {
    constructor() { super(); window.contexts += 1; }
  };
"""
LISTEN = """() => {
  window.heard = [];
  new MutationObserver((changes) => {
    for (const change of changes) heard.push(...[...change.addedNodes].map(n => n.textContent));
  }).observe(document.getElementById('announce'), { childList: true });
}"""


@contextmanager
def shown(context: BrowserContext, html: str) -> Iterator[Page]:
    """Show a page that was rendered without a server."""

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix("http://table/")
        if name == "page":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif (file := WEB / name).is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404, body="")

    page = context.new_page()
    page.route("**/*", serve)
    page.goto("http://table/page")
    yield page
    page.close()


def moved_on(page: Page, number: int) -> None:
    page.wait_for_function("n => +document.querySelector('main').dataset.number > n", arg=number)


def act_by_keys(page: Page, move: Move) -> None:
    """Make a move with nothing but the keyboard."""
    number = number_of(page)
    page.keyboard.press("Escape")
    cards = move.discard if isinstance(move, Exchange) else move.cards
    for value in cards:
        page.keyboard.press(str(value))
    assert data_cards(page) == cards
    if isinstance(move, Exchange):
        page.keyboard.press("m" if move.draw > len(move.discard) else "x")
    else:
        page.keyboard.press("f")
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.offer") == move.field.value:
                break
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#act-write")).to_be_visible()
        assert data_cards(page) == cards
        page.wait_for_timeout(450)  # an immediate second Enter counts as a double click
        page.keyboard.press("Enter")
    moved_on(page, number)


def test_many_turns_with_nothing_but_keys(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        page.mouse.move(0, 0)
        for _ in range(14):
            if not wait_for_turn(page):
                break
            act_by_keys(page, decide(page))
            focused = page.evaluate("document.activeElement.closest('#main, body').id || 'body'")
            assert focused in ("main", "body")
        page.keyboard.press("p")
        wait_for_turn(page)


def test_cards_move_but_not_for_who_wants_no_motion(chromium: str, tmp_path: Path) -> None:
    for motion in ("no-preference", "reduce"):
        with (
            Server(tmp_path / motion, pause=0.3) as server,
            browsing(chromium, reduced_motion=motion) as context,
        ):
            page = context.new_page()
            page.add_init_script(COUNT_TRANSITIONS)
            open_game(page, server.address)
            for _ in range(2):
                wait_for_turn(page)
                act_by_keys(page, decide(page))
            wait_for_turn(page)
            count = page.evaluate("transitions")
            assert count == 0 if motion == "reduce" else count >= 2
            page.wait_for_function("() => document.querySelectorAll('main [style]').length === 0")


def test_no_click_is_lost_while_things_move(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=0.05) as server, browsing(chromium) as context:
        page = context.new_page()
        page.add_init_script(COUNT_TRANSITIONS)
        open_game(page, server.address, bots=4)
        for _ in range(3):
            wait_for_turn(page)
            act_by_keys(page, decide(page))
            # The others move now, one after the other; each click must count all the same.
            for _ in range(12):
                box = page.locator(".pick-box").first
                at = page.locator(".pick").first.bounding_box()
                assert at is not None
                was = box.is_checked()
                page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
                # A click in the very frames of a change is made good a moment later.
                expect(box).to_be_checked(checked=not was)
        assert page.evaluate("transitions") > 3


def test_what_moves_lets_clicks_through(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=30) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, first=True)
        wait_for_turn(page)
        act_by_keys(page, decide(page))
        page.evaluate("document.activeViewTransition?.finished")
        hit = """async () => {
          const face = document.querySelector('.pick .card');
          face.style.viewTransitionName = 'probe';
          const transition = document.startViewTransition(() => {});
          await transition.ready;
          const { left, top, width, height } = face.getBoundingClientRect();
          const found = document.elementFromPoint(left + width / 2, top + height / 2);
          transition.skipTransition();
          face.style.viewTransitionName = '';
          return found.className;
        }"""
        assert page.evaluate(hit) == "pick-box"


def test_undo_goes_back_step_by_step(chromium: str) -> None:
    with browsing(chromium) as context, shown(context, table_page(holding("3334566"))) as page:
        undo = page.locator("#undo")
        expect(undo).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("4")
        page.keyboard.press("5")
        page.locator('#block [data-offer="fh"]').click()
        assert data_cards(page) == Cards("33366")
        page.keyboard.press("u")
        assert data_cards(page) == Cards("45")
        expect(page.locator("#act-exchange")).to_be_visible()
        undo.click()
        assert data_cards(page) == Cards("4")
        page.keyboard.press("u")
        assert not data_cards(page)
        expect(undo).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("5")
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        assert data_cards(page) == Cards("5")


def test_keys_are_listed_and_can_be_switched_off(chromium: str) -> None:
    with browsing(chromium) as context, shown(context, table_page(holding("11345"))) as page:
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keys")
        expect(dialog).to_be_visible()
        page.keyboard.press("1")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        assert not data_cards(page)
        page.locator("#settings > summary").click()
        page.get_by_role("button", name=re.compile("^Keys")).click()
        dialog.get_by_role("checkbox").uncheck()
        dialog.get_by_role("button", name="Close").click()
        for reload in (False, True):
            if reload:
                page.reload()
            for key in ("1", "?", "x", "p", "m"):
                page.keyboard.press(key)
            assert not data_cards(page)
            expect(page.locator("dialog[open]")).to_have_count(0)


def test_keys_leave_what_is_typed_alone(chromium: str) -> None:
    with browsing(chromium) as context, shown(context, table_page(holding("11345"))) as page:
        page.evaluate("document.querySelector('main').append(document.createElement('input'))")
        page.locator("main > input").press_sequentially("1x?")
        assert page.locator("main > input").input_value() == "1x?"
        page.keyboard.press("Control+1")
        assert not data_cards(page)


def test_the_order_of_the_hand_is_remembered(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        cards = hand_of(page)
        page.keyboard.press(cards[2])
        page.keyboard.press("o")
        sets = "".join(sorted(cards, key=lambda card: (-cards.count(card), card)))
        page.wait_for_function(
            "s => [...document.querySelectorAll('.pick-box')].map(b => b.dataset.value)"
            ".join('') === s",
            arg=sets,
        )
        assert data_cards(page) == Cards(cards[2])
        page.reload()
        assert hand_of(page) == sets
        act_by_keys(page, decide(page))


def test_cards_fit_a_field_in_every_order(chromium: str) -> None:
    html = table_page(holding("34566"), order="sets")
    with browsing(chromium) as context, shown(context, html) as page:
        assert hand_of(page) == "66345"
        for key in "3456":
            page.keyboard.press(key)
        offer = page.locator('#block [data-offer="ss"]')
        expect(offer).to_have_attribute("data-fits", "")
        offer.click()
        expect(page.locator("#act-words")).to_have_text("Small straight with 3456: 30 points")
        expect(page.locator("#act-write")).not_to_have_attribute("aria-disabled", "true")


def test_sounds_are_off_until_switched_on(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        page.add_init_script(COUNT_SOUNDS)
        open_game(page, server.address)
        wait_for_turn(page)
        act_by_keys(page, decide(page))
        wait_for_turn(page)
        assert page.evaluate("contexts") == 0
        page.locator("#settings > summary").click()
        sound = page.get_by_role("group", name="Sounds")
        sound.get_by_role("button", name="On").click()
        assert page.evaluate("contexts") == 1
        page.reload()
        assert page.evaluate("contexts") == 0  # nothing before the page is touched
        wait_for_turn(page)
        act_by_keys(page, decide(page))
        assert page.evaluate("contexts") == 1


def test_each_move_is_said_once(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=0.2) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, bots=2)
        wait_for_turn(page)
        page.evaluate(LISTEN)
        for _ in range(3):
            act_by_keys(page, decide(page))
            wait_for_turn(page)
        heard = page.evaluate("heard")
        for name in ("Ana", "Mara", "Emil"):
            moves = [text for text in heard if text.startswith(f"{name}: ")]
            assert len(moves) == 3, heard
        assert heard.count("Your turn.") == 3


def test_the_whole_log_stays_whole(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, bots=1)
        for _ in range(12):
            wait_for_turn(page)
            act(page, decide(page))
        wait_for_turn(page)
        page.keyboard.press("Escape")
        page.keyboard.press(hand_of(page)[0])
        page.locator("#log-all").click()
        expect(page.locator("#log-1")).to_be_attached()
        assert len(data_cards(page)) == 1
        act_by_keys(page, decide(page))
        wait_for_turn(page)
        expect(page.locator("#log-1")).to_be_attached()


@pytest.mark.parametrize(
    ("width", "height"),
    [(320, 640), (390, 844), (768, 1024), (1440, 900), (720, 450), (360, 225), (844, 390)],
)
def test_ten_long_names_never_make_the_page_scroll_sideways(
    chromium: str, width: int, height: int
) -> None:
    options = {"viewport": {"width": width, "height": height}, "has_touch": True}
    with browsing(chromium, **options) as context:
        for turns in (95, 9999):
            at = table(turns, TEN)
            html = table_page(at if at.finished else holding("1223344556", at))
            with shown(context, html) as page:
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                papers = page.locator(".block-paper, .ending-paper").all()
                assert all(paper.bounding_box()["width"] > 250 for paper in papers)  # type: ignore[index]
                small = page.evaluate(
                    """() => [...document.querySelectorAll('.pick, .act, .offer, .menu > summary,'
                      + '.log-title, .log-all, #discards summary, .ending-actions .button')]
                      .filter(e => e.checkVisibility({ visibilityProperty: true }))
                      .map(e => [e.id || e.className, e.getBoundingClientRect()])
                      .filter(([, r]) => r.width < 43.5 || r.height < 43.5)
                      .map(([name, r]) => `${name} ${r.width}x${r.height}`)"""
                )
                # The block of a wide screen is as high as the window: its rows may be lower.
                assert [each for each in small if not each.startswith("block-")] == []


def test_ten_players_fit_on_one_sheet_of_paper(chromium: str) -> None:
    with (
        browsing(chromium, color_scheme="dark") as context,
        shown(context, table_page(table(9999, TEN))) as page,
    ):
        for landscape in (True, False):
            pdf = page.pdf(format="A4", landscape=landscape)
            assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        page.emulate_media(media="print")
        for gone in (".bar", "#log", ".ending-actions", "#more"):
            expect(page.locator(gone).first).to_be_hidden()
        for there in (".ranking", ".scores", ".ending time"):
            expect(page.locator(there)).to_be_visible()
        colour = "getComputedStyle(document.querySelector('.points')).color"
        assert page.evaluate(colour) == "rgb(0, 0, 0)"
