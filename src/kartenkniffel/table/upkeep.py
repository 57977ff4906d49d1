"""What the store holds of one person, to take away or to be forgotten; and clearing old tables."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from kartenkniffel.notation import Record, dump_record, view_to_json
from kartenkniffel.store import StoreError
from kartenkniffel.table.company import Company
from kartenkniffel.table.errors import DamagedTable, TableError
from kartenkniffel.table.gathering import CODE_KIND, Lobbies
from kartenkniffel.table.journal import KIND, Journal
from kartenkniffel.table.lobby import Lobby
from kartenkniffel.table.names import NOBODY
from kartenkniffel.table.state import State

_log = logging.getLogger(__name__)


class Upkeep:
    """Looks after what is kept. Every method may be called from any thread."""

    def __init__(self, journal: Journal, lobbies: Lobbies, company: Company) -> None:
        self._journal = journal
        self._lobbies = lobbies
        self._company = company

    def export(self, player: str) -> list[dict[str, Any]]:
        """Give all that is kept under a player's key, a JSON object for each table.

        A finished game comes with its record, a running one with the player's own views (R15).
        """
        return [_exported(state, player) for state in self._states(player)]

    def forget(self, player: str) -> int:
        """Remove a player from everything that is kept, and give how many tables that were.

        What nobody else has a part in is deleted. At the other tables the games stay, with the
        player's name and key gone; where one is running, a bot plays on.
        """
        ids = [info.id for info in self._journal.store.logs(player, KIND)]
        for id in ids:
            self.drop(id, player, forget=True)
        return len(ids)

    def drop(self, id: str, player: str, *, forget: bool = False) -> None:
        """Take a table off a player's list: for good where nobody else has it on theirs.

        A running game among others goes on, with a bot in the player's place. To ``forget`` also
        takes the player's name and key out of the log.
        """
        store = self._journal.store
        owners = set(store.owners(id))
        if player not in owners:
            return
        if owners == {player}:
            self._journal.delete(id)
            return
        try:
            state = self._journal.look(id)
            if isinstance(state, Lobby):
                self._lobbies.leave(id, player)
            elif not state.finished:
                self._company.leave(id, player)
        except TableError as error:
            _log.warning("a table is left as it is: %s", error)
        if forget:
            self._amend(id, player)
        store.part(id, player)
        self._journal.forget(id)

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
            if info.changed < before:
                store.delete(info.id)
        return len(old)

    def _is_lobby(self, id: str) -> bool:
        try:
            return isinstance(self._journal.look(id), Lobby)
        except (TableError, StoreError):
            return False

    def _states(self, player: str) -> Iterator[State]:
        for info in self._journal.store.logs(player, KIND):
            try:
                yield self._journal.look(info.id)
            except DamagedTable as error:
                _log.warning("a table is left out: %s", error)

    def _amend(self, id: str, player: str) -> None:
        events = self._journal.store.read(id)
        changed = {event.number: _without(event.body, player) for event in events}
        bodies = {event.number: event.body for event in events}
        self._journal.store.amend(
            id, {number: body for number, body in changed.items() if body != bodies[number]}
        )


def _without(body: Mapping[str, Any], player: str) -> dict[str, Any]:
    """Give an event's body without a player's name and key."""
    changed = dict(body)
    if changed.get("owner") == player:
        changed["owner"] = ""
        if "name" in changed:
            changed["name"] = NOBODY
    if "seats" in changed:
        changed["seats"] = [
            {**seat, "name": NOBODY, "owner": None} if seat["owner"] == player else seat
            for seat in changed["seats"]
        ]
    return changed


def _exported(state: State, player: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "table": state.id,
        "opened": state.opened_at.isoformat(timespec="seconds"),
        "changed": state.changed_at.isoformat(timespec="seconds"),
    }
    if isinstance(state, Lobby):
        guest = state.guest_of(player)
        names = [each.name for each in state.guests]
        return {**told, "state": "waiting", "name": guest.name if guest else None, "players": names}
    own = state.seats_of(player)
    told |= {
        "state": "finished" if state.finished else "running",
        "seats": list(own),
        "names": [state.seats[seat].name for seat in own],
        "said": [spoken.phrase for spoken in state.talk if spoken.seat in own],
    }
    if state.finished:
        return {**told, "record": json.loads(dump_record(Record.of(state.game)))}
    return {**told, "views": [view_to_json(state.view(seat)) for seat in own]}
