"""Has bots play at three tables until it is killed; says each event once it is kept."""

import sys
import threading
from pathlib import Path

from kartenkniffel.store import open_store
from kartenkniffel.table import Tables
from tests.table.helpers import BOTS, machines


def say(id: str, number: int) -> None:
    sys.stdout.write(f"{id} {number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    tables = Tables(open_store(Path(sys.argv[1])), BOTS, pause=0)
    tables.watch(say)
    for _ in range(3):
        tables.open(machines("A", "B", "C", "D"))
    tables.start()
    threading.Event().wait()
