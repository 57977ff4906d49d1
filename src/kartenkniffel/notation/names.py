"""Names as one sees them: how long they are, whether they show anything, which look alike."""

from __future__ import annotations

import re
import unicodedata

_JOINER = "\u200d"

# Code points that are letters or marks for Unicode but show nothing; a joiner does between others.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

# Pictures for which this Python's Unicode has no name yet are taken for what they will be.
_PICTURES = range(0x1F000, 0x1FB00)

# A black flag with letters that show nothing, and an end: the flag of a region.
_REGION = re.compile("(\U0001f3f4)[\U000e0020-\U000e007e]{1,12}\U000e007f")


def visible_length(text: str) -> int:
    """Count the characters that one sees.

    Marks do not count, nor what makes one picture with what stands before.

    >>> visible_length("Zoe\N{COMBINING DIAERESIS}"), visible_length("\U0001f469\u200d\U0001f680")
    (3, 1)
    """
    return sum(not _is_added(character[0]) for character in characters(text))


def is_visible(text: str) -> bool:
    """Tell whether a text shows something, and has nothing in it that steers the line.

    >>> is_visible("Ana"), is_visible("\N{BRAILLE PATTERN BLANK}")
    (True, False)
    """
    seen = _UNSEEN.sub("", _REGION.sub(r"\1", text))
    shown = all(letter.isprintable() or ord(letter) in _PICTURES for letter in seen)
    return shown and visible_length(seen.strip()) > 0


def looks(name: str) -> str:
    """Give a name as the eye compares it.

    >>> looks("Ana") == looks(" AN\u200dA")
    True
    """
    seen = _UNSEEN.sub("", name)
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def characters(text: str) -> list[str]:
    """Split a text into what one sees as one character."""
    found: list[str] = []
    for letter in text:
        if found and _belongs(found[-1], letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _belongs(before: str, letter: str) -> bool:
    if before[-1] == _JOINER and _is_picture(letter):
        return True
    # Two of these letters are one flag.
    return _is_added(letter) or (_is_flag(letter) and len(before) == 1 and _is_flag(before))


def _is_added(letter: str) -> bool:
    """Tell whether a letter stands on the one before: a mark, a colour of skin, or nothing seen."""
    tone = "\U0001f3fb" <= letter <= "\U0001f3ff"
    region = "\U000e0020" <= letter <= "\U000e007f"
    mark = unicodedata.category(letter)[0] == "M"
    return mark or tone or region or _UNSEEN.match(letter) is not None


def _is_picture(letter: str) -> bool:
    return unicodedata.category(letter) == "So" or ord(letter) in _PICTURES


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
