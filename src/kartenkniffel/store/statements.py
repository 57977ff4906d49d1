"""What is said to the database, the same for every kind of it; each call is one step.

Writing steps run inside the caller's transaction and check before they write, so that a refusal
leaves nothing behind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from kartenkniffel.store import schema
from kartenkniffel.store.errors import Conflict, DamagedLog, LogExists, UnknownLog
from kartenkniffel.store.protocol import Event, LogInfo

_log, _event, _owner = schema.log, schema.event, schema.log_owner
_INFO = (_log.c.id, _log.c.kind, _log.c.created, _log.c.changed, _log.c.last, _log.c.finished)
_EVENT = (_event.c.log, _event.c.number, _event.c.body, _event.c.key, _event.c.at)


@dataclass(frozen=True, slots=True)
class Bodies:
    """The bodies of one command, as text to store and as they will be read again."""

    texts: tuple[str, ...]
    read: tuple[dict[str, Any], ...]

    @classmethod
    def of(cls, bodies: Sequence[Mapping[str, Any]]) -> Bodies:
        """Write them as JSON; raises ``ValueError`` or ``TypeError`` for what is not JSON."""
        if not bodies:
            raise ValueError("a command makes one event at least")
        texts = tuple(
            json.dumps(dict(body), separators=(",", ":"), allow_nan=False) for body in bodies
        )
        return cls(texts, tuple(json.loads(text) for text in texts))


def create(
    connection: Connection,
    log: str,
    kind: str,
    owners: Collection[str],
    bodies: Bodies,
    key: str | None,
    finished: bool,
) -> list[Event]:
    """Make a log with its first events, once for a key (see `Store.create`)."""
    if key is not None:
        made_before = connection.scalar(select(_log.c.id).where(_log.c.key == key))
        if made_before is not None:
            return made(connection, made_before, key)
    if connection.scalar(select(_log.c.id).where(_log.c.id == log)) is not None:
        raise LogExists(log)
    now = datetime.now(UTC)
    row = {"id": log, "kind": kind, "key": key, "created": now, "changed": now}
    connection.execute(insert(_log), {**row, "last": len(bodies.texts), "finished": finished})
    _join(connection, log, owners)
    return _add(connection, log, 0, bodies, key, now)


def append(
    connection: Connection,
    log: str,
    after: int,
    bodies: Bodies,
    key: str | None,
    finished: bool | None,
    joining: Collection[str] = (),
    parting: Collection[str] = (),
) -> list[Event]:
    """Add events to a log, once for a key (see `Store.append`)."""
    if key is not None and (before := made(connection, log, key)):
        return before
    now = datetime.now(UTC)
    values: dict[str, Any] = {"last": after + len(bodies.texts), "changed": now}
    if finished is not None:
        values["finished"] = finished
    # This one statement is the lock: of two writers only one finds the log where it saw it last.
    here = update(_log).where(_log.c.id == log, _log.c.last == after)
    if connection.execute(here, values).rowcount == 0:
        if key is not None and (before := made(connection, log, key)):
            return before
        last = connection.scalar(select(_log.c.last).where(_log.c.id == log))
        raise UnknownLog(log) if last is None else Conflict(log, after, last)
    _join(connection, log, joining)
    for owner in parting:
        part(connection, log, owner)
    return _add(connection, log, after, bodies, key, now)


def _add(
    connection: Connection, log: str, after: int, bodies: Bodies, key: str | None, now: datetime
) -> list[Event]:
    rows = [
        {"log": log, "number": after + 1 + part, "key": key, "part": part, "at": now, "body": text}
        for part, text in enumerate(bodies.texts)
    ]
    connection.execute(insert(_event), rows)
    return [
        Event(log, number, body, key, now) for number, body in enumerate(bodies.read, after + 1)
    ]


def _join(connection: Connection, log: str, owners: Collection[str]) -> None:
    if not owners:
        return
    known = set(connection.scalars(select(_owner.c.owner).where(_owner.c.log == log)))
    if rows := [{"owner": owner, "log": log} for owner in sorted(set(owners) - known)]:
        connection.execute(insert(_owner), rows)


def part(connection: Connection, log: str, owner: str) -> None:
    """Let somebody own a log no more."""
    connection.execute(delete(_owner).where(_owner.c.log == log, _owner.c.owner == owner))


def owners(connection: Connection, log: str) -> list[str]:
    """List the owners of a log."""
    wanted = select(_owner.c.owner).where(_owner.c.log == log).order_by(_owner.c.owner)
    return list(connection.scalars(wanted))


def amend(connection: Connection, log: str, bodies: Mapping[int, str]) -> None:
    """Put other bodies in the place of events."""
    for number, body in bodies.items():
        here = update(_event).where(_event.c.log == log, _event.c.number == number)
        connection.execute(here.values(body=body))


def remove(connection: Connection, log: str) -> None:
    """Remove a log; its events and owners go with it."""
    connection.execute(delete(_log).where(_log.c.id == log))


def made(connection: Connection, log: str, key: str) -> list[Event]:
    """Give the events made with this key."""
    wanted = select(*_EVENT).where(_event.c.log == log, _event.c.key == key)
    return [_as_event(row) for row in connection.execute(wanted.order_by(_event.c.number))]


def read(connection: Connection, log: str, after: int) -> list[Event]:
    """Give the events above a number; raises `UnknownLog`."""
    newer = (_event.c.log == _log.c.id) & (_event.c.number > after)
    wanted = select(*_EVENT).select_from(_log.outerjoin(_event, newer)).where(_log.c.id == log)
    rows = connection.execute(wanted.order_by(_event.c.number)).all()
    if not rows:
        raise UnknownLog(log)
    return [_as_event(row) for row in rows if row.number is not None]


def info(connection: Connection, log: str) -> LogInfo:
    """Give what is known of a log; raises `UnknownLog`."""
    row = connection.execute(select(*_INFO).where(_log.c.id == log)).one_or_none()
    if row is None:
        raise UnknownLog(log)
    return LogInfo(*row)


def logs(connection: Connection, owner: str, kind: str, limit: int | None) -> list[LogInfo]:
    """List an owner's logs of a kind: unfinished ones first, then those changed last."""
    wanted = (
        select(*_INFO)
        .join(_owner, _owner.c.log == _log.c.id)
        .where(_owner.c.owner == owner, _log.c.kind == kind)
        .order_by(_log.c.finished, _log.c.changed.desc(), _log.c.id)
    )
    return _listed(connection, wanted.limit(limit))


def unfinished(connection: Connection, kind: str) -> list[LogInfo]:
    """List the unfinished logs of a kind, the oldest first."""
    wanted = select(*_INFO).where(_log.c.kind == kind, _log.c.finished.is_(False))
    return _listed(connection, wanted.order_by(_log.c.created, _log.c.id))


def finished(connection: Connection, kind: str, before: datetime) -> list[LogInfo]:
    """List the finished logs of a kind last changed before a time, the oldest first."""
    wanted = select(*_INFO).where(
        _log.c.kind == kind, _log.c.finished.is_(True), _log.c.changed < before
    )
    return _listed(connection, wanted.order_by(_log.c.changed, _log.c.id))


def mentioning(connection: Connection, text: str, kind: str) -> list[LogInfo]:
    """List the logs of a kind with an event in which a text stands as a JSON string."""
    there = select(_event.c.log).where(_event.c.body.contains(json.dumps(text), autoescape=True))
    wanted = select(*_INFO).where(_log.c.kind == kind, _log.c.id.in_(there))
    return _listed(connection, wanted.order_by(_log.c.created, _log.c.id))


def _listed(connection: Connection, wanted: Select[*tuple[Any, ...]]) -> list[LogInfo]:
    return [LogInfo(*row) for row in connection.execute(wanted)]


def _as_event(row: Row[*tuple[Any, ...]]) -> Event:
    try:
        body = json.loads(row.body)
    except ValueError:
        raise DamagedLog(row.log, row.number) from None
    return Event(row.log, row.number, body, row.key, row.at)
