"""Samples of what a view leaves open (R15)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.rules import Cards, Exchange, Game, Move, replay, sample, seeded


def played(seed: int, players: int, turns: int, *, hoarding: bool) -> Game:
    """Play random moves; hoarders draw more than they discard until their hands are full."""
    rng = random.Random(seed)
    game = Game.start([f"P{n}" for n in range(players)], seeded(seed))
    while len(game.moves) < turns and not game.finished:
        moves: list[Move] = game.legal_moves()
        if hoarding:
            exchanges = [move for move in moves if isinstance(move, Exchange)]
            growing = [move for move in exchanges if move.draw > len(move.discard)]
            moves = list(growing or exchanges)
        game = game.apply(rng.choice(moves))
    return game


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(0, 120), st.booleans(), st.booleans())
def test_R15_a_sample_agrees_with_the_view_and_is_a_whole_game(
    seed: int, players: int, turns: int, hoarding: bool, watching: bool
) -> None:
    game = played(seed, players, turns, hoarding=hoarding)
    view = game.view(None if watching else seed % players)
    imagined = sample(view, random.Random(seed))
    assert imagined.view(view.seat) == view
    again = replay(imagined.names, imagined.shuffles, imagined.moves, imagined.rules)
    assert again == imagined


def test_R14_ten_hoarders_with_a_hundred_reshuffles() -> None:
    game = played(5, 10, 400, hoarding=True)
    assert len(game.shuffles) > 50
    for seat in (None, 0, 7):
        view = game.view(seat)
        imagined = sample(view, random.Random(1))
        assert imagined.view(seat) == view


def test_R15_right_after_the_deal_the_other_hand_is_dealt_evenly() -> None:
    game = Game.start(["Ana", "Bo"], seeded(7))
    view = game.view(0)
    assert view.hand is not None
    ones = 18 - view.hand.count(1)
    rng = random.Random(3)
    runs = 4000
    found = Counter(sample(view, rng).hands[1].count(1) for _ in range(runs))
    for count in range(4):
        share = comb(ones, count) * comb(103 - ones, 5 - count) / comb(103, 5)
        assert abs(found[count] / runs - share) < 0.03


def test_R14_right_after_a_reshuffle_the_pile_is_known() -> None:
    game = played(11, 3, 300, hoarding=True)
    while len(game.shuffles) == 1 or len(game.position.discard_pile) or not game.pile:
        before = game
        game = game.apply(random.Random(len(game.moves)).choice(game.legal_moves()))
        if len(game.shuffles) > len(before.shuffles):
            break
    known = Cards(game.pile)
    view = game.view((len(game.moves) - 1) % 3)  # the one who drew since knows what came
    rng = random.Random(2)
    piles = {sample(view, rng).position.draw_pile for _ in range(20)}
    for pile in piles:
        assert pile <= Cards(game.shuffles[-1])
    assert len(known) == view.draw_pile


def test_the_same_chance_gives_the_same_sample() -> None:
    view = played(2, 3, 30, hoarding=False).view(1)
    assert sample(view, random.Random(4)) == sample(view, random.Random(4))


def test_a_view_that_no_game_agrees_with_is_refused() -> None:
    view = Game.start(["Ana", "Bo"], seeded(7)).view(0)
    with pytest.raises(ValueError, match="no game"):
        sample(replace(view, draw_pile=3), random.Random(1))
