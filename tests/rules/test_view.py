"""What a seat or a spectator gets to see, and that no secret is in it (R15)."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.rules import (
    FULL_DECK,
    NO_CARDS,
    Cards,
    Exchange,
    Field,
    Game,
    PlayerView,
    Score,
    Sheet,
    Shuffler,
    View,
    recorded,
    seeded,
)
from tests.strategies import HOUSE_RULE, Plan, plans

DECK = "123456" * 18
"""Dealt to two, it gives the hands 11335 and 22446."""

DRAW = Exchange(NO_CARDS, 1)
PASS = Exchange(NO_CARDS, 0)


def test_R15_what_a_view_shows() -> None:
    game = Game.start(["Ana", "Bo"], recorded([DECK]), HOUSE_RULE)
    moves = (Exchange(Cards("33"), 3), Score(Cards("22"), Field.TWOS))
    for move in moves:
        game = game.apply(move)
    rows = (
        PlayerView("Ana", 6, Sheet()),
        PlayerView("Bo", 5, Sheet().write(Field.TWOS, 4)),
    )
    view = View(
        seat=0,
        hand=Cards("111556"),
        round=2,
        to_move=0,
        last_round=False,
        finished=False,
        winners=(),
        rules=HOUSE_RULE,
        draw_pile=98 - 5,
        discards=Cards("3322"),
        moves=moves,
        players=rows,
    )
    assert game.view(0) == view
    assert game.view(1) == dataclasses.replace(view, seat=1, hand=game.hands[1])
    assert game.view(None) == dataclasses.replace(view, seat=None, hand=None)
    assert [game.view(seat).own for seat in (0, 1)] == list(rows)


def test_R15_a_view_has_no_room_for_a_secret() -> None:
    names = [field.name for field in dataclasses.fields(View)]
    assert names == [
        "seat", "hand", "round", "to_move", "last_round", "finished", "winners", "rules",
        "draw_pile", "discards", "moves", "players",
    ]  # fmt: skip
    assert [field.name for field in dataclasses.fields(PlayerView)] == [
        "name", "hand_size", "sheet",
    ]  # fmt: skip
    game = Game.start(["Ana", "Bo"], seeded(1))
    for value in (game.view(0), game.view(0).players[0]):
        assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("seat", [-1, 2, 10])
def test_a_view_is_of_a_seat_in_the_game(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seats are 0 to 1, not {seat}"):
        Game.start(["Ana", "Bo"], seeded(1)).view(seat)


def test_a_spectator_has_no_player_and_no_moves() -> None:
    view = Game.start(["Ana", "Bo"], seeded(1)).view(None)
    with pytest.raises(ValueError, match="a spectator has no seat"):
        view.own  # noqa: B018
    assert view.legal_moves() == []


def test_a_view_survives_pickling_and_copying() -> None:
    game = Game.start(["Ana", "Bo"], seeded(1)).apply(DRAW)
    for seat in (0, 1, None):
        view = game.view(seat)
        for again in (pickle.loads(pickle.dumps(view)), copy.copy(view), copy.deepcopy(view)):
            assert again == view
            assert hash(again) == hash(view)
            assert again.legal_moves() == view.legal_moves()


@settings(max_examples=40)
@given(plans(max_players=4), st.randoms(use_true_random=False))
def test_a_view_agrees_with_the_game(plan: Plan, rng: random.Random) -> None:
    for game in plan.play(most=300):
        if rng.random() > 0.03 and not game.finished:
            continue
        for seat in (*range(len(game.names)), None):
            view = game.view(seat)
            to_move = seat is not None and seat == game.to_move
            assert view.legal_moves() == (game.legal_moves() if to_move else [])
            assert view.hand == (None if seat is None else game.hands[seat])
            assert (view.seat, view.round, view.to_move) == (seat, game.round, game.to_move)
            assert (view.finished, view.winners) == (game.finished, game.winners)
            assert view.last_round is game.position.last_round
            assert (view.draw_pile, view.moves) == (len(game.pile), game.moves)
            assert view.discards == game.position.discard_pile
            assert [player.name for player in view.players] == plan.names
            assert [player.hand_size for player in view.players] == list(map(len, game.hands))
            assert tuple(player.sheet for player in view.players) == game.sheets


class Seen:
    """Follows every single card of a game and knows which of them a viewer has seen.

    A card is a place in a shuffle: ``(shuffle, index)``. Seen are the cards in the viewer's hand
    and all that have been discarded or played, each since it was shuffled last.
    """

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.viewer = viewer
        self.players = len(game.names)
        self.shuffles = list(game.shuffles)
        places = [(0, index) for index in range(108)]
        dealt = 5 * self.players
        self.hands = [places[seat : dealt : self.players] for seat in range(self.players)]
        self.pile = places[dealt:]
        self.places = set() if viewer is None else set(self.hands[viewer])

    def value(self, place: tuple[int, int]) -> str:
        return self.shuffles[place[0]][place[1]]

    def follow(self, before: Game, after: Game) -> None:
        """Take in the move that leads from one game to the other."""
        move, seat = after.moves[-1], len(before.moves) % self.players
        hand = self.hands[seat]
        for number in str(move.leaving):
            place = next(place for place in hand if self.value(place) == number)
            hand.remove(place)
            self.places.add(place)
        for _ in range(before.position.draws(move)):
            if not self.pile:
                self.shuffles.append(after.shuffles[-1])
                latest = len(self.shuffles) - 1
                self.pile = [(latest, index) for index in range(len(self.shuffles[-1]))]
            place = self.pile.pop(0)
            hand.append(place)
            if seat == self.viewer:
                self.places.add(place)

    def hidden_rearranged(self, rng: random.Random) -> list[str]:
        """Give the shuffles with all cards that were never seen in another order."""
        rearranged = []
        for number, shuffle in enumerate(self.shuffles):
            cards = list(shuffle)
            free = [index for index in range(len(cards)) if (number, index) not in self.places]
            for index, other in zip(free, rng.sample(free, len(free)), strict=True):
                cards[index] = shuffle[other]
            rearranged.append("".join(cards))
        return rearranged


def then_seeded(shuffles: list[str], seed: int) -> Shuffler:
    """Give a shuffler of these piles, and of seeded ones afterwards."""

    def shuffle(cards: Cards, number: int) -> str:
        return shuffles[number] if number < len(shuffles) else seeded(seed)(cards, number)

    return shuffle


def twin_of(games: list[Game], viewer: int | None, seed: int) -> Iterator[Game]:
    """Give, step by step, a game that the viewer cannot tell from this one."""
    seen = Seen(games[0], viewer)
    for before, after in itertools.pairwise(games):
        seen.follow(before, after)
    shuffles = seen.hidden_rearranged(random.Random(seed))
    twin = Game.start(games[0].names, then_seeded(shuffles, seed), games[0].rules)
    yield twin
    for move in games[-1].moves:
        twin = twin.apply(move)
        yield twin


@settings(max_examples=40)
@given(plans(min_players=2), st.integers(0, 300), st.data())
def test_R15_games_that_differ_in_secrets_only_look_the_same(
    plan: Plan, most: int, data: st.DataObject
) -> None:
    viewer = data.draw(st.one_of(st.none(), st.integers(0, len(plan.hoards) - 1)))
    games = list(plan.play(most))
    for game, twin in zip(games, twin_of(games, viewer, seed=plan.seed + 1), strict=True):
        assert twin.view(None) == game.view(None)
        assert repr(twin.view(None)) == repr(game.view(None))
        if viewer is not None:
            assert twin.view(viewer) == game.view(viewer)
            assert repr(twin.view(viewer)) == repr(game.view(viewer))
            assert twin.view(viewer).legal_moves() == game.view(viewer).legal_moves()


@settings(max_examples=40)
@given(plans(min_players=2), st.integers(0, 100), st.integers(0, 40), st.data())
def test_R15_after_further_moves_such_games_are_equal_in_public(
    plan: Plan, most: int, further: int, data: st.DataObject
) -> None:
    viewer = data.draw(st.integers(0, len(plan.hoards) - 1))
    games = list(plan.play(most))
    game, twin = games[-1], list(twin_of(games, viewer, seed=plan.seed + 1))[-1]
    own_draws = False
    for _ in range(further):
        if game.finished:
            break
        seat = game.to_move
        assert seat is not None
        # Others only draw or pass, and so does the viewer once unknown cards were drawn.
        moves = game.legal_moves()
        if seat != viewer or own_draws:
            moves = [move for move in moves if move in (DRAW, PASS)]
        move = data.draw(st.sampled_from(moves))
        own_draws = own_draws or (seat == viewer and game.position.draws(move) > 0)
        game, twin = game.apply(move), twin.apply(move)
        assert twin.view(None) == game.view(None)
        same = dataclasses.replace(twin.view(viewer), hand=game.hands[viewer])
        assert same == game.view(viewer)
        if not own_draws:
            assert twin.view(viewer) == game.view(viewer)


def test_R15_the_games_compared_do_differ() -> None:
    differing = reshuffled = 0
    for seed in range(10):
        games = list(Plan(seed, (True, False, True, False)).play(150))
        twin = list(twin_of(games, 2, seed))[-1]
        assert twin.hands[2] == games[-1].hands[2]
        differing += twin.hands != games[-1].hands and twin.pile != games[-1].pile
        reshuffled += len(games[-1].shuffles) > 2
    assert differing >= 8
    assert reshuffled >= 8


def test_R15_at_the_deal_nobody_knows_the_other_hands() -> None:
    deck = seeded(1)(FULL_DECK, 0)
    game = Game.start(["Ana", "Bo", "Cy"], recorded([deck]))
    own = [deck[index] for index in range(0, 15, 3)]
    rest = iter("".join(deck[i] for i in range(107, -1, -1) if i >= 15 or i % 3))
    other = "".join(own[i // 3] if i < 15 and i % 3 == 0 else next(rest) for i in range(108))
    twin = Game.start(["Ana", "Bo", "Cy"], recorded([other]))
    assert twin.hands[1:] != game.hands[1:]
    assert twin.pile != game.pile
    for move in (PASS, DRAW, PASS, PASS, DRAW, DRAW):
        assert twin.view(0) == game.view(0)
        assert twin.view(None) == game.view(None)
        assert twin.view(1) != game.view(1)
        game, twin = game.apply(move), twin.apply(move)


def test_R15_errors_tell_nothing_of_other_hands_or_the_pile() -> None:
    game = Game.start(["Ana", "Bo"], recorded([DECK]))
    for move in (Exchange(Cards("66"), 2), Score(Cards("666"), Field.SIXES)):
        with pytest.raises(ValueError, match="11335") as caught:
            game.apply(move)
        told = f"{caught.value} {caught.value.details}"  # type: ignore[attr-defined]
        assert "22446" not in told
        assert game.pile[:4] not in told
