"""What a move does and which are legal, with the drawn cards handed in (R2, R4 to R14)."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.rules import (
    FIELDS,
    FULL_DECK,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOVES,
    NO_CARDS,
    NO_HOUSE_RULES,
    Cards,
    CardsNotHeldError,
    Entry,
    Exchange,
    ExchangeError,
    Field,
    FieldFilledError,
    GameOverError,
    HouseRules,
    LowerFieldError,
    Move,
    PlayersError,
    Position,
    RuleError,
    Score,
    Sheet,
    UpperFieldError,
    moves_from,
)
from tests.strategies import HOUSE_RULE, hands, reckoned, sheet_with_open

PASS = Exchange(NO_CARDS, 0)


def position(
    *held: str,
    discards: str = "",
    pile: str | None = None,
    sheets: tuple[Sheet, ...] = (),
    turn: int = 0,
    ending: bool = False,
    rules: HouseRules = NO_HOUSE_RULES,
) -> Position:
    """Give a position with these hands; what lies nowhere else is in the draw pile.

    Where the draw pile is given, what lies nowhere else is in the discard pile instead.
    """
    cards = tuple(Cards(hand) for hand in held)
    rest = FULL_DECK
    for hand in cards:
        rest -= hand
    draw = rest - Cards(discards) if pile is None else Cards(pile)
    return Position(
        cards, sheets or (Sheet(),) * len(cards), draw, rest - draw, turn, ending, rules
    )


def x(discard: str, draw: int) -> Exchange:
    return Exchange(Cards(discard), draw)


def score(cards: str, code: str) -> Score:
    return Score(Cards(cards), Field(code))


def sizes(before: Position) -> tuple[list[int], int, int]:
    return [len(hand) for hand in before.hands], len(before.draw_pile), len(before.discard_pile)


@pytest.mark.parametrize("players", range(1, 11))
def test_R2_R3_one_to_ten_hands_are_dealt_and_the_rest_is_the_draw_pile(players: int) -> None:
    dealt = Position.dealt((Cards("12345"),) * players)
    assert dealt.draw_pile == Cards.from_counts([18 - players] * 5 + [18])
    assert dealt.discard_pile == NO_CARDS
    assert dealt.sheets == (Sheet(),) * players
    assert (dealt.turn, dealt.round, dealt.to_move, dealt.winners) == (0, 1, 0, ())
    assert (dealt.finished, dealt.ending, dealt.last_round) == (False, False, False)
    assert dealt.rules == NO_HOUSE_RULES
    assert MOST_PLAYERS == 10


@pytest.mark.parametrize("players", [0, 11, 12])
def test_R2_no_other_number_of_players(players: int) -> None:
    with pytest.raises(PlayersError) as caught:
        Position.dealt((NO_CARDS,) * players)
    error = caught.value
    assert (error.clause, error.reason, error.details) == ("R2", "players", {"players": players})
    assert str(error) == f"a game has 1 to 10 players, not {players}"


def test_R1_hands_cannot_hold_more_than_the_deck_has() -> None:
    with pytest.raises(ValueError, match="is not among"):
        Position.dealt((Cards("11111"),) * 4)


@pytest.mark.parametrize("players", [1, 2, 3, 10])
def test_R4_turns_go_round_from_seat_0(players: int) -> None:
    now = Position.dealt((Cards("12345"),) * players)
    for turn in range(3 * players):
        assert (now.to_move, now.round, now.turn) == (turn % players, turn // players + 1, turn)
        now = now.apply(PASS, NO_CARDS)


def test_R5_the_discards_go_to_the_discard_pile_and_the_drawn_to_the_hand() -> None:
    before = position("11345", "66666", discards="444")
    after = before.apply(x("15", 3), Cards("226"))
    assert after.hands == (Cards("134226"), Cards("66666"))
    assert after.discard_pile == Cards("44415")
    assert after.draw_pile == before.draw_pile - Cards("226")
    assert after.sheets == before.sheets
    assert after.turn == 1


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("size", range(6))
def test_R5_0_to_5_discards_and_as_many_drawn_or_one_more(size: int, extra: int) -> None:
    before = position("1234566")
    move = x("123456"[:size], size + extra)
    assert before.is_legal(move)
    assert before.draws(move) == size + extra
    after = before.apply(move, Cards("3" * (size + extra)))
    assert len(after.hands[0]) == 7 + extra
    assert len(after.discard_pile) == size


def refused(before: Position, move: Move) -> RuleError:
    """Give the error of an illegal move, having seen that every way to make it is closed."""
    assert not before.is_legal(move)
    assert move not in before.legal_moves()
    with pytest.raises(RuleError) as applied:
        before.apply(move, NO_CARDS)
    with pytest.raises(RuleError) as checked:
        before.check(move)
    assert str(applied.value) == str(checked.value)
    return checked.value


@pytest.mark.parametrize("draw", [0, 5, 6, 7])
def test_R5_six_discards_are_too_many(draw: int) -> None:
    error = refused(position("1234566"), x("123456", draw))
    assert isinstance(error, ExchangeError)
    assert (error.clause, error.reason) == ("R5", "discards_too_many")
    assert error.details == {"discarded": 6}
    assert str(error) == "at most 5 cards may be discarded, not 6"


@pytest.mark.parametrize("size", range(6))
def test_R5_never_fewer_drawn_than_discarded(size: int) -> None:
    error = refused(position("1234566"), x("123456"[:size], size - 1))
    assert isinstance(error, ExchangeError)
    assert (error.clause, error.reason) == ("R5", "draws_too_few")
    assert str(error) == f"after discarding {size} draw {size} or {size + 1}, not {size - 1}"


@pytest.mark.parametrize("extra", [2, 3, 10])
@pytest.mark.parametrize("size", range(6))
def test_R5_never_more_than_one_more_drawn_than_discarded(size: int, extra: int) -> None:
    error = refused(position("1234566"), x("123456"[:size], size + extra))
    assert isinstance(error, ExchangeError)
    assert (error.clause, error.reason) == ("R5", "draws_too_many")
    assert error.details == {"discarded": size, "drawn": size + extra}
    assert str(error) == f"after discarding {size} draw {size} or {size + 1}, not {size + extra}"


def test_R5_an_absurd_number_of_draws_is_refused_in_few_words() -> None:
    error = refused(position("12345"), x("1", 10**5000))
    assert (error.reason, error.details) == ("draws_too_many", {"discarded": 1, "drawn": 1000})
    assert len(str(error)) < 80


@pytest.mark.parametrize(("hand", "discard"), [("12345", "6"), ("12345", "11"), ("1122233", "333")])
def test_R5_only_cards_in_hand_are_discarded(hand: str, discard: str) -> None:
    error = refused(position(hand), x(discard, len(discard)))
    assert isinstance(error, ExchangeError)
    assert (error.clause, error.reason) == ("R5", "discard_not_held")
    assert error.details == {"cards": discard, "hand": hand}
    assert str(error) == (
        f"the cards {discard} are not all in the hand {hand}; discard cards that are"
    )


@pytest.mark.parametrize("size", range(6))
def test_R5_ten_cards_may_be_reached_but_not_passed(size: int) -> None:
    discard = "12345"[:size]
    nine = position("123456666")
    assert len(nine.apply(x(discard, size + 1), Cards("1" * (size + 1))).hands[0]) == 10
    ten = position("1234566666")
    assert len(ten.apply(x(discard, size), Cards("1" * size)).hands[0]) == 10
    error = refused(ten, x(discard, size + 1))
    assert isinstance(error, ExchangeError)
    assert (error.clause, error.reason) == ("R5", "hand_too_large")
    assert error.details == {"hand_size": 10}
    assert str(error) == (
        "a hand holds at most 10 cards; with 10 in hand draw as many as are discarded"
    )


def test_R5_a_pass_changes_nothing_but_the_turn() -> None:
    before = position("12345", "1234566666", discards="11")
    for _ in range(2):
        after = before.apply(PASS, NO_CARDS)
        assert (after.hands, after.sheets) == (before.hands, before.sheets)
        assert after.draw_pile == before.draw_pile
        assert after.discard_pile == before.discard_pile
        assert after.turn == before.turn + 1
        before = after


@pytest.mark.parametrize("played", range(1, 6))
@pytest.mark.parametrize("held", range(5, 11))
def test_R6_the_refill_brings_the_hand_to_five_and_no_further(held: int, played: int) -> None:
    hand = "44444" + "11111"[: held - 5]
    before = position(hand, "22222")
    move = score("4" * played, "4")
    left = held - played
    refill = 5 - left if left < 5 else 0
    assert before.draws(move) == refill
    after = before.apply(move, Cards("6" * refill))
    assert after.hands == (Cards(hand[played:] + "6" * refill), Cards("22222"))
    assert len(after.hands[0]) == max(5, left)
    assert after.discard_pile == Cards("4" * played)
    assert after.sheets[0][Field.FOURS] == Entry(4 * played, 2 * (held - 5))
    assert after.sheets[1] == Sheet()
    assert sizes(after) == ([max(5, left), 5], 108 - held - 5 - refill, played)


@pytest.mark.parametrize(
    ("hand", "cards", "code"),
    [("12345", "6", "6"), ("12344", "444", "4"), ("11112", "11111", "kn"), ("12356", "1234", "ss")],
)
def test_R6_only_cards_in_hand_are_played(hand: str, cards: str, code: str) -> None:
    error = refused(position(hand), score(cards, code))
    assert isinstance(error, CardsNotHeldError)
    assert (error.clause, error.reason) == ("R6", "play_not_held")
    assert error.details == {"cards": cards, "hand": hand}
    assert str(error) == f"the cards {cards} are not all in the hand {hand}; play cards that are"


@pytest.mark.parametrize("cards", ["", "666666", "6665", "5"])
def test_R6_R8_one_to_five_cards_of_the_number(cards: str) -> None:
    error = refused(position("5666666"), score(cards, "6"))
    assert isinstance(error, UpperFieldError)
    assert (error.clause, error.reason) == ("R8", "upper_misfit")
    assert "takes one to five cards, all of them 6" in str(error)


@pytest.mark.parametrize(("held", "penalty"), [(5, 0), (6, 2), (7, 4), (8, 6), (9, 8), (10, 10)])
def test_R7_the_penalty_counts_the_hand_before_playing(held: int, penalty: int) -> None:
    before = position("33333" + "66666"[: held - 5])
    for cards in ("3", "33333"):
        move = score(cards, "3")
        drawn = Cards("1" * before.draws(move))
        assert before.apply(move, drawn).sheets[0][Field.THREES] == Entry(3 * len(cards), penalty)


def test_R7_an_exchange_from_a_large_hand_costs_nothing() -> None:
    assert position("1234566666").apply(x("1", 1), Cards("1")).sheets == (Sheet(),)


def test_R8_fewer_than_all_held_may_be_played() -> None:
    before = position("66661")
    for cards in ("6", "66", "666", "6666"):
        drawn = Cards("2" * len(cards))
        after = before.apply(score(cards, "6"), drawn)
        assert after.sheets[0].upper == 6 * len(cards)


@pytest.mark.parametrize(
    ("hand", "code"),
    [("33445", "3k"), ("33344", "4k"), ("33345", "fh"), ("12346", "ls"), ("66665", "kn")],
)
def test_R9_five_cards_that_do_not_fit(hand: str, code: str) -> None:
    error = refused(position(hand), score(hand, code))
    assert isinstance(error, LowerFieldError)
    assert (error.clause, error.reason) == ("R9", "lower_misfit")


def test_R9_the_small_straight_takes_four_cards_of_five() -> None:
    before = position("12345")
    assert isinstance(refused(before, score("12345", "ss")), LowerFieldError)
    after = before.apply(score("2345", "ss"), Cards("6666"))
    assert after.hands == (Cards("16666"),)
    assert after.sheets[0][Field.SMALL_STRAIGHT] == Entry(30)


def test_R9_five_equal_are_a_full_house_by_house_rule_only() -> None:
    move = score("22222", "fh")
    assert isinstance(refused(position("22222"), move), LowerFieldError)
    before = position("22222", rules=HOUSE_RULE)
    assert move in before.legal_moves()
    after = before.apply(move, Cards("11111"))
    assert after.sheets[0][Field.FULL_HOUSE] == Entry(25)
    assert after.rules == HOUSE_RULE


@pytest.mark.parametrize("field", FIELDS)
def test_R10_a_filled_field_is_refused_whatever_is_played(field: Field) -> None:
    sheet = Sheet().write(field, 5)
    for cards in ("66666", "12345", "1", ""):
        error = refused(position("66666", sheets=(sheet,)), Score(Cards(cards), field))
        assert isinstance(error, FieldFilledError)
        assert (error.clause, error.reason) == ("R10", "field_filled")
        assert "open fields are" in str(error)


def test_R10_the_own_sheet_counts_not_that_of_another() -> None:
    full, empty = sheet_with_open(), Sheet()
    assert position("66666", "11111", sheets=(empty, full)).is_legal(score("66666", "kn"))
    before = position("66666", "11111", sheets=(full, empty), turn=1)
    assert before.is_legal(score("11111", "kn"))
    assert not before.is_legal(score("66666", "6"))


def test_R10_nothing_is_filled_with_zero() -> None:
    before = position("11111", sheets=(sheet_with_open(Field.LARGE_STRAIGHT),))
    assert [move for move in before.legal_moves() if isinstance(move, Score)] == []


def test_R10_a_second_kniffel_is_worth_its_field() -> None:
    before = position("66666", sheets=(Sheet().write(Field.KNIFFEL, 50),))
    after = before.apply(score("66666", "4k"), Cards("11111"))
    assert after.sheets[0].lower == 50 + 30


def test_the_first_clause_broken_is_named() -> None:
    sheet = Sheet().write(Field.SIXES, 6)
    before = position("12345", sheets=(sheet,))
    # R10 before R8 before R6; within R5 the discards before the draws.
    assert refused(before, score("1", "6")).clause == "R10"
    assert refused(before, score("16", "1")).clause == "R8"
    assert refused(before, score("66666", "fh")).clause == "R9"
    assert refused(before, score("66666", "kn")).clause == "R6"
    assert refused(before, x("666666", 0)).reason == "discards_too_many"
    assert refused(before, x("6", 0)).reason == "discard_not_held"
    assert refused(position("1234566666"), x("1", 3)).reason == "draws_too_many"
    over = position("12345", sheets=(sheet,), turn=1, ending=True)
    assert {refused(over, move).clause for move in (score("1", "6"), x("6", 9))} == {"R12"}


def last_field(code: str, *hands_held: str, turn: int) -> Position:
    """Give a position in which the player to move has one field open and the others two."""
    players = len(hands_held)
    sheets = [sheet_with_open(Field.ONES, Field.KNIFFEL)] * players
    sheets[turn % players] = sheet_with_open(Field(code))
    return position(*hands_held, sheets=tuple(sheets), turn=turn)


@pytest.mark.parametrize("finisher", [0, 1, 2])
def test_R12_the_round_is_played_to_its_end(finisher: int) -> None:
    now = last_field("1", "12345", "12345", "12345", turn=30 + finisher)
    assert not now.ending
    assert not now.last_round
    now = now.apply(score("1", "1"), Cards("6"))
    assert now.sheets[finisher].is_full
    assert now.ending
    assert now.last_round
    for seat in range(finisher + 1, 3):
        assert (now.finished, now.to_move, now.round, now.winners) == (False, seat, 11, ())
        assert now.legal_moves()
        now = now.apply(PASS, NO_CARDS)
    assert (now.finished, now.to_move, now.round, now.turn) == (True, None, 11, 33)
    assert now.last_round
    assert now.winners
    assert now.legal_moves() == []


def test_R12_others_may_still_score_and_fill_their_sheets_in_the_last_round() -> None:
    sheets = (sheet_with_open(Field.ONES), sheet_with_open(Field.ONES))
    now = position("11111", "11111", sheets=sheets, turn=20)
    now = now.apply(score("1", "1"), Cards("6"))
    now = now.apply(score("11111", "1"), Cards("66666"))
    assert now.finished
    assert now.winners == (1,)


def test_R12_one_player_is_done_with_the_last_field() -> None:
    now = last_field("kn", "66666", turn=40).apply(score("66666", "kn"), Cards("11111"))
    assert (now.finished, now.round, now.winners) == (True, 41, (0,))


def test_R12_an_exchange_ends_nothing() -> None:
    now = last_field("kn", "66666", turn=40).apply(x("", 1), Cards("1"))
    assert (now.finished, now.ending, now.round) == (False, False, 42)


def test_R12_no_move_after_the_end() -> None:
    over = position("12345", "12345", turn=40, ending=True)
    assert over.finished
    for move in (PASS, score("1", "1"), x("666666", 9)):
        error = refused(over, move)
        assert isinstance(error, GameOverError)
        assert (error.clause, error.reason, error.details) == ("R12", "game_over", {})
        assert str(error) == "the game is over; no further move can be made"
    assert not any(over.is_legal(move) for move in MOVES)


@pytest.mark.parametrize("players", [1, 2, 3, 10])
def test_R12_a_game_ends_as_it_stands_after_1000_rounds(players: int) -> None:
    assert MOST_ROUNDS == 1000
    now = position(*["12345"] * players, turn=998 * players)
    for _ in range(players):
        assert (now.round, now.last_round, now.finished) == (999, False, False)
        now = now.apply(PASS, NO_CARDS)
    for seat in range(players):
        assert (now.round, now.last_round, now.finished) == (1000, True, False)
        assert (now.to_move, now.ending, now.winners) == (seat, False, ())
        now = now.apply(PASS, NO_CARDS)
    assert (now.round, now.last_round, now.finished, now.to_move) == (1000, True, True, None)
    assert now.winners == tuple(range(players))
    assert isinstance(refused(now, PASS), GameOverError)


@pytest.mark.parametrize(
    ("points", "winners"),
    [
        ([10, 20, 30], (2,)),
        ([30, 20, 10], (0,)),
        ([30, 20, 30], (0, 2)),
        ([20, 30, 30], (1, 2)),
        ([20, 20, 20], (0, 1, 2)),
    ],
)
def test_R13_most_points_win_and_equal_totals_share(
    points: list[int], winners: tuple[int, ...]
) -> None:
    sheets = tuple(Sheet().write(Field.THREE_OF_A_KIND, value) for value in points)
    hands_held = ["12345"] * 3
    assert position(*hands_held, sheets=sheets, turn=33, ending=True).winners == winners
    for running in (31, 32):
        assert position(*hands_held, sheets=sheets, turn=running, ending=True).winners == ()
    assert position(*hands_held, sheets=sheets, turn=33).winners == ()


def test_R13_bonus_malus_and_penalties_decide() -> None:
    plain = Sheet().write(Field.KNIFFEL, 50)
    fined = Sheet().write(Field.KNIFFEL, 50, penalty=2)
    bonus = Sheet().write(Field.SIXES, 30).write(Field.FIVES, 25).write(Field.FOURS, 8)
    spared = Sheet().write(Field.SIXES, 30).write(Field.FIVES, 15)
    ended = {"turn": 20, "ending": True}
    for sheets, winners in (
        ((plain, fined), (0,)),
        ((fined, plain), (1,)),
        ((plain, spared), (1,)),
        ((bonus, spared), (0,)),
    ):
        assert position("12345", "12345", sheets=sheets, **ended).winners == winners  # type: ignore[arg-type]


def test_R14_the_discards_become_the_draw_pile_when_a_card_is_missing() -> None:
    before = position("12345", "66666", pile="11")
    after = before.apply(x("45", 3), Cards("116"))
    assert after.hands[0] == Cards("123116")
    assert after.discard_pile == NO_CARDS
    assert after.draw_pile == before.discard_pile + Cards("45") - Cards("6")


def test_R14_the_last_card_is_drawn_without_a_reshuffle() -> None:
    before = position("12345", "66666", pile="11")
    after = before.apply(x("45", 2), Cards("11"))
    assert after.draw_pile == NO_CARDS
    assert after.discard_pile == before.discard_pile + Cards("45")
    later = after.apply(PASS, NO_CARDS)
    assert (later.draw_pile, later.discard_pile) == (NO_CARDS, after.discard_pile)
    later = later.apply(x("", 1), Cards("4"))
    assert (later.draw_pile, later.discard_pile) == (after.discard_pile - Cards("4"), NO_CARDS)


def test_R14_this_turns_cards_can_come_back_at_once() -> None:
    # All eighteen sixes are in these two hands, so a six drawn now is one just discarded.
    before = position("6666666666", "66666666", pile="")
    after = before.apply(x("66", 2), Cards("66"))
    assert after.hands[0] == Cards("6666666666")
    before = position("66666666", "6666666666", pile="")
    after = before.apply(score("66666", "kn"), Cards("66"))
    assert after.hands[0] == Cards("66666")
    assert (after.draw_pile.count(6), after.discard_pile) == (3, NO_CARDS)


def test_R14_a_play_that_draws_nothing_reshuffles_nothing() -> None:
    before = position("6666612345", pile="")
    after = before.apply(score("66666", "kn"), NO_CARDS)
    assert after.draw_pile == NO_CARDS
    assert after.discard_pile == before.discard_pile + Cards("66666")


@pytest.mark.parametrize("drawn", ["", "1", "123"])
def test_as_many_cards_are_drawn_as_the_move_says(drawn: str) -> None:
    with pytest.raises(ValueError, match=f"2 cards are drawn, not {len(drawn)}"):
        position("12345").apply(x("12", 2), Cards(drawn))


def test_R14_cards_that_are_not_there_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="is not among"):
        position("12345", "66666", pile="12345").apply(x("12", 2), Cards("16"))
    # The old pile's cards come first, all of them.
    with pytest.raises(ValueError, match="is not among"):
        position("12345", "66666", pile="1").apply(x("12", 2), Cards("33"))
    with pytest.raises(ValueError, match="is not among"):
        position("66666666", "6666666666", pile="").apply(x("", 1), Cards("6"))


sheets = st.sets(st.sampled_from(FIELDS)).map(lambda still_open: sheet_with_open(*still_open))


@settings(max_examples=60)
@given(hands(), sheets, st.booleans())
def test_legal_moves_are_those_the_rules_name(hand: Cards, sheet: Sheet, house: bool) -> None:
    held = str(hand)
    chosen = {"".join(some) for size in range(6) for some in combinations(held, size)}
    exchanges = {
        (cards, "", len(cards) + extra)
        for cards in chosen
        for extra in (0, 1)
        if len(held) + extra <= 10
    }
    plays = {
        (cards, field.value, 0)
        for cards in chosen
        for field in sheet.open_fields
        if reckoned(cards, field.value, house) is not None
    }
    moves = moves_from(hand, sheet, HouseRules(five_of_a_kind_is_full_house=house))
    found = [
        (str(move.leaving), "", move.draw)
        if isinstance(move, Exchange)
        else (str(move.cards), move.field.value, 0)
        for move in moves
    ]
    assert len(found) == len(set(found))
    assert set(found) == exchanges | plays
    assert moves == [move for move in MOVES if move in moves]


@pytest.mark.parametrize("hand", ["", "1", "1234"])
def test_a_hand_under_five_can_be_asked_too(hand: str) -> None:
    moves = moves_from(Cards(hand), Sheet(), NO_HOUSE_RULES)
    before = position(hand)
    assert moves == [move for move in MOVES if before.is_legal(move)]


def test_a_position_survives_pickling_and_copying() -> None:
    now = position("12345", "66666", discards="123", turn=7, rules=HOUSE_RULE)
    for again in (pickle.loads(pickle.dumps(now)), copy.copy(now), copy.deepcopy(now)):
        assert again == now
        assert hash(again) == hash(now)
        assert again.legal_moves() == now.legal_moves()
