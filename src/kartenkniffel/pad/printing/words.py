"""What stands on the paper, in words of a language; every figure in them comes from the rules."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path

from babel.dates import format_date
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from kartenkniffel.pad.printing.errors import PrintError
from kartenkniffel.rules import BONUS, BONUS_FROM, MALUS, MALUS_BELOW, Field

LANGUAGES = ("de", "ro", "en")
GAME = "Karten-Kniffel"
_LOCALES = Path(__file__).parent.parent / "locale"


@cache
def _translations(language: str) -> Translations:
    with (_LOCALES / language / "LC_MESSAGES" / "messages.po").open("rb") as stream:
        catalogue = read_po(stream, locale=language, domain="messages")
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled, domain="messages")


def signed(number: int) -> str:
    """Give a number as bonus and malus are written, with the real minus sign.

    >>> signed(35), signed(0), signed(-20)
    ('+35', '0', '−20')
    """
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


class Words:
    """The words of one of `LANGUAGES`; raises `PrintError` for any other."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise PrintError(f"the languages are {', '.join(LANGUAGES)}; there is no other")
        self.language = language
        self.gettext = _translations(language).gettext

    def field(self, field: Field) -> str:
        """Give the name of a field as it stands on the sheet."""
        gettext = self.gettext
        match field:
            case Field.ONES:
                return gettext("Ones")
            case Field.TWOS:
                return gettext("Twos")
            case Field.THREES:
                return gettext("Threes")
            case Field.FOURS:
                return gettext("Fours")
            case Field.FIVES:
                return gettext("Fives")
            case Field.SIXES:
                return gettext("Sixes")
            case Field.THREE_OF_A_KIND:
                return gettext("Three of a kind")
            case Field.FOUR_OF_A_KIND:
                return gettext("Four of a kind")
            case Field.FULL_HOUSE:
                return gettext("Full house")
            case Field.SMALL_STRAIGHT:
                return gettext("Small straight")
            case Field.LARGE_STRAIGHT:
                return gettext("Large straight")
            case Field.KNIFFEL:
                return gettext("Kniffel")

    def labels(self) -> dict[str, str]:
        """Give the words that every sheet has."""
        gettext = self.gettext
        return {
            "game": GAME,
            "name": gettext("Name"),
            "date": gettext("Date"),
            "field": gettext("Field"),
            "points": gettext("Points"),
            "penalty": gettext("Penalty"),
            "upper_sum": gettext("Upper sum"),
            "bonus": gettext("Bonus or malus"),
            # Translators: beside the line for bonus and malus, where room is short
            "bonus_rule": gettext("from %(from)s: %(bonus)s · under %(below)s: %(malus)s")
            % {
                "from": BONUS_FROM,
                "bonus": signed(BONUS),
                "below": MALUS_BELOW,
                "malus": signed(MALUS),
            },
            "lower_sum": gettext("Lower sum"),
            # Translators: beside three and four of a kind: their points are the sum of the cards
            "sum": gettext("sum"),
            "penalties": gettext("Penalties"),
            "total": gettext("Total"),
            # Translators: how the total comes about, below the word Total, where room is short
            "total_rule": gettext("upper ± bonus + lower − penalties"),
            "hand": gettext("Cards in hand before playing"),
        }

    def of_result(self, winners: Sequence[str], day: date | None) -> dict[str, str]:
        """Give the words of a finished game: who won, and when it was."""
        gettext = self.gettext
        listed = format_list(list(winners), locale=self.language)
        if len(winners) == 1:
            verdict = gettext("%(name)s wins") % {"name": listed}
        else:
            verdict = gettext("%(names)s share the win") % {"names": listed}
        return {
            "verdict": verdict,
            "day": format_date(day, "long", locale=self.language) if day else "",
            "ranking": gettext("Ranking"),
            "block": gettext("Score block"),
            "place": gettext("Place"),
            "player": gettext("Player"),
        }

    def blank_title(self) -> str:
        """Give the title of a document of blank sheets."""
        return self.gettext("%(game)s: score sheets") % {"game": GAME}

    def result_title(self) -> str:
        """Give the title of a finished game that has none."""
        return self.gettext("%(game)s: result") % {"game": GAME}
