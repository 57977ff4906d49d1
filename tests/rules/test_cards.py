"""Cards as multisets, held against `collections.Counter`, and the deck (R1)."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.rules import FULL_DECK, NO_CARDS, VALUES, Cards, multisets
from tests.strategies import digits


def counted(cards: Cards) -> Counter[str]:
    return Counter(str(cards))


def test_R1_the_deck_is_eighteen_of_each_number() -> None:
    assert FULL_DECK.counts == (18, 18, 18, 18, 18, 18)
    assert len(FULL_DECK) == 108
    assert str(FULL_DECK) == "".join(number * 18 for number in "123456")
    assert VALUES == (1, 2, 3, 4, 5, 6)


@given(digits)
def test_cards_are_what_a_counter_counts(text: str) -> None:
    cards, counter = Cards(text), Counter(text)
    assert len(cards) == len(text)
    assert [cards.count(value) for value in VALUES] == [counter[number] for number in "123456"]
    assert cards.counts == tuple(counter[number] for number in "123456")
    assert cards.total == sum(map(int, text))
    assert list(cards) == sorted(map(int, text))
    assert str(cards) == "".join(sorted(text))
    assert repr(cards) == f"Cards('{''.join(sorted(text))}')"
    assert bool(cards) is bool(text)


@given(digits)
def test_cards_come_from_text_values_and_counts_alike(text: str) -> None:
    cards = Cards(text)
    assert Cards(text[::-1]) == cards
    assert Cards([int(number) for number in text]) == cards
    assert Cards(int(number) for number in text) == cards
    assert Cards(cards) == cards
    assert Cards.from_counts(cards.counts) == cards
    assert Cards.from_counts(count for count in cards.counts) == cards


@given(digits, digits)
def test_cards_are_equal_when_the_counters_are(one: str, other: str) -> None:
    assert (Cards(one) == Cards(other)) is (Counter(one) == Counter(other))
    assert (Cards(one) != Cards(other)) is (Counter(one) != Counter(other))
    if Cards(one) == Cards(other):
        assert hash(Cards(one)) == hash(Cards(other))
    assert Cards(one) != one


@given(digits, digits)
def test_addition_is_that_of_counters(one: str, other: str) -> None:
    both = Cards(one) + Cards(other)
    assert counted(both) == Counter(one) + Counter(other)
    assert len(both) == len(one) + len(other)
    assert both == Cards(one + other)


@given(digits, digits)
def test_comparison_is_that_of_counters(one: str, other: str) -> None:
    assert (Cards(one) <= Cards(other)) is (Counter(one) <= Counter(other))
    assert (Cards(one) >= Cards(other)) is (Counter(one) >= Counter(other))


@given(digits, digits)
def test_subtraction_is_that_of_counters_where_all_are_there(one: str, other: str) -> None:
    if Counter(other) <= Counter(one):
        rest = Cards(one) - Cards(other)
        assert counted(rest) == Counter(one) - Counter(other)
        assert len(rest) == len(one) - len(other)
    else:
        with pytest.raises(ValueError, match="is not among"):
            Cards(one) - Cards(other)
    assert Cards(one) + Cards(other) - Cards(other) == Cards(one)


@pytest.mark.parametrize("number", "123456")
def test_one_card_too_many_of_any_number_is_not_among_the_others(number: str) -> None:
    assert Cards(number * 18) <= FULL_DECK
    assert not Cards(number * 19) <= FULL_DECK
    assert not Cards(number) <= FULL_DECK - Cards(number * 18)
    with pytest.raises(ValueError, match="is not among"):
        FULL_DECK - Cards(number * 19)


@given(digits)
def test_cards_survive_pickling_and_copying(text: str) -> None:
    cards = Cards(text)
    for again in (
        *(pickle.loads(pickle.dumps(cards, protocol)) for protocol in range(6)),
        copy.copy(cards),
        copy.deepcopy(cards),
        eval(repr(cards)),
    ):
        assert again == cards
        assert hash(again) == hash(cards)
        assert (len(again), str(again), again.counts) == (len(cards), str(cards), cards.counts)


def test_cards_do_not_change_under_their_sums() -> None:
    hand, more = Cards("123"), Cards("3")
    assert (hand + more, hand - more) == (Cards("1233"), Cards("12"))
    hand += more
    assert (hand, more, Cards("123").counts) == (Cards("1233"), Cards("3"), (1, 1, 1, 0, 0, 0))


@pytest.mark.parametrize(
    "text", ["0", "7", "9", "a", " ", "1 2", "12\n", "-1", "+", "１", "٣", "²"]
)
def test_other_digits_are_no_cards(text: str) -> None:
    with pytest.raises(ValueError, match="from 1 to 6"):
        Cards(text)


@pytest.mark.parametrize("values", [[0], [7], [-1], [12], [1, 2, 66], [10]])
def test_other_values_are_no_cards(values: list[int]) -> None:
    with pytest.raises(ValueError, match="from 1 to 6"):
        Cards(values)


@pytest.mark.parametrize(
    "counts", [(), (1,) * 5, (1,) * 7, (1, 1, 1, 1, 1, -1), (-1, 2, 0, 0, 0, 0)]
)
def test_other_counts_are_no_cards(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="six numbers, none of them negative"):
        Cards.from_counts(counts)


def test_the_empty_multiset_is_among_all() -> None:
    assert Cards() == Cards("") == Cards([]) == NO_CARDS
    assert not NO_CARDS
    assert NO_CARDS <= NO_CARDS <= Cards("1")
    assert not Cards("6") <= NO_CARDS


@pytest.mark.parametrize("size", range(7))
def test_the_multisets_of_a_size_are_all_there_once_and_in_order(size: int) -> None:
    texts = [str(cards) for cards in multisets(size)]
    assert texts == sorted({"".join(sorted(cards)) for cards in product("123456", repeat=size)})


@given(st.integers(100, 100_000), st.sampled_from("123456"))
def test_a_huge_number_of_cards_is_counted_right(size: int, number: str) -> None:
    cards = Cards(number * size)
    assert (len(cards), cards.count(int(number))) == (size, size)
    assert not cards <= FULL_DECK
    assert cards + FULL_DECK >= FULL_DECK
