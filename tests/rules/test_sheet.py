"""The sheet: penalties, filled fields, bonus and malus, totals (R7, R10, R11, R13)."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    FIELDS,
    HAND_SIZES,
    MALUS,
    MALUS_BELOW,
    Entry,
    Field,
    FieldFilledError,
    HandSizeError,
    Sheet,
    bonus_for,
    check_hand_size,
    penalty_for,
)
from tests.strategies import sheet_of, sheet_with_open

entries = st.one_of(
    st.none(), st.builds(Entry, st.integers(1, 50), st.integers(0, 5).map(lambda n: 2 * n))
)
sheets = st.lists(entries, min_size=12, max_size=12).map(lambda row: Sheet(tuple(row)))


@pytest.mark.parametrize(
    ("hand_size", "penalty"),
    [(0, 0), (1, 0), (4, 0), (5, 0), (6, 2), (7, 4), (8, 6), (9, 8), (10, 10)],
)
def test_R7_two_points_for_each_card_above_five(hand_size: int, penalty: int) -> None:
    assert penalty_for(hand_size) == penalty


def test_R7_the_penalty_stands_beside_the_points() -> None:
    sheet = Sheet().write(Field.TWOS, 8, penalty=6)
    assert sheet[Field.TWOS] == Entry(8, 6)
    assert (sheet.upper, sheet.lower, sheet.penalties) == (8, 0, 6)


def test_R10_a_new_sheet_is_open_everywhere() -> None:
    sheet = Sheet()
    assert sheet.open_fields == FIELDS
    assert all(sheet[field] is None for field in FIELDS)
    assert not sheet.is_full
    assert (sheet.upper, sheet.lower, sheet.bonus, sheet.penalties, sheet.total) == (
        0, 0, -20, 0, -20,
    )  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_R10_a_field_is_filled_once(field: Field) -> None:
    sheet = Sheet().write(field, 5, penalty=2)
    assert sheet[field] == Entry(5, 2)
    assert sheet.open_fields == tuple(other for other in FIELDS if other is not field)
    rest = ", ".join(other.value for other in FIELDS if other is not field)
    for attempt in (lambda: sheet.write(field, 9), lambda: sheet.check_open(field)):
        with pytest.raises(FieldFilledError) as caught:
            attempt()
        error = caught.value
        assert (error.clause, error.reason) == ("R10", "field_filled")
        assert error.details == {"field": field.value}
        assert str(error) == f"field {field.value} is filled already; open fields are {rest}"
    for other in sheet.open_fields:
        sheet.check_open(other)


def test_R10_the_error_on_a_full_sheet_names_no_open_field() -> None:
    with pytest.raises(FieldFilledError, match="field kn is filled already; no field is open"):
        sheet_with_open().check_open(Field.KNIFFEL)


def test_R10_writing_leaves_the_old_sheet_as_it_was() -> None:
    empty = Sheet()
    empty.write(Field.KNIFFEL, 50)
    assert empty == Sheet()
    with pytest.raises(FrozenInstanceError):
        empty.entries = ()  # type: ignore[misc]


def test_R12_a_sheet_is_full_with_its_twelfth_field() -> None:
    for field in FIELDS:
        sheet = sheet_with_open(field)
        assert not sheet.is_full
        assert sheet.open_fields == (field,)
        assert sheet.write(field, 1).is_full


@pytest.mark.parametrize(
    ("upper", "bonus"),
    [
        (0, -20),
        (41, -20),
        (42, -20),
        (43, 0),
        (44, 0),
        (61, 0),
        (62, 0),
        (63, 35),
        (64, 35),
        (105, 35),
    ],
)
def test_R11_the_limits(upper: int, bonus: int) -> None:
    assert bonus_for(upper) == bonus


def test_R11_the_numbers_have_names() -> None:
    assert (BONUS_FROM, BONUS, MALUS_BELOW, MALUS) == (63, 35, 43, -20)


@pytest.mark.parametrize(
    ("sheet", "upper", "bonus"),
    [
        (sheet_of(_1=2, _2=4, _3=6, _4=8, _5=10, _6=12), 42, -20),
        (sheet_of(_1=3, _2=4, _3=6, _4=8, _5=10, _6=12), 43, 0),
        (sheet_of(_1=2, _2=6, _3=9, _4=12, _5=15, _6=18), 62, 0),
        (sheet_of(_1=3, _2=6, _3=9, _4=12, _5=15, _6=18), 63, 35),
        (sheet_of(_4=20, _5=25, _6=18), 63, 35),
        (sheet_of(_5=25, _6=18), 43, 0),
    ],
)
def test_R11_bonus_and_malus_on_a_sheet_unfinished_or_not(
    sheet: Sheet, upper: int, bonus: int
) -> None:
    assert (sheet.upper, sheet.bonus, sheet.total) == (upper, bonus, upper + bonus)
    more = sheet.write(Field.KNIFFEL, 50).write(Field.LARGE_STRAIGHT, 40)
    assert (more.upper, more.bonus, more.total) == (upper, bonus, upper + bonus + 90)


def test_R11_penalties_are_ignored_for_both_limits() -> None:
    earned = sheet_of(_3=9, _4=16, _5=20).write(Field.SIXES, 18, penalty=10)
    assert (earned.upper, earned.bonus, earned.penalties, earned.total) == (63, 35, 10, 88)
    spared = sheet_of(_5=25).write(Field.SIXES, 18, penalty=2)
    assert (spared.upper, spared.bonus, spared.penalties, spared.total) == (43, 0, 2, 41)


@given(sheets)
def test_R13_the_total_is_the_sum_of_its_parts(sheet: Sheet) -> None:
    rows = {field.value: sheet[field] for field in FIELDS}
    upper = sum(row.points for code, row in rows.items() if row and code.isdigit())
    lower = sum(row.points for code, row in rows.items() if row and not code.isdigit())
    penalties = sum(row.penalty for row in rows.values() if row)
    extra = 35 if upper > 62 else -20 if upper < 43 else 0
    assert (sheet.upper, sheet.lower, sheet.penalties) == (upper, lower, penalties)
    assert sheet.bonus == extra
    assert sheet.total == upper + lower + extra - penalties
    assert sheet.is_full is all(rows.values())
    assert [field.value for field in sheet.open_fields] == [
        code for code, row in rows.items() if row is None
    ]


@given(sheets)
def test_a_sheet_survives_pickling_and_copying(sheet: Sheet) -> None:
    for again in (pickle.loads(pickle.dumps(sheet)), copy.copy(sheet), copy.deepcopy(sheet)):
        assert again == sheet
        assert hash(again) == hash(sheet)
        assert again.total == sheet.total


def test_R7_a_hand_has_five_to_ten_cards_before_playing() -> None:
    assert HAND_SIZES == (5, 6, 7, 8, 9, 10)
    for size in HAND_SIZES:
        check_hand_size(size)
    for size in (-1, 0, 4, 11, 10**5000):
        with pytest.raises(HandSizeError, match="5 to 10 cards") as refusal:
            check_hand_size(size)
        assert refusal.value.clause == "R7"
