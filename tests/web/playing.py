"""Plays the game in a real browser as a person does: looks at the page, decides, clicks.

What to do is decided by a bot, from nothing but what the page shows.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from kartenkniffel.bots import bot
from kartenkniffel.rules import (
    FIELDS,
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    Entry,
    Exchange,
    Move,
    PlayerView,
    Sheet,
    View,
)
from tests.browser import lent

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
# What is expected comes when it comes: on a busy machine that is no reason to fail.
expect.set_options(timeout=30_000)


@contextmanager
def browsing(chromium: str, **options: Any) -> Iterator[BrowserContext]:
    """Open a browser; a complaint in its console or a script that fails ends the test."""
    options = {"locale": "en-GB", "viewport": DESKTOP, **options}
    problems: list[str] = []
    with lent(chromium) as browser:
        context = browser.new_context(**options)
        context.set_default_timeout(30_000)

        def complain(text: str) -> None:
            if "Failed to load resource" not in text:  # a server that was killed
                problems.append(text)

        context.on("weberror", lambda error: complain(str(error.error)))
        context.on("console", lambda said: complain(said.text) if said.type == "error" else None)
        yield context
    assert problems == []


@contextmanager
def leaving(page: Page) -> Iterator[None]:
    """Wait until what is done within has led to another page, all of it, and its scripts have run.

    A click that sends a form returns before the answer is there: whoever looks at once sees the
    page that is being left, or one whose scripts have not taken hold of its forms.
    """
    with page.expect_navigation():
        yield


def open_game(
    page: Page, address: str, bots: int = 1, name: str = "Ana", *, first: bool = False
) -> None:
    """Start a game on the start page, if wanted as the first to move."""
    page.goto(address)
    page.get_by_label("Your name").fill(name)
    page.locator(f'.segment:has([name="bots"][value="{bots}"])').click()
    if first:
        page.get_by_text("More options").click()
        page.get_by_label("I start").check()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/t/"))


def data_of(page: Page) -> dict[str, Any]:
    """Give what the page hands to its scripts."""
    value = json.loads(page.locator("#table-data").inner_text())
    assert isinstance(value, dict)
    return value


def hand_of(page: Page) -> str:
    """Give the own hand as digits."""
    return str(page.evaluate(_HAND, ".pick-box"))


def data_cards(page: Page) -> Cards:
    """Give the cards that are chosen now."""
    return Cards(str(page.evaluate(_HAND, ".pick-box:checked")))


# Read at one go, since the page may change between two looks.
_HAND = "which => [...document.querySelectorAll(which)].map(box => box.dataset.value).join('')"
_SHEET = """() => [...document.querySelectorAll('#block tbody tr:not(.sum, .grand)')].map(row => {
  const cell = row.querySelector('td.own');
  if (cell.querySelector('button')) return ['', ''];
  return ['.points', '.penalty'].map(part => cell.querySelector(part).textContent.trim());
})"""


def number_of(page: Page) -> int:
    """Give the event number that the page shows."""
    return int(page.locator("main").get_attribute("data-number") or "-1")


def is_over(page: Page) -> bool:
    return page.locator("main.table--over").count() > 0


def own_sheet(page: Page) -> Sheet:
    """Read the own sheet off the score block; a cell that only offers points is open."""
    cells = page.evaluate(_SHEET)
    assert len(cells) == len(FIELDS)
    return Sheet(
        tuple(
            Entry(int(points), int(re.sub(r"\D", "", penalty) or 0)) if points else None
            for points, penalty in cells
        )
    )


def seen(page: Page) -> View:
    """Give what the page shows as a view that a bot can decide from."""
    data = data_of(page)
    hand, sheet = Cards(hand_of(page)), own_sheet(page)
    return View(
        seat=0,
        hand=hand,
        round=1,
        to_move=0,
        last_round=bool(data["last_round"]),
        finished=False,
        winners=(),
        rules=NO_HOUSE_RULES,
        draw_pile=50,
        discards=NO_CARDS,
        moves=(),
        players=(PlayerView("Ana", len(hand), sheet),),
    )


def decide(page: Page) -> Move:
    return bot("medium").choose(seen(page), random.Random(1))


def wait_for_turn(page: Page) -> bool:
    """Wait until it is one's turn (true) or the game is over (false)."""
    shown = page.locator(".status-now.is-now, main.table--over").first
    expect(shown).to_be_attached()
    page.wait_for_load_state("domcontentloaded")  # all of it, where it has just been loaded anew
    return not is_over(page)


def choose(page: Page, cards: Cards, *, keys: bool) -> None:
    """Choose exactly these cards, by keys or by clicks."""
    page.keyboard.press("Escape")
    if keys:
        for value in cards:
            page.keyboard.press(str(value))
        return
    for value in sorted(set(cards)):
        picks = page.locator(f'.pick:has([data-value="{value}"])')
        for index in range(cards.count(value)):
            picks.nth(index).click()


def act(page: Page, move: Move, *, keys: bool = False) -> None:
    """Make a move with the page's controls and wait until the page has moved on."""
    before = number_of(page)
    if isinstance(move, Exchange):
        choose(page, move.discard, keys=keys)
        page.locator("#act-1" if move.draw > len(move.discard) else "#act-0").click()
    else:
        page.keyboard.press("Escape")
        page.locator(f'[data-offer="{move.field}"]:visible').first.click()
        if data_cards(page) != move.cards:
            choose_within(page, move.cards)
        page.locator("#act-write").click()
    page.wait_for_function("n => +document.querySelector('main').dataset.number > n", arg=before)


def choose_within(page: Page, cards: Cards) -> None:
    """Change the choice to these cards without leaving the proposed field."""
    for value in range(1, 7):
        picks = page.locator(f'.pick:has([data-value="{value}"])')
        wanted, chosen = cards.count(value), data_cards(page).count(value)
        for index in range(min(wanted, chosen), max(wanted, chosen)):
            picks.nth(index).click()


def play_to_the_end(page: Page, *, keys: bool = False, most_turns: int = 120) -> int:
    """Play until the game is over and give the number of own turns."""
    for turn in range(most_turns):
        if not wait_for_turn(page):
            return turn
        act(page, decide(page), keys=keys)
    raise AssertionError("the game does not end")
