"""Running tables: the one way in for moves, and the bots that play at them."""

from __future__ import annotations

import logging
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from kartenkniffel.bots import Bot
from kartenkniffel.notation import Record
from kartenkniffel.rules import (
    FULL_DECK,
    NO_HOUSE_RULES,
    HouseRules,
    Move,
    RuleError,
    shuffled,
)
from kartenkniffel.store import Conflict, LogInfo, Store, UnknownLog
from kartenkniffel.table.cache import Cache
from kartenkniffel.table.errors import (
    MovedOn,
    NotFinished,
    NotYourTurn,
    TableError,
    UnknownTable,
)
from kartenkniffel.table.events import (
    Moved,
    Opened,
    Pace,
    Paced,
    Rematched,
    Seat,
    Start,
    TableEvent,
    to_body,
)
from kartenkniffel.table.machine import BotPlayers, told
from kartenkniffel.table.seating import check_seats, order_of
from kartenkniffel.table.state import Table, fold
from kartenkniffel.table.turns import BotTurns

KIND = "table"
"""What kind of log a table is in the store."""

MOST_KEPT = 256
"""How many tables are kept in mind; the others are folded anew when asked for."""

_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of one player's tables shows of each; nothing in it is secret.

    ``seat`` is the player's seat (`Table.seat_of`) and ``own`` are all of the player's seats;
    names, totals and winners are by seat.
    """

    id: str
    seat: int | None
    names: tuple[str, ...]
    totals: tuple[int, ...]
    round: int
    to_move: int | None
    finished: bool
    winners: tuple[int, ...]
    opened_at: datetime
    changed_at: datetime
    next_table: str | None
    own: tuple[int, ...] = ()


class Tables:
    """All tables in a store. Every method may be called from any thread.

    ``bots`` makes a bot for each level's name; a bot moves ``pause`` seconds after the event before
    its turn. Bots play from `start` to `close`; ``with Tables(…) as tables:`` calls both.
    """

    def __init__(
        self,
        store: Store,
        bots: Mapping[str, Callable[[], Bot]],
        *,
        rng: random.Random | None = None,
        pause: float = 1.0,
        workers: int = 2,
    ) -> None:
        self._store = store
        self._rng = random.SystemRandom() if rng is None else rng
        self._levels = tuple(bots)
        self._turns = BotTurns(
            BotPlayers(bots, self._rng),
            lambda: [info.id for info in store.unfinished(KIND)],
            self.get,
            self._move,
            pause=pause,
            workers=workers,
        )
        self._cache = Cache(MOST_KEPT)
        self._watchers: tuple[tuple[object, Callable[[str, int], None]], ...] = ()
        self._lock = threading.Lock()

    def start(self) -> None:
        """Let the bots play, first at the tables where it is a bot's turn by now."""
        self._turns.start()

    def close(self) -> None:
        """Stop the bots, within about a second; the store stays open."""
        self._turns.close()

    def __enter__(self) -> Tables:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def open(
        self,
        seats: Sequence[Seat],
        start: Start | None = None,
        rules: HouseRules | None = None,
        *,
        key: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Table:
        """Open a table: find who starts (R4), shuffle and deal (R3).

        ``seats`` are clockwise; the start is random unless told. A key opens one table only; used
        again it gives that table. A key that comes from outside must carry the player's id, or
        strangers could meet in it. Raises `PlayersError` (R2) and `SeatError`.
        """
        check_seats(seats, self._levels)
        start = start or Start()
        opened = Opened(
            seats=tuple(seats),
            start=start,
            order=order_of(len(seats), start, self._rng),
            shuffle=shuffled(FULL_DECK, self._rng),
            rules=rules or NO_HOUSE_RULES,
            settings=dict(settings or {}),
        )
        return self._open(opened, None if key is None else f"open:{key}")

    def _open(self, opened: Opened, key: str | None) -> Table:
        id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
        owners = {seat.owner for seat in opened.seats if seat.owner is not None}
        events = self._store.create(id, KIND, owners, [to_body(opened)], key)
        if events[0].log != id:
            return self.get(events[0].log)
        table = fold(events)
        self._happened(table)
        return table

    def get(self, id: str) -> Table:
        """Give the table as it stands now; raises `UnknownTable`, or `DamagedTable`."""
        if not (id.isascii() and id.isalnum()):
            raise UnknownTable(id)
        table = self._cache.get(id)
        try:
            if table is None:
                if self._store.info(id).kind != KIND:
                    raise UnknownTable(id)
                table = fold(self._store.read(id))
            else:
                for event in self._store.read(id, table.number):
                    table = table.add(event)
        except UnknownLog:
            self._cache.drop(id)
            raise UnknownTable(id) from None
        self._cache.put(table)
        return table

    def move(
        self,
        id: str,
        seat: int,
        move: Move,
        *,
        number: int | None = None,
        key: str | None = None,
    ) -> Table:
        """Make a seat's move and give the table after it, once it is on the disk.

        ``number`` is the `Table.number` that the mover saw. A seat's key is done once; used again
        it gives the table as it stands and does nothing. Raises `NotYourTurn`, `MovedOn` where
        the table is past ``number``, and the `RuleError` that the move breaks.
        """
        # With the seat in front, nobody can use up a key of another seat or of a bot.
        own_key = None if key is None else f"seat{seat}:{key}"
        while True:
            table = self.get(id)
            try:
                if number is not None and number != table.number:
                    raise MovedOn(id, number, table.number)
                if seat != table.to_move:
                    raise NotYourTurn(id, seat, table.to_move)
                return self._move(table, seat, move, own_key)
            except Conflict:
                continue
            except (MovedOn, NotYourTurn, RuleError):
                if own_key is not None and self._store.made(id, own_key):
                    return self.get(id)
                raise

    def _move(self, table: Table, seat: int, move: Move, key: str | None) -> Table:
        """Make a move at a table that is known to be as it stands; raises `Conflict` if not."""
        game = replace(table.game, shuffler=lambda cards, _: shuffled(cards, self._rng))
        after = game.apply(move)
        shuffle = after.shuffles[-1] if len(after.shuffles) > len(game.shuffles) else None
        moved = Moved(seat, move, shuffle)
        return self._append(table, moved, key, finished=True if after.finished else None)

    def _append(
        self, table: Table, event: TableEvent, key: str | None, *, finished: bool | None = None
    ) -> Table:
        stored = self._store.append(
            table.id, table.number, [to_body(event)], key, finished=finished
        )
        if stored[0].number != table.number + 1:
            return self.get(table.id)
        table = table.add(stored[0])
        self._happened(table)
        return table

    def skip(self, id: str) -> None:
        """Let the bots move without pauses until a person is to move or the game is over."""
        self._turns.hurry(self.get(id))

    def set_pace(self, id: str, pace: Pace) -> Table:
        """Change how long the bots of a table wait before they move."""
        while True:
            table = self.get(id)
            if table.pace == pace or table.finished:
                return table
            try:
                return self._append(table, Paced(pace), None)
            except Conflict:
                continue

    def rematch(self, id: str) -> Table:
        """Open the rematch, or give it where it is open: the next seat clockwise starts (R4).

        Raises `NotFinished` while the game runs.
        """
        table = self.get(id)
        if not table.finished:
            raise NotFinished(id)
        if table.next_table is not None:
            return self.get(table.next_table)
        start = Start("seat", 1 % len(table.seats))
        opened = Opened(
            seats=table.seats,
            start=start,
            order=order_of(len(table.seats), start, self._rng),
            shuffle=shuffled(FULL_DECK, self._rng),
            rules=table.game.rules,
            rematch_of=id,
            settings={**table.settings, "pace": table.pace},
        )
        following = self._open(opened, f"rematch:{id}")
        while table.next_table is None:
            try:
                table = self._append(table, Rematched(following.id), None)
            except Conflict:
                table = self.get(id)
        return following

    def of_player(self, player: str, limit: int = 50) -> list[TableSummary]:
        """List the tables where this player id has a seat: unfinished first, then newest first."""
        found = []
        for info in self._store.logs(player, KIND, limit):
            try:
                found.append(_summary(self._as_told(info), player))
            except TableError as error:
                _log.warning("a table is left out of a list: %s", error)
        return found

    def _as_told(self, info: LogInfo) -> Table:
        table = self._cache.get(info.id)
        return table if table is not None and table.number == info.last else self.get(info.id)

    def record(self, id: str) -> Record:
        """Give the record of a finished game; raises `NotFinished` while it runs (R15)."""
        table = self.get(id)
        if not table.finished:
            raise NotFinished(id)
        return Record.of(table.game)

    def delete(self, id: str) -> None:
        """Remove a table for good; does nothing where there is none."""
        try:
            if self._store.info(id).kind != KIND:
                return
        except UnknownLog:
            return
        self._store.delete(id)
        self._cache.drop(id)
        self._tell(id, 0)

    def watch(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Call back with a table's id and event number after each event is on the disk.

        Gives a function that ends it. Numbers may come out of order, since writers do not wait for
        each other; 0 means that the table was deleted. The callback runs in the writer's thread
        and should be quick.
        """
        watcher = (object(), callback)
        with self._lock:
            self._watchers = (*self._watchers, watcher)

        def unwatch() -> None:
            with self._lock:
                self._watchers = tuple(other for other in self._watchers if other is not watcher)

        return unwatch

    def _happened(self, table: Table) -> None:
        self._cache.put(table)
        self._tell(table.id, table.number)
        self._turns.ask(table)

    def _tell(self, id: str, number: int) -> None:
        for _, callback in self._watchers:
            try:
                callback(id, number)
            except Exception as error:
                _log.error("a watcher of the tables failed:\n%s", told(error))


def _summary(table: Table, player: str) -> TableSummary:
    game = table.game
    return TableSummary(
        id=table.id,
        seat=table.seat_of(player),
        names=game.names,
        totals=tuple(sheet.total for sheet in game.sheets),
        round=game.round,
        to_move=game.to_move,
        finished=game.finished,
        winners=game.winners,
        opened_at=table.opened_at,
        changed_at=table.changed_at,
        next_table=table.next_table,
        own=table.seats_of(player),
    )
