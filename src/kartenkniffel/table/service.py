"""Running tables: the one way in for moves, and the bots that play at them."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from kartenkniffel.bots import Bot
from kartenkniffel.notation import Record
from kartenkniffel.rules import (
    FULL_DECK,
    NO_HOUSE_RULES,
    HouseRules,
    Move,
    shuffled,
)
from kartenkniffel.store import LogInfo, Store
from kartenkniffel.table.clocks import Clocks
from kartenkniffel.table.company import Company
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
    TookBack,
)
from kartenkniffel.table.gathering import Lobbies
from kartenkniffel.table.journal import KIND, Change, Journal, Notice, private_key, running
from kartenkniffel.table.later import Later
from kartenkniffel.table.machine import BotPlayers, told
from kartenkniffel.table.seating import check_seats, order_of
from kartenkniffel.table.state import State, Table
from kartenkniffel.table.turns import BotTurns
from kartenkniffel.table.upkeep import Upkeep

CLEAR_EVERY = timedelta(hours=6)
"""How often a running service clears what is too old."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of one player's tables shows of each; nothing in it is secret.

    ``seat`` is the player's seat (`Table.seat_of`) and ``own`` are all of the player's seats;
    names, totals and winners are by seat. ``shared`` says that other people have seats too.
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
    shared: bool = False


class Tables:
    """All tables in a store. Every method may be called from any thread.

    ``bots`` makes a bot for each level's name; a bot moves ``pause`` seconds after the event before
    its turn. What is finished is cleared once it is older than ``keep``. Bots play and clocks run
    from `start` to `close`; ``with Tables(…) as tables:`` calls both.

    ``lobbies`` are the tables before their game, ``company`` is what people do there besides
    moving, ``upkeep`` looks after what is kept.
    """

    def __init__(
        self,
        store: Store,
        bots: Mapping[str, Callable[[], Bot]],
        *,
        rng: random.Random | None = None,
        pause: float = 1.0,
        workers: int = 2,
        keep: timedelta | None = None,
    ) -> None:
        self._store = store
        self._rng = random.SystemRandom() if rng is None else rng
        self._levels = tuple(bots)
        self._keep = keep
        self._journal = Journal(store)
        self.lobbies = Lobbies(self._journal, self._levels, self._rng)
        self.company = Company(self._journal)
        self.upkeep = Upkeep(self._journal, self.lobbies, self.company)
        self._turns = BotTurns(
            BotPlayers(bots, self._rng), self._running, self.get, self._move, pause, workers
        )
        self._clocks = Clocks(self.get, self.company.overdue)
        self._later: Later | None = None
        self._journal.followers += [self._turns.ask, self._clocks.ask]

    def start(self) -> None:
        """Let the bots play and the clocks run, first at the tables where they are due by now."""
        if self._later is None:
            # Two, so that no clock waits while much that is old is cleared.
            self._later = Later(2, "table clocks")
            self._clocks.start(self._later)
            self._turns.start()
            if self._keep is not None:
                self._later.add(0, partial(self._clear, self._later, self._keep))

    def close(self) -> None:
        """Stop the bots, within about a second; the store stays open."""
        self._turns.close()
        if self._later is not None:
            self._later.close(patience=1.0)

    def __enter__(self) -> Tables:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _running(self) -> list[Table]:
        """Give the tables whose games run, and have their clocks watched."""
        tables = [state for state in self.lobbies.load() if isinstance(state, Table)]
        for table in tables:
            self._clocks.ask(table)
        return tables

    def _clear(self, later: Later, keep: timedelta) -> None:
        try:
            self.upkeep.clear(datetime.now(UTC) - keep)
        except Exception as error:
            _log.error("old tables are cleared another time:\n%s", told(error))
        later.add(CLEAR_EVERY.total_seconds(), partial(self._clear, later, keep))

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
        return self._open(opened, None if key is None else private_key("open", key))

    def _open(self, opened: Opened, key: str | None) -> Table:
        owners = {seat.owner for seat in opened.seats if seat.owner is not None}
        return running(self._journal.create(opened, owners, key))

    def look(self, id: str) -> State:
        """Give a table as it stands now, before its game too.

        Raises `UnknownTable`, or `DamagedTable`.
        """
        return self._journal.look(id)

    def peek(self, id: str) -> Table | None:
        """Give the table as it is known without asking the disk, if it is; it may be older."""
        state = self._journal.peek(id)
        return state if isinstance(state, Table) else None

    def get(self, id: str) -> Table:
        """Give the table of a game that has begun; raises `UnknownTable`, or `DamagedTable`."""
        return running(self._journal.look(id))

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
        it gives the table as it stands and does nothing. Somebody for whom a bot stands in plays
        again by moving. Raises `NotYourTurn`, `MovedOn` where the game is past ``number``, and the
        `RuleError` that the move breaks.
        """

        def decide(state: State) -> Change:
            table = running(state)
            if number is not None and not table.is_current(number):
                raise MovedOn(id, number, table.number)
            if seat != table.to_move:
                raise NotYourTurn(id, seat, table.to_move)
            return self._moved(table, seat, move)

        # With the seat in front, nobody can use up a key of another seat or of a bot.
        own_key = None if key is None else f"seat{seat}:{key}"
        return running(self._journal.change(id, decide, own_key))

    def _move(self, table: Table, seat: int, move: Move) -> None:
        """Make a bot's move, unless its turn is over by now."""

        def decide(state: State) -> Change | None:
            now = running(state)
            due = now.turn == table.turn and now.to_move == seat and now.bot_at(seat) is not None
            return self._moved(now, seat, move, bot=True) if due else None

        self._journal.change(table.id, decide, f"bot:{table.turn}")

    def _moved(self, table: Table, seat: int, move: Move, *, bot: bool = False) -> Change:
        game = replace(table.game, shuffler=lambda cards, _: shuffled(cards, self._rng))
        after = game.apply(move)
        shuffle = after.shuffles[-1] if len(after.shuffles) > len(game.shuffles) else None
        moved: list[TableEvent] = [Moved(seat, move, shuffle)]
        if not bot and seat in table.stand_ins:
            moved.insert(0, TookBack(seat))
        joining = {table.seats[seat].owner or ""} - {""} if len(moved) > 1 else ()
        return Change(moved, finished=True if after.finished else None, joining=joining)

    def skip(self, id: str) -> None:
        """Let the bots move without pauses until a person is to move or the game is over."""
        self._turns.hurry(self.get(id))

    def set_pace(self, id: str, pace: Pace) -> Table:
        """Change how long the bots of a table wait before they move."""

        def decide(state: State) -> Change | None:
            table = running(state)
            return None if table.pace == pace or table.finished else Change([Paced(pace)])

        return running(self._journal.change(id, decide))

    def rematch(self, id: str) -> Table:
        """Open the rematch, or give it where it is open: the next seat clockwise starts (R4).

        People who have left are not in it. Raises `NotFinished` while the game runs.
        """
        table = self.get(id)
        if not table.finished:
            raise NotFinished(id)
        if table.next_table is not None:
            # Where that one was deleted, there can be another.
            with suppress(UnknownTable):
                return self.get(table.next_table)
        seats, first = _seats_again(table)
        start = Start("seat", first)
        opened = Opened(
            seats=seats,
            start=start,
            order=order_of(len(seats), start, self._rng),
            shuffle=shuffled(FULL_DECK, self._rng),
            rules=table.game.rules,
            rematch_of=id,
            settings={**table.settings, "pace": table.pace},
        )
        following = self._open(opened, f"rematch:{id}")

        def decide(state: State) -> Change | None:
            known = running(state).next_table == following.id
            return None if known else Change([Rematched(following.id)])

        self._journal.change(id, decide)
        return following

    def owners_of(self, id: str) -> list[str]:
        """List the player ids that have a table on their list, even where it cannot be read."""
        return self._store.owners(id)

    def tables_with(self, player: str) -> list[str]:
        """List the ids of the tables where this player plays or waits, and the game is not over."""
        return [info.id for info in self._store.logs(player, KIND, 50) if not info.finished]

    def of_player(self, player: str, limit: int = 500) -> list[TableSummary]:
        """List the tables where this player id has a seat: unfinished first, then newest first.

        Those whose game has not begun are `Lobbies.of_player`.
        """
        found = []
        for info in self._store.logs(player, KIND, limit):
            try:
                state = self._as_told(info)
            except TableError as error:
                _log.warning("a table is left out of a list: %s", error)
                continue
            if isinstance(state, Table):
                found.append(_summary(state, player))
            else:
                self.lobbies.note(state)
        return found

    def _as_told(self, info: LogInfo) -> State:
        return self._journal.known(info.id, info.last)

    def changed_since(self, player: str, since: datetime, limit: int = 50) -> dict[str, int]:
        """Give the event numbers of the player's tables that have changed since a time."""
        infos = self._store.logs(player, KIND, limit)
        return {info.id: info.last for info in infos if info.changed >= since}

    def record(self, id: str) -> Record:
        """Give the record of a finished game; raises `NotFinished` while it runs (R15)."""
        table = self.get(id)
        if not table.finished:
            raise NotFinished(id)
        return Record.of(table.game)

    def delete(self, id: str) -> None:
        """Remove a table for good; does nothing where there is none."""
        self._journal.delete(id)

    def watch(self, callback: Callable[[Notice], None]) -> Callable[[], None]:
        """Call back after each event is on the disk; see `Journal.watch`."""
        return self._journal.watch(callback)


def _seats_again(table: Table) -> tuple[tuple[Seat, ...], int]:
    """Give the seats of the rematch, and which of them starts: the next one clockwise (R4)."""
    stays = [
        seat.bot is not None or (seat.owner is not None and table.stand_ins.get(number) != "left")
        for number, seat in enumerate(table.seats)
    ]
    if not any(stays):
        stays = [True] * len(table.seats)
    seats = tuple(seat for seat, stay in zip(table.seats, stays, strict=True) if stay)
    return seats, (1 if stays[0] else 0) % len(seats)


def _summary(table: Table, player: str) -> TableSummary:
    game = table.game
    return TableSummary(
        id=table.id,
        seat=table.seat_of(player),
        names=game.names,
        totals=tuple(sheet.total for sheet in game.sheets),
        round=game.round,
        to_move=table.to_move,
        finished=table.finished,
        winners=table.view(None).winners,
        opened_at=table.opened_at,
        changed_at=table.changed_at,
        next_table=table.next_table,
        own=table.seats_of(player),
        shared=len(table.owners) > 1,
    )
