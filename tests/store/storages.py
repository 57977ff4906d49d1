"""The storages that the tests run against, each opened at a place such as a folder."""

import sys
from collections.abc import Callable
from pathlib import Path

from kartenkniffel.store import Store, open_store

ROOT = Path(__file__).parents[2]

OPENERS: dict[str, Callable[[str], Store]] = {"sqlite": lambda place: open_store(Path(place))}


def in_process(module: str, *args: str) -> list[str]:
    """The command that runs a module of the tests in a process of its own, from `ROOT`."""
    return [sys.executable, "-m", module, *args]
