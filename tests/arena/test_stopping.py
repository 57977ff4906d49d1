"""A match that is stopped leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.bots.outside_scripts import all_gone, cmd, script, starts

_MATCH = """
import sys
from kartenkniffel.arena import ArenaError, run_command

def progress(done, games):
    open(__file__ + ".goes-on", "w").close()

if __name__ == "__main__":
    workers, *bots = sys.argv[1:]
    try:
        run_command(
            bots, 100_000, 1, workers=int(workers), seconds_per_move=60, progress=progress
        )
    except KeyboardInterrupt:
        sys.exit("stopped")
    except ArenaError as error:
        sys.exit(str(error))
"""

STALLING = """
def on_choose(view):
    with open(__file__ + ".asked", "a") as log:
        print(os.getppid(), os.getpid(), file=log)
    time.sleep(120)
"""


Begin: TypeAlias = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Start a match of this many processes between these bots."""
    with ExitStack() as matches:

        def begin(workers: int, *bots: str) -> subprocess.Popen[str]:
            program = tmp_path / "match.py"
            program.write_text(_MATCH, encoding="utf-8")
            command = [sys.executable, str(program), str(workers), *bots]
            match = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            matches.enter_context(match)
            matches.callback(match.kill)
            return match

        yield begin


def wait_until_asked(path: Path, times: int) -> list[list[int]]:
    """Wait until so many of the programs stall; give each with the process that has started it."""
    asked = Path(f"{path}.asked")
    until = time.monotonic() + 30
    while not asked.exists() or asked.read_text(encoding="utf-8").count("\n") < times:
        assert time.monotonic() < until
        time.sleep(0.05)
    lines = asked.read_text(encoding="utf-8").splitlines()
    return [[int(pid) for pid in line.split()] for line in lines]


@pytest.mark.parametrize(
    ("kind", "workers"),
    [
        (signal.SIGINT, 1),
        (signal.SIGINT, 2),
        (signal.SIGTERM, 1),
        (signal.SIGTERM, 2),
        # With one process nobody would be left who could end the program.
        (signal.SIGKILL, 2),
    ],
)
def test_stopped_while_a_program_stalls(
    tmp_path: Path, begin: Begin, kind: signal.Signals, workers: int
) -> None:
    path = script(tmp_path, STALLING)
    match = begin(workers, cmd(path), "easy")
    wait_until_asked(path, workers)
    match.send_signal(kind)
    _, errors = match.communicate(timeout=20)
    assert all_gone(path)
    assert starts(path) == 1 + workers
    if kind == signal.SIGINT:
        assert (match.returncode, errors) == (1, "stopped\n")
    elif kind == signal.SIGTERM:
        assert (match.returncode, errors) == (128 + signal.SIGTERM, "")


def test_stopped_while_our_own_bots_play(tmp_path: Path, begin: Begin) -> None:
    match = begin(2, "easy", "easy")
    until = time.monotonic() + 30
    while not (tmp_path / "match.py.goes-on").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    begun = time.monotonic()
    match.send_signal(signal.SIGINT)
    _, errors = match.communicate(timeout=20)
    assert time.monotonic() - begun < 5
    assert (match.returncode, errors) == (1, "stopped\n")


def test_death_of_a_process_is_told(tmp_path: Path, begin: Begin) -> None:
    path = script(tmp_path, STALLING)
    match = begin(2, cmd(path), "easy")
    victim, *_ = wait_until_asked(path, 2)
    # As the system does when memory runs out. Nobody is left who could end the victim's program.
    for pid in victim:
        os.kill(pid, signal.SIGKILL)
    _, errors = match.communicate(timeout=20)
    assert match.returncode == 1
    assert errors.startswith("a process of the arena has died: ")
    assert errors.count("\n") == 1
    assert all_gone(path)


@pytest.mark.parametrize("moment", [0.05, 0.2])
def test_interrupt_while_processes_start_is_not_lost(
    tmp_path: Path, begin: Begin, moment: float
) -> None:
    path = script(tmp_path, STALLING)
    match = begin(2, cmd(path), "easy")
    # It is started to say its name, which is the last that happens before.
    until = time.monotonic() + 30
    while not Path(f"{path}.pids").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    time.sleep(moment)
    match.send_signal(signal.SIGINT)
    _, errors = match.communicate(timeout=20)
    assert (match.returncode, errors) == (1, "stopped\n")
    assert all_gone(path)
