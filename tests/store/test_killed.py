"""What is left of a process that was killed while it wrote (``kill -9``)."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from kartenkniffel.store import InUse
from tests.store.conftest import Storage
from tests.store.storages import ROOT, in_process


def test_every_acknowledged_event_is_there_once_after_a_kill(storage: Storage) -> None:
    acknowledged: Counter[str] = Counter()
    for start in range(3):
        command = in_process("tests.store.endless_writer", storage.kind, storage.place, str(start))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout is not None
            lines = 0
            while lines < 150 or len(acknowledged) < 4 * (start + 1):
                _note(acknowledged, process.stdout.readline())
                lines += 1
            process.kill()
            for line in process.stdout:
                _note(acknowledged, line)
        store = storage.open()
        for log, last in acknowledged.items():
            events = store.read(log)
            numbers = [event.number for event in events]
            # One event more may have been kept than could still be said.
            assert numbers in (list(range(1, last + 1)), list(range(1, last + 2)))
            assert [event.body["number"] for event in events] == numbers
            assert store.info(log).last == len(events)
        store.close()


def _note(acknowledged: Counter[str], line: str) -> None:
    if line.endswith("\n"):
        log, number = line.split()
        acknowledged[log] = max(acknowledged[log], int(number))


def test_a_storage_is_opened_once_and_free_after_a_kill(storage: Storage) -> None:
    command = in_process("tests.store.endless_writer", storage.kind, storage.place, "x")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(InUse, match=rf"already running .* \(process {process.pid}\)") as caught:
            storage.open()
        assert caught.value.process == process.pid
        process.kill()
    storage.open()


DYING = """
import os, signal, sys
from pathlib import Path
from kartenkniffel.store import open_store, sqlite

migrate = sqlite.migrate

def migrate_and_die(connection, place):
    migrate(connection, place)
    os.kill(os.getpid(), signal.SIGKILL)

sqlite.migrate = migrate_and_die
open_store(Path(sys.argv[1]))
"""


def test_killed_while_the_tables_are_made_leaves_a_storage_that_opens(tmp_path: Path) -> None:
    storage = Storage("sqlite", str(tmp_path))
    ended = subprocess.run([sys.executable, "-c", DYING, str(tmp_path)])
    assert ended.returncode == -9
    store = storage.open()
    store.create("a", "table", [], [{}])
    store.close()
