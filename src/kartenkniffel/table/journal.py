"""Tables in the store: read as what their events have made, changed by adding events."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from kartenkniffel.store import Conflict, DamagedLog, Event, Store, UnknownLog
from kartenkniffel.table.bodies import to_body
from kartenkniffel.table.cache import Cache
from kartenkniffel.table.errors import DamagedTable, UnknownTable
from kartenkniffel.table.events import TableEvent
from kartenkniffel.table.machine import told
from kartenkniffel.table.state import State, Table, add, fold

KIND = "table"
"""What kind of log a table is in the store."""

MOST_KEPT = 1024
"""How many tables are kept in mind; the others are folded anew when asked for."""

_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Notice:
    """A table has moved on to its event ``number``; 0 says that it was deleted.

    ``people`` are the player ids of those who sit there, or sat there until this event.
    """

    table: str
    number: int
    people: frozenset[str]


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does: events, and with them who joins or leaves and whether all is over."""

    events: Sequence[TableEvent]
    finished: bool | None = None
    joining: Collection[str] = ()
    parting: Collection[str] = ()


class Journal:
    """All tables of a store. Every method may be called from any thread.

    Each of ``followers`` is called with a table's new state when its event is on the disk.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.followers: list[Callable[[State], None]] = []
        self._cache = Cache(MOST_KEPT)
        self._watchers: tuple[tuple[object, Callable[[Notice], None]], ...] = ()
        self._lock = threading.Lock()

    def look(self, id: str) -> State:
        """Give the table as it stands now; raises `UnknownTable`, or `DamagedTable`."""
        if not (id.isascii() and id.isalnum()):
            raise UnknownTable(id)
        drops = self._cache.drops
        state = self._cache.get(id)
        try:
            if state is None:
                if self.store.info(id).kind != KIND:
                    raise UnknownTable(id)
                state = fold(self.store.read(id))
            else:
                for event in self.store.read(id, state.number):
                    state = add(state, event)
        except UnknownLog:
            self._cache.drop(id)
            raise UnknownTable(id) from None
        except DamagedLog as error:
            raise DamagedTable(id, error.number, "is not readable") from None
        self._cache.put(state, drops)
        return state

    def peek(self, id: str) -> State | None:
        """Give the table as it is known without asking the disk; it may have moved on since."""
        return self._cache.get(id)

    def known(self, id: str, number: int) -> State:
        """Give the table that stands at this event, without asking the disk where it can."""
        state = self._cache.get(id)
        return state if state is not None and state.number == number else self.look(id)

    def newest(self, state: State) -> State:
        """Give the latest that is known of a table without asking the disk, at least this state."""
        known = self._cache.get(state.id)
        return state if known is None or known.number < state.number else known

    def create(
        self, event: TableEvent, owners: Collection[str], key: str | None, id: str | None = None
    ) -> State:
        """Make a table with its first event, once for a key, and give it as it stands."""
        id, drops = id or new_id(), self._cache.drops
        events = self.store.create(id, KIND, owners, [to_body(event)], key)
        if events[0].log != id:
            return self.look(events[0].log)
        return self._happened(fold(events), frozenset(), drops)

    def change(
        self, id: str, decide: Callable[[State], Change | None], key: str | None = None
    ) -> State:
        """Decide on the table as it stands, and add the events; again where another was faster.

        A key is done once; used again it gives the table as it stands. What ``decide`` raises
        comes out, unless the key says that this was done before.
        """
        while True:
            drops = self._cache.drops
            state = self.look(id)
            try:
                change = decide(state)
            except ValueError:
                if key is not None and self.store.made(id, key):
                    return self.look(id)
                raise
            if change is None or not change.events:
                return state
            try:
                return self._append(state, change, key, drops)
            except Conflict:
                continue

    def _append(self, state: State, change: Change, key: str | None, drops: int) -> State:
        """Add events to a table that is known to be as it stands; raises `Conflict` if not."""
        try:
            stored = self.store.append(
                state.id,
                state.number,
                [to_body(event) for event in change.events],
                key,
                finished=change.finished,
                joining=change.joining,
                parting=change.parting,
            )
        except UnknownLog:
            self._cache.drop(state.id)
            raise UnknownTable(state.id) from None
        if stored[0].number != state.number + 1:
            return self.look(state.id)
        return self._happened(_added(state, stored), state.owners, drops)

    def delete(self, id: str) -> None:
        """Remove a table for good; does nothing where there is none."""
        try:
            if self.store.info(id).kind != KIND:
                return
        except UnknownLog:
            return
        people = frozenset(self.store.owners(id))
        self.store.delete(id)
        self._cache.drop(id)
        self._tell(Notice(id, 0, people))

    def forget(self, id: str) -> None:
        """Fold a table anew when it is asked for next."""
        self._cache.drop(id)

    def watch(self, callback: Callable[[Notice], None]) -> Callable[[], None]:
        """Call back after each event is on the disk, and when a table is deleted.

        Gives a function that ends it. Numbers may come out of order, since writers do not wait for
        each other. The callback runs in the writer's thread and should be quick.
        """
        watcher = (object(), callback)
        with self._lock:
            self._watchers = (*self._watchers, watcher)

        def unwatch() -> None:
            with self._lock:
                self._watchers = tuple(other for other in self._watchers if other is not watcher)

        return unwatch

    def _happened(self, state: State, before: frozenset[str], drops: int) -> State:
        self._cache.put(state, drops)
        self._tell(Notice(state.id, state.number, state.owners | before))
        for follow in self.followers:
            follow(state)
        return state

    def _tell(self, notice: Notice) -> None:
        for _, callback in self._watchers:
            try:
                callback(notice)
            except Exception as error:
                _log.error("a watcher of the tables failed:\n%s", told(error))


def new_id() -> str:
    """Make up the id of a table."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def private_key(what: str, *parts: str) -> str:
    """Give the key of a command that does not show what it is made of, such as a player's id.

    So whoever wants to be forgotten is not remembered by the keys of old commands.
    """
    return f"{what}:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


def running(state: State) -> Table:
    """Give the table whose game has begun; raises `UnknownTable` where people still gather."""
    if not isinstance(state, Table):
        raise UnknownTable(state.id)
    return state


def _added(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = add(state, event)
    return state
