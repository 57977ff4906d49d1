"""Has bots play at three tables until it is killed; says each event once it is kept."""

import sys
import threading
from pathlib import Path

from kartenkniffel.store import open_store
from kartenkniffel.table import Notice, Tables
from tests.table.helpers import BOTS, machines

PATIENCE_SECONDS = 60
"""How long it plays when nobody kills it, so that a test that waits for it comes to an end."""


def say(notice: Notice) -> None:
    sys.stdout.write(f"{notice.table} {notice.number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    tables = Tables(open_store(Path(sys.argv[1])), BOTS, pause=0)
    tables.watch(say)
    for _ in range(3):
        tables.open(machines("A", "B", "C", "D"))
    tables.start()
    threading.Event().wait(PATIENCE_SECONDS)
