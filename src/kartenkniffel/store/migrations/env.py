"""Runs migrations on the connection that `kartenkniffel.store.migrate` hands over."""

from alembic import context

from kartenkniffel.store.schema import metadata

# SQLite can take back the making of tables; Alembic only has to be told.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
