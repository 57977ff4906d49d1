"""Names as they can be printed: any text, but only letters that a font has."""

from __future__ import annotations

from kartenkniffel.pad.printing.typeset import can_be_set

MOST_LETTERS = 64
"""The most code points of a name that are printed."""

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
"""What stands for a letter that cannot be printed."""

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def printable(text: str, most: int = MOST_LETTERS) -> str:
    """Give a text of one line, not longer than this, of letters that can be set.

    What steers the line or has no glyph in any of the fonts becomes a mark that shows the gap.

    >>> printable("Zoe\\n<b>#x"), printable("x" * 70)[-2:]
    ('Zoe\N{REPLACEMENT CHARACTER}<b>#x', 'x…')
    """
    text = text.strip()
    if len(text) > most:
        text = text[: most - 1] + "…"
    clean = "".join(c if c.isprintable() or c in _JOINERS else UNKNOWN for c in text)
    if can_be_set(clean):
        return clean
    shown = "".join(c if can_be_set(c) else UNKNOWN for c in clean)
    # Letters that can be set one by one may still not go together.
    return shown if can_be_set(shown) else "".join(c if c.isascii() else UNKNOWN for c in shown)
