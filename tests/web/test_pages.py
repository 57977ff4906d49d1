"""The contexts of the pages and the pages made of them, without a server."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gettext import NullTranslations
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

import kartenkniffel.web
from kartenkniffel.bots import bot
from kartenkniffel.rules import (
    NO_CARDS,
    Cards,
    Exchange,
    Field,
    Game,
    HouseRules,
    LowerFieldError,
    Move,
    RuleError,
    Score,
    Sheet,
    seeded,
)
from kartenkniffel.table import MovedOn, NotYourTurn, Seat, Table, TableSummary
from kartenkniffel.web import pages
from kartenkniffel.web.opening import FriendsWishes
from kartenkniffel.web.page_among import among_context
from kartenkniffel.web.page_end import ranking
from kartenkniffel.web.page_words import field_name, field_needs
from kartenkniffel.web.templating import Templates

STATIC = Path(kartenkniffel.web.__file__).parent / "static"
NOW = datetime(2025, 1, 1, tzinfo=UTC)
ENGLISH = NullTranslations()
TEMPLATES = Templates()
MOST_BYTES = 60_000
"""What a table's page may weigh compressed, with all that it loads."""


def table(turns: int = 0, names: tuple[str, ...] = ("Ana", "Bo", "Cy"), seed: int = 7) -> Table:
    """Let bots play so many turns."""
    game = Game.start(names, seeded(seed))
    player, rng = bot("medium"), random.Random(seed)
    drawn = [NO_CARDS] * len(names)
    while len(game.moves) < turns and not game.finished:
        seat = game.to_move or 0
        left, move = game.hands[seat], player.choose(game.view(seat), rng)
        game = game.apply(move)
        drawn[seat] = game.hands[seat] - (left - move.leaving)
    seats = (Seat(names[0], owner="me"), *(Seat(name, bot="medium") for name in names[1:]))
    return Table("t1", len(game.moves) + 1, seats, game, tuple(drawn), NOW, NOW)


def holding(hand: str, at: Table | None = None) -> Table:
    """Give a table at which seat 0 holds this hand."""
    at = at or table()
    hands = (Cards(hand), *at.game.hands[1:])
    return replace(at, game=replace(at.game, position=replace(at.game.position, hands=hands)))


def context(at: Table, seat: int | None = 0, **more: Any) -> dict[str, Any]:
    of_people = among_context(
        at,
        None if seat is None else at.seats[seat].owner or "somebody",
        translator=ENGLISH,
        is_here=lambda player: True,
        watching=0,
        talk=True,
    )
    return pages.table_context(at, seat, translator=ENGLISH, key="key", **more) | of_people


def page(name: str, values: dict[str, Any], language: str = "en") -> str:
    headers = [(b"accept-language", language.encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    response = TEMPLATES.page(Request({**scope, "query_string": b""}), name, values)
    return bytes(response.body).decode()


def table_page(at: Table, seat: int | None = 0, **more: Any) -> str:
    return page("table.html", context(at, seat, **more))


class Elements(HTMLParser):
    """Every element of a page with its attributes, and the texts of its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.all if name == tag]


STATES: dict[str, Callable[[], str]] = {
    "first turn": lambda: table_page(table()),
    "waiting": lambda: table_page(table(1)),
    "proposal": lambda: table_page(holding("3334566"), shown=pages.Shown(Field.FULL_HOUSE)),
    "passing": lambda: table_page(table(), shown=pages.Shown(passing=True)),
    "refused": lambda: table_page(table(), error="No."),
    "ten cards": lambda: table_page(holding("1223344556")),
    "ten players": lambda: table_page(table(95, tuple("ABCDEFGHIJ"))),
    "alone": lambda: table_page(table(3, ("Ana",))),
    "watching": lambda: table_page(table(20), None),
    "over": lambda: table_page(table(9999)),
    "start": lambda: page("start.html", start()),
    "help": lambda: page("help.html", pages.help_context(ENGLISH)),
    "error": lambda: page("error.html", pages.error_context(404, "Nothing.")),
}


def start(tables: list[TableSummary] | None = None, **more: Any) -> dict[str, Any]:
    levels = ["easy", "medium"]
    return pages.start_context(
        tables or [],
        levels=levels,
        key="k",
        translator=ENGLISH,
        now=NOW,
        friends=FriendsWishes(),
        **more,
    )


# Reading what comes in


def test_a_query_may_propose_a_field_with_cards() -> None:
    shown = pages.Shown.read({"field": "3k", "cards": "33345"})
    assert shown == pages.Shown(Field.THREE_OF_A_KIND, Cards("33345"))
    assert pages.Shown.read({"pass": "1"}).passing


@pytest.mark.parametrize(
    "query", [{}, {"field": "7"}, {"cards": "0"}, {"cards": "1" * 11}, {"pass": "yes"}]
)
def test_nonsense_in_a_query_is_left_out(query: dict[str, str]) -> None:
    assert pages.Shown.read(query) == pages.Shown()


@pytest.mark.parametrize("places", [["5"], ["0", "0"], ["x"], ["-1"], ["01"]])
def test_places_that_the_hand_does_not_have_are_refused(places: list[str]) -> None:
    with pytest.raises(ValueError, match="place"):
        pages.cards_at(Cards("11345"), places)


# What a seat may know


def hidden(at: Table, seat: int, seed: int) -> Table:
    """Give the table with all cards dealt anew that the seat does not see."""
    game = at.game
    others = [n for n in range(len(game.hands)) if n != seat]
    cards = list(game.pile + "".join(str(game.hands[n]) for n in others))
    random.Random(seed).shuffle(cards)
    hands = list(game.hands)
    for n in others:
        size = len(hands[n])
        hands[n], cards = Cards("".join(cards[:size])), cards[size:]
    position = replace(game.position, hands=tuple(hands), draw_pile=Cards("".join(cards)))
    drawn = tuple(d if n == seat else hands[n] for n, d in enumerate(at.drawn))
    anew = replace(game, position=position, pile="".join(cards), shuffles=("",))
    return replace(at, game=anew, drawn=drawn)


@pytest.mark.parametrize("turns", [0, 1, 20, 47, 80])
def test_R15_a_page_is_the_same_whatever_its_seat_does_not_see(turns: int) -> None:
    at = table(turns)
    other = hidden(at, 0, seed=turns)
    assert other.game.hands != at.game.hands
    assert table_page(other) == table_page(at)


# What a hand can do


@pytest.mark.parametrize("turns", [0, 21, 42, 63])
def test_the_data_for_scripts_are_the_legal_moves(turns: int) -> None:
    at = table(turns)
    view, data = at.view(0), context(at)["data"]
    assert view.to_move == 0
    scores = {
        Score(Cards(cards), Field(field))
        for field, plays in data["plays"].items()
        for cards, _, _ in plays
    }
    legal = view.legal_moves()
    assert scores == {move for move in legal if isinstance(move, Score)}
    sizes = {
        (size, size + more)
        for size, pair in enumerate(data["draws"])
        for more, (_, reason) in enumerate(pair)
        if not reason
    }
    assert sizes == {(len(m.discard), m.draw) for m in legal if isinstance(m, Exchange)}


def test_R7_a_proposal_tells_points_and_penalty() -> None:
    shown = context(holding("3334566"), shown=pages.Shown(Field.THREE_OF_A_KIND))
    assert str(shown["proposal"].cards) == "33366"
    assert shown["proposal"].words == "Three of a kind with 33366: 21 points, penalty 4"
    assert [card["value"] for card in shown["hand"] if card["chosen"]] == [3, 3, 3, 6, 6]


def test_of_equal_plays_the_one_that_keeps_high_cards_is_best() -> None:
    shown = context(holding("11122233"), shown=pages.Shown(Field.FULL_HOUSE))
    assert str(shown["proposal"].cards) == "11122"


def test_a_proposal_that_the_hand_cannot_fill_is_not_shown() -> None:
    assert context(holding("11223"), shown=pages.Shown(Field.KNIFFEL))["proposal"] is None


@pytest.mark.parametrize(
    ("hand", "chosen", "same", "more"),
    [
        ("11345", 0, "", ""),
        ("112233", 6, "At most five", "At most five"),
        ("1122334455", 2, "", "Your hand is full"),
    ],
)
def test_R5_what_cannot_be_exchanged_says_why(hand: str, chosen: int, same: str, more: str) -> None:
    reasons = [reason for _, reason in context(holding(hand))["data"]["draws"][chosen]]
    for reason, begin in zip(reasons, (same, more), strict=True):
        assert reason.startswith(begin)
        assert bool(reason) == bool(begin)


def test_exchange_buttons_say_what_they_do() -> None:
    draws = context(holding("11345"))["data"]["draws"]
    assert [label for label, _ in draws[0]] == ["Pass", "Draw 1"]
    assert [label for label, _ in draws[2]] == ["Discard 2, draw 2", "Discard 2, draw 3"]


def test_newly_drawn_cards_are_marked() -> None:
    at = replace(holding("33345"), drawn=(Cards("35"), NO_CARDS, NO_CARDS))
    assert [card["id"] for card in context(at)["hand"] if card["new"]] == ["card-3-3", "card-5-1"]


def test_the_house_rule_is_told_where_cards_do_not_fit() -> None:
    needs = field_needs(Field.FULL_HOUSE, HouseRules(True), ENGLISH)
    assert needs == "Full house: three equal cards and two others equal, or five equal."


# What happened


def test_news_are_what_the_others_did_since_the_own_latest_move() -> None:
    at = table(6)
    news = context(at)["data"]["news"]
    assert [each["index"] for each in news] == [4, 5]
    assert [each["text"].partition(":")[0] for each in news] == ["Bo", "Cy"]


def test_the_own_column_comes_first_then_clockwise() -> None:
    assert [player["name"] for player in context(table(), 1)["players"]] == ["Bo", "Cy", "Ana"]


def test_R13_equal_totals_share_a_place() -> None:
    rows = ranking([{"name": n, "total": t} for n, t in (("A", 5), ("B", 9), ("C", 9), ("D", -3))])
    assert [(row["name"], row["place"]) for row in rows] == [
        ("B", 1),
        ("C", 1),
        ("A", 3),
        ("D", 4),
    ]


@pytest.mark.parametrize(
    ("seat", "winners", "text"),
    [(0, (0,), "You win"), (1, (0,), "Ana wins"), (1, (1, 2), "You share the win with Cy")],
)
def test_R13_the_end_says_who_won(seat: int, winners: tuple[int, ...], text: str) -> None:
    at = table(9999)
    sheets = tuple(Sheet().write(Field.KNIFFEL, 50 if n in winners else 49) for n in range(3))
    at = replace(at, game=replace(at.game, position=replace(at.game.position, sheets=sheets)))
    assert context(at, seat)["ending"] == text


# Errors


def test_errors_become_sentences() -> None:
    def said(error: Exception | str) -> str:
        return pages.error_sentence(error, ENGLISH)

    assert said("As it is.") == "As it is."
    assert "moved on" in said(MovedOn("t1", 3, 4))
    assert said(NotYourTurn("t1", 0, None)) == "The game is over."
    misfit = LowerFieldError("lower_misfit", "…", field="kn", cards="12345")
    assert said(misfit) == "Kniffel: exactly five equal cards."
    assert said(OSError("/secret/path")) == "That did not work. Please try again."


def test_every_rule_that_a_move_can_break_has_its_own_sentence() -> None:
    game = table().game
    hand = game.hands[0]
    missing = next(Cards([v]) for v in range(1, 7) if not hand.count(v))
    wrong: list[Move] = [
        Exchange(missing, 1),
        Exchange(NO_CARDS, 2),
        Score(missing, Field(str(missing))),
        Score(NO_CARDS, Field.ONES),
        Score(Cards("11112"), Field.KNIFFEL),
    ]
    for move in wrong:
        with pytest.raises(RuleError) as caught:
            game.check(move)
        assert "That is not allowed" not in pages.error_sentence(caught.value, ENGLISH)


# The start page


def summary(**more: Any) -> TableSummary:
    values: dict[str, Any] = {
        "id": "a",
        "seat": 0,
        "names": ("Ana", "Bo"),
        "totals": (3, 5),
        "round": 2,
        "to_move": 0,
        "finished": False,
        "winners": (),
        "opened_at": NOW,
        "changed_at": NOW - timedelta(hours=3),
        "next_table": None,
    }
    return TableSummary(**{**values, **more})


def test_games_to_go_on_with_and_finished_ones_are_listed() -> None:
    over = summary(id="b", finished=True, to_move=None, winners=(1,))
    values = start([summary(), over])
    assert [game["id"] for game in values["running"]] == ["a"]
    assert [game["result"] for game in values["ended"]] == ["Won by Bo"]
    html = page("start.html", values)
    assert 'href="/t/a"' in html
    assert "3 hours ago" in html
    assert "vor 3 Stunden" in page("start.html", values, "de")


def test_the_form_is_filled_as_it_was_last() -> None:
    html = page("start.html", start(name="<Ana>", bots=3, level="easy", house_rule=True))
    checked = [e for e in Elements(html).named("input") if "checked" in e]
    assert {(e["name"], e["value"]) for e in checked} == {
        ("mode", "bots"),
        ("first", "random"),
        ("bots", "3"),
        ("level", "easy"),
        ("start", "random"),
        ("five_of_a_kind_is_full_house", "1"),
        ("spectators", "1"),
    }
    assert "&lt;Ana&gt;" in html


# The pages as HTML


@pytest.fixture(scope="module", params=STATES)
def html(request: pytest.FixtureRequest) -> str:
    return STATES[request.param]()


def test_a_page_keeps_to_the_content_security_policy(html: str) -> None:
    for tag, attributes in Elements(html).all:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            data = attributes.get("type") == "application/json"
            assert data or str(attributes["src"]).startswith("/static/")
    assert "<style" not in html
    assert not re.findall(r"(?:https?:)?//\w|data:", html)


def test_an_id_stands_once_and_what_points_to_one_finds_it(html: str) -> None:
    elements = Elements(html)
    ids = Counter(a["id"] for _, a in elements.all if "id" in a)
    assert [name for name, count in ids.items() if count > 1] == []
    for _, attributes in elements.all:
        for name in ("for", "aria-labelledby", "aria-describedby", "form"):
            for target in (attributes.get(name) or "").split():
                assert target in ids, (name, target)


def test_a_page_has_one_main_one_title_and_headings_in_order(html: str) -> None:
    elements = Elements(html)
    assert len(elements.named("main")) == len(elements.named("h1")) == 1
    levels = [int(tag[1]) for tag, _ in elements.all if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert elements.named("html")[0]["lang"] == "en"


def test_header_cells_have_a_scope(html: str) -> None:
    assert all(cell.get("scope") in ("row", "col") for cell in Elements(html).named("th"))


def test_what_a_page_loads_exists(html: str) -> None:
    paths = re.findall(r'"/static/([^"?]+)', html)
    assert paths
    assert [path for path in paths if not (STATIC / path).is_file()] == []


def test_names_are_escaped_everywhere() -> None:
    name = "<b>&\"'</b>"
    for at in (table(7, ("Ana", name)), table(9999, ("Ana", name))):
        html = table_page(at)
        assert name not in html
        found = re.search(r'id="table-data">(.*?)</script>', html, re.DOTALL)
        assert found is not None
        assert any(name in news["text"] for news in json.loads(found[1])["news"])


def test_without_a_turn_actions_are_disabled_with_the_reason() -> None:
    html = table_page(table(1))
    buttons = [a for a in Elements(html).named("button") if str(a.get("id")).startswith("act-")]
    assert len(buttons) == 3
    assert all(b["aria-disabled"] == "true" and "disabled" not in b for b in buttons)
    assert "Bo’s turn. You can already choose." in html


def test_the_part_is_the_main_element_alone() -> None:
    part = page("table_main.html", context(table(5)))
    assert part.strip().startswith("<main")
    assert part.strip() in table_page(table(5))


def test_a_table_page_with_all_it_loads_is_small() -> None:
    html = table_page(table(95, tuple("ABCDEFGHIJ")))
    loaded = with_imports({path for path in STATIC.iterdir() if f"/static/{path.name}" in html})
    assert STATIC / "swap.js" in loaded  # a module that no page names, but others import
    weights = [len(gzip.compress(path.read_bytes())) for path in loaded]
    assert len(gzip.compress(html.encode())) + sum(weights) < MOST_BYTES


def with_imports(paths: set[Path]) -> set[Path]:
    """Add what these scripts and styles bring along."""
    texts = [path.read_text() for path in paths if path.suffix in (".js", ".css")]
    names = {name for text in texts for name in re.findall(r'(?:from|import) "\./([\w.]+)"', text)}
    more = {STATIC / name for name in names} | paths
    return paths if more == paths else with_imports(more)


def test_every_field_has_a_name_of_its_own() -> None:
    assert len({field_name(field, ENGLISH) for field in Field}) == 12
