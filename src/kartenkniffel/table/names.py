"""What players may be called, and how two of the same name are told apart."""

from __future__ import annotations

import re
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

_JOINER = "\u200d"

# Code points that are letters or marks for Unicode but show nothing; a joiner does between others.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def visible_length(text: str) -> int:
    """Count the characters that one sees.

    Marks do not count, nor what makes one picture with what stands before.

    >>> visible_length("Zoe\N{COMBINING DIAERESIS}"), visible_length("\U0001f469\u200d\U0001f680")
    (3, 1)
    """
    return sum(not _is_added(character[0]) for character in _characters(text))


def is_name(text: str) -> bool:
    """Tell whether a player may be called this."""
    seen = _UNSEEN.sub("", text)
    return (
        seen.isprintable()
        and len(text) <= MOST_NAME
        and visible_length(seen.strip()) > 0
        and visible_length(text.strip()) <= MOST_VISIBLE
    )


def _characters(text: str) -> list[str]:
    """Split a text into what one sees as one character."""
    found: list[str] = []
    for letter in text:
        if found and _belongs(found[-1], letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _belongs(before: str, letter: str) -> bool:
    if before[-1] == _JOINER and unicodedata.category(letter) == "So":
        return True
    # Two of these letters are one flag.
    return _is_added(letter) or (_is_flag(letter) and len(before) == 1 and _is_flag(before))


def _is_added(letter: str) -> bool:
    """Tell whether a letter stands on the one before: a mark, a colour of skin, or nothing seen."""
    tone = "\U0001f3fb" <= letter <= "\U0001f3ff"
    return unicodedata.category(letter)[0] == "M" or tone or _UNSEEN.match(letter) is not None


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


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
    seen = _UNSEEN.sub("", name)
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def _shortened(name: str, visible: int, points: int) -> str:
    """Take characters off the end until no more than so many are seen, of so many code points."""
    kept = _characters(name)
    while len(kept) > 1 and (
        visible_length("".join(kept)) > visible or len("".join(kept)) > points
    ):
        kept.pop()
    return "".join(kept)[:points].rstrip()
