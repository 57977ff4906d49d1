"""Whole layers of hands, held against the same done one hand at a time."""

from __future__ import annotations

import random
from itertools import product

import pytest

from kartenkniffel.bots.hands import hands_up_to, ways_to_play
from kartenkniffel.rules import FIELDS, Cards, Field, HouseRules, plays

HANDS = hands_up_to(6)


def layer(size: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [rng.uniform(-50, 50) for _ in HANDS.of_size(size)]


def test_every_hand_has_a_number() -> None:
    assert len(HANDS.counts) == len(HANDS.numbers) == HANDS.starts[-1]
    for number, counts in enumerate(HANDS.counts):
        assert HANDS.numbers[counts] == number
        assert HANDS.starts[sum(counts)] + HANDS.place(counts) == number


@pytest.mark.parametrize("drawn", [0, 1, 2, 3])
def test_before_drawing_is_the_mean_over_all_draws(drawn: int) -> None:
    odds = [0.3, 0.1, 0.2, 0.05, 0.25, 0.1]
    worth = layer(5, seed=1)
    got = HANDS.before_drawing(worth, 5, 3, odds)[drawn]
    for counts, value in zip(HANDS.of_size(5 - drawn), got, strict=True):
        mean = 0.0
        for draws in product(range(6), repeat=drawn):
            after, chance = list(counts), 1.0
            for place in draws:
                after[place] += 1
                chance *= odds[place]
            mean += chance * worth[HANDS.place(tuple(after))]
        assert value == pytest.approx(mean)


def test_best_discard_is_the_best_of_all() -> None:
    kept = [[layer(6 - gone, seed=gone), layer(6 - gone, seed=gone + 10)] for gone in range(6)]
    got = HANDS.best_discard(6, kept)
    for counts, value in zip(HANDS.of_size(6), got, strict=True):
        best = max(
            figures[HANDS.place(left)]
            for left in HANDS.counts
            if sum(left) >= 1 and all(a <= b for a, b in zip(left, counts, strict=True))
            for figures in kept[6 - sum(left)]
        )
        assert value == best


@pytest.mark.parametrize("rules", [HouseRules(False), HouseRules(True)])
@pytest.mark.parametrize("field", FIELDS)
def test_ways_to_play(field: Field, rules: HouseRules) -> None:
    seen: dict[Cards, set[Cards]] = {}
    for points, pairs in ways_to_play(field, 6, rules).items():
        for number, left in pairs:
            hand = Cards.from_counts(HANDS.counts[number])
            cards = hand - Cards.from_counts(HANDS.counts[left])
            assert plays(rules)[field][cards] == points
            seen.setdefault(hand, set()).add(cards)
    for counts in HANDS.of_size(5) + HANDS.of_size(6):
        hand = Cards.from_counts(counts)
        fitting = {cards for cards in plays(rules)[field] if cards <= hand}
        if field.is_upper:
            most = max(map(len, fitting), default=0)
            fitting = {cards for cards in fitting if len(cards) in (most, 3, 4)}
        assert seen.get(hand, set()) == fitting
