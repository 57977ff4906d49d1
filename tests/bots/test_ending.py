"""The end of the game: the last turn, and whether to fill the last field."""

from __future__ import annotations

import random

import pytest

from kartenkniffel.bots import Bot, Hard, Medium
from kartenkniffel.bots.ending import added_now
from kartenkniffel.rules import Cards, Exchange, Field, Move, Score, View
from tests.bots.views import sheet, view

PLANNERS = pytest.mark.parametrize("player", [Medium(), Hard()], ids=["medium", "hard"])


def chosen(player: Bot, seen: View) -> Move:
    return player.choose(seen, random.Random(1))


@PLANNERS
def test_last_turn_takes_the_most_points(player: Bot) -> None:
    seen = view("33345", sheet("3k kn"), sheet(), last_round=True)
    assert chosen(player, seen) == Score(Cards("33345"), Field.THREE_OF_A_KIND)


@PLANNERS
def test_last_turn_counts_bonus_and_malus(player: Bot) -> None:
    own = sheet("6 3k", {"1": 1, "2": 2, "3": 3, "4": 8, "5": 15})
    # 18 in the field of sixes lift the malus of 20; the three of a kind brings 25.
    assert chosen(player, view("66652", own, sheet(), last_round=True)) == Score(
        Cards("666"), Field.SIXES
    )
    own = sheet("1 ss", {"2": 6, "3": 9, "4": 12, "5": 10, "6": 24})
    assert chosen(player, view("12341", own, sheet(), last_round=True)) == Score(
        Cards("11"), Field.ONES
    )


@PLANNERS
def test_last_turn_does_not_play_for_less_than_nothing(player: Bot) -> None:
    seen = view("1223344556", sheet("1"), sheet(), last_round=True)
    only_play = Score(Cards("1"), Field.ONES)
    assert added_now(only_play, seen) < 0
    assert isinstance(chosen(player, seen), Exchange)


@PLANNERS
def test_last_turn_without_a_play(player: Bot) -> None:
    seen = view("12345", sheet("kn"), sheet(), last_round=True)
    move = chosen(player, seen)
    assert isinstance(move, Exchange)
    assert not move.is_pass


def test_hard_does_not_end_a_game_it_would_lose() -> None:
    own = sheet("3k")
    other = sheet("kn", {"3k": 30, "4k": 29, "6": 30, "5": 25, "4": 20})
    assert own.total + 8 < other.total <= own.total + 27
    assert isinstance(chosen(Hard(), view("11123", own, other)), Exchange)
    assert isinstance(chosen(Hard(), view("55566", own, other)), Score)


def test_hard_ends_a_game_it_cannot_save() -> None:
    own = sheet("3k", {"kn": 0, "ls": 0, "ss": 0})
    assert isinstance(chosen(Hard(), view("66655", own, sheet("kn"))), Score)


def test_hard_ends_a_game_it_has_won() -> None:
    own, other = sheet("3k"), sheet("3k kn 6")
    # Nobody moves after the last seat, so that points do not matter any more.
    move = chosen(Hard(), view("11123", own, other, seat=1))
    assert isinstance(move, Score)


def test_hard_is_not_bothered_alone() -> None:
    assert isinstance(chosen(Hard(), view("66655", sheet("3k"))), Score)
