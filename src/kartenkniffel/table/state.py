"""A table as its events have made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from kartenkniffel.rules import NO_CARDS, Cards, Game, RuleError, View, recorded
from kartenkniffel.store import Event
from kartenkniffel.table.bodies import from_body
from kartenkniffel.table.errors import DamagedTable, UnknownEvent
from kartenkniffel.table.events import (
    PACES,
    Answered,
    Claimed,
    Ended,
    Invited,
    Matter,
    Moved,
    Offered,
    Opened,
    Pace,
    Paced,
    Proposed,
    Rematched,
    Said,
    Seat,
    StoodIn,
    TableEvent,
    TookBack,
    Undone,
    Why,
)
from kartenkniffel.table.lobby import Lobby, invited
from kartenkniffel.table.offers import Offer, offered, used

MOST_TALK = 30
"""How much of what was said a table remembers."""

DEFAULT_LEVEL = "medium"
"""The level of a bot that stands in where the table has none of its own."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the player of a seat said, by the code of the phrase; ``number`` is the event's."""

    number: int
    seat: int
    phrase: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody asked the others for with the event ``number``.

    ``agreed`` are the player ids that want it.
    """

    matter: Matter
    seat: int
    agreed: frozenset[str]
    number: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table after its event ``number``; it holds secrets, what a seat may know is its `view`.

    ``seats`` are in the game's order: seat 0 starts, turns go clockwise (R4). ``drawn`` are, by
    seat, the cards that the seat's latest move drew (a secret of that seat). ``rematch_of`` and
    ``next_table`` are the ids of the tables before and after in a row of rematches. ``turn`` is the
    number of the event that changed the game last, at ``turn_began``; ``given_time`` is the last
    turn for which somebody who came back was given the time anew. ``stand_ins`` are the seats that
    bots play for, and why; ``before`` is the game before the latest move where that may be undone.
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
    turn: int = 1
    turn_began: datetime = datetime.min
    given_time: int = 0
    stand_ins: Mapping[int, Why] = field(default_factory=dict)
    ended: bool = False
    before: tuple[Game, tuple[Cards, ...]] | None = field(default=None, repr=False)
    talk: tuple[Spoken, ...] = ()
    proposal: Proposal | None = None
    offers: Mapping[str, Offer] = field(default_factory=dict, repr=False)

    @property
    def finished(self) -> bool:
        """Whether the game is over (R12), or was ended by agreement."""
        return self.ended or self.game.finished

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or ``None`` when the game is over."""
        return None if self.ended else self.game.to_move

    @property
    def owners(self) -> frozenset[str]:
        """The player ids of all people with a seat."""
        return frozenset(seat.owner for seat in self.seats if seat.owner is not None)

    @property
    def voters(self) -> frozenset[str]:
        """The player ids of those who must agree to a proposal: all who play themselves."""
        return frozenset(
            seat.owner
            for number, seat in enumerate(self.seats)
            if seat.owner is not None and number not in self.stand_ins
        )

    def must_agree(self, is_here: Callable[[str], bool]) -> frozenset[str]:
        """Give the player ids of those without whom nothing is agreed.

        Somebody who was merely slow, or away for a while, is asked too while there.
        """
        others = (self.seats[seat].owner for seat, why in self.stand_ins.items() if why != "left")
        return self.voters | {owner for owner in others if owner is not None and is_here(owner)}

    @property
    def is_among_friends(self) -> bool:
        """Whether people at several devices play here."""
        return len(self.owners) > 1 or bool(self.settings.get("friends"))

    @property
    def spectators(self) -> bool:
        """Whether others may watch."""
        return self.settings.get("spectators") is True

    @property
    def level(self) -> str:
        """The level of a bot that stands in."""
        return str(self.settings.get("level", DEFAULT_LEVEL))

    @property
    def clock(self) -> int | None:
        """The seconds that a person has for a turn, or ``None``."""
        clock = self.settings.get("clock")
        return clock if isinstance(clock, int) else None

    @property
    def due(self) -> datetime | None:
        """When the time of the person to move is over, or ``None`` where no clock runs."""
        if self.clock is None or self.to_move is None or self.bot_at(self.to_move) is not None:
            return None
        return self.turn_began + timedelta(seconds=self.clock)

    def bot_at(self, seat: int) -> str | None:
        """Give the level of the bot that plays for a seat now, or ``None`` for a person."""
        return self.level if seat in self.stand_ins else self.seats[seat].bot

    def is_current(self, number: int) -> bool:
        """Tell whether the game is still as it was after the event of this number."""
        return self.turn <= number <= self.number

    def undoable_by(self, player: str | None) -> bool:
        """Tell whether the latest move is this player's, and no card was seen because of it."""
        if self.before is None or self.finished or player is None:
            return False
        mover = self.before[0].to_move
        return mover is not None and self.seats[mover].owner == player

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
        view = self.game.view(seat)
        return replace(view, to_move=None, finished=True) if self.ended else view

    def after(self, event: TableEvent) -> Table:
        """Give the table after what happened at its event ``number``.

        Raises `DamagedTable` for a move that cannot be, ``ValueError`` or ``LookupError`` for what
        is no event of a running game.
        """
        match event:
            case Moved():
                return _follow(self, event)
            case Undone():
                return _undo(self)
            case Ended():
                return replace(_turned(self), ended=True, proposal=None)
            case Rematched():
                return replace(self, next_table=event.table)
            case Paced():
                return replace(self, pace=event.pace)
            case StoodIn():
                return replace(self, stand_ins={**self.stand_ins, event.seat: event.why})
            case TookBack():
                others = {s: why for s, why in self.stand_ins.items() if s != event.seat}
                return _with_time(replace(self, stand_ins=others), event.seat)
            case Said():
                spoken = Spoken(self.number, event.seat, event.phrase, self.changed_at)
                return replace(self, talk=(*self.talk, spoken)[-MOST_TALK:])
            case Proposed():
                asked = Proposal(event.matter, event.seat, frozenset(), self.number)
                return replace(self, proposal=_agreed(self, asked, event.seat))
            case Answered():
                return _answer(self, event)
            case Offered():
                return replace(self, offers=offered(self.offers, event))
            case Claimed():
                return _move_owner(self, event)
            case _:
                raise ValueError("the game has begun already")


State: TypeAlias = Lobby | Table
"""A table at any time: people gather, or the game runs or is over."""


def fold(events: Iterable[Event]) -> State:
    """Give the table that these events, from number 1, have made; raises `DamagedTable`."""
    first, *others = events
    state = _begin(first)
    for event in others:
        state = add(state, event)
    return state


def add(state: State, event: Event) -> State:
    """Give a table after one more event; raises `DamagedTable` where it makes no sense."""
    if event.log != state.id or event.number != state.number + 1:
        raise DamagedTable(state.id, event.number, f"event {state.number + 1} is missing")
    read = _read(event)
    if isinstance(read, Opened) and isinstance(state, Lobby):
        return replace(_open(event, read), offers=state.offers)
    try:
        return replace(state, number=event.number, changed_at=event.at).after(read)
    except DamagedTable:
        raise
    except (LookupError, ValueError, TypeError, StopIteration):
        name = event.body["type"]
        raise DamagedTable(state.id, event.number, f"{name} makes no sense here") from None


def _begin(event: Event) -> State:
    read = _read(event)
    if event.number == 1 and isinstance(read, Invited):
        return invited(event.log, 1, read, event.at)
    if event.number == 1 and isinstance(read, Opened):
        return _open(event, read)
    raise DamagedTable(event.log, event.number, "the table is not opened yet")


def _read(event: Event) -> TableEvent:
    try:
        return from_body(event.body)
    except UnknownEvent as error:
        raise DamagedTable(event.log, event.number, str(error)) from None
    # What such an error says may quote the event, and so a secret; the sentence does not (R15).
    except (LookupError, TypeError, ValueError, AttributeError):
        raise DamagedTable(event.log, event.number, "the event is unreadable") from None


def _open(event: Event, opened: Opened) -> Table:
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
        turn=event.number,
        turn_began=event.at,
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
    # A move by which no card was seen may be taken back; a refill counts as seen.
    unseen = not drawn[seat] and not after.finished and seat not in table.stand_ins
    before = (game, table.drawn) if unseen and table.seats[seat].bot is None else None
    asked = table.proposal
    return replace(
        _turned(table),
        game=after,
        drawn=tuple(drawn),
        before=before,
        proposal=None if asked is None or asked.matter == "undo" or after.finished else asked,
    )


def _turned(table: Table) -> Table:
    """Give the table with a new turn, at its latest event."""
    return replace(table, turn=table.number, turn_began=table.changed_at, before=None)


def _with_time(table: Table, seat: int) -> Table:
    """Give whoever plays again the whole time for the turn, but once for a turn."""
    if seat != table.to_move or table.given_time == table.turn:
        return table
    return replace(table, turn_began=table.changed_at, given_time=table.turn)


def _undo(table: Table) -> Table:
    if table.before is None:
        raise ValueError("there is nothing to take back")
    game, drawn = table.before
    return replace(_turned(table), game=game, drawn=drawn, proposal=None)


def _agreed(table: Table, proposal: Proposal, seat: int) -> Proposal:
    owner = table.seats[seat].owner
    return replace(proposal, agreed=proposal.agreed | ({owner} if owner else frozenset()))


def _answer(table: Table, answered: Answered) -> Table:
    if table.proposal is None:
        raise ValueError("nothing was proposed")
    if not answered.agreed:
        return replace(table, proposal=None)
    return replace(table, proposal=_agreed(table, table.proposal, answered.seat))


def _move_owner(table: Table, claimed: Claimed) -> Table:
    offer, offers = used(table.offers, claimed)
    seats = tuple(
        replace(seat, owner=claimed.owner) if seat.owner == offer.owner else seat
        for seat in table.seats
    )
    asked = table.proposal
    if asked is not None and offer.owner in asked.agreed:
        asked = replace(asked, agreed=asked.agreed - {offer.owner} | {claimed.owner})
    return replace(table, seats=seats, offers=offers, proposal=asked)
