"""What a sheet still has before it: its open fields, and how far bonus and malus are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    MALUS,
    MALUS_BELOW,
    UPPER_FIELDS,
    Field,
    HouseRules,
    Sheet,
    plays,
)
from kartenkniffel.web.page_words import field_name
from kartenkniffel.web.translator import Translator


@dataclass(frozen=True, slots=True)
class Goal:
    """How far a limit of the upper part is (R11): ``left`` points, or for good one or the other."""

    name: Literal["bonus", "malus"]
    state: Literal["open", "reached", "lost"]
    left: int
    words: str


def goals(sheet: Sheet, rules: HouseRules, translator: Translator) -> list[Goal]:
    """Give what is worth saying of the bonus and the malus, the nearer one first.

    A bonus that is earned says all, and so does a malus that cannot be escaped.
    """
    bonus = _goal("bonus", BONUS_FROM, sheet, rules, translator)
    malus = _goal("malus", MALUS_BELOW, sheet, rules, translator)
    if bonus.state == "reached":
        return [bonus]
    return [malus] if malus.state == "lost" else [malus, bonus]


def _goal(
    name: Literal["bonus", "malus"],
    limit: int,
    sheet: Sheet,
    rules: HouseRules,
    translator: Translator,
) -> Goal:
    left = max(0, limit - sheet.upper)
    state: Literal["open", "reached", "lost"] = "open"
    if not left:
        state = "reached"
    elif left > still_to_come(sheet, rules):
        state = "lost"
    return Goal(name, state, left, _words(name, state, left, translator))


def still_to_come(sheet: Sheet, rules: HouseRules) -> int:
    """Give the most points that the open upper fields can still bring.

    >>> still_to_come(Sheet().write(Field.SIXES, 18), HouseRules())
    75
    """
    return sum(max(plays(rules)[field].values()) for field in UPPER_FIELDS if not sheet[field])


def _words(name: str, state: str, left: int, translator: Translator) -> str:
    gettext, ngettext = translator.gettext, translator.ngettext
    match name, state:
        case "bonus", "open":
            text = ngettext(
                "%(points)s point to go for the bonus",
                "%(points)s points to go for the bonus",
                left,
            )
        case "bonus", "reached":
            text = gettext("Bonus of %(value)s earned")
        case "bonus", _:
            text = gettext("The bonus is out of reach")
        case _, "open":
            text = ngettext(
                "%(points)s point to go to escape the malus",
                "%(points)s points to go to escape the malus",
                left,
            )
        case _, "reached":
            text = gettext("Malus escaped")
        case _:
            text = gettext("The malus of %(value)s cannot be escaped any more")
    return text % {"points": left, "value": BONUS if name == "bonus" else -MALUS}


def field_short(field: Field, translator: Translator) -> str:
    """Give the abbreviation of a field, for places that are too narrow for its name."""
    gettext = translator.gettext
    short = {
        Field.THREE_OF_A_KIND: gettext("3×"),
        Field.FOUR_OF_A_KIND: gettext("4×"),
        Field.FULL_HOUSE: gettext("FH"),
        Field.SMALL_STRAIGHT: gettext("SS"),
        Field.LARGE_STRAIGHT: gettext("LS"),
        Field.KNIFFEL: gettext("KN"),
    }
    return short.get(field) or str(field.number)


def open_fields(sheet: Sheet, translator: Translator) -> list[dict[str, object]]:
    """List the fields that are still to fill: abbreviation, name, and the number of upper ones."""
    return [
        {
            "short": field_short(field, translator),
            "name": field_name(field, translator),
            "number": field.number if field.is_upper else None,
        }
        for field in sheet.open_fields
    ]
