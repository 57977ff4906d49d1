"""Logs, their owners and their events.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "log",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(50), nullable=False),
        sa.Column("key", sa.String(200)),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_log"),
        sa.UniqueConstraint("key", name="uq_log_key"),
    )
    op.create_index("ix_log_kind_finished", "log", ["kind", "finished"])
    op.create_table(
        "log_owner",
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("log", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("owner", "log", name="pk_log_owner"),
        sa.ForeignKeyConstraint(["log"], ["log.id"], name="fk_log_owner_log", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_log_owner_log", "log_owner", ["log"])
    op.create_table(
        "event",
        sa.Column("log", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("key", sa.String(200)),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("log", "number", name="pk_event"),
        sa.ForeignKeyConstraint(["log"], ["log.id"], name="fk_event_log", ondelete="CASCADE"),
        sa.UniqueConstraint("log", "key", "part", name="uq_event_log_key_part"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("event")
    op.drop_table("log_owner")
    op.drop_table("log")
