"""What players may be called, and how two of the same name are told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

MOST_NAME = 64
"""The most code points of a name."""

MOST_VISIBLE = 24
"""The most characters of a name as one sees and counts them."""

BOT_NAMES = ("Mara", "Emil", "Ilse", "Otto", "Vera", "Hugo", "Lena", "Karl", "Rosa", "Paul")
"""What bots are called, in turn, where nobody names them."""

NOBODY = "N. N."
"""What somebody is called who wanted to be forgotten."""

_JOINERS = "\u200c\u200d"


def visible_length(text: str) -> int:
    """Count the characters that one sees: marks, and what is joined to one before, do not count.

    >>> visible_length("Zoe\N{COMBINING DIAERESIS}"), visible_length("a\u200db")
    (3, 1)
    """
    count, joined = 0, False
    for letter in text:
        mark = unicodedata.category(letter)[0] == "M" or "\U0001f3fb" <= letter <= "\U0001f3ff"
        if not (mark or joined or letter in _JOINERS):
            count += 1
        joined = letter == "\u200d"
    return count


def is_name(text: str) -> bool:
    """Tell whether a player may be called this."""
    plain = "".join(letter for letter in text if letter not in _JOINERS)
    return (
        plain.strip() != ""
        and plain.isprintable()
        and len(text) <= MOST_NAME
        and 0 < visible_length(text.strip()) <= MOST_VISIBLE
    )


def distinct_name(name: str, taken: Collection[str]) -> str:
    """Give the name, with a number where somebody else is called so, or nearly so, already.

    >>> distinct_name("ana", ["Ana", "Bo"])
    'ana 2'
    """
    known = {_looks(other) for other in taken}
    number, tried = 1, name
    while _looks(tried) in known:
        number += 1
        mark = f" {number}"
        tried = _shortened(name, MOST_VISIBLE - len(mark), MOST_NAME - len(mark)) + mark
    return tried


def _looks(name: str) -> str:
    """Give a name as the eye compares it."""
    plain = "".join(letter for letter in name if letter not in _JOINERS)
    return " ".join(unicodedata.normalize("NFKC", plain).casefold().split())


def _shortened(name: str, visible: int, points: int) -> str:
    while visible_length(name) > visible or len(name) > points:
        name = name[:-1]
    return name.rstrip(_JOINERS + " ")
