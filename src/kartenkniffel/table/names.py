"""What players may be called, and how two of the same name are told apart."""

from __future__ import annotations

from collections.abc import Collection

from kartenkniffel.notation.names import characters, is_visible, looks, visible_length

MOST_NAME = 64
"""The most code points of a name."""

MOST_VISIBLE = 24
"""The most characters of a name as one sees and counts them."""

BOT_NAMES = ("Mara", "Emil", "Ilse", "Otto", "Vera", "Hugo", "Lena", "Karl", "Rosa", "Paul")
"""What bots are called, in turn, where nobody names them."""

NOBODY = "N. N."
"""What somebody is called who wanted to be forgotten."""


def is_name(text: str) -> bool:
    """Tell whether a player may be called this."""
    return (
        is_visible(text) and len(text) <= MOST_NAME and visible_length(text.strip()) <= MOST_VISIBLE
    )


def distinct_name(name: str, taken: Collection[str]) -> str:
    """Give the name, with a number where somebody else is called so, or nearly so, already.

    >>> distinct_name("ana", ["Ana", "Bo"])
    'ana 2'
    """
    known = {looks(other) for other in taken}
    number, tried = 1, name
    while looks(tried) in known:
        number += 1
        mark = f" {number}"
        tried = _shortened(name, MOST_VISIBLE - len(mark), MOST_NAME - len(mark)) + mark
    return tried


def _shortened(name: str, visible: int, points: int) -> str:
    """Take characters off the end until no more than so many are seen, of so many code points."""
    kept = characters(name)
    while len(kept) > 1 and (
        visible_length("".join(kept)) > visible or len("".join(kept)) > points
    ):
        kept.pop()
    return "".join(kept)[:points].rstrip()
