"""Compiled kernels: where their machine code is kept, and that one process compiles each."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numba
import platformdirs

from kartenkniffel.solver.machine import locked

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Kernel:
    """A module of compiled code: the functions called from outside, and all that goes into it."""

    name: str
    module: str
    doors: tuple[str, ...]
    sources: tuple[Path, ...]

    def sources_hash(self) -> str:
        """Give a hash of the sources that are compiled."""
        digest = hashlib.sha256(numba.__version__.encode())
        for source in self.sources:
            digest.update(source.read_bytes())
        return digest.hexdigest()[:16]

    def cache_folder(self) -> Path:
        """Give the folder of the machine code, one for each version of the sources.

        numba itself looks at the time of one file only, and not at what that file imports.
        """
        base = numba.config.CACHE_DIR or platformdirs.user_cache_path("kartenkniffel")
        folder = Path(base) / f"{self.name}-{self.sources_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "lock").touch()
        except OSError:  # a home that cannot be written to: compile anew each time
            folder = _own_folder(self.name)
        return folder


@cache
def _own_folder(name: str) -> Path:
    return Path(tempfile.mkdtemp(prefix=f"kartenkniffel-{name}-"))


SOLVER = Kernel(
    "solver",
    "kartenkniffel.solver.kernel",
    ("solve_set",),
    tuple(_HERE / name for name in ("hands.py", "vectors.py", "kernel.py")),
)


@cache
def _module(kernel: Kernel, folder: Path) -> ModuleType:
    """Give the module; what its doors call is kept along with them."""
    module = import_module(kernel.module)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        for door in kernel.doors:
            getattr(module, door).enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return module


@contextmanager
def compiling(
    kernel: Kernel, announce: Callable[[str], None] = lambda line: None
) -> Iterator[ModuleType]:
    """Give a kernel for its first call, which compiles it where no earlier one has.

    Two processes that fill one cache at once would spoil it, so the first call holds a lock.
    """
    folder = kernel.cache_folder()
    with locked(folder / "lock", wait=True):
        done = folder / "done"
        if not done.exists():
            announce(f"Compiling the {kernel.name} (once, some seconds) …")
        yield _module(kernel, folder)
        done.touch()
