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
        self._lock = threading.Lock()

    def get(self, id: str) -> State | None:
        """Give the table as it was when it was put here last."""
        with self._lock:
            if id in self._tables:
                self._tables.move_to_end(id)
            return self._tables.get(id)

    def put(self, table: State) -> None:
        """Keep a table, unless a later state of it is here."""
        with self._lock:
            known = self._tables.get(table.id)
            if known is None or known.number <= table.number:
                self._tables[table.id] = table
                self._tables.move_to_end(table.id)
                if len(self._tables) > self._most:
                    self._tables.popitem(last=False)

    def drop(self, id: str) -> None:
        """Forget a table."""
        with self._lock:
            self._tables.pop(id, None)
