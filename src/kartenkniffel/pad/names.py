"""The names of the players on a pad."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from kartenkniffel.notation.names import is_visible, looks
from kartenkniffel.pad.errors import NamesError
from kartenkniffel.rules import check_players

MOST_NAME = 40
"""The most code points of a name."""

# Keyboards for Hebrew and Arabic put marks of direction about; a name stands by itself.
_DIRECTIONS = str.maketrans("", "", "\u200e\u200f\u061c")


def tidy(name: str) -> str:
    """Give a name with its letters composed and its blanks made one.

    >>> tidy("  Ana \\t Maria ")
    'Ana Maria'
    """
    return unicodedata.normalize("NFC", " ".join(name.translate(_DIRECTIONS).split()))


def same(name: str) -> str:
    """Give what two spellings of one player's name have in common.

    >>> same("ANA") == same("Ana ") == same("A\u200dna")
    True
    """
    return looks(tidy(name))


def check_names(names: Sequence[str]) -> None:
    """Raise `PlayersError` or `NamesError` unless these can sit down for a game (R2)."""
    check_players(len(names))
    for name in names:
        if not (is_visible(name) and len(name) <= MOST_NAME):
            raise NamesError("name", f"a name has 1 to {MOST_NAME} characters, all of them visible")
    if len({same(name) for name in names}) < len(names):
        raise NamesError("names_alike", "two players have the same name; make them different")
