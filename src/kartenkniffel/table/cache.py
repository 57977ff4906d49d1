"""The tables used last, so that they need not be folded again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from kartenkniffel.table.state import State


class Cache:
    """Keeps so many tables at most and forgets the one that was not used for longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tables: OrderedDict[str, State] = OrderedDict()
        self._drops = 0
        self._lock = threading.Lock()

    def get(self, id: str) -> State | None:
        """Give the table as it was when it was put here last."""
        with self._lock:
            if id in self._tables:
                self._tables.move_to_end(id)
            return self._tables.get(id)

    @property
    def drops(self) -> int:
        """How often something was forgotten on purpose."""
        with self._lock:
            return self._drops

    def put(self, table: State, drops: int | None = None) -> None:
        """Keep a table, unless a later state of it is here.

        Where ``drops`` is told, from before the table was read, it is not kept either if anything
        was forgotten since: what it was made of may be what shall be forgotten.
        """
        with self._lock:
            if drops is not None and drops != self._drops:
                return
            known = self._tables.get(table.id)
            if known is None or known.number <= table.number:
                self._tables[table.id] = table
                self._tables.move_to_end(table.id)
                if len(self._tables) > self._most:
                    self._tables.popitem(last=False)

    def drop(self, id: str) -> None:
        """Forget a table."""
        with self._lock:
            self._drops += 1
            self._tables.pop(id, None)
