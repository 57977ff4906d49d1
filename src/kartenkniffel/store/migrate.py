"""Brings a database's tables up to what this version of the program expects."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from kartenkniffel.store.errors import CannotOpen

HEAD = "0001"
"""The newest revision in `migrations`; a test holds the two together."""

SCRIPTS = Path(__file__).with_name("migrations")
"""The folder of the migration scripts."""


def migrate(connection: Connection, place: str, to: str = HEAD) -> None:
    """Run what is missing inside the caller's transaction.

    Raises `CannotOpen` for a database that a newer version or another program has made.
    """
    revision = current_revision(connection, place)
    if revision == to:
        return
    # Alembic takes a while to import, and mostly there is nothing to do.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise CannotOpen(place, "this database was made by a newer version; install that one")
    command.upgrade(config, to)


def current_revision(connection: Connection, place: str) -> str | None:
    """Give the revision a database is at, ``None`` for an empty one; raises `CannotOpen`."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise CannotOpen(place, "this is the database of another program")
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision
