"""Outside bots for the tests, good and bad: small Python programs, as files."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from pathlib import Path

_HEAD = """
import json, os, sys, time

def tell(value):
    write(json.dumps(value) + "\\n")

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    with open(__file__ + ".heard", "a") as log:
        log.write(line)
    return json.loads(line)

with open(__file__ + ".pids", "a") as log:
    print(os.getpid(), file=log)
"""

_HELLO = """
hear()
tell({"type": "hello", "name": NAME})
"""

_MOVES = """
asked = 0
while True:
    message = hear()
    if message["type"] == "quit":
        break
    if message["type"] == "choose":
        asked += 1
        view = message["view"]
        on_choose(view)
"""

DRAW_THEN_SCORE = """
def on_choose(view):
    hand = view["hand"]
    fields = view["players"][view["seat"]]["fields"]
    upper = [value for value in hand if fields[value] is None]
    if upper:
        value = max(upper, key=hand.count)
        tell({"move": value * min(5, hand.count(value)) + "@" + value})
    else:
        tell({"move": f"x{hand[:5]}+5"})
"""
"""Plays the upper fields as they come, and exchanges for ever after."""


def script(folder: Path, on_choose: str, *, name: str = "bot", hello: str = _HELLO) -> Path:
    """Write a program that says hello and answers with this function ``on_choose(view)``."""
    path = folder / f"{name}.py"
    hello = textwrap.dedent(hello).replace("NAME", repr(name))
    path.write_text(_HEAD + textwrap.dedent(on_choose) + hello + _MOVES, encoding="utf-8")
    return path


def answering(folder: Path, answer: str, *, name: str = "bot") -> Path:
    """Write a program that answers every question with this text, as it stands."""
    return script(folder, f"def on_choose(view): write({answer!r})", name=name)


def command(path: Path) -> tuple[str, str, str]:
    # Without the site packages Python starts in a third of the time.
    return sys.executable, "-IS", str(path)


def cmd(path: Path) -> str:
    return "cmd:" + " ".join(command(path))


def heard(path: Path) -> list[str]:
    """Give the lines that the program has read."""
    return Path(f"{path}.heard").read_text(encoding="utf-8").splitlines()


def starts(path: Path) -> int:
    """How often the program has been started."""
    return len(_pids(path))


def all_gone(path: Path) -> bool:
    """Tell whether no process that the program has noted down is left, not even a zombie."""
    for pid in _pids(path):
        # What is not our own child is reaped by the system, which may take a moment.
        until = time.monotonic() + 5
        while _exists(pid):
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
    return True


def _pids(path: Path) -> list[int]:
    return [int(pid) for pid in Path(f"{path}.pids").read_text(encoding="utf-8").split()]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
