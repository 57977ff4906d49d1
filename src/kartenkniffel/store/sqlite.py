"""Event logs in one SQLite file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from kartenkniffel.store import statements
from kartenkniffel.store.errors import CannotOpen, StoreClosed, StoreFailed
from kartenkniffel.store.lock import FolderLock
from kartenkniffel.store.migrate import migrate
from kartenkniffel.store.protocol import Event, LogInfo, Store
from kartenkniffel.store.schema import ID_LENGTH
from kartenkniffel.store.statements import Bodies
from kartenkniffel.store.writer import GroupWriter

FILE_NAME = "kartenkniffel.sqlite3"
"""The name of the database in the data folder."""

BUSY_SECONDS = 5
"""How long to wait for another program, such as a backup, that has the file locked."""

_REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_NOTADB": "this file is not a database",
    "SQLITE_CORRUPT": "the database is damaged",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_READONLY": "the file cannot be written",
    "SQLITE_BUSY": "another program has locked the database",
    "SQLITE_IOERR": "the disk cannot be read or written",
}

T = TypeVar("T")


class SqliteStore:
    """A `Store` in one SQLite file, open in one process at a time.

    Raises `InUse` where another process has it open and `CannotOpen` where the file cannot be
    made, is no database or comes from a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._place = str(path)
        self._closed = False
        _make_folder(path.parent)
        self._lock = FolderLock(path.with_name(path.name + ".lock"))
        _make_file(path)
        self._writing = _engine(path, _prepare_writing)
        event.listen(self._writing, "begin", _begin)
        self._reading = _engine(path, _prepare_reading, isolation_level="AUTOCOMMIT")
        try:
            with _failing_as(CannotOpen, self._place), self._writing.begin() as connection:
                migrate(connection, self._place)
        except BaseException:
            self._let_go()
            raise
        self._writer = GroupWriter(self._writing)

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
        _check_length(log, key, *owners)
        written = Bodies.of(bodies)
        return self._write(
            lambda to: statements.create(to, log, kind, owners, written, key, finished)
        )

    def append(
        self,
        log: str,
        after: int,
        bodies: Sequence[Mapping[str, Any]],
        key: str | None = None,
        *,
        finished: bool | None = None,
        joining: Collection[str] = (),
        parting: Collection[str] = (),
    ) -> list[Event]:
        """See `Store.append`."""
        _check_length(key, *joining)
        written = Bodies.of(bodies)
        return self._write(
            lambda to: statements.append(to, log, after, written, key, finished, joining, parting)
        )

    def read(self, log: str, after: int = 0) -> list[Event]:
        """See `Store.read`."""
        return self._read(lambda source: statements.read(source, log, after))

    def made(self, log: str, key: str) -> list[Event]:
        """See `Store.made`."""
        return self._read(lambda source: statements.made(source, log, key))

    def info(self, log: str) -> LogInfo:
        """See `Store.info`."""
        return self._read(lambda source: statements.info(source, log))

    def logs(self, owner: str, kind: str, limit: int | None = None) -> list[LogInfo]:
        """See `Store.logs`."""
        return self._read(lambda source: statements.logs(source, owner, kind, limit))

    def unfinished(self, kind: str) -> list[LogInfo]:
        """See `Store.unfinished`."""
        return self._read(lambda source: statements.unfinished(source, kind))

    def finished(self, kind: str, before: datetime) -> list[LogInfo]:
        """See `Store.finished`."""
        return self._read(lambda source: statements.finished(source, kind, before))

    def mentioning(self, text: str, kind: str) -> list[LogInfo]:
        """See `Store.mentioning`."""
        return self._read(lambda source: statements.mentioning(source, text, kind))

    def owners(self, log: str) -> list[str]:
        """See `Store.owners`."""
        return self._read(lambda source: statements.owners(source, log))

    def part(self, log: str, owner: str) -> None:
        """See `Store.part`."""
        self._write(lambda to: statements.part(to, log, owner))

    def amend(self, log: str, bodies: Mapping[int, Mapping[str, Any]]) -> None:
        """See `Store.amend`."""
        written = Bodies.of(list(bodies.values()))
        texts = dict(zip(bodies, written.texts, strict=True))
        self._write(lambda to: statements.amend(to, log, texts))

    def delete(self, log: str) -> None:
        """See `Store.delete`."""
        self._write(lambda to: statements.remove(to, log))

    def purge(self) -> None:
        """See `Store.purge`."""
        # Old pages stay in the file of the write-ahead log until it is emptied.
        self._read(lambda source: source.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all())

    def close(self) -> None:
        """See `Store.close`."""
        self._closed = True
        self._writer.close()
        self._let_go()

    def _write(self, step: Callable[[Connection], T]) -> T:
        with _failing_as(StoreFailed, self._place):
            return self._writer.do(step)

    def _read(self, step: Callable[[Connection], T]) -> T:
        if self._closed:
            raise StoreClosed
        with _failing_as(StoreFailed, self._place), self._reading.connect() as connection:
            return step(connection)

    def _let_go(self) -> None:
        self._reading.dispose()
        self._writing.dispose()
        self._lock.release()


def open_store(data_dir: Path) -> Store:
    """Open the storage in a data folder, making the folder and the file where they are missing.

    Raises `CannotOpen`, or `InUse` where another process has it open.
    """
    return SqliteStore(data_dir / FILE_NAME)


# What lies in folder and file are the secrets of running games, so they are their owner's alone.


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the data folder cannot be made: {error.strerror}"
        raise CannotOpen(str(folder), reason) from error


def _make_file(path: Path) -> None:
    with suppress(OSError):  # SQLite will tell.
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _engine(path: Path, prepare: Callable[[Any], None], **options: Any) -> Engine:
    url = URL.create("sqlite", database=os.path.abspath(path))
    # Parameters hold secrets of running games; no error text may show them (R15).
    engine = create_engine(
        url, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS}, **options
    )
    event.listen(engine, "connect", lambda raw, _: prepare(raw))
    return engine


def _begin(connection: Connection) -> None:
    # Asking for the write lock at once cannot end in a deadlock between two readers turned writers.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare_writing(raw: Any) -> None:
    # Python's driver would open transactions by itself, and not around savepoints or tables made.
    raw.isolation_level = None
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    # What was deleted is gone from the file too: somebody may have asked to be forgotten.
    raw.execute("PRAGMA secure_delete = ON")


def _prepare_reading(raw: Any) -> None:
    raw.execute("PRAGMA query_only = ON")


@contextmanager
def _failing_as(kind: type[StoreFailed], place: str) -> Iterator[None]:
    """Turn what the driver raises into one sentence."""
    try:
        yield
    except DBAPIError as error:
        name = str(getattr(error.orig, "sqlite_errorname", ""))
        base = "_".join(name.split("_")[:2])
        raise kind(place, _REASONS.get(base, f"the database fails: {error.orig}")) from error


def _check_length(*names: str | None) -> None:
    for name in names:
        if name is not None and not 0 < len(name) <= ID_LENGTH:
            raise ValueError(f"an id, an owner and a key have 1 to {ID_LENGTH} characters")
