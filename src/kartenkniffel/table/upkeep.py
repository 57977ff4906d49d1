"""What the store holds of one person, to take away or to be forgotten; and clearing old tables."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from kartenkniffel.notation import Record, dump_record, view_to_json
from kartenkniffel.store import DamagedLog, Event, StoreError, UnknownLog
from kartenkniffel.table.company import Company
from kartenkniffel.table.errors import Begun, TableError
from kartenkniffel.table.forgetting import without
from kartenkniffel.table.gathering import CODE_KIND, Lobbies
from kartenkniffel.table.journal import KIND, Journal
from kartenkniffel.table.lobby import Lobby
from kartenkniffel.table.state import State, Table

_log = logging.getLogger(__name__)


class Upkeep:
    """Looks after what is kept. Every method may be called from any thread."""

    def __init__(self, journal: Journal, lobbies: Lobbies, company: Company) -> None:
        self._journal = journal
        self._lobbies = lobbies
        self._company = company

    def export(self, player: str) -> list[dict[str, Any]]:
        """Give all that is kept under a player's key, a JSON object for each table.

        A finished game comes with its record, a running one with the player's own view, or a
        spectator's where people share the player's device (R15).
        """
        return [
            _exported(state, self._journal.store.read(state.id), player)
            for state in self._states(player)
        ]

    def forget(self, player: str) -> int:
        """Remove a player from everything that is kept, and give how many tables that were.

        What nobody else has a part in is deleted. At the other tables the games stay, with the
        player's name and keys gone, also where the player left long ago; where one is running, a
        bot plays on.
        """
        store = self._journal.store
        own = [info.id for info in store.logs(player, KIND)]
        named = [info.id for info in store.mentioning(player, KIND)]
        changed = [id for id in dict.fromkeys(own + named) if self._forget_at(id, player)]
        store.purge()
        return len(changed)

    def _forget_at(self, id: str, player: str) -> bool:
        """Forget a player at one table, and tell whether there was anything to forget."""
        store = self._journal.store
        try:
            if not _amended(store.read(id), player):
                return False
            if set(store.owners(id)) <= {player}:
                self._journal.delete(id)
                return True
            self._leave(id, player)
            store.amend(id, _amended(store.read(id), player))
        except UnknownLog:
            return False
        except (TableError, DamagedLog, LookupError, TypeError):
            _log.error("table %s cannot be read, so what stands there of somebody stays", id)
        store.part(id, player)
        self._journal.forget(id)
        return True

    def drop(self, id: str, player: str) -> None:
        """Take a table off a player's list: for good where nobody else has it on theirs.

        A running game among others goes on, with a bot in the player's place.
        """
        store = self._journal.store
        owners = set(store.owners(id))
        if player not in owners:
            return
        if owners == {player}:
            self._journal.delete(id)
            return
        try:
            self._leave(id, player)
        except TableError as error:
            _log.warning("a table is left as it is: %s", error)
        store.part(id, player)

    def _leave(self, id: str, player: str) -> None:
        """Have a player leave a table at which people gather or play."""
        while True:
            state = self._journal.look(id)
            if player not in state.owners:
                return
            try:
                if isinstance(state, Table):
                    self._company.leave(id, player)
                elif not state.closed:
                    self._lobbies.leave(id, player)
                return
            except Begun:
                continue  # The host was faster; now it is a game to leave.

    def clear(self, before: datetime) -> int:
        """Delete what is finished, or was never started, and has not changed since a time.

        Gives how many tables that were.
        """
        store = self._journal.store
        old = [info.id for info in store.finished(KIND, before)]
        stale = [info.id for info in store.unfinished(KIND) if info.changed < before]
        old += [id for id in stale if self._is_lobby(id)]
        for id in old:
            self._journal.delete(id)
        for info in store.unfinished(CODE_KIND):
            if info.changed < before and not self._leads_on(info.id):
                store.delete(info.id)
        return len(old)

    def _leads_on(self, code: str) -> bool:
        """Tell whether people still gather at the table of a code."""
        try:
            (*_, last) = self._journal.store.read(code)
        except StoreError:
            return False
        return self._is_lobby(str(last.body.get("table", "")))

    def _is_lobby(self, id: str) -> bool:
        try:
            state = self._journal.look(id)
            return isinstance(state, Lobby) and not state.closed
        except (TableError, StoreError):
            return False

    def _states(self, player: str) -> Iterator[State]:
        for info in self._journal.store.logs(player, KIND):
            try:
                yield self._journal.look(info.id)
            except TableError as error:
                _log.warning("a table is left out: %s", error)


def _amended(events: Sequence[Event], player: str) -> dict[int, Mapping[str, Any]]:
    """Give the bodies, by number, of the events in which a player stands, without that player."""
    bodies = without([event.body for event in events], player)
    return {
        event.number: body for event, body in zip(events, bodies, strict=True) if body != event.body
    }


def _exported(state: State, events: Sequence[Event], player: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "table": state.id,
        "opened": state.opened_at.isoformat(timespec="seconds"),
        "changed": state.changed_at.isoformat(timespec="seconds"),
    }
    if isinstance(state, Lobby):
        guest = state.guest_of(player)
        names = [each.name for each in state.guests]
        waits = "closed" if state.closed else "waiting"
        return {**told, "state": waits, "name": guest.name if guest else None, "players": names}
    own = state.seats_of(player)
    told |= {
        "state": "finished" if state.finished else "running",
        "seats": list(own),
        "names": [state.seats[seat].name for seat in own],
        "said": [
            event.body["phrase"]
            for event in events
            if event.body["type"] == "said" and event.body["seat"] in own
        ],
    }
    if state.finished:
        return {**told, "record": json.loads(dump_record(Record.of(state.game)))}
    # Of a device that people share nobody may see all hands at once.
    view = state.view(own[0] if len(own) == 1 else None)
    return {**told, "views": [view_to_json(view)]}
