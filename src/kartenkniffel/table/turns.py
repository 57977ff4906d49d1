"""The bots' turns: found in the store, made after a pause, each once.

A bot's turn is not a timer that could be lost but a fact in the log: the game is not over and a bot
is to move. Whoever finds it may ask for the move; the command's key lets it happen once.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from kartenkniffel.rules import Move
from kartenkniffel.store import StoreClosed, StoreError
from kartenkniffel.table.errors import TableError, UnknownTable
from kartenkniffel.table.events import PACES
from kartenkniffel.table.later import Later
from kartenkniffel.table.machine import BotPlayers, told
from kartenkniffel.table.state import State, Table

RETRY_SECONDS = 5.0
"""How long a bot waits before it tries again when the storage failed."""

_log = logging.getLogger(__name__)


class BotTurns:
    """Lets bots move, from `start` to `close`.

    ``running`` gives the running tables, ``get`` one of them, and ``make`` makes the move of a
    table's seat unless its turn is over by now. A bot waits ``pause`` seconds before it moves;
    ``workers`` bots think at a time.
    """

    def __init__(
        self,
        bots: BotPlayers,
        running: Callable[[], list[Table]],
        get: Callable[[str], Table],
        make: Callable[[Table, int, Move], object],
        pause: float,
        workers: int,
    ) -> None:
        self._bots = bots
        self._running = running
        self._get = get
        self._make = make
        self._pause = pause
        self._workers = workers
        self._later: Later | None = None
        self._stopped = False
        self._asked: dict[tuple[str, int], float] = {}
        self._playing: set[tuple[str, int]] = set()
        self._again: set[tuple[str, int]] = set()
        self._hurried: set[str] = set()
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin, first with the tables where it is a bot's turn by now."""
        with self._lock:
            if self._later is None and not self._stopped:
                self._later = Later(self._workers, "table bots")
                self._later.add(0, self._find)

    def close(self) -> None:
        """Stop, within about a second; a bot that thinks longer is not heard any more."""
        self._stopped = True
        if self._later is not None:
            self._later.close(patience=1.0)

    def ask(self, state: State) -> None:
        """Have the bot move whose turn it is, if it is a bot's, a pause after the last event."""
        if isinstance(state, Table):
            self._ask(state, self._pause_at(state))

    def hurry(self, table: Table) -> None:
        """Have the bots move without pauses until it is no bot's turn."""
        if self._later is None or not _bots_turn(table):
            return
        with self._lock:
            self._hurried.add(table.id)
        # Beside the job that waits for the end of its pause; that one then finds nothing to do.
        self._later.add(0, partial(self._play, table.id, table.turn))

    def _pause_at(self, table: Table) -> float:
        with self._lock:
            if not _bots_turn(table):
                self._hurried.discard(table.id)
            return 0 if table.id in self._hurried else self._pause * PACES[table.pace]

    def _ask(self, table: Table, seconds: float) -> None:
        if self._later is None or not _bots_turn(table):
            return
        turn, due = (table.id, table.turn), time.monotonic() + seconds
        with self._lock:
            # Only what makes the bot faster counts, such as another pace: talk does not delay it.
            if due >= self._asked.get(turn, math.inf):
                return
            self._asked[turn] = due
        self._later.add(seconds, partial(self._play, *turn))

    def _find(self) -> None:
        try:
            tables = self._running()
        except Exception as error:
            self._try_again("the search for the bots' turns", error, self._find)
            return
        for table in tables:
            since = (datetime.now(UTC) - table.changed_at).total_seconds()
            pause = self._pause_at(table)
            self._ask(table, min(pause, max(0.0, pause - since)))

    def _play(self, id: str, number: int) -> None:
        turn = (id, number)
        with self._lock:
            # From here on it may be asked for again: somebody may come back and go once more while
            # the bot thinks, and its move is not made then.
            self._asked.pop(turn, None)
            if turn in self._playing:
                self._again.add(turn)
                return
            self._playing.add(turn)
        try:
            self._play_once(id, number)
        finally:
            with self._lock:
                self._playing.discard(turn)
                again = turn in self._again
                self._again.discard(turn)
            if again and self._later is not None:
                self._later.add(0, partial(self._play, id, number))

    def _play_once(self, id: str, number: int) -> None:
        try:
            self._play_if_due(id, number)
        except UnknownTable:
            pass
        except TableError as error:
            _log.error("no bot plays at table %s: %s", id, _told(error))
        except Exception as error:
            self._try_again(f"a bot's turn at {id}", error, partial(self._play, id, number))

    def _play_if_due(self, id: str, number: int) -> None:
        table = self._get(id)
        seat = table.to_move
        level = None if seat is None else table.bot_at(seat)
        if table.turn != number or seat is None or level is None:
            return
        move = self._bots.choose(level, table.view(seat))
        if not self._stopped:
            self._make(table, seat, move)

    def _try_again(self, what: str, error: Exception, again: Callable[[], None]) -> None:
        if self._later is not None and not self._stopped and not isinstance(error, StoreClosed):
            _log.error("%s failed and will be tried again: %s", what, _told(error))
            self._later.add(RETRY_SECONDS, again)


def _bots_turn(table: Table) -> bool:
    return table.to_move is not None and table.bot_at(table.to_move) is not None


def _told(error: Exception) -> str:
    known = isinstance(error, StoreError | TableError)
    return str(error) if known else f"\n{told(error)}"
