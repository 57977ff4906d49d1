"""The hard level in single situations."""

from __future__ import annotations

import dataclasses
import random

import pytest

from kartenkniffel.bots import Hard
from kartenkniffel.bots.hard import draw_odds
from kartenkniffel.rules import FULL_DECK, Cards, Exchange, Field, HouseRules, Move, Score
from tests.bots.views import sheet, view


def chosen(hand: str, open_fields: str, rules: HouseRules | None = None) -> Move:
    seen = view(hand, sheet(open_fields), sheet("1 2 3 4 5 6 kn"), rules=rules or HouseRules())
    return Hard().choose(seen, random.Random(1))


@pytest.mark.parametrize(
    ("hand", "open_fields", "kept"),
    [
        ("33345", "kn", "333"),
        ("12344", "ls", "234"),
        ("22355", "fh", "2255"),
        ("44612", "4", "44"),
        ("11235", "ss", "35"),
    ],
)
def test_keeps_what_the_open_fields_need(hand: str, open_fields: str, kept: str) -> None:
    move = chosen(hand, open_fields)
    assert isinstance(move, Exchange)
    assert Cards(hand) - move.discard == Cards(kept)
    assert move.draw == len(move.discard) + 1


@pytest.mark.parametrize(
    ("hand", "open_fields", "cards", "field"),
    [
        ("23456", "ss ls", "23456", Field.LARGE_STRAIGHT),
        ("55555", "5 3k 4k fh kn", "55555", Field.KNIFFEL),
        ("33344", "3k fh", "33344", Field.FULL_HOUSE),
    ],
)
def test_plays_what_is_complete(hand: str, open_fields: str, cards: str, field: Field) -> None:
    assert chosen(hand, open_fields) == Score(Cards(cards), field)


def test_house_rule_opens_a_full_house() -> None:
    assert chosen("22222", "fh", HouseRules(True)) == Score(Cards("22222"), Field.FULL_HOUSE)
    assert isinstance(chosen("22222", "fh", HouseRules(False)), Exchange)


def test_a_hand_of_ten_is_played() -> None:
    move = chosen("1112223456", "ls kn")
    assert isinstance(move, Score)
    assert move.field is Field.LARGE_STRAIGHT


def test_odds_follow_the_cards_not_seen() -> None:
    seen = view("11111", sheet("kn"), sheet())
    assert draw_odds(seen)[0] == pytest.approx(13 / 103)
    seen = dataclasses.replace(seen, discards=Cards.from_counts((13, 0, 0, 0, 0, 0)))
    assert draw_odds(seen)[0] == 0
    everything = dataclasses.replace(seen, discards=FULL_DECK - Cards("11111"))
    assert draw_odds(everything) == [1 / 6] * 6


def test_does_not_wait_for_cards_that_are_gone() -> None:
    seen = view("11666", sheet("1 6"), sheet("kn"))
    gone = dataclasses.replace(seen, draw_pile=60, discards=Cards.from_counts((0, 0, 0, 0, 5, 15)))
    assert isinstance(Hard().choose(gone, random.Random(1)), Score)
