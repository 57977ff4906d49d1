"""A match that is stopped leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bots.outside_scripts import all_gone, cmd, script, starts

_MATCH = """
import sys
from kartenkniffel.arena import run_command

if __name__ == "__main__":
    try:
        run_command(sys.argv[2:], 100_000, 1, workers=int(sys.argv[1]), seconds_per_move=60)
    except KeyboardInterrupt:
        sys.exit("stopped")
"""

STALLING = """
def on_choose(view):
    with open(__file__ + ".asked", "a") as log:
        log.write("!")
    time.sleep(120)
"""


def begin(tmp_path: Path, workers: int, *bots: str) -> subprocess.Popen[str]:
    program = tmp_path / "match.py"
    program.write_text(_MATCH, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, str(program), str(workers), *bots], stderr=subprocess.PIPE, text=True
    )


def wait_until_asked(path: Path, times: int) -> None:
    asked = Path(f"{path}.asked")
    until = time.monotonic() + 30
    while not asked.exists() or len(asked.read_text(encoding="utf-8")) < times:
        assert time.monotonic() < until
        time.sleep(0.05)


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
def test_stopped_while_a_program_stalls(tmp_path: Path, workers: int, kind: signal.Signals) -> None:
    path = script(tmp_path, STALLING)
    match = begin(tmp_path, workers, cmd(path), "easy")
    wait_until_asked(path, workers)
    match.send_signal(kind)
    _, errors = match.communicate(timeout=10)
    assert all_gone(path)
    assert starts(path) == 1 + workers
    if kind == signal.SIGINT:
        assert (match.returncode, errors) == (1, "stopped\n")
    elif kind == signal.SIGTERM:
        assert (match.returncode, errors) == (128 + signal.SIGTERM, "")


def test_stopped_while_our_own_bots_play(tmp_path: Path) -> None:
    match = begin(tmp_path, 2, "easy", "easy")
    time.sleep(2)
    begun = time.monotonic()
    match.send_signal(signal.SIGINT)
    _, errors = match.communicate(timeout=10)
    assert time.monotonic() - begun < 3
    assert (match.returncode, errors) == (1, "stopped\n")
