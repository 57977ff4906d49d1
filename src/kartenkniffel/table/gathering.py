"""Tables before their game: people are invited, sit down, and the host starts."""

from __future__ import annotations

import logging
import random
import secrets
import threading
from collections.abc import Callable, Collection
from dataclasses import replace

from kartenkniffel.rules import FULL_DECK, shuffled
from kartenkniffel.rules.position import check_players
from kartenkniffel.store import LogExists, UnknownLog
from kartenkniffel.table.errors import (
    Begun,
    Full,
    NotHost,
    NotSeated,
    SeatError,
    ShutOut,
    TableError,
    TooFew,
    UnknownCode,
    UnknownTable,
)
from kartenkniffel.table.events import (
    Closed,
    Filled,
    HandedOver,
    Invited,
    Joined,
    Left,
    Opened,
    Seat,
    Start,
    TableEvent,
    Terms,
)
from kartenkniffel.table.journal import KIND, Change, Journal, Notice, new_id, private_key, running
from kartenkniffel.table.lobby import Guest, Lobby
from kartenkniffel.table.names import BOT_NAMES, distinct_name
from kartenkniffel.table.seating import check_name, order_of
from kartenkniffel.table.state import State, Table

_log = logging.getLogger(__name__)

CODE_KIND = "code"
"""What kind of log leads from a code to its table."""

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a code: those that cannot be taken for a digit."""

CODE_LENGTH = 6

CLOCKS = (None, 30, 60, 120, 86_400)
"""The seconds that a turn may have."""


def plain_code(text: str) -> str:
    """Give a code as it is kept, however it was typed.

    >>> plain_code("abc-def "), plain_code(" x y")
    ('ABCDEF', 'XY')
    """
    return "".join(letter for letter in text.upper() if letter.isalnum())


class Lobbies:
    """The tables at which people gather. Every method may be called from any thread.

    Those that change a table raise `UnknownTable`, `Begun` once its game runs, and `NotSeated` or
    `NotHost` for people who may not.
    """

    def __init__(self, journal: Journal, levels: Collection[str], rng: random.Random) -> None:
        self._journal = journal
        self._levels = levels
        self._rng = rng
        self._open: dict[str, Lobby] = {}
        self._lock = threading.Lock()
        journal.followers.append(self.note)
        journal.watch(self._deleted)

    def note(self, state: State) -> None:
        """Keep in mind which tables wait for people; known ones need not be told again."""
        with self._lock:
            # Writers do not wait for each other: what this one has to tell may be old by now.
            newest = self._journal.newest(state)
            if isinstance(newest, Lobby) and not newest.closed:
                self._open[newest.id] = newest
            else:
                self._open.pop(newest.id, None)

    def _deleted(self, notice: Notice) -> None:
        if notice.number == 0:
            with self._lock:
                lobby = self._open.pop(notice.table, None)
            if lobby is not None:
                self._let_go(lobby.code)

    def waiting(self) -> list[Lobby]:
        """List the tables that everybody may see and that have a free seat, the newest first."""
        lobbies = [each for each in list(self._open.values()) if each.terms.listed and each.free]
        return sorted(lobbies, key=lambda lobby: lobby.opened_at, reverse=True)

    def all_open(self) -> list[Lobby]:
        """List every table at which people gather."""
        return list(self._open.values())

    def of_player(self, player: str) -> list[Lobby]:
        """List the tables at which this player waits for the start, the newest first."""
        found = [each for each in list(self._open.values()) if each.guest_of(player)]
        return sorted(found, key=lambda lobby: lobby.opened_at, reverse=True)

    def invite(self, name: str, player: str, terms: Terms, *, key: str | None = None) -> State:
        """Open a table with its first guest, who is its host, and give it.

        A key, which must carry the player's id, opens one table only. Raises `PlayersError` (R2)
        for other than 2 to 10 seats, `SeatError` for a name that will not do and ``ValueError`` for
        a clock or a level that there is not.
        """
        check_name(name)
        check_players(terms.seats)
        if terms.seats < 2 or terms.clock not in CLOCKS or terms.level not in self._levels:
            raise ValueError("these terms are not among those on offer")
        id = new_id()
        code = self._new_code(id)
        event = Invited(name, player, code, terms)
        own_key = None if key is None else private_key("invite", key)
        made: State | None = None
        try:
            made = self._journal.create(event, {player}, own_key, id)
        finally:
            if made is None or made.id != id:
                self._let_go(code)
        return made

    def _new_code(self, id: str) -> str:
        """Set a code aside that leads to this table and that no other table has."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            try:
                self._journal.store.create(f"code-{code}", CODE_KIND, (), [{"table": id}])
            except LogExists:
                continue
            return code

    def _let_go(self, code: str) -> None:
        self._journal.store.delete(f"code-{code}")

    def find(self, code: str) -> Lobby:
        """Give the table that waits for people under a code; raises `UnknownCode`."""
        plain = plain_code(code)
        if len(plain) != CODE_LENGTH or not set(plain) <= set(CODE_LETTERS):
            raise UnknownCode
        try:
            events = self._journal.store.read(f"code-{plain}")
            state = self._journal.look(str(events[-1].body.get("table", "")))
        except (UnknownLog, UnknownTable):
            raise UnknownCode from None
        if not isinstance(state, Lobby) or state.closed:
            raise UnknownCode
        return state

    def join(self, id: str, name: str, player: str) -> State:
        """Let somebody sit down, once, and give the table.

        Somebody with a seat keeps it, whatever the state of the table. A name that somebody has
        gets a number. Raises `SeatError`, `Full`, `ShutOut` or `Begun`.
        """

        def decide(state: State) -> Change | None:
            if player in state.owners:
                return None
            lobby = _gathering(state)
            if player in lobby.removed:
                raise ShutOut(id)
            if not lobby.free:
                raise Full(id)
            check_name(name)
            taken = [guest.name for guest in lobby.guests]
            return Change([Joined(distinct_name(name, taken), player)], joining=[player])

        return self._journal.change(id, decide)

    def leave(self, id: str, player: str) -> State:
        """Let a guest go; the next one is the host then, and the last one closes the table."""

        def decide(state: State) -> Change | None:
            guest = _gathering(state).guest_of(player)
            if guest is None:
                return None
            over = len(_gathering(state).guests) == 1
            return Change([Left(guest.number)], finished=over or None, parting=[player])

        return self._ended(self._journal.change(id, decide))

    def remove(self, id: str, host: str, guest: int) -> State:
        """Let the host take a guest's seat away; that person cannot sit down here again."""

        def decide(lobby: Lobby) -> Change | None:
            who = _guest(lobby, guest)
            if who is None or who.owner == host:
                return None
            return Change([Left(guest, removed=True)], parting=[who.owner])

        return self._as_host(id, host, decide)

    def hand_over(self, id: str, host: str, guest: int) -> State:
        """Let the host make another guest the host."""

        def decide(lobby: Lobby) -> Change | None:
            if _guest(lobby, guest) is None or lobby.host == guest:
                return None
            return Change([HandedOver(guest)])

        return self._as_host(id, host, decide)

    def fill(self, id: str, host: str, fill: bool, level: str) -> State:
        """Let the host choose whether bots of a level take the free seats at the start."""
        if level not in self._levels:
            raise ValueError(f"the bots are {', '.join(self._levels)}; there is no other")

        def decide(lobby: Lobby) -> Change | None:
            same = (lobby.terms.fill, lobby.terms.level) == (fill, level)
            return None if same else Change([Filled(fill, level)])

        return self._as_host(id, host, decide)

    def close(self, id: str, host: str) -> State:
        """Let the host give the table up."""
        return self._as_host(id, host, lambda _: Change([Closed()], finished=True))

    def pass_on(self, id: str, is_here: Callable[[str], bool]) -> State:
        """Make the next guest who is there the host, if the host is not there."""

        def decide(state: State) -> Change | None:
            if not isinstance(state, Lobby) or state.closed:
                return None
            place = next(n for n, guest in enumerate(state.guests) if guest.number == state.host)
            if is_here(state.guests[place].owner):
                return None
            others = (*state.guests[place + 1 :], *state.guests[:place])
            next_host = next((guest for guest in others if is_here(guest.owner)), None)
            return None if next_host is None else Change([HandedOver(next_host.number)])

        return self._journal.change(id, decide)

    def start(self, id: str, host: str, start: Start, guest: int | None = None) -> Table:
        """Let the host start the game: find who begins (R4), shuffle and deal (R3).

        ``guest`` is the number of the one who starts where ``start.how`` is not ``random``. Bots
        take the free seats where that was chosen. Started already, it gives the table. Raises
        `TooFew`, and `SeatError` for a guest who is not there.
        """

        codes: list[str] = []

        def decide(state: State) -> Change | None:
            if isinstance(state, Table) and host in state.owners:
                return None
            lobby = _hosted(state, host)
            opened = self._opened(lobby, start, guest)
            codes.append(lobby.code)
            return Change([opened])

        table = running(self._journal.change(id, decide))
        for code in codes[-1:]:
            self._let_go(code)
        return table

    def _opened(self, lobby: Lobby, start: Start, guest: int | None) -> TableEvent:
        terms = lobby.terms
        seats = [Seat(each.name, owner=each.owner) for each in lobby.guests]
        for name in BOT_NAMES[: lobby.free if terms.fill else 0]:
            seats.append(Seat(distinct_name(name, [s.name for s in seats]), bot=terms.level))
        if len(seats) < 2:
            raise TooFew(lobby.id)
        if start.how != "random":
            who = _guest(lobby, guest)
            if who is None:
                raise SeatError(0, "the one who starts has no seat here")
            start = replace(start, seat=lobby.guests.index(who))
        return Opened(
            seats=tuple(seats),
            start=start,
            order=order_of(len(seats), start, self._rng),
            shuffle=shuffled(FULL_DECK, self._rng),
            rules=terms.rules,
            settings={
                **terms.settings,
                "friends": True,
                "clock": terms.clock,
                "level": terms.level,
                "spectators": terms.spectators,
                "listed": terms.listed,
            },
        )

    def _as_host(self, id: str, host: str, decide: Callable[[Lobby], Change | None]) -> State:
        return self._ended(self._journal.change(id, lambda state: decide(_hosted(state, host))))

    def _ended(self, state: State) -> State:
        """Let the code go once nobody can sit down any more."""
        if isinstance(state, Lobby) and state.closed:
            self._let_go(state.code)
        return state

    def load(self) -> list[State]:
        """Read all running tables, and give those that can be read; called at the start."""
        states = []
        for info in self._journal.store.unfinished(KIND):
            try:
                states.append(self._journal.look(info.id))
            except TableError as error:
                _log.error("no bot plays at table %s: %s", info.id, error)
                continue
            self.note(states[-1])
        return states


def _gathering(state: State) -> Lobby:
    if not isinstance(state, Lobby):
        raise Begun(state.id)
    if state.closed:
        raise UnknownTable(state.id)
    return state


def _hosted(state: State, player: str) -> Lobby:
    lobby = _gathering(state)
    if lobby.guest_of(player) is None:
        raise NotSeated(lobby.id)
    if not lobby.is_host(player):
        raise NotHost(lobby.id)
    return lobby


def _guest(lobby: Lobby, number: int | None) -> Guest | None:
    return next((guest for guest in lobby.guests if guest.number == number), None)
