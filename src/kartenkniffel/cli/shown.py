"""Names of files in the sentences that the commands say."""

from __future__ import annotations

MOST_SHOWN = 120
"""The most characters of a name that are shown."""


def shown_file(file: str) -> str:
    """Give a file's name in quotation marks: whole, a very long one shortened in the middle.

    What cannot be printed is replaced, so that a name cannot steer the terminal.

    >>> shown_file("my games/friday.json")
    "'my games/friday.json'"
    """
    clean = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in file)
    if len(clean) > MOST_SHOWN:
        half = (MOST_SHOWN - 1) // 2
        clean = f"{clean[:half]}…{clean[-half:]}"
    return f"'{clean}'"
