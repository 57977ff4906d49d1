"""The order of the hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kartenkniffel.rules import NO_CARDS, Cards
from kartenkniffel.web import pages
from kartenkniffel.web.page_hand import known_order, sorted_cards
from tests.web.application import hand_in, open_table, running
from tests.web.test_pages import holding, table_page


@pytest.mark.parametrize(
    ("hand", "sets"),
    [("12345", "12345"), ("11223", "11223"), ("12333", "33312"), ("1223334444", "4444333221")],
)
def test_by_sets_the_largest_group_comes_first(hand: str, sets: str) -> None:
    cards = sorted_cards(Cards(hand), NO_CARDS, None, "sets")
    assert "".join(str(card["value"]) for card in cards) == sets


def test_a_place_means_the_same_card_in_every_order() -> None:
    hand = Cards("1223334")
    for order in ("value", "sets"):
        for card in sorted_cards(hand, NO_CARDS, None, known_order(order)):
            assert str(pages.cards_at(hand, [str(card["place"])])) == str(card["value"])


def test_the_new_cards_are_the_same_ones() -> None:
    def new(order: str) -> set[object]:
        cards = sorted_cards(Cards("122334"), Cards("23"), None, known_order(order))
        return {card["id"] for card in cards if card["new"]}

    assert new("value") == new("sets") == {"card-2-2", "card-3-2"}


def test_the_order_is_remembered_without_scripts(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        by_value = hand_in(client.get(path).text)
        assert by_value == "".join(sorted(by_value))
        client.post("/settings", data={"order": "sets", "next": path})
        by_sets = hand_in(client.get(path).text)
        assert sorted(by_sets) == sorted(by_value)
        counts = [by_sets.count(value) for value in by_sets]
        assert counts == sorted(counts, reverse=True)


def test_the_page_shows_the_order_chosen() -> None:
    html = table_page(holding("12333"), order="sets")
    assert re.findall(r'data-value="(\d)"', html) == list("33312")
