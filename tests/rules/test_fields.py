"""Which cards fill a field and what they bring (R8, R9), held against a reckoning of its own."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations_with_replacement

import pytest

from kartenkniffel.rules import (
    FIELDS,
    LOWER_FIELDS,
    LOWER_SIZE,
    NO_HOUSE_RULES,
    UPPER_FIELDS,
    Cards,
    Field,
    FieldFilledError,
    HouseRules,
    LowerFieldError,
    RuleError,
    UpperFieldError,
    check_points,
    plays,
    points_for,
    possible_points,
)
from tests.strategies import HOUSE_RULE, reckoned

CODES = ["1", "2", "3", "4", "5", "6", "3k", "4k", "fh", "ss", "ls", "kn"]

UP_TO_SEVEN_CARDS = [
    "".join(cards) for size in range(8) for cards in combinations_with_replacement("123456", size)
]


def points(cards: str, code: str, rules: HouseRules = NO_HOUSE_RULES) -> int | None:
    """Give the points by the rules under test, ``None`` where they refuse the cards."""
    try:
        return points_for(Cards(cards), Field(code), rules)
    except RuleError:
        return None


def test_the_fields_stand_in_the_order_of_the_sheet() -> None:
    assert [field.value for field in FIELDS] == CODES
    assert [str(field) for field in FIELDS] == CODES
    assert [field.place for field in FIELDS] == list(range(12))
    assert [field.number for field in FIELDS] == [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]
    assert [field.is_upper for field in FIELDS] == [True] * 6 + [False] * 6
    assert UPPER_FIELDS + LOWER_FIELDS == FIELDS
    assert [LOWER_SIZE[field] for field in LOWER_FIELDS] == [5, 5, 5, 4, 5, 5]


def test_R9_there_is_no_chance_field() -> None:
    for code in ("ch", "7", "0", "3K", ""):
        with pytest.raises(ValueError, match="is not a valid Field"):
            Field(code)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("house", [False, True])
def test_R8_R9_points_of_all_cards_up_to_seven_on_every_field(code: str, house: bool) -> None:
    rules = HouseRules(five_of_a_kind_is_full_house=house)
    found = {cards: points(cards, code, rules) for cards in UP_TO_SEVEN_CARDS}
    assert found == {cards: reckoned(cards, code, house) for cards in UP_TO_SEVEN_CARDS}


@pytest.mark.parametrize("house", [False, True])
def test_R8_R9_plays_lists_what_points_for_takes(house: bool) -> None:
    rules = HouseRules(five_of_a_kind_is_full_house=house)
    listed = plays(rules)
    assert list(listed) == list(FIELDS)
    for field in FIELDS:
        taken = {cards: reckoned(cards, field.value, house) for cards in UP_TO_SEVEN_CARDS}
        wanted = {Cards(cards): value for cards, value in taken.items() if value is not None}
        assert listed[field] == wanted


def test_R9_how_many_plays_each_field_has() -> None:
    sizes = {field.value: len(fitting) for field, fitting in plays(NO_HOUSE_RULES).items()}
    assert sizes == dict.fromkeys("123456", 5) | {
        "3k": 6 * 5 * 2 + 6 * 10 + 6,
        "4k": 6 * 5 + 6,
        "fh": 6 * 5,
        "ss": 3,
        "ls": 2,
        "kn": 6,
    }
    assert len(plays(HOUSE_RULE)[Field.FULL_HOUSE]) == 36


@pytest.mark.parametrize(
    ("cards", "code", "worth"),
    [
        ("1", "1", 1),
        ("11111", "1", 5),
        ("6", "6", 6),
        ("66666", "6", 30),
        ("33345", "3k", 18),
        ("33335", "3k", 17),
        ("33333", "3k", 15),
        ("33344", "3k", 17),
        ("33335", "4k", 17),
        ("66666", "4k", 30),
        ("33344", "fh", 25),
        ("11666", "fh", 25),
        ("1234", "ss", 30),
        ("2345", "ss", 30),
        ("3456", "ss", 30),
        ("12345", "ls", 40),
        ("23456", "ls", 40),
        ("11111", "kn", 50),
        ("66666", "kn", 50),
    ],
)
def test_R8_R9_points_by_hand(cards: str, code: str, worth: int) -> None:
    assert points(cards, code) == worth
    assert points(cards[::-1], code) == worth


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("", "1"),
        ("111111", "1"),
        ("12", "1"),
        ("2", "1"),
        ("3334", "3k"),
        ("333", "3k"),
        ("333456", "3k"),
        ("33445", "3k"),
        ("3333", "4k"),
        ("33344", "4k"),
        ("333345", "4k"),
        ("33345", "fh"),
        ("33334", "fh"),
        ("333444", "fh"),
        ("12345", "ss"),
        ("23456", "ss"),
        ("123", "ss"),
        ("1235", "ss"),
        ("12234", "ss"),
        ("1234", "ls"),
        ("123456", "ls"),
        ("12346", "ls"),
        ("13456", "ls"),
        ("6666", "kn"),
        ("666666", "kn"),
        ("66665", "kn"),
        ("", "kn"),
    ],
)
def test_R8_R9_cards_that_do_not_fit(cards: str, code: str) -> None:
    assert points(cards, code) is None
    assert points(cards, code, HOUSE_RULE) is None


@pytest.mark.parametrize("number", "123456")
def test_R9_five_equal_are_three_and_four_of_a_kind_but_no_full_house(number: str) -> None:
    five = number * 5
    assert points(five, "3k") == points(five, "4k") == 5 * int(number)
    assert points(five, "fh") is None
    assert points(five, "fh", HOUSE_RULE) == 25


def test_R9_the_house_rule_is_off_by_default_and_changes_nothing_else() -> None:
    assert HouseRules() == NO_HOUSE_RULES
    assert not NO_HOUSE_RULES.five_of_a_kind_is_full_house
    for field in FIELDS:
        if field is not Field.FULL_HOUSE:
            assert plays(HOUSE_RULE)[field] == plays(NO_HOUSE_RULES)[field]
    added = plays(HOUSE_RULE)[Field.FULL_HOUSE].keys() - plays(NO_HOUSE_RULES)[Field.FULL_HOUSE]
    assert added == {Cards(number * 5) for number in "123456"}


@pytest.mark.parametrize("code", "123456")
def test_R8_the_error_says_what_an_upper_field_takes(code: str) -> None:
    wrong = "2" if code == "1" else "1"
    with pytest.raises(UpperFieldError) as caught:
        points_for(Cards(wrong + code), Field(code), NO_HOUSE_RULES)
    error = caught.value
    shown = "".join(sorted(wrong + code))
    assert (error.clause, error.reason) == ("R8", "upper_misfit")
    assert error.details == {"field": code, "cards": shown}
    assert str(error) == (f"field {code} takes one to five cards, all of them {code}; not {shown}")


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("3k", "five cards with at least three equal"),
        ("4k", "five cards with at least four equal"),
        ("fh", "three equal cards and two others equal"),
        ("ss", "exactly the four cards 1234, 2345 or 3456"),
        ("ls", "exactly the five cards 12345 or 23456"),
        ("kn", "five equal cards"),
    ],
)
def test_R9_the_error_says_what_a_lower_field_takes(code: str, remedy: str) -> None:
    with pytest.raises(LowerFieldError) as caught:
        points_for(Cards("11226"), Field(code), NO_HOUSE_RULES)
    error = caught.value
    assert (error.clause, error.reason) == ("R9", "lower_misfit")
    assert error.details == {"field": code, "cards": "11226"}
    assert str(error) == f"field {code} takes {remedy}; not 11226"


def test_R9_the_error_knows_the_house_rule() -> None:
    with pytest.raises(LowerFieldError, match="two others equal, or five equal; not 11226"):
        points_for(Cards("11226"), Field.FULL_HOUSE, HOUSE_RULE)


def test_R8_R9_the_errors_name_no_cards_and_far_too_many_in_few_words() -> None:
    with pytest.raises(UpperFieldError, match=r"not no card$"):
        points_for(Cards(), Field.ONES, NO_HOUSE_RULES)
    with pytest.raises(LowerFieldError, match=r"not 5000 cards$") as caught:
        points_for(Cards("1" * 5000), Field.KNIFFEL, NO_HOUSE_RULES)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    "error",
    [
        UpperFieldError("upper_misfit", "a sentence", field="1", cards="2"),
        LowerFieldError("lower_misfit", "a sentence", field="kn", cards=""),
        FieldFilledError("field_filled", "a sentence"),
    ],
)
def test_errors_survive_pickling_and_copying(error: RuleError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert isinstance(again, ValueError)
        assert (again.clause, again.reason) == (error.clause, error.reason)
        assert (again.message, again.details) == (error.message, error.details)
        assert str(again) == str(error) == error.message


def test_fields_and_house_rules_survive_pickling_and_copying() -> None:
    for field in FIELDS:
        assert pickle.loads(pickle.dumps(field)) is field
        assert copy.deepcopy(field) is field
    for rules in (NO_HOUSE_RULES, HOUSE_RULE):
        again = pickle.loads(pickle.dumps(rules))
        assert again == rules
        assert plays(again) == plays(rules)


@pytest.mark.parametrize("rules", [NO_HOUSE_RULES, HOUSE_RULE])
@pytest.mark.parametrize("code", CODES)
def test_R8_R9_possible_points_are_those_that_some_cards_bring(
    code: str, rules: HouseRules
) -> None:
    house = rules.five_of_a_kind_is_full_house
    brought = {
        points
        for size in range(1, 6)
        for cards in combinations_with_replacement("123456", size)
        if (points := reckoned("".join(cards), code, house)) is not None
    }
    assert possible_points(Field(code), rules) == tuple(sorted(brought))
    for points in range(-1, 60):
        if points in brought:
            check_points(points, Field(code), rules)
            continue
        with pytest.raises((UpperFieldError, LowerFieldError)) as refusal:
            check_points(points, Field(code), rules)
        assert refusal.value.clause == ("R8" if code in "123456" else "R9")


def test_R8_a_refusal_says_which_points_are_possible() -> None:
    with pytest.raises(UpperFieldError, match="6, 12, 18, 24, 30; not 13"):
        check_points(13, Field.SIXES, NO_HOUSE_RULES)
    with pytest.raises(LowerFieldError, match="only 25; not so many"):
        check_points(10**5000, Field.FULL_HOUSE, NO_HOUSE_RULES)
