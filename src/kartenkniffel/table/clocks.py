"""The clocks of turns: when somebody's time is over, a bot stands in.

As with a bot's turn, no timer holds the truth: that a turn is overdue can be read from the log at
any time. A server that starts again finds it, and gives people a moment to come back first.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from kartenkniffel.store import StoreClosed
from kartenkniffel.table.errors import TableError
from kartenkniffel.table.later import Later
from kartenkniffel.table.machine import told
from kartenkniffel.table.state import State, Table

GRACE = timedelta(seconds=30)
"""How long after the start of the service nobody's time is over."""

_RETRY_SECONDS = 5.0
_log = logging.getLogger(__name__)


class Clocks:
    """Watches the turns that have a clock, from `start` to `close`.

    ``get`` gives a table, ``strike`` lets a bot stand in at a table's turn, if it is overdue at
    that time.
    """

    def __init__(
        self,
        get: Callable[[str], Table],
        strike: Callable[[str, int, datetime], object],
    ) -> None:
        self._get = get
        self._strike = strike
        self._later: Later | None = None
        self._started = datetime.max.replace(tzinfo=UTC)
        self._waiting: set[str] = set()
        self._lock = threading.Lock()

    def start(self, later: Later) -> None:
        """Begin; jobs are done by ``later``."""
        self._started = datetime.now(UTC)
        self._later = later

    def ask(self, state: State) -> None:
        """Watch a table's turn, if a clock runs."""
        if isinstance(state, Table) and state.due is not None:
            self._wait(state.id, state.due)

    def _wait(self, id: str, due: datetime) -> None:
        """Look again when it is due; one look at a time is enough for a table."""
        with self._lock:
            if self._later is None or id in self._waiting:
                return
            self._waiting.add(id)
        seconds = (max(due, self._started + GRACE) - datetime.now(UTC)).total_seconds()
        self._later.add(max(0.0, seconds), partial(self._look, id))

    def _look(self, id: str) -> None:
        with self._lock:
            self._waiting.discard(id)
        try:
            table = self._get(id)
            now = datetime.now(UTC)
            if table.due is not None and table.due <= now:
                self._strike(id, table.turn, now)
                table = self._get(id)
            self.ask(table)
        except (TableError, StoreClosed):
            pass  # It was deleted, or cannot be read, or all is over: nobody waits there.
        except Exception as error:
            _log.error("a clock at table %s is looked at again:\n%s", id, told(error))
            self._wait(id, datetime.now(UTC) + timedelta(seconds=_RETRY_SECONDS))
