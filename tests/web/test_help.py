"""The page of the rules and the help on each field: every clause, with figures that are right."""

from __future__ import annotations

import re
from collections import Counter
from gettext import NullTranslations
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.requests import Request

import kartenkniffel.web
from kartenkniffel.rules import FIELDS, Field, HouseRules
from kartenkniffel.web.i18n import LANGUAGES, translations
from kartenkniffel.web.page_help import EXAMPLES, field_help, help_context
from kartenkniffel.web.templating import Templates
from tests.serving import Server
from tests.web.playing import DESKTOP, PHONE, act, browsing, decide, open_game, wait_for_turn
from tests.web.test_accessibility import scan

CLAUSES = [f"R{number}" for number in range(1, 16)]
ENGLISH = NullTranslations()
TEMPLATES = Templates()
STATIC = Path(kartenkniffel.web.__file__).parent / "static"


def help_page(language: str = "en") -> str:
    headers = [(b"accept-language", language.encode())]
    scope = {"type": "http", "method": "GET", "path": "/help", "headers": headers}
    request = Request({**scope, "query_string": b""})
    context = help_context(translations(language))
    return bytes(TEMPLATES.page(request, "help.html", context).body).decode()


def section(html: str, anchor: str) -> str:
    """Give what stands from an anchor to the next clause."""
    found = re.search(
        rf'<section [^>]*id="{anchor}".*?(?=<section class="(?:clause|part)|\Z)', html, re.S
    )
    assert found, anchor
    return found[0]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


# Another way to reckon what the rules say.


def points(cards: str, code: str) -> int | None:
    """Give the points of cards on a field by R8 and R9, or None where they do not fit."""
    groups = sorted(Counter(cards).values(), reverse=True)
    added = sum(int(card) for card in cards)
    if code in "123456":
        return added if set(cards) == {code} and len(cards) <= 5 else None
    if code == "ss":
        return 30 if len(cards) == 4 and cards in "123456" else None
    if len(cards) != 5:
        return None
    if code in ("3k", "4k"):
        return added if groups[0] >= int(code[0]) else None
    fits = {"fh": groups == [3, 2], "ls": cards in "123456", "kn": groups == [5]}
    return {"fh": 25, "ls": 40, "kn": 50}[code] if fits[code] else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_has_an_anchor_and_a_name_in_every_language(language: str) -> None:
    html, english = help_page(language), help_page()
    found = re.findall(r'<section class="clause[^"]*" id="(R\d+)"', html)
    assert found == CLAUSES
    for code in CLAUSES:
        title = re.search(rf'<h3 id="{code}-title">(.+?) <a', html)
        assert title, code
        assert len(title[1]) > 4
        assert html.count(f'href="#{code}"') == 2, code
        assert f'<span class="contents-code">{code}</span> {title[1]}</a>' in html
        if language != "en":
            assert words(section(html, code)) != words(section(english, code))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_on_the_page_leads_somewhere(language: str) -> None:
    html = help_page(language)
    anchors = re.findall(r'\sid="([^"]+)"', html)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(anchors)
    assert {f"field-{field}" for field in FIELDS} <= set(anchors)


def test_R8_R9_the_examples_bring_what_the_rules_say() -> None:
    html = help_page()
    for field in FIELDS:
        end = "</li>" if field.is_upper else "</section>"
        part = re.search(rf'id="field-{field}".*?{end}', html, re.S)
        assert part, field
        assert points(EXAMPLES[field], field) is not None
        shown = re.findall(r'aria-label="(\d+)"', part[0])
        assert EXAMPLES[field] in shown
    listed = re.findall(
        r'<li class="(fit|misfit)">.*?aria-label="(\d+)".*?<span class="fit-word">(.*?)</span>',
        section(html, "R9"),
        re.S,
    )
    cards = iter(listed)
    for code, count in {"3k": 4, "4k": 3, "fh": 4}.items():
        for _ in range(count):
            check_fit(code, *next(cards))
    assert next(cards) == ("fit", "55555", "<b>25</b>")  # the house rule
    for code, count in {"ss": 4, "ls": 3, "kn": 3}.items():
        for _ in range(count):
            check_fit(code, *next(cards))
    assert not list(cards)


def check_fit(code: str, kind: str, cards: str, word: str) -> None:
    expected = points(cards, code)
    assert (kind == "fit") == (expected is not None), (code, cards)
    if expected is not None:
        assert word == f"<b>{expected}</b>"
    else:
        assert re.fullmatch(r"[A-Z].*\.", word)


def test_R5_R6_no_hand_is_larger_than_ten_and_cards_are_kept_or_drawn() -> None:
    context = help_context(ENGLISH)
    exchanges, scores = context["exchanges"], context["scores"]
    assert isinstance(exchanges, list)
    assert isinstance(scores, list)
    for turn in exchanges:
        gone = sum(marked for _, marked in turn["before"])
        assert turn["drawn"] - gone in (0, 1)
        assert len(turn["after"]) == len(turn["before"]) - gone + turn["drawn"] <= 10
    assert [len(turn["after"]) for turn in exchanges] == [5, 6, 6, 10, 5]
    for turn in scores:
        left = len(turn["before"]) - sum(marked for _, marked in turn["before"])
        assert len(turn["after"]) == max(5, left)


def test_R7_the_penalties_are_two_for_each_card_above_five() -> None:
    part = words(section(help_page(), "R7"))
    for size in (5, 8, 10):
        cost = 2 * (size - 5)
        assert f"{size} cards: ({size} − 5) × 2 = {cost}" in part
    assert "−6" in part
    assert "−10" in part


def test_R10_five_fours_still_fit_other_fields() -> None:
    part = words(section(help_page(), "R10"))
    assert re.search(r"Fours 20 .*Three of a kind 20 .*Four of a kind 20", part)


def test_R11_both_sides_of_both_limits_are_shown() -> None:
    part = section(help_page(), "R11")
    rows = [re.findall(r"(?<=points\">)[^<]+", row) for row in part.split("<tr")[1:]]
    assert len(rows) == 8
    sums = [sum(int(row[column]) for row in rows[:6]) for column in range(4)]
    assert sums == [42, 43, 62, 63] == [int(text) for text in rows[6]]
    assert rows[7] == ["−20", "0", "0", "+35"]
    assert "63 or more: bonus +35." in part
    assert "Fewer than 43: malus −20." in part
    assert "From 43 to 62: nothing." in part


def test_R12_R13_totals_add_up_and_two_share_the_win() -> None:
    part = section(help_page(), "R13")
    rows = [re.findall(r"<td[^>]*>([^<]+)", row) for row in part.split("<tr")[2:]]
    columns = [
        [int(text.replace("−", "-")) for text in column] for column in zip(*rows, strict=True)
    ]
    totals = [column[-1] for column in columns]
    assert totals == [sum(column[:-1]) for column in columns]
    assert totals[0] == totals[1] == max(totals)
    assert "Shared win: Ana, Bo" in part
    assert "1,000 rounds" in section(help_page(), "R12")
    assert "1.000 Runden" in section(help_page("de"), "R12")


def test_R14_no_card_is_lost_when_the_pile_is_made_anew() -> None:
    part = section(help_page(), "R14")
    steps = [[int(text) for text in re.findall(r"<td>(\d+)", row)] for row in part.split("<tr")[2:]]
    pile, discards = steps[0]
    assert pile == 1
    assert steps[1:] == [
        [1, discards + 2],
        [0, discards + 2],
        [discards + 2, 0],
        [discards, 0],
    ]


def test_R15_hands_of_others_are_shown_as_backs() -> None:
    assert section(help_page(), "R15").count('class="back"') == 6


def test_the_whole_game_is_told_to_its_end() -> None:
    html = section(help_page(), "example")
    told = re.findall(r'told-name">(\w+)</b>', html)
    assert told == ["Ana", "Bo"] * (len(told) // 2)
    totals = re.findall(r'<b class="points">([−\d]+)</b>', html.split("told-end")[1])
    written = [0, 0]
    for turn, part in enumerate(html.split('told-name">')[1 : len(told) + 1]):
        cells = re.findall(
            r'class="points">(\d+)</span><span class="penalty">(.*?)</span>\s*</sp', part
        )
        if "cell paper" in part:
            amount, cost = cells[0]
            written[turn % 2] += int(amount) - int("".join(re.findall(r"−(\d+)", cost)) or 0)
    bonus = re.findall(r'class="points">([−+]\d+|0)</span>', html)[-2:]
    for seat in range(2):
        assert written[seat] + int(bonus[seat].replace("−", "-")) == int(totals[seat])


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_tells_what_counts_there(field: Field) -> None:
    told = field_help(field, HouseRules(), ENGLISH)
    assert told["example"] == EXAMPLES[field]
    entry = told["entry"]
    assert getattr(entry, "points", None) == points(str(told["example"]), field)


def test_the_house_rule_is_told_on_the_full_house() -> None:
    with_rule, without = (
        str(field_help(Field.FULL_HOUSE, HouseRules(on), ENGLISH)["cards"]) for on in (True, False)
    )
    assert "five equal" in with_rule
    assert "five equal" not in without


# In a browser


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(chromium: str, tmp_path: Path, size: dict[str, int]) -> None:
    with (
        Server(tmp_path) as server,
        browsing(chromium, viewport=size, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(f"{server.address}help")
        page.locator(".told-more summary").click()
        scan(page, "help")
        open_game(page, server.address)
        wait_for_turn(page)
        page.locator('button[popovertarget="help-ss"]:visible').first.click()
        expect(page.get_by_role("dialog", name="Small straight")).to_be_visible()
        scan(page, "field help")


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_window(chromium: str, tmp_path: Path, language: str) -> None:
    with Server(tmp_path) as server, browsing(chromium, locale=language) as context:
        page = context.new_page()
        page.goto(f"{server.address}help")
        page.locator(".told-more summary").click()
        for width in (320, 768, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_field_help_by_keyboard(
    chromium: str, tmp_path: Path, size: dict[str, int], scripts: bool
) -> None:
    with (
        Server(tmp_path) as server,
        browsing(chromium, viewport=size, java_script_enabled=scripts) as context,
    ):
        page = context.new_page()
        open_game(page, server.address)
        name = page.locator('button[popovertarget="help-fh"]:visible').first
        told = page.get_by_role("dialog", name="Full house")
        name.focus()
        page.keyboard.press("Enter")
        expect(told).to_be_visible()
        expect(told).to_contain_text("Three equal cards and two others equal.")
        page.keyboard.press("Escape")
        expect(told).to_be_hidden()
        expect(name).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/help#field-fh")


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_field_help_makes_no_row_taller_and_cuts_no_name(
    chromium: str, tmp_path: Path, language: str
) -> None:
    with Server(tmp_path) as server, browsing(chromium, locale=language) as context:
        page = context.new_page()
        page.goto(server.address)
        page.locator(".new-game .button--primary").click()
        page.wait_for_url("**/t/*")
        for width in (320, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            cut = page.evaluate(
                """() => [...document.querySelectorAll('button.field-name')]
                  .filter(name => name.scrollWidth > name.clientWidth + 1)
                  .map(name => name.textContent)"""
            )
            assert cut == [], width
            heights = page.evaluate(
                """() => [...document.querySelectorAll('#block tbody:nth-of-type(-n+2) tr')]
                  .map(row => row.offsetHeight)"""
            )
            assert max(heights) - min(heights) <= 3, (width, heights)


@pytest.mark.browser
def test_escape_closes_the_field_help_and_keeps_the_choice(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address)
        wait_for_turn(page)
        page.locator(".pick").first.click()
        page.locator('button[popovertarget="help-kn"]:visible').first.click()
        page.keyboard.press("Escape")
        expect(page.locator("#help-kn")).to_be_hidden()
        expect(page.locator(".pick-box:checked")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".pick-box:checked")).to_have_count(0)


@pytest.mark.browser
def test_field_help_stays_open_while_others_move(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, pause=30) as server, browsing(chromium) as context:
        page = context.new_page()
        open_game(page, server.address, first=True)
        wait_for_turn(page)
        act(page, decide(page))
        number = page.locator("main").get_attribute("data-number")
        page.locator('button[popovertarget="help-ls"]:visible').first.click()
        box = page.locator("#help-ls").bounding_box()
        page.evaluate("fetch(`${location.pathname}/skip`, { method: 'POST' })")
        expect(page.locator("main")).not_to_have_attribute("data-number", str(number))
        expect(page.get_by_role("dialog", name="Large straight")).to_be_visible()
        assert page.locator("#help-ls").bounding_box() == box


@pytest.mark.browser
def test_without_popovers_a_field_leads_to_the_rules(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path) as server, browsing(chromium) as context:
        page = context.new_page()
        page.route(
            "**/field_help.css",
            lambda route: route.fulfill(
                content_type="text/css",
                body=old_browser((STATIC / "field_help.css").read_text("utf-8")),
            ),
        )
        open_game(page, server.address)
        expect(page.locator("button.field-name:visible")).to_have_count(0)
        expect(page.locator(".field-help:visible")).to_have_count(0)
        page.locator("#block").get_by_role("link", name="Full house").click()
        page.wait_for_url("**/help#field-fh")
        expect(page.locator("#field-fh")).to_be_in_viewport()


def old_browser(style: str) -> str:
    """Give a style sheet as a browser reads it that knows no popovers."""
    return style.replace("selector(:popover-open)", "selector(:unknown-thing)")
