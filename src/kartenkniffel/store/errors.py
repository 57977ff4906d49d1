"""What can go wrong with a storage."""

from __future__ import annotations


class StoreError(ValueError):
    """The storage cannot do what is asked."""


class UnknownLog(StoreError):
    """There is no such log."""

    def __init__(self, log: str) -> None:
        super().__init__(f"there is no log {log}")
        self.log = log


class LogExists(StoreError):
    """The id of a new log is taken."""

    def __init__(self, log: str) -> None:
        super().__init__(f"there is a log {log} already")
        self.log = log


class Conflict(StoreError):
    """The log's last event is number ``last``, not the ``after`` that the writer knew."""

    def __init__(self, log: str, after: int, last: int) -> None:
        super().__init__(f"log {log} is at event {last}, not {after}")
        self.log = log
        self.after = after
        self.last = last


class StoreClosed(StoreError):
    """The storage has been closed."""

    def __init__(self) -> None:
        super().__init__("the storage is closed")


class StoreFailed(StoreError):
    """The file at ``place`` could not be read or written; nothing of the step was kept."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class CannotOpen(StoreFailed):
    """The storage cannot be opened; ``reason`` says why."""


class InUse(CannotOpen):
    """Another process has the storage open: number ``process``, if it could be read."""

    def __init__(self, place: str, process: int | None) -> None:
        who = "another process" if process is None else f"process {process}"
        super().__init__(place, f"already running on this data folder ({who})")
        self.process = process
