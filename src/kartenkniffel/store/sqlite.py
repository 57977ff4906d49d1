"""Event logs in one SQLite file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from kartenkniffel.store.protocol import Event, LogInfo, Store

FILE_NAME = "kartenkniffel.sqlite3"
"""The name of the database in the data folder."""


class SqliteStore:
    """A `Store` in one SQLite file, open in one process at a time.

    Raises `InUse` where another process has it open and `CannotOpen` where the file cannot be
    made, is no database or comes from a newer version.
    """

    def __init__(self, path: Path) -> None:
        raise NotImplementedError

    def create(
        self,
        log: str,
        kind: str,
        owners: Collection[str],
        bodies: Sequence[Mapping[str, Any]],
        key: str | None = None,
        *,
        finished: bool = False,
    ) -> list[Event]:
        """See `Store.create`."""
        raise NotImplementedError

    def append(
        self,
        log: str,
        after: int,
        bodies: Sequence[Mapping[str, Any]],
        key: str | None = None,
        *,
        finished: bool | None = None,
    ) -> list[Event]:
        """See `Store.append`."""
        raise NotImplementedError

    def read(self, log: str, after: int = 0) -> list[Event]:
        """See `Store.read`."""
        raise NotImplementedError

    def made(self, log: str, key: str) -> list[Event]:
        """See `Store.made`."""
        raise NotImplementedError

    def info(self, log: str) -> LogInfo:
        """See `Store.info`."""
        raise NotImplementedError

    def logs(self, owner: str, kind: str, limit: int | None = None) -> list[LogInfo]:
        """See `Store.logs`."""
        raise NotImplementedError

    def unfinished(self, kind: str) -> list[LogInfo]:
        """See `Store.unfinished`."""
        raise NotImplementedError

    def delete(self, log: str) -> None:
        """See `Store.delete`."""
        raise NotImplementedError

    def close(self) -> None:
        """See `Store.close`."""
        raise NotImplementedError


def open_store(data_dir: Path) -> Store:
    """Open the storage in a data folder, making the folder and the file where they are missing.

    Raises `CannotOpen`, or `InUse` where another process has it open.
    """
    return SqliteStore(data_dir / FILE_NAME)
