"""Take pictures of every page and state: three widths, all colours, all languages.

    python tools/screens.py [--out .screens] [--language de] [--size phone] [NAME…]
    python tools/screens.py --readme

The pages are rendered from made-up tables, without a server; NAME limits them to those named.
``--readme`` makes the picture that README.md shows and nothing else.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright
from starlette.requests import Request

import kartenkniffel.web
from kartenkniffel.bots import bot
from kartenkniffel.rules import NO_CARDS, Cards, Field, Game, HouseRules, seeded
from kartenkniffel.table import Seat, Table, TableSummary
from kartenkniffel.web import pages
from kartenkniffel.web.i18n import LANGUAGES
from kartenkniffel.web.i18n import translations as catalogue
from kartenkniffel.web.opening import FriendsWishes
from kartenkniffel.web.page_among import among_context
from kartenkniffel.web.templating import THEMES, Templates

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.browser import find_chromium
from tools.pad_states import pad_states

WEB = Path(kartenkniffel.web.__file__).parent
SIZES = {
    "phone": (360, 740),
    "small": (320, 640),
    "lying": (800, 360),
    "tablet": (768, 1024),
    "laptop": (1366, 640),
    "desktop": (1440, 900),
}
USUAL_SIZES = ("small", "tablet", "desktop")
README_PICTURE = Path(__file__).parents[1] / "docs" / "table.png"
README_SIZE = (1440, 900)
README_MOST_BYTES = 200_000
NOW = datetime(2025, 11, 30, 18, 0, tzinfo=UTC)
TEMPLATES = Templates()
NAMES = ("Ana", "Mara", "Emil", "Ilse", "Otto")
LONG = ("Maximiliane-Rosalinde W.", "Wolfgang Amadeus von Ems", "Donaudampfschifffahrtsge")


def table(
    turns: int,
    names: tuple[str, ...] = NAMES[:3],
    seed: int = 7,
    hand: str = "",
    drawn: str = "",
    low_pile: bool = False,
) -> Table:
    """Let bots play so many turns, then give seat 0 this hand if told."""
    game = Game.start(names, seeded(seed), HouseRules())
    player, rng = bot("medium"), random.Random(seed)
    last = [NO_CARDS] * len(names)
    while len(game.moves) < turns and not game.finished:
        seat = game.to_move or 0
        before = game.hands[seat]
        move = player.choose(game.view(seat), rng)
        game = game.apply(move)
        last[seat] = game.hands[seat] - (before - move.leaving)
    if hand:
        hands = (Cards(hand), *game.hands[1:])
        game = replace(game, position=replace(game.position, hands=hands))
        last[0] = Cards(drawn)
    if low_pile:
        game = replace(game, pile=game.pile[:3])
    seats = (Seat(names[0], owner="me"), *(Seat(name, bot="medium") for name in names[1:]))
    return Table("t1", len(game.moves) + 1, seats, game, tuple(last), NOW, NOW)


def summaries() -> list[TableSummary]:
    """Some tables for the start page."""
    common = {"seat": 0, "opened_at": NOW, "winners": (), "next_table": None}
    rows: list[dict[str, Any]] = [
        {"id": "a", "names": NAMES[:3], "totals": (87, 102, 64), "round": 9, "to_move": 0},
        {"id": "b", "names": (NAMES[0], LONG[0]), "totals": (-20, -20), "round": 1, "to_move": 1},
        {"id": "c", "names": NAMES, "totals": (287, 202, 264, 199, 230), "round": 31, "won": (0,)},
        {"id": "d", "names": NAMES[:2], "totals": (187, 202), "round": 28, "won": (1,)},
    ]
    made = []
    for number, row in enumerate(rows):
        won = row.pop("won", ())
        row = {"to_move": None, **common, **row, "finished": bool(won), "winners": won}
        made.append(TableSummary(**row, changed_at=NOW - timedelta(hours=5**number)))
    return made


def states(translator: NullTranslations) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Give every state as its name, its template and its context."""

    def shown(made: Table, seat: int | None = 0, **more: Any) -> dict[str, object]:
        of_people = among_context(
            made,
            None if seat is None else "me",
            translator=translator,
            is_here=lambda player: True,
            watching=0,
            talk=True,
        )
        own = pages.table_context(made, seat, translator=translator, key="k", **more)
        return own | of_people

    def at(name: str, context: dict[str, object]) -> tuple[str, str, dict[str, object]]:
        return name, "table.html", context

    yield (
        "start",
        "start.html",
        pages.start_context(
            summaries(),
            levels=["easy", "medium", "hard"],
            key="k",
            translator=translator,
            now=NOW,
            friends=FriendsWishes(),
            name="Ana",
            lan=True,
        ),
    )
    yield (
        "start-first",
        "start.html",
        pages.start_context(
            [],
            levels=["medium"],
            key="k",
            translator=translator,
            now=NOW,
            friends=FriendsWishes(),
            error="A name, please.",
        ),
    )
    yield "help", "help.html", pages.help_context(translator)
    yield "lan", "lan.html", {"address": "http://192.168.178.23:8126/"}
    yield "error", "error.html", pages.error_context(404, "There is nothing here.")
    yield at("first-turn", shown(table(0)))
    mid = table(18, NAMES[:3], hand="3334566", drawn="46")
    yield at("turn", shown(mid))
    proposal = pages.Shown(Field.THREE_OF_A_KIND)
    yield at("proposal", shown(mid, shown=proposal))
    yield at("chosen", shown(mid, shown=pages.Shown(cards=Cards("45"))))
    yield at("passing", shown(mid, shown=pages.Shown(passing=True)))
    yield at("error-alert", shown(mid, error="At most five cards may be discarded at once."))
    yield at("waiting", shown(table(19, NAMES[:3])))
    yield at("five", shown(table(40, NAMES, hand="1223344556", drawn="5")))
    yield at("two", shown(table(30, NAMES[:2], hand="12346", drawn="6")))
    yield at("solo", shown(table(9, NAMES[:1], hand="11355", drawn="6")))
    yield at("low-pile", shown(table(60, NAMES[:4], low_pile=True)))
    ten = tuple(f"{name[:22]} {n}" for n, name in enumerate(LONG * 4, 1))[:10]
    yield at("ten", shown(table(90, ten, hand="1223344556", drawn="5")))
    games = (table(turns, NAMES[:3], seed=9) for turns in range(40, 900))
    last = next(made for made in games if made.view(0).last_round)
    yield at("last-round", shown(last))
    yield at("end", shown(table(9999, NAMES)))
    yield at("end-lost", shown(table(9999, NAMES[:2], seed=9)))
    yield at("end-ten", shown(table(9999, ten)))
    yield at("watching", shown(mid, None))
    yield from pad_states(translator)


def translations(language: str) -> NullTranslations:
    """Give the catalogue of a language; English needs none."""
    return NullTranslations() if language == "en" else catalogue(language)


def render(name: str, context: dict[str, object], language: str, theme: str) -> str:
    """Render a template as the server does for a browser that chose this language and theme."""
    cookies = f"kk_language={language}; kk_theme={theme}".encode()
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
    request = Request({**scope, "headers": [(b"cookie", cookies)]})
    return bytes(TEMPLATES.page(request, name, context).body).decode()


def opened(browser: Browser, size: tuple[int, int], html: str, scripts: bool) -> Page:
    """Give a browser's page that shows this document."""
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if width < 700 else 1,
        has_touch=width < 1000,
        java_script_enabled=scripts,
        reduced_motion="reduce",
    )

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix("http://screens/")
        if name == "page":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif (file := WEB / name.partition("?")[0]).is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404, body="")

    page.route("**/*", serve)
    page.goto("http://screens/page")
    page.wait_for_timeout(60)
    return page


def take(browser: Browser, html: str, size: tuple[int, int], path: Path, scripts: bool) -> None:
    """Take a picture of what one sees first, and one of all where there is more.

    Says so when the page is wider than its window.
    """
    page = opened(browser, size, html, scripts)
    page.screenshot(path=path)
    if scripts:
        wide, high = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        if wide > size[0]:
            print(f"{path.name}: {wide} px wide in a window of {size[0]}")
        if high > size[1]:
            page.screenshot(path=path.with_suffix(".full.png"), full_page=True)
    page.close()


def take_for_readme(browser: Browser) -> None:
    """Take the picture that README.md shows: mid-game, English, light."""
    made = table(28, NAMES[:4], hand="3334566", drawn="46")
    shown = pages.Shown(Field.THREE_OF_A_KIND)
    context = pages.table_context(made, 0, translator=translations("en"), key="k", shown=shown)
    page = opened(browser, README_SIZE, render("table.html", context, "en", "light"), True)
    page.screenshot(path=README_PICTURE)
    page.close()
    size = README_PICTURE.stat().st_size
    if size > README_MOST_BYTES:
        raise SystemExit(f"{README_PICTURE.name} has {size:,} bytes, {README_MOST_BYTES:,} may be")


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(".screens"))
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--size", action="append", choices=SIZES)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--no-scripts", action="store_true")
    wanted = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        if wanted.readme:
            take_for_readme(browser)
        else:
            take_all(browser, wanted)
        browser.close()


def take_all(browser: Browser, wanted: argparse.Namespace) -> None:
    """Take every picture that is wanted, each under its state, size, theme and language."""
    wanted.out.mkdir(parents=True, exist_ok=True)
    for language in wanted.language or LANGUAGES:
        for name, template, context in states(translations(language)):
            if wanted.names and name not in wanted.names:
                continue
            for theme in wanted.theme or [theme for theme in THEMES if theme != "auto"]:
                html = render(template, context, language, theme)
                for size in wanted.size or USUAL_SIZES:
                    path = wanted.out / f"{name}-{size}-{theme}-{language}.png"
                    take(browser, html, SIZES[size], path, not wanted.no_scripts)


if __name__ == "__main__":
    main()
