"""Whole games played in other ways: without scripts, and by nothing but roles and names."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from kartenkniffel.bots import bot
from kartenkniffel.rules import (
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    Exchange,
    Field,
    Move,
    PlayerView,
    Sheet,
    View,
)
from tests.serving import Server
from tests.web.playing import PHONE, browsing, leaving

pytestmark = pytest.mark.browser

MOST_TURNS = 120
FIELD_NAMES = {
    "Ones": Field.ONES,
    "Twos": Field.TWOS,
    "Threes": Field.THREES,
    "Fours": Field.FOURS,
    "Fives": Field.FIVES,
    "Sixes": Field.SIXES,
    "Three of a kind": Field.THREE_OF_A_KIND,
    "Four of a kind": Field.FOUR_OF_A_KIND,
    "Full house": Field.FULL_HOUSE,
    "Small straight": Field.SMALL_STRAIGHT,
    "Large straight": Field.LARGE_STRAIGHT,
    "Kniffel": Field.KNIFFEL,
}


def start(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("textbox", name="Your name").fill("Ana")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")


def hand_shown(page: Page) -> list[tuple[int, bool]]:
    """Give the check boxes of the hand by their names: each value, and whether it is chosen."""
    told = page.get_by_role("group", name="Choose cards").aria_snapshot()
    boxes = re.findall(r'checkbox "([1-6])([^\n]*)', told)
    return [(int(value), "[checked]" in state) for value, state in boxes]


def sheet_of(page: Page) -> Sheet:
    """Read the own column of the score block, which is the first."""
    block = page.get_by_role("table", name="Points and penalties of all players")
    sheet = Sheet()
    for row in re.split(r"\n +- '?row ", block.aria_snapshot())[1:]:
        header = re.search(r'- rowheader "([^"]*)', row)
        name = next((n for n in FIELD_NAMES if header and header[1].startswith(n)), None)
        # A cell with something in it has a button that offers points: the field is open.
        cell = re.search(r"""- '?cell(?: "(.*)")?'?(:?)$""", row, re.M)
        if name is None or cell is None or cell[2]:
            continue
        numbers = re.findall(r"\d+", cell[1] or "")
        if numbers:
            penalty = int(numbers[1]) if len(numbers) > 1 else 0
            sheet = sheet.write(FIELD_NAMES[name], int(numbers[0]), penalty)
    return sheet


def by_looking_again(page: Page, wanted: Locator) -> None:
    """Load the page again and again, as one without scripts is, until this is on it."""
    deadline = time.monotonic() + 30
    while not wanted.count():
        assert time.monotonic() < deadline, page.locator("main").inner_text()
        page.wait_for_timeout(50)
        page.reload()


def decide(page: Page) -> Move:
    hand = Cards([value for value, _ in hand_shown(page)])
    sheet = sheet_of(page)
    view = View(
        seat=0,
        hand=hand,
        round=1,
        to_move=0,
        last_round=page.get_by_text("Last round").count() > 0,
        finished=False,
        winners=(),
        rules=NO_HOUSE_RULES,
        draw_pile=50,
        discards=NO_CARDS,
        moves=(),
        players=(PlayerView("Ana", len(hand), sheet),),
    )
    return bot("medium").choose(view, random.Random(1))


def tick(page: Page, cards: Cards) -> None:
    boxes = page.get_by_role("group", name="Choose cards").get_by_role("checkbox")
    left = list(cards)
    for index, (value, checked) in enumerate(hand_shown(page)):
        wanted = value in left
        if wanted:
            left.remove(value)
        if checked != wanted:
            boxes.nth(index).set_checked(wanted)


def test_a_game_without_scripts(chromium: str, tmp_path: Path) -> None:
    options = {"java_script_enabled": False, "viewport": PHONE}
    with Server(tmp_path) as server, browsing(chromium, **options) as context:
        page = context.new_page()
        start(page, server.address)
        over = page.get_by_role("button", name="Play again")
        turn = page.get_by_role("heading", name="Your turn")
        for _ in range(MOST_TURNS):
            by_looking_again(page, turn.or_(over))
            if over.count():
                break
            move = decide(page)
            if isinstance(move, Exchange):
                tick(page, move.discard)
                with leaving(page):
                    page.locator("#act-1" if move.draw > len(move.discard) else "#act-0").click()
                continue
            with leaving(page):
                page.locator(f'[data-offer="{move.field}"]:visible').first.click()
            write = page.get_by_role("button", name="Write down")
            expect(write).to_be_visible()
            tick(page, move.cards)
            with leaving(page):
                write.click()
        expect(over).to_be_visible()
        with leaving(page):
            over.click()
        expect(over).to_have_count(0)


def test_a_pass_without_scripts_asks_back(chromium: str, tmp_path: Path) -> None:
    options = {"java_script_enabled": False}
    with Server(tmp_path, pause=30) as server, browsing(chromium, **options) as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_text("More options").click()
        page.get_by_label("I start").check()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/t/*")
        with leaving(page):
            page.locator("#act-0").click()
        expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
        page.get_by_role("button", name="Pass", exact=True).click()
        expect(page.get_by_role("heading", name="Your turn")).to_have_count(0)


def test_a_game_by_roles_and_names_alone(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        start(page, server.address)
        over = page.get_by_role("button", name="Play again")
        turn = page.get_by_role("heading", name="Your turn", exact=True)
        for _ in range(MOST_TURNS):
            expect(over.or_(turn)).to_be_visible()
            if over.count():
                break
            move = decide(page)
            before = page.get_by_role("main").get_attribute("data-number")
            if isinstance(move, Exchange):
                tick(page, move.discard)
                size, drawn = len(move.discard), move.draw
                name = f"Discard {size}, draw {drawn}" if size else f"Draw {drawn}"
                page.get_by_role("button", name=name, exact=True).click()
            else:
                field = next(n for n, f in FIELD_NAMES.items() if f is move.field)
                tick(page, move.cards)
                offer = f"{field} with {move.cards}:"
                page.get_by_role("button", name=offer).locator("visible=true").first.click()
                page.get_by_role("button", name="Write down").click()
            expect(page.get_by_role("main")).not_to_have_attribute("data-number", before or "")
        expect(over).to_be_visible()
        ranking = page.get_by_role("table").filter(has=page.get_by_text("Upper")).first
        expect(ranking).to_be_visible()
