"""How far bonus and malus are, and which fields are open."""

from __future__ import annotations

import pytest

from kartenkniffel.rules import UPPER_FIELDS, Field, HouseRules, Sheet
from kartenkniffel.web.page_outlook import field_short, goals, open_fields, still_to_come
from tests.web.test_pages import ENGLISH, context, table


def sheet(upper: str) -> Sheet:
    """Give a sheet with these points in the upper fields, ``-`` where one is open."""
    made = Sheet()
    for field, points in zip(UPPER_FIELDS, upper.split(), strict=True):
        made = made if points == "-" else made.write(field, int(points))
    return made


@pytest.mark.parametrize(
    ("upper", "words"),
    [
        (
            "- - - - - -",
            ["43 points to go to escape the malus", "63 points to go for the bonus"],
        ),
        (
            "- 6 12 12 12 -",
            ["1 point to go to escape the malus", "21 points to go for the bonus"],
        ),
        ("- 8 12 12 12 18", ["Malus escaped", "1 point to go for the bonus"]),
        ("5 10 15 20 13 -", ["Bonus of 35 earned"]),
        ("- 2 15 20 5 12", ["Malus escaped", "The bonus is out of reach"]),
        (
            "1 2 3 4 5 -",
            ["28 points to go to escape the malus", "The bonus is out of reach"],
        ),
        ("1 2 3 4 - 6", ["The malus of 20 cannot be escaped any more"]),
        ("1 2 3 4 5 6", ["The malus of 20 cannot be escaped any more"]),
    ],
)
def test_R11_the_distance_to_both_limits(upper: str, words: list[str]) -> None:
    assert [goal.words for goal in goals(sheet(upper), HouseRules(), ENGLISH)] == words


def test_R8_an_open_upper_field_brings_five_cards_at_most() -> None:
    assert still_to_come(Sheet(), HouseRules()) == 5 * (1 + 2 + 3 + 4 + 5 + 6)
    assert still_to_come(sheet("- 2 - 4 5 6"), HouseRules()) == 5 + 15


def test_each_player_shows_the_open_fields() -> None:
    at = table(60)
    for player in context(at)["players"]:
        found = at.view(0).players[player["seat"]].sheet.open_fields
        assert [field["short"] for field in player["open"]] == [
            field_short(field, ENGLISH) for field in found
        ]


def test_abbreviations_are_short_and_all_different() -> None:
    short = {field_short(field, ENGLISH) for field in Field}
    assert len(short) == 12
    assert all(len(text) <= 3 for text in short)
    assert len(open_fields(Sheet(), ENGLISH)) == 12
