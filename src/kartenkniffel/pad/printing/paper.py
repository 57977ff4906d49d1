"""Papers, and how many sheets go on a page of them. Lengths are millimetres, type is in points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class Paper(StrEnum):
    """What is printed on; the text is the name in commands and addresses.

    ``a4`` holds several sheets a page, to be cut apart; ``a5`` one; ``large`` is A4 with one sheet
    in letters of 16 points and more, for those who see little.
    """

    A4 = "a4"
    A5 = "a5"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Format:
    """A page and the grid of equal places on it.

    ``type`` is the size of the letters; nothing on the page is smaller than ``smallest``.
    """

    width: float
    height: float
    across: int
    down: int
    type: float
    smallest: float
    margin: float = 10.0
    gap: float = 10.0

    @property
    def places(self) -> int:
        """How many sheets a page holds."""
        return self.across * self.down


def format_for_sheets(paper: Paper, players: int) -> Format:
    """Give the page for sheets of one player each, such that few places stay empty."""
    match paper:
        case Paper.A4 if players in (1, 2, 4, 7, 8):
            return Format(210, 297, across=2, down=2, type=8.5, smallest=6)
        case Paper.A4:
            return Format(210, 297, across=3, down=2, type=8, smallest=5.5, gap=8)
        case Paper.A5:
            return Format(148, 210, across=1, down=1, type=11, smallest=7)
        case Paper.LARGE:
            return Format(210, 297, across=1, down=1, type=18, smallest=16)


def format_for_blocks(paper: Paper, players: int) -> Format:
    """Give the page for blocks to write on, with a column to a player."""
    match paper:
        case Paper.A4 if players <= 3:
            return Format(210, 297, across=2, down=2, type=8.5, smallest=5.5)
        case Paper.A4:
            return Format(210, 297, across=1, down=2, type=8.5, smallest=5.5)
        case Paper.A5:
            return Format(148, 210, across=1, down=1, type=9, smallest=6)
        case Paper.LARGE:
            return Format(210, 297, across=1, down=1, type=17, smallest=16)


def format_for_result(paper: Paper) -> Format:
    """Give the page for a finished game."""
    match paper:
        case Paper.A4:
            return Format(210, 297, across=1, down=1, type=9, smallest=6)
        case Paper.A5:
            return Format(148, 210, across=1, down=1, type=8.5, smallest=6)
        case Paper.LARGE:
            return Format(210, 297, across=1, down=1, type=17, smallest=16)


MOST_COLUMNS = {Paper.A4: 10, Paper.A5: 5, Paper.LARGE: 3}
"""How many players' columns are wide enough to write in; more go on another page."""


def parts(players: int, most: int) -> list[range]:
    """Share the seats out among as few blocks as will do, as evenly as can be.

    >>> parts(10, 4)
    [range(0, 4), range(4, 7), range(7, 10)]
    """
    count = -(-players // most)
    small, larger = divmod(players, count)
    ends = [0]
    for number in range(count):
        ends.append(ends[-1] + small + (number < larger))
    return [range(start, end) for start, end in pairwise(ends)]
