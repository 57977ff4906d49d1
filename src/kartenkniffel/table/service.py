"""Running tables: the one way in for moves, and the bots that play at them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kartenkniffel.bots import Bot
from kartenkniffel.notation import Record
from kartenkniffel.rules import HouseRules, Move
from kartenkniffel.store import Store
from kartenkniffel.table.events import Seat, Start
from kartenkniffel.table.state import Table


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What a list of one player's tables shows of each; nothing in it is secret.

    ``seat`` is the player's seat (`Table.seat_of`); names, totals and winners are by seat.
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
        raise NotImplementedError

    def start(self) -> None:
        """Let the bots play, first at the tables where it is a bot's turn by now."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop the bots, within about a second; the store stays open."""
        raise NotImplementedError

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
        raise NotImplementedError

    def get(self, id: str) -> Table:
        """Give the table as it stands now; raises `UnknownTable`, or `DamagedTable`."""
        raise NotImplementedError

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
        raise NotImplementedError

    def rematch(self, id: str) -> Table:
        """Open the rematch, or give it where it is open: the next seat clockwise starts (R4).

        Raises `NotFinished` while the game runs.
        """
        raise NotImplementedError

    def of_player(self, player: str, limit: int = 50) -> list[TableSummary]:
        """List the tables where this player id has a seat: unfinished first, then newest first."""
        raise NotImplementedError

    def record(self, id: str) -> Record:
        """Give the record of a finished game; raises `NotFinished` while it runs (R15)."""
        raise NotImplementedError

    def delete(self, id: str) -> None:
        """Remove a table for good; does nothing where there is none."""
        raise NotImplementedError

    def watch(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        """Call back with a table's id and event number after each event is on the disk.

        Gives a function that ends it. Numbers may come out of order, since writers do not wait for
        each other; 0 means that the table was deleted. The callback runs in the writer's thread
        and should be quick.
        """
        raise NotImplementedError
