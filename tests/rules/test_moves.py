"""The list of all moves there are (R5, R6)."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import combinations_with_replacement

from kartenkniffel.rules import EXCHANGES, FIELDS, MOVES, SCORES, Cards, Exchange, Field, Score
from tests.strategies import reckoned


def test_R5_R6_there_are_1163_moves_and_each_is_there_once() -> None:
    assert (len(EXCHANGES), len(SCORES), len(MOVES)) == (924, 239, 1163)
    assert len(set(MOVES)) == 1163
    assert MOVES == EXCHANGES + SCORES


def test_R5_the_exchanges_are_0_to_5_discards_and_as_many_draws_or_one_more() -> None:
    wanted = [
        ("".join(discard), size + extra)
        for size in (0, 1, 2, 3, 4, 5)
        for discard in combinations_with_replacement("123456", size)
        for extra in (0, 1)
    ]
    assert [(str(move.discard), move.draw) for move in EXCHANGES] == wanted
    sizes = Counter(len(move.discard) for move in EXCHANGES)
    assert sizes == {0: 2, 1: 12, 2: 42, 3: 112, 4: 252, 5: 504}


def test_R6_the_plays_are_all_that_fit_a_field_with_the_house_rule() -> None:
    wanted = {
        ("".join(cards), field.value)
        for field in FIELDS
        for size in range(8)
        for cards in combinations_with_replacement("123456", size)
        if reckoned("".join(cards), field.value, house=True) is not None
    }
    assert {(str(move.cards), move.field.value) for move in SCORES} == wanted
    assert all(1 <= len(move.cards) <= 5 for move in SCORES)


def test_the_numbers_of_the_moves_stay_what_they_are() -> None:
    assert MOVES[0] == Exchange(Cards(), 0)
    assert MOVES[1] == Exchange(Cards(), 1)
    assert MOVES[2] == Exchange(Cards("1"), 1)
    assert MOVES[923] == Exchange(Cards("66666"), 6)
    assert MOVES[924] == Score(Cards("1"), Field.ONES)
    assert MOVES[953] == Score(Cards("66666"), Field.SIXES)
    assert MOVES[954] == Score(Cards("11111"), Field.THREE_OF_A_KIND)
    assert MOVES[1162] == Score(Cards("66666"), Field.KNIFFEL)
    order = [(move.field.place, len(move.cards), str(move.cards)) for move in SCORES]
    assert order == sorted(order)


def test_the_cards_of_a_move_leave_the_hand() -> None:
    assert Exchange(Cards("25"), 3).leaving == Cards("25")
    assert Score(Cards("666"), Field.SIXES).leaving == Cards("666")


def test_R5_only_nothing_for_nothing_is_a_pass() -> None:
    assert [move for move in EXCHANGES if move.is_pass] == [Exchange(Cards(), 0)]
    assert not Exchange(Cards("1"), 0).is_pass


def test_moves_are_values() -> None:
    assert Exchange(Cards("52"), 3) == Exchange(Cards("25"), 3)
    assert Exchange(Cards("25"), 3) != Exchange(Cards("25"), 2)
    assert Score(Cards("33333"), Field.KNIFFEL) != Score(Cards("33333"), Field.THREES)
    for move in MOVES:
        for again in (pickle.loads(pickle.dumps(move)), copy.copy(move), copy.deepcopy(move)):
            assert again == move
            assert hash(again) == hash(move)
            assert again.leaving == move.leaving
