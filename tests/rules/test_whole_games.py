"""Whole games at random, held against a plain reckoning of their own."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.rules import (
    FULL_DECK,
    MOVES,
    Cards,
    Exchange,
    Field,
    Game,
    Move,
    Position,
    Score,
    replay,
)
from tests.strategies import Plan, plans, reckoned


class PlainGame:
    """The rules once more, with lists of digits and no thought of speed."""

    def __init__(self, deck: str, players: int, house: bool) -> None:
        self.house = house
        self.pile = list(deck)
        self.discards: list[str] = []
        self.shuffles = 1
        self.hands: list[list[str]] = [[] for _ in range(players)]
        for _ in range(5):
            for hand in self.hands:
                hand.append(self.pile.pop(0))
        self.sheets: list[dict[str, tuple[int, int]]] = [{} for _ in range(players)]
        self.turn = 0

    def play(self, move: Move, shuffles: Sequence[str]) -> None:
        seat = self.turn % len(self.hands)
        hand = self.hands[seat]
        held = len(hand)
        for card in str(move.leaving):
            hand.remove(card)
            self.discards.append(card)
        if isinstance(move, Exchange):
            draws = move.draw
            assert draws - len(move.discard) in (0, 1)
        else:
            code = move.field.value
            points = reckoned(str(move.cards), code, self.house)
            assert points is not None
            assert code not in self.sheets[seat]
            self.sheets[seat][code] = (points, 2 * (held - 5))
            draws = 5 - len(hand)
        for _ in range(draws):
            if not self.pile:
                self.pile = list(shuffles[self.shuffles])
                assert sorted(self.pile) == sorted(self.discards)
                self.discards = []
                self.shuffles += 1
            hand.append(self.pile.pop(0))
        self.turn += 1

    def total(self, seat: int) -> int:
        sheet = self.sheets[seat]
        upper = sum(points for code, (points, _) in sheet.items() if code in list("123456"))
        bonus = 35 if upper >= 63 else -20 if upper < 43 else 0
        return sum(points - penalty for points, penalty in sheet.values()) + bonus

    def over(self) -> bool:
        whole_rounds, rest = divmod(self.turn, len(self.hands))
        full = any(len(sheet) == 12 for sheet in self.sheets)
        return rest == 0 and (full or whole_rounds >= 1000)


def assert_same(game: Game, plain: PlainGame) -> None:
    position = game.position
    assert [str(hand) for hand in game.hands] == ["".join(sorted(hand)) for hand in plain.hands]
    assert game.pile == "".join(plain.pile)
    assert position.draw_pile == Cards(game.pile)
    assert str(position.discard_pile) == "".join(sorted(plain.discards))
    assert len(game.shuffles) == plain.shuffles
    for seat, sheet in enumerate(game.sheets):
        written = {
            field.value: (entry.points, entry.penalty)
            for field in Field
            if (entry := sheet[field]) is not None
        }
        assert written == plain.sheets[seat]
        assert sheet.total == plain.total(seat)
        assert sheet.total == sheet.upper + sheet.lower + sheet.bonus - sheet.penalties
    assert game.finished is plain.over()
    assert (game.to_move is None) is game.finished
    if game.finished:
        totals = [plain.total(seat) for seat in range(len(plain.hands))]
        best = max(totals)
        assert list(game.winners) == [s for s, total in enumerate(totals) if total == best]
    else:
        assert game.winners == ()
        assert game.to_move == plain.turn % len(plain.hands)
        assert game.round == plain.turn // len(plain.hands) + 1


@settings(max_examples=25)
@given(plans())
def test_a_whole_game_goes_as_reckoned_by_hand(plan: Plan) -> None:
    games = plan.play()
    game = next(games)
    plain = PlainGame(game.shuffles[0], len(plan.hoards), plan.house)
    assert_same(game, plain)
    for game in games:
        plain.play(game.moves[-1], game.shuffles)
        assert_same(game, plain)


@settings(max_examples=25)
@given(plans())
def test_R1_R5_R6_no_card_is_lost_and_hands_keep_their_size(plan: Plan) -> None:
    for game in plan.play():
        position = game.position
        everything = position.draw_pile + position.discard_pile
        for hand in game.hands:
            assert 5 <= len(hand) <= 10
            everything += hand
        assert everything == FULL_DECK
        assert sum(Counter("".join(map(str, game.hands)) + game.pile).values()) == 108 - len(
            position.discard_pile
        )
        assert Cards(game.pile) == position.draw_pile


@settings(max_examples=25)
@given(plans())
def test_R12_all_have_had_the_same_number_of_turns(plan: Plan) -> None:
    full_in_round = None
    for game in plan.play():
        players = len(game.names)
        if full_in_round is None and any(sheet.is_full for sheet in game.sheets):
            full_in_round = (len(game.moves) - 1) // players + 1
        assert game.position.last_round is (full_in_round is not None)
        if game.finished:
            assert game.round == full_in_round
            assert len(game.moves) == players * full_in_round
        elif full_in_round is not None:
            assert game.round == full_in_round


@settings(max_examples=15)
@given(plans(max_players=6), st.randoms(use_true_random=False))
def test_legal_moves_and_check_agree_on_every_move_there_is(plan: Plan, rng: random.Random) -> None:
    for game in plan.play():
        if game.finished or rng.random() < 0.01:
            wanted = [move for move in MOVES if game.is_legal(move)]
            assert game.legal_moves() == wanted
            assert game.position.legal_moves() == wanted
            assert bool(wanted) is not game.finished


@settings(max_examples=25)
@given(plans())
def test_a_position_with_the_drawn_cards_handed_in_goes_as_the_game_does(plan: Plan) -> None:
    for before, after in itertools.pairwise(plan.play()):
        move = after.moves[-1]
        seat = len(before.moves) % len(before.names)
        drawn = after.hands[seat] - (before.hands[seat] - move.leaving)
        assert len(drawn) == before.position.draws(move)
        assert before.position.apply(move, drawn) == after.position
        assert before.position.after(move, drawn) == after.position


@settings(max_examples=12)
@given(plans())
def test_seeded_games_repeat_and_records_lead_to_the_same_game(plan: Plan) -> None:
    games = list(plan.play())
    game = games[-1]
    assert list(plan.play())[-1] == game
    again = replay(game.names, game.shuffles, game.moves, plan.rules)
    assert again == game
    assert again.position == game.position
    halfway = games[len(games) // 2]
    assert replay(halfway.names, halfway.shuffles, halfway.moves, plan.rules) == halfway


def test_R14_a_reshuffle_takes_place_only_at_a_draw_from_an_empty_pile() -> None:
    reshuffles = emptied = 0
    for seed in range(12):
        plan = Plan(seed, (True, False) * 5)
        for before, after in itertools.pairwise(plan.play()):
            draws = before.position.draws(after.moves[-1])
            happened = len(after.shuffles) - len(before.shuffles)
            assert happened == int(draws > len(before.pile))
            reshuffles += happened
            if draws == len(before.pile) > 0:
                emptied += 1
                assert after.pile == ""
    assert reshuffles > 50
    assert emptied > 5


def test_the_random_games_do_come_to_all_there_is() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        players = seed % 10 + 1
        plan = Plan(seed, tuple(s % 3 == seed % 3 for s in range(players)), house=seed % 2 == 0)
        game: Game | None = None
        for game in plan.play():
            seen["ten cards"] += any(len(hand) == 10 for hand in game.hands)
        assert game is not None
        seen["finished"] += game.finished
        seen["reshuffled"] += len(game.shuffles) > 1
        seen["bonus"] += any(sheet.bonus == 35 for sheet in game.sheets)
        seen["penalty of ten"] += any(
            e is not None and e.penalty == 10 for s in game.sheets for e in s.entries
        )
        seen["kept a large hand"] += any(
            isinstance(move, Score) and len(move.cards) < 5 for move in game.moves
        )
        seen["no malus"] += any(sheet.bonus == 0 for sheet in game.sheets)
    assert seen["finished"] == 30
    assert seen["reshuffled"] >= 15
    assert min(seen.values()) >= 5
    assert len(seen) == 7


def test_position_dealt_agrees_with_the_game_at_the_deal() -> None:
    for players in range(1, 11):
        game = next(Plan(players, (False,) * players).play())
        assert Position.dealt(game.hands) == game.position
