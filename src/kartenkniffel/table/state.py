"""A table as its events have made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kartenkniffel.rules import Cards, Game, View
from kartenkniffel.store import Event
from kartenkniffel.table.events import Seat


@dataclass(frozen=True, slots=True)
class Table:
    """A table after its event ``number``; it holds secrets, what a seat may know is its `view`.

    ``seats`` are in the game's order: seat 0 starts, turns go clockwise (R4). ``drawn`` are, by
    seat, the cards that the seat's latest move drew (a secret of that seat). ``rematch_of`` and
    ``next_table`` are the ids of the tables before and after in a row of rematches.
    """

    id: str
    number: int
    seats: tuple[Seat, ...]
    game: Game = field(repr=False)
    drawn: tuple[Cards, ...] = field(repr=False)
    opened_at: datetime
    changed_at: datetime
    rematch_of: str | None = None
    next_table: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the game is over (R12)."""
        return self.game.finished

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or ``None`` when the game is over."""
        return self.game.to_move

    def seats_of(self, player: str | None) -> tuple[int, ...]:
        """List the seats that belong to this player id, ascending."""
        if player is None:
            return ()
        return tuple(n for n, seat in enumerate(self.seats) if seat.owner == player)

    def seat_of(self, player: str | None) -> int | None:
        """Give this player's seat, or ``None`` for a stranger.

        Of several it is the one to move, else the one that moved last, so that a shared device
        shows the hand of whoever holds it.
        """
        raise NotImplementedError

    def view(self, seat: int | None) -> View:
        """Give what this seat may know, or a spectator for ``None`` (R15)."""
        return self.game.view(seat)

    def add(self, event: Event) -> Table:
        """Give the table after one more event; raises `DamagedTable` where it makes no sense."""
        raise NotImplementedError


def fold(events: Iterable[Event]) -> Table:
    """Give the table that these events, from number 1, have made; raises `DamagedTable`."""
    raise NotImplementedError
