"""The tables of the storage, the same in every kind of database.

A change here needs a migration beside it; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

ID_LENGTH = 200
"""The most characters in an id, an owner or a key."""


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite itself keeps no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn any zone into UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Say that what was read is UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

log = Table(
    "log",
    metadata,
    Column("id", String(ID_LENGTH), primary_key=True),
    Column("kind", String(50), nullable=False),
    Column("key", String(ID_LENGTH)),
    Column("created", UtcTime, nullable=False),
    Column("changed", UtcTime, nullable=False),
    Column("last", Integer, nullable=False),
    Column("finished", Boolean, nullable=False),
    UniqueConstraint("key"),
)
Index(None, log.c.kind, log.c.finished)

log_owner = Table(
    "log_owner",
    metadata,
    Column("owner", String(ID_LENGTH), primary_key=True),
    Column("log", ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
    sqlite_with_rowid=False,
)
Index(None, log_owner.c.log)

# `part` counts the events of one command from 0, so that a key can stand on all of them and still
# be used once only. Without row ids the events of a log lie side by side on the disk.
event = Table(
    "event",
    metadata,
    Column("log", ForeignKey("log.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key", String(ID_LENGTH)),
    Column("part", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("log", "key", "part"),
    sqlite_with_rowid=False,
)
