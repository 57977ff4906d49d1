"""A table as its events have made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from kartenkniffel.rules import NO_CARDS, Cards, Game, RuleError, View, recorded
from kartenkniffel.store import Event
from kartenkniffel.table.errors import DamagedTable, UnknownEvent
from kartenkniffel.table.events import (
    PACES,
    Moved,
    Opened,
    Pace,
    Paced,
    Rematched,
    Seat,
    TableEvent,
    from_body,
)


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
    pace: Pace = "normal"

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
        own = self.seats_of(player)
        turn = len(self.game.moves)
        latest = turn if self.to_move in own else turn - 1
        for back in range(min(latest + 1, len(self.seats))):
            seat = (latest - back) % len(self.seats)
            if seat in own:
                return seat
        return own[0] if own else None

    def is_shared(self, player: str | None) -> bool:
        """Tell whether people take turns at this player's device, so that hands must be hidden."""
        return not self.finished and len(self.seats_of(player)) > 1

    def next_seat_of(self, player: str | None) -> int | None:
        """Give the player's seat that is to move, or else the first one after that."""
        own = self.seats_of(player)
        if not own or self.to_move is None:
            return None
        return min(own, key=lambda seat: (seat - (self.to_move or 0)) % len(self.seats))

    def may_look(self, player: str | None, seat: int) -> bool:
        """Tell whether a shared device may show this seat's hand now.

        It may for the seat that is to move, and for the one of the device that moved last: that
        player looks at what was drawn.
        """
        own = self.seats_of(player)
        if seat not in own:
            return False
        turn = len(self.game.moves)
        moved = ((turn - back) % len(self.seats) for back in range(1, turn + 1))
        return seat == self.to_move or seat == next((s for s in moved if s in own), None)

    def view(self, seat: int | None) -> View:
        """Give what this seat may know, or a spectator for ``None`` (R15)."""
        return self.game.view(seat)

    def add(self, event: Event) -> Table:
        """Give the table after one more event; raises `DamagedTable` where it makes no sense."""
        if event.log != self.id or event.number != self.number + 1:
            raise DamagedTable(self.id, event.number, f"event {self.number + 1} is missing")
        table = replace(self, number=event.number, changed_at=event.at)
        match _read(event):
            case Moved() as moved:
                return _follow(table, moved)
            case Rematched() as rematched:
                return replace(table, next_table=rematched.table)
            case Paced() as paced:
                return replace(table, pace=paced.pace)
            case Opened():
                raise DamagedTable(self.id, event.number, "the table is opened a second time")


def fold(events: Iterable[Event]) -> Table:
    """Give the table that these events, from number 1, have made; raises `DamagedTable`."""
    first, *others = events
    table = _open(first)
    for event in others:
        table = table.add(event)
    return table


def _read(event: Event) -> TableEvent:
    try:
        return from_body(event.body)
    except UnknownEvent as error:
        raise DamagedTable(event.log, event.number, str(error)) from None
    # What such an error says may quote the event, and so a secret; the sentence does not (R15).
    except (LookupError, TypeError, ValueError, AttributeError):
        raise DamagedTable(event.log, event.number, "the event is unreadable") from None


def _open(event: Event) -> Table:
    opened = _read(event)
    if not isinstance(opened, Opened) or event.number != 1:
        raise DamagedTable(event.log, event.number, "the table is not opened yet")
    if sorted(opened.order) != list(range(len(opened.seats))):
        raise DamagedTable(event.log, event.number, "the order of the seats is wrong")
    seats = tuple(opened.seats[place] for place in opened.order)
    try:
        names = [seat.name for seat in seats]
        game = Game.start(names, recorded([opened.shuffle]), opened.rules)
    except RuleError as error:
        raise DamagedTable(event.log, event.number, f"the deal breaks {error.clause}") from None
    return Table(
        id=event.log,
        number=event.number,
        seats=seats,
        game=game,
        drawn=(NO_CARDS,) * len(seats),
        opened_at=event.at,
        changed_at=event.at,
        rematch_of=opened.rematch_of,
        settings=opened.settings,
        pace=_pace(opened.settings.get("pace")),
    )


def _pace(kept: object) -> Pace:
    return next((pace for pace in PACES if pace == kept), "normal")


def _follow(table: Table, moved: Moved) -> Table:
    """Give the table after a move, drawing from the piles as they were recorded."""
    game, seat, move = table.game, moved.seat, moved.move
    if seat != game.to_move:
        raise DamagedTable(table.id, table.number, f"it is not the turn of seat {seat}")
    piles = game.shuffles if moved.shuffle is None else (*game.shuffles, moved.shuffle)
    try:
        after = replace(game, shuffler=recorded(piles)).apply(move)
    except RuleError as error:
        raise DamagedTable(table.id, table.number, f"the move breaks {error.clause}") from None
    if after.shuffles != piles:
        raise DamagedTable(table.id, table.number, "the shuffle is not called for")
    kept = game.hands[seat] - move.leaving
    drawn = list(table.drawn)
    drawn[seat] = after.hands[seat] - kept
    return replace(table, game=after, drawn=tuple(drawn))
