"""What is left of a server that was killed in the middle of games (``kill -9``)."""

import subprocess
from collections import Counter
from pathlib import Path

from kartenkniffel.notation import Record
from kartenkniffel.store import open_store
from kartenkniffel.table import Tables
from tests.store.storages import ROOT, in_process
from tests.table.helpers import BOTS, finished, wait_for


def test_every_acknowledged_move_is_there_and_the_games_go_on(tmp_path: Path) -> None:
    acknowledged: Counter[str] = Counter()
    for _ in range(2):
        command = in_process("tests.table.endless_tables", str(tmp_path))
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout is not None
            for _ in range(60):
                _note(acknowledged, process.stdout.readline())
            process.kill()
            for line in process.stdout:
                _note(acknowledged, line)
    assert len(acknowledged) == 6
    store = open_store(tmp_path)
    with Tables(store, BOTS, pause=0) as tables:
        for id, number in acknowledged.items():
            assert len(store.read(id)) >= number
            game = wait_for(tables, id, finished).game
            assert Record.of(game).replay() == game
    store.close()


def _note(acknowledged: Counter[str], line: str) -> None:
    if line.endswith("\n"):
        id, number = line.split()
        acknowledged[id] = max(acknowledged[id], int(number))
