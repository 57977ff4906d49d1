"""A whole game: the deal, the ordered piles, the reshuffle and the end (R1 to R4, R12 to R14)."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from dataclasses import replace

import pytest

from kartenkniffel.rules import (
    FULL_DECK,
    MOVES,
    NO_CARDS,
    Cards,
    CardsNotHeldError,
    Exchange,
    ExchangeError,
    Field,
    Game,
    GameOverError,
    MaterialError,
    PlayersError,
    ReshuffleError,
    RuleError,
    Score,
    Sheet,
    Shuffler,
    recorded,
    seeded,
    shuffled,
)
from tests.strategies import HOUSE_RULE, Plan, sheet_with_open

PASS = Exchange(NO_CARDS, 0)
DRAW = Exchange(NO_CARDS, 1)

IN_TURN = "123456" * 18
"""A deck in a known order."""


class Asked:
    """A shuffler that notes what it is asked and gives the cards sorted, highest first."""

    def __init__(self, deck: str = IN_TURN) -> None:
        self.deck = deck
        self.calls: list[tuple[str, int]] = []

    def __call__(self, cards: Cards, number: int) -> str:
        self.calls.append((str(cards), number))
        return self.deck if number == 0 else str(cards)[::-1]


def x(discard: str, draw: int) -> Exchange:
    return Exchange(Cards(discard), draw)


def score(cards: str, code: str) -> Score:
    return Score(Cards(cards), Field(code))


def names(players: int) -> list[str]:
    return [f"P{seat}" for seat in range(players)]


@pytest.mark.parametrize(
    ("deck", "fault"),
    [
        ("", "it has 0"),
        (IN_TURN[:-1], "it has 107"),
        (IN_TURN + "1", "it has 109"),
        (IN_TURN + "x", "it has 109"),
        (IN_TURN[:-1] + "5", "it has 19 cards of value 5"),
        ("2" + IN_TURN[1:], "it has 17 cards of value 1"),
        (IN_TURN[:-1] + "7", "it has 17 cards of value 6"),
        (IN_TURN[:-1] + "x", "it has 17 cards of value 6"),
    ],
)
def test_R1_the_first_shuffle_is_the_108_cards(deck: str, fault: str) -> None:
    with pytest.raises(MaterialError) as caught:
        Game.start(names(2), recorded([deck]))
    error = caught.value
    assert (error.clause, error.reason) == ("R1", "deck")
    assert str(error) == f"the first shuffle must be 108 cards, 18 each of 1 to 6; {fault}"


def test_R1_a_missing_first_shuffle_is_a_wrong_deck() -> None:
    with pytest.raises(MaterialError, match="18 each of 1 to 6; it has 0"):
        Game.start(names(2), recorded([]))


@pytest.mark.parametrize("players", [0, 11, 100])
def test_R2_no_other_number_of_players_even_with_a_wrong_deck(players: int) -> None:
    with pytest.raises(PlayersError) as caught:
        Game.start(names(players), recorded(["1"]))
    assert caught.value.clause == "R2"
    assert str(caught.value) == f"a game has 1 to 10 players, not {players}"


@pytest.mark.parametrize("players", range(1, 11))
def test_R3_cards_are_dealt_one_at_a_time_clockwise(players: int) -> None:
    deck = seeded(players)(FULL_DECK, 0)
    game = Game.start(names(players), recorded([deck]))
    rest = list(deck)
    dealt: list[list[str]] = [[] for _ in range(players)]
    for _ in range(5):
        for hand in dealt:
            hand.append(rest.pop(0))
    assert [str(hand) for hand in game.hands] == ["".join(sorted(hand)) for hand in dealt]
    assert game.pile == "".join(rest)
    assert game.position.draw_pile == Cards(game.pile)
    assert game.position.discard_pile == NO_CARDS
    assert (game.moves, game.shuffles, game.names) == ((), (deck,), tuple(names(players)))
    assert game.sheets == (Sheet(),) * players


def test_R3_the_deal_by_hand() -> None:
    game = Game.start(names(3), recorded([IN_TURN]))
    assert [str(hand) for hand in game.hands] == ["11144", "22255", "33366"]
    assert game.pile.startswith("456123")


@pytest.mark.parametrize("players", [1, 2, 5, 10])
def test_R4_seat_0_starts_and_turns_go_round(players: int) -> None:
    game = Game.start(names(players), seeded(1))
    for turn in range(3 * players):
        assert (game.to_move, game.round) == (turn % players, turn // players + 1)
        before = game.hands
        game = game.apply(DRAW)
        grown = [len(now) - len(then) for now, then in zip(game.hands, before, strict=True)]
        assert grown == [int(seat == turn % players) for seat in range(players)]


def test_R5_R6_cards_are_drawn_from_the_top() -> None:
    game = Game.start(names(2), Asked())
    # Dealt from 1234561234: seat 0 has 1, 3, 5, 1, 3 and the pile goes on with 5, 6, 1, 2 …
    assert (str(game.hands[0]), str(game.hands[1])) == ("11335", "22446")
    assert game.pile[:8] == "56123456"
    game = game.apply(x("33", 3))
    assert (str(game.hands[0]), game.pile[:5]) == ("111556", "23456")
    game = game.apply(score("22", "2"))
    assert (str(game.hands[1]), game.pile[:3]) == ("23446", "456")
    game = game.apply(score("111", "1"))
    assert (str(game.hands[0]), game.pile[:3]) == ("45556", "612")
    assert game.position.discard_pile == Cards("3322111")
    assert game.moves == (x("33", 3), score("22", "2"), score("111", "1"))


@pytest.mark.parametrize(
    ("move", "kind"),
    [
        (x("2", 1), ExchangeError),
        (x("", 2), ExchangeError),
        (score("22", "2"), CardsNotHeldError),
    ],
)
def test_an_illegal_move_is_refused_before_anything_is_shuffled(
    move: Exchange | Score, kind: type[RuleError]
) -> None:
    asked = Asked()
    game = Game.start(names(2), asked)
    assert not game.is_legal(move)
    for attempt in (game.check, game.apply):
        with pytest.raises(kind):
            attempt(move)
    assert asked.calls == [(str(FULL_DECK), 0)]


def test_a_move_leaves_the_old_game_as_it_was() -> None:
    game = Game.start(names(2), seeded(3))
    same = Game.start(names(2), seeded(3))
    one, other = game.apply(DRAW), game.apply(PASS)
    assert game == same
    assert one != other
    assert game.apply(DRAW) == one


def drawn_down_to(left: int, asked: Asked, players: int = 10) -> Game:
    """Give a game of ten, with seat 0 to move, in which so many (0 to 8) cards are left."""
    game = Game.start(names(players), asked)
    while len(game.pile) > left or game.to_move != 0:
        more = len(game.pile) - left
        hand = game.hands[game.to_move or 0]
        if more and len(hand) < 10:
            size = min(5, more - 1)
            game = game.apply(Exchange(Cards(list(hand)[:size]), size + 1))
        else:
            game = game.apply(PASS)
    assert len(game.pile) == left
    return game


@pytest.mark.parametrize("left", range(7))
def test_R14_a_reshuffle_exactly_when_a_card_must_be_drawn_from_nothing(left: int) -> None:
    for move_size in range(6):
        for extra in (0, 1):
            asked = Asked()
            game = drawn_down_to(left, asked)
            assert len(asked.calls) == 1
            discards = game.position.discard_pile
            hand = game.hands[0]
            move = Exchange(Cards(list(hand)[:move_size]), move_size + extra)
            after = game.apply(move)
            if move.draw <= left:
                assert len(asked.calls) == 1
                assert after.shuffles == game.shuffles
                assert after.pile == game.pile[move.draw :]
                assert after.position.discard_pile == discards + move.discard
                continue
            assert asked.calls[1:] == [(str(discards + move.discard), 1)]
            pile = str(discards + move.discard)[::-1]
            missing = move.draw - left
            assert after.shuffles == (IN_TURN, pile)
            assert after.pile == pile[missing:]
            assert after.position.discard_pile == NO_CARDS
            assert after.hands[0] == hand - move.discard + Cards(game.pile + pile[:missing])


def test_R14_an_empty_pile_stays_empty_while_no_card_is_drawn() -> None:
    asked = Asked()
    game = drawn_down_to(0, asked)
    for _ in range(10):
        game = game.apply(PASS)
    assert (game.pile, len(game.shuffles), len(asked.calls)) == ("", 1, 1)
    game = game.apply(DRAW)
    assert (len(game.shuffles), len(asked.calls)) == (2, 2)
    assert len(game.position.discard_pile) == 0


@pytest.mark.parametrize("left", range(7))
def test_R14_the_refill_after_a_play_reshuffles_the_cards_played_too(left: int) -> None:
    for cards, code in (("5", "5"), ("1234", "ss"), ("12345", "ls")):
        asked = Asked()
        game = short_of_cards(asked, "666666"[:left])
        discards = game.position.discard_pile
        after = game.apply(score(cards, code))
        if len(cards) <= left:
            assert asked.calls == []
            assert after.position.discard_pile == discards + Cards(cards)
            assert after.pile == "666666"[: left - len(cards)]
        else:
            assert asked.calls == [(str(discards + Cards(cards)), 1)]
            assert after.position.discard_pile == NO_CARDS
            assert len(after.pile) == 103


def short_of_cards(shuffler: Shuffler, pile: str = "") -> Game:
    """Give a game of one with this draw pile and all other cards but the hand discarded."""
    game = Game.start(["Ana"], recorded([IN_TURN]))
    gone = game.position.draw_pile - Cards(pile)
    position = replace(game.position, draw_pile=Cards(pile), discard_pile=gone)
    return replace(game, position=position, pile=pile, shuffler=shuffler)


def test_R14_this_turns_cards_are_in_the_pile_again_at_once() -> None:
    # The hand is 12345; the pile is turned so that the discarded card lies on top.
    asked = Asked()
    game = short_of_cards(asked)
    after = game.apply(x("5", 1))
    assert asked.calls == [(str(game.position.discard_pile + Cards("5")), 1)]
    assert len(after.pile) == 108 - 5
    played = game.apply(score("5", "5"))
    assert asked.calls[-1] == asked.calls[0]
    assert played.pile == after.pile


@pytest.mark.parametrize("pile", ["", "6"])
def test_R14_a_missing_pile(pile: str) -> None:
    game = short_of_cards(recorded([IN_TURN]), pile)
    with pytest.raises(ReshuffleError) as caught:
        game.apply(x("12", 2))
    error = caught.value
    assert (error.clause, error.reason) == ("R14", "reshuffle_missing")
    assert str(error) == "the draw pile is empty; the discard pile reshuffled is needed and missing"


def test_R14_a_wrong_pile() -> None:
    game = short_of_cards(recorded([IN_TURN]))
    right = str(game.position.discard_pile + Cards("12"))
    assert game_with(game, right).apply(x("12", 2)).pile == right[2:]
    for wrong in (
        "",
        right[:-1],
        right + "6",
        right + "x",
        right.replace("1", "2", 1),
        right[:-1] + "7",
        right[:-1] + "x",
        str(game.position.discard_pile),
        str(FULL_DECK),
    ):
        with pytest.raises(ReshuffleError) as caught:
            game_with(game, wrong).apply(x("12", 2))
        error = caught.value
        assert (error.clause, error.reason) == ("R14", "reshuffle_wrong")
        assert error.details == {"cards": 105}
        assert str(error) == ("the reshuffled draw pile must be the 105 cards of the discard pile")


def game_with(game: Game, pile: str) -> Game:
    """Give the game with this pile recorded as its next shuffle."""
    return replace(game, shuffler=recorded([IN_TURN, pile]))


def test_R14_several_reshuffles_are_numbered_on() -> None:
    asked = Asked()
    game = Game.start(names(10), asked)
    while len(game.shuffles) < 5:
        hand = game.hands[game.to_move or 0]
        game = game.apply(Exchange(Cards(list(hand)[:5]), 5 + (len(hand) < 10)))
    assert [number for _, number in asked.calls] == [0, 1, 2, 3, 4]
    assert game.shuffles[1:] == tuple(cards[::-1] for cards, _ in asked.calls[1:])


def test_R12_a_game_in_which_all_pass_ends_after_1000_rounds() -> None:
    game = Game.start(names(2), seeded(1))
    for _ in range(1999):
        game = game.apply(PASS)
    assert (game.finished, game.round, game.to_move, game.winners) == (False, 1000, 1, ())
    game = game.apply(PASS)
    assert (game.finished, game.round, game.to_move, game.winners) == (True, 1000, None, (0, 1))
    assert game.legal_moves() == []
    assert not any(game.is_legal(move) for move in MOVES)
    for attempt in (game.check, game.apply):
        with pytest.raises(GameOverError) as caught:
            attempt(PASS)
        assert caught.value.clause == "R12"


def test_R12_R13_the_end_of_a_game_of_three() -> None:
    game = Game.start(names(3), recorded([IN_TURN]))
    # The hands are 11144, 22255 and 33366.
    sheets = (sheet_with_open(Field.FIVES), sheet_with_open(Field.TWOS), Sheet())
    game = replace(game, position=replace(game.position, sheets=sheets, turn=60))
    game = game.apply(PASS).apply(score("222", "2"))
    assert (game.finished, game.position.last_round, game.to_move) == (False, True, 2)
    game = game.apply(score("33", "3"))
    assert (game.finished, game.round, game.to_move) == (True, 21, None)
    assert game.winners == (1,)
    assert [sheet.total for sheet in game.sheets] == [50 + 60, 56 + 60, 6 - 20]


def test_a_seed_gives_the_same_piles_again() -> None:
    for number in range(3):
        assert seeded(7)(FULL_DECK, number) == seeded(7)(FULL_DECK, number)
        assert Cards(seeded(7)(FULL_DECK, number)) == FULL_DECK
    piles = {seeded(seed)(FULL_DECK, number) for seed in (7, 8, "a", "b") for number in range(3)}
    assert len(piles) == 12
    assert seeded(7)(FULL_DECK, 0) == seeded("7")(FULL_DECK, 0)


def test_a_seed_leaves_the_common_chance_alone() -> None:
    state = random.getstate()
    list(Plan(5, (False, True)).play())
    assert random.getstate() == state


def test_R3_shuffled_moves_every_card_about() -> None:
    rng = random.Random(1)
    tops = Counter(shuffled(Cards("123456"), rng) for _ in range(7200))
    assert len(tops) == 720
    assert max(tops.values()) < 40


def test_games_are_equal_whatever_shuffles_them() -> None:
    deck = seeded(7)(FULL_DECK, 0)
    one = Game.start(names(3), seeded(7))
    assert one == Game.start(names(3), recorded([deck]))
    assert hash(one) == hash(Game.start(names(3), recorded([deck])))
    assert one != Game.start(names(3), seeded(8))
    assert one != Game.start(["A", "B", "C"], seeded(7))
    assert one != Game.start(names(3), seeded(7), HOUSE_RULE)
    assert "shuffler" not in repr(one)


def test_a_game_can_be_copied() -> None:
    game = Game.start(names(3), seeded(7), HOUSE_RULE).apply(DRAW)
    for again in (copy.copy(game), copy.deepcopy(game)):
        assert again == game
        assert again.apply(DRAW) == game.apply(DRAW)


def test_a_game_with_a_shuffler_of_ones_own_can_be_pickled() -> None:
    game = Game.start(names(3), Asked()).apply(DRAW)
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_game_can_cross_to_another_process_and_goes_on_there() -> None:
    for shuffler in (seeded(3), recorded([seeded(3)(FULL_DECK, 0)])):
        game = Game.start(["Ana", "Bo"], shuffler)
        there = pickle.loads(pickle.dumps(game))
        assert there == game
        move = game.legal_moves()[1]
        assert there.apply(move) == game.apply(move)
