"""What the machine has: cores, memory, locks on files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Give how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int | None:
    """Give how many bytes of memory can be had, or ``None`` where the system does not say."""
    known = [amount for amount in (_free_here(), _free_in_container()) if amount is not None]
    return min(known, default=None)


def _free_here() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def _free_in_container() -> int | None:
    try:
        most = int((_CGROUP / "memory.max").read_text())
        return most - int((_CGROUP / "memory.current").read_text())
    except (OSError, ValueError):  # no container, or no limit ("max")
        return None


class BusyError(OSError):
    """Another process holds the lock."""


@contextmanager
def locked(path: Path, wait: bool) -> Iterator[None]:
    """Hold a lock on a file, which is made; raises `BusyError` instead of waiting.

    Where the system knows no such locks it does nothing.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with path.open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise BusyError(f"another process is at {path.name}") from None
        yield
