"""The outlook's formulas behave as what they stand for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kartenkniffel.bots.fitted import FITTED
from kartenkniffel.bots.hands import hands_up_to
from kartenkniffel.bots.outlook import held
from kartenkniffel.rules import BONUS, FIELDS, MALUS, Cards, Field, HouseRules, plays


@pytest.mark.parametrize("field", FIELDS)
def test_held_is_what_a_play_needs(field: Field) -> None:
    for cards in plays(HouseRules())[field]:
        if not field.is_upper:
            assert held(field, cards.counts) == max(
                held(field, other.counts) for other in plays(HouseRules())[field]
            )
    assert held(field, Cards().counts) == 0


def test_a_full_sheet_has_only_bonus_or_malus_to_come() -> None:
    assert [FITTED.ahead((), upper) for upper in (42, 43, 63)] == [MALUS, 0, BONUS]


def test_more_upper_points_are_never_worse() -> None:
    for open_fields in (FIELDS, FIELDS[5:], FIELDS[:1], (Field.SIXES, Field.KNIFFEL)):
        worths = [FITTED.ahead(open_fields, upper) for upper in range(64)]
        # Fitted numbers may be off a little.
        assert all(after > before - 0.5 for before, after in pairwise(worths))


def test_no_cards_add_nothing() -> None:
    assert FITTED.cards(FIELDS, 5)[0] == 0


def test_good_cards_add_more() -> None:
    table, numbers = FITTED.cards((Field.KNIFFEL, Field.SIXES), 5), hands_up_to(5).numbers
    worths = [table[numbers[Cards(cards).counts]] for cards in ("12", "36", "66", "666", "6666")]
    assert worths == sorted(worths)
