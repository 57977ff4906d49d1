"""Runs migrations on the connection that `kartenkniffel.store.migrate` hands over."""

from alembic import context

from kartenkniffel.store.schema import metadata

# The caller's transaction is around all of it, so that a migration happens whole or not at all.
context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
