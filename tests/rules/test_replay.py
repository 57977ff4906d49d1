"""Records of games played again, and what is wrong with them (R1, R2, R12, R14)."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence

import pytest

from kartenkniffel.rules import (
    FULL_DECK,
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    Exchange,
    Field,
    Game,
    Move,
    ReplayError,
    ReshuffleError,
    Score,
    replay,
    seeded,
)
from tests.strategies import HOUSE_RULE, Plan

DECK = "123456" * 18
"""Dealt to two, it gives the hands 11335 and 22446."""

NAMES = ["Ana", "Bo"]
DRAW = Exchange(NO_CARDS, 1)


def x(discard: str, draw: int) -> Exchange:
    return Exchange(Cards(discard), draw)


def score(cards: str, code: str) -> Score:
    return Score(Cards(cards), Field(code))


def long_game() -> Game:
    """Give a finished game with several reshuffles."""
    game = list(Plan(3, (True, False, True, False)).play())[-1]
    assert game.finished
    assert len(game.shuffles) > 2
    return game


def failure(
    shuffles: Sequence[str], moves: Sequence[Move], names: Sequence[str] = NAMES
) -> ReplayError:
    """Give the error of a wrong record, having seen that it says what it carries."""
    with pytest.raises(ReplayError) as caught:
        replay(names, shuffles, moves)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.__cause__ is error.error
    place = f"move {error.move}" if error.move is not None else "record"
    assert str(error) == f"{place}: {error.error.clause}: {error.error}"
    return error


def test_a_record_without_moves_is_the_deal() -> None:
    assert replay(NAMES, [DECK], []) == Game.start(NAMES, lambda cards, number: DECK)


def test_a_record_leads_to_the_game_it_records() -> None:
    game = long_game()
    assert replay(game.names, game.shuffles, game.moves) == game
    assert replay(list(game.names), list(game.shuffles), list(game.moves), NO_HOUSE_RULES) == game


def test_a_record_may_stop_anywhere() -> None:
    for game in list(Plan(3, (True, False, True, False)).play())[::20]:
        assert replay(game.names, game.shuffles, game.moves) == game


def test_R9_the_house_rule_is_part_of_the_record() -> None:
    deck = "11111" + "".join(number * (18 - 5 * (number == "1")) for number in "123456")
    moves = [score("11111", "fh")]
    assert replay(["Ana"], [deck], moves, HOUSE_RULE).sheets[0].lower == 25
    error = failure([deck], moves, ["Ana"])
    assert (error.error.clause, error.move) == ("R9", 1)


def test_R1_R2_the_record_itself_is_wrong() -> None:
    for shuffles, names, clause in (
        ([DECK], [], "R2"),
        ([DECK], NAMES * 6, "R2"),
        (["1"], NAMES * 6, "R2"),
        ([], NAMES, "R1"),
        ([""], NAMES, "R1"),
        ([DECK[1:]], NAMES, "R1"),
        ([DECK[1:] + "2", DECK], NAMES, "R1"),
    ):
        # A wrong move changes nothing: the record comes first.
        for moves in ([], [x("6", 9)]):
            error = failure(shuffles, moves, names)
            assert (error.error.clause, error.move) == (clause, None)


@pytest.mark.parametrize(
    ("moves", "number", "clause"),
    [
        ([x("2", 1)], 1, "R5"),
        ([x("1", 3)], 1, "R5"),
        ([DRAW, DRAW, x("4", 1)], 3, "R5"),
        ([score("222", "2")], 1, "R6"),
        ([DRAW, score("4444", "4")], 2, "R6"),
        ([score("13", "1")], 1, "R8"),
        ([score("11335", "fh")], 1, "R9"),
        ([score("1", "1"), DRAW, score("1", "1")], 3, "R10"),
        ([x("6", 9), score("13", "1")], 1, "R5"),
    ],
)
def test_the_first_wrong_move_is_told_by_its_number(
    moves: list[Move], number: int, clause: str
) -> None:
    error = failure([DECK], moves)
    assert (error.move, error.error.clause) == (number, clause)
    assert str(error).startswith(f"move {number}: {clause}: ")


def test_R12_a_move_after_the_end() -> None:
    game = long_game()
    error = failure(game.shuffles, [*game.moves, DRAW], game.names)
    assert (error.move, error.error.clause) == (len(game.moves) + 1, "R12")


def test_R12_a_move_in_round_1001() -> None:
    moves = [x("", 0)] * 1000
    assert replay(["Ana"], [DECK], moves).finished
    error = failure([DECK], [*moves, x("", 0)], ["Ana"])
    assert (error.move, error.error.clause) == (1001, "R12")


def first_reshuffle() -> tuple[Game, int]:
    """Give a game that has just been reshuffled for the first time, and that move's number."""
    for game in Plan(3, (True, False, True, False)).play():
        if len(game.shuffles) == 2:
            return game, len(game.moves)
    raise AssertionError("no reshuffle")


def test_R14_a_missing_reshuffle_is_told_at_the_move_that_needs_it() -> None:
    game, number = first_reshuffle()
    error = failure(game.shuffles[:1], game.moves, game.names)
    assert (error.move, error.error.clause) == (number, "R14")
    assert error.error.reason == "reshuffle_missing"


def test_R14_a_wrong_reshuffle_is_told_at_the_move_that_needs_it() -> None:
    game, number = first_reshuffle()
    deck, pile = game.shuffles
    for wrong in (pile[1:], pile + "1", pile[:-1] + "x", str(FULL_DECK), ""):
        error = failure([deck, wrong], game.moves, game.names)
        assert (error.move, error.error.clause) == (number, "R14")
        assert error.error.reason == "reshuffle_wrong"
    assert replay(game.names, [deck, pile[::-1]], game.moves).shuffles == (deck, pile[::-1])


def test_R14_shuffles_left_over_belong_to_no_move() -> None:
    game, number = first_reshuffle()
    for moves, shuffles in (
        ((), 1),
        (game.moves[: number - 1], 1),
        (game.moves, 2),
    ):
        recorded = [*game.shuffles, DECK]
        error = failure(recorded, moves, game.names)
        assert error.move is None
        assert isinstance(error.error, ReshuffleError)
        assert error.error.reason == "reshuffle_surplus"
        assert str(error) == (f"record: R14: 3 shuffles are recorded, but only {shuffles} happened")


def test_R14_a_wrong_move_comes_before_shuffles_left_over() -> None:
    error = failure([DECK, DECK], [x("6", 9)])
    assert (error.move, error.error.clause) == (1, "R5")


def test_a_replayed_game_can_go_no_further_than_its_shuffles() -> None:
    game = replay(["Ana"], [DECK], [])
    while len(game.pile) >= 5:
        game = game.apply(Exchange(Cards(list(game.hands[0])[:5]), 5))
    with pytest.raises(ReshuffleError):
        game.apply(Exchange(Cards(list(game.hands[0])[:5]), 5))


def test_a_seeded_game_is_replayed_without_its_seed() -> None:
    game = Game.start(NAMES, seeded("x")).apply(DRAW)
    assert replay(NAMES, [seeded("x")(FULL_DECK, 0)], [DRAW]) == game


@pytest.mark.parametrize("moves", [[x("6", 9)], []])
def test_the_error_survives_pickling_and_copying(moves: list[Move]) -> None:
    error = failure([DECK, DECK], moves)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert isinstance(again, ReplayError)
        assert str(again) == str(error)
        assert again.move == error.move
        assert (again.error.clause, again.error.details) == (
            error.error.clause, error.error.details,
        )  # fmt: skip
