"""A game that has been played, as it goes to print."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from kartenkniffel.pad.printing.errors import PrintError
from kartenkniffel.rules import Sheet
from kartenkniffel.rules.position import check_players


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """Names and sheets of a game that is over, in the order of the seats.

    A sheet may have open fields (R12, or a game ended by hand). All figures are the sheets' own.
    ``title`` heads the page and is plain text; where it is empty, the game's name stands instead.

    >>> from kartenkniffel.rules import Field
    >>> sheets = [Sheet().write(Field.KNIFFEL, 50), Sheet().write(Field.KNIFFEL, 50, penalty=2)]
    >>> game = FinishedGame.of(["Ana", "Bo"], sheets)
    >>> game.places, game.ranking, game.winners
    ((1, 2), (0, 1), (0,))
    """

    names: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    title: str = ""
    date: datetime.date | None = None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        sheets: Sequence[Sheet],
        *,
        title: str = "",
        date: datetime.date | None = None,
    ) -> FinishedGame:
        """Give a game of these names and sheets.

        Raises `PlayersError` (R2), and `PrintError` where names and sheets do not pair up.
        """
        check_players(len(names))
        if len(names) != len(sheets):
            raise PrintError(f"{len(names)} names do not go with {len(sheets)} sheets")
        return cls(tuple(names), tuple(sheets), title, date)

    @property
    def totals(self) -> tuple[int, ...]:
        """The total of each seat (R13)."""
        return tuple(sheet.total for sheet in self.sheets)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; equal totals share one, and the next is left out."""
        totals = self.totals
        return tuple(1 + sum(other > total for other in totals) for total in totals)

    @property
    def ranking(self) -> tuple[int, ...]:
        """All seats, the best first; equal totals in the order of the seats."""
        places = self.places
        return tuple(sorted(range(len(places)), key=places.__getitem__))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most points (R13)."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)
