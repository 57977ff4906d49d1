import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, text

from kartenkniffel.store import CannotOpen, open_store
from kartenkniffel.store.migrate import HEAD, SCRIPTS, current_revision, migrate
from kartenkniffel.store.schema import metadata

FILE = "kartenkniffel.sqlite3"
SCRIPT = ScriptDirectory(SCRIPTS)
REVISIONS = [script.revision for script in SCRIPT.walk_revisions()][::-1]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{tmp_path / FILE}")
    event.listen(engine, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    with engine.begin() as opened:
        yield opened
    engine.dispose()


def test_the_program_expects_the_newest_revision() -> None:
    assert SCRIPT.get_heads() == [HEAD]


def test_tables_and_migrations_agree(connection: Connection) -> None:
    migrate(connection, "here")
    options = {"compare_type": True, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    assert compare_metadata(context, metadata) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_leads_to_the_newest(
    connection: Connection, tmp_path: Path, revision: str
) -> None:
    migrate(connection, "here", to=revision)
    assert current_revision(connection, "here") == revision
    at = "2026-01-02 03:04:05.000006"
    log = {"log": "a", "at": at, "body": '{"x":1}'}
    connection.execute(text("INSERT INTO log VALUES (:log, 'table', 'k', :at, :at, 1, 0)"), log)
    connection.execute(text("INSERT INTO event VALUES (:log, 1, 'k', 0, :at, :body)"), log)
    connection.commit()
    store = open_store(tmp_path)
    (read,) = store.read("a")
    assert (read.number, read.body, read.key) == (1, {"x": 1}, "k")
    assert read.at.isoformat() == "2026-01-02T03:04:05.000006+00:00"
    assert store.append("a", 1, [{}])[0].number == 2
    store.close()


def test_a_database_from_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    _run(tmp_path / FILE, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(CannotOpen, match="made by a newer version; install that one"):
        open_store(tmp_path)
    _run(tmp_path / FILE, f"UPDATE alembic_version SET version_num = '{HEAD}'")
    open_store(tmp_path).close()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    _run(tmp_path / FILE, "CREATE TABLE recipe (id INTEGER)")
    with pytest.raises(CannotOpen, match="this is the database of another program"):
        open_store(tmp_path)


def _run(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()
