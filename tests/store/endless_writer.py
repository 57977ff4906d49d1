"""Writes to four logs from four threads until it is killed; says each event once it is kept."""

import sys
from functools import partial

from kartenkniffel.store import Store
from tests.store.storages import OPENERS
from tests.store.threads import together


def write(store: Store, log: str) -> None:
    after = len(store.create(log, "table", ["ana"], [{"number": 1}], log))
    while True:
        (event,) = store.append(log, after, [{"number": after + 1}], f"key-{after}")
        after = event.number
        sys.stdout.write(f"{log} {after}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    kind, place, start = sys.argv[1:]
    opened = OPENERS[kind](place)
    results = together(4, lambda n: partial(write, opened)(f"{start}-{n}"))
    sys.exit(f"ended by itself: {results}")
