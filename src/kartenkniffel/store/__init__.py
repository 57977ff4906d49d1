"""Append-only event logs on disk; what the events mean is not known here.

``open_store(folder)`` is the door; `Store` is what it gives and what any other storage must do.
"""

from kartenkniffel.store.errors import (
    CannotOpen,
    Conflict,
    DamagedLog,
    InUse,
    LogExists,
    StoreClosed,
    StoreError,
    StoreFailed,
    UnknownLog,
)
from kartenkniffel.store.protocol import Event, LogInfo, Store
from kartenkniffel.store.sqlite import SqliteStore, open_store

__all__ = [
    "CannotOpen",
    "Conflict",
    "DamagedLog",
    "Event",
    "InUse",
    "LogExists",
    "LogInfo",
    "SqliteStore",
    "Store",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "UnknownLog",
    "open_store",
]
