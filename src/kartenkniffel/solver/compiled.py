"""Gives the compiled kernel: where its machine code is kept, and that one process compiles it."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numba
import platformdirs

from kartenkniffel.solver.machine import locked

_SOURCES = ("hands.py", "vectors.py", "kernel.py")


def sources_hash() -> str:
    """Give a hash of the sources that are compiled."""
    digest = hashlib.sha256(numba.__version__.encode())
    for name in _SOURCES:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Give the folder of the machine code, one for each version of the sources.

    numba itself looks at the time of one file only, and not at what that file imports.
    """
    base = numba.config.CACHE_DIR or platformdirs.user_cache_path("kartenkniffel")
    folder = Path(base) / f"solver-{sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lock").touch()
    except OSError:  # a home that cannot be written to: compile anew each time
        folder = Path(tempfile.mkdtemp(prefix="kartenkniffel-solver-"))
    return folder


@cache
def _kernel(folder: Path) -> ModuleType:
    """Give the kernel; what its one door calls is kept along with it."""
    module = import_module("kartenkniffel.solver.kernel")
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        module.solve_set.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return module


@contextmanager
def compiling(announce: Callable[[str], None]) -> Iterator[ModuleType]:
    """Give the kernel for its first call, which compiles it where no earlier one has.

    Two processes that fill one cache at once would spoil it, so the first call holds a lock.
    """
    folder = cache_folder()
    with locked(folder / "lock", wait=True):
        done = folder / "done"
        if not done.exists():
            announce("Compiling the solver (once, some seconds) …")
        yield _kernel(folder)
        done.touch()
