"""Views and results as JSON."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.notation import view_from_json, view_to_json
from kartenkniffel.rules import FIELDS, Cards, Game, seeded


def played(seed: int, players: int, moves: int) -> Game:
    rng = random.Random(seed)
    game = Game.start([f"P{n}" for n in range(players)], seeded(seed))
    for _ in range(moves):
        game = game.apply(rng.choice(game.legal_moves()))
    return game


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(0, 40), st.booleans())
def test_a_view_survives_json(seed: int, players: int, moves: int, watching: bool) -> None:
    game = played(seed, players, moves)
    view = game.view(None if watching else seed % players)
    assert view_from_json(json.loads(json.dumps(view_to_json(view)))) == view


def test_R15_a_spectators_view_has_no_hand() -> None:
    value = view_to_json(played(3, 2, 5).view(None))
    assert value["seat"] is None
    assert "hand" not in value


def test_the_keys_of_the_contract() -> None:
    game = played(3, 2, 4)
    value = view_to_json(game.view(0))
    assert list(value) == [
        "version", "seat", "hand", "round", "to_move", "last_round", "finished", "winners",
        "rules", "draw_pile", "discards", "moves", "players",
    ]  # fmt: skip
    assert value["hand"] == str(game.hands[0])
    assert Cards.from_counts(value["discards"]) == game.position.discard_pile
    assert list(value["players"][0]) == [
        "name", "hand_size", "upper", "bonus", "penalties", "total", "fields",
    ]  # fmt: skip
    assert list(value["players"][0]["fields"]) == [field.value for field in FIELDS]
