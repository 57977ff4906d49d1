"""A lock on a file that falls open by itself when its holder dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kartenkniffel.store.errors import CannotOpen, InUse

if sys.platform == "win32":
    import msvcrt

    # The byte that is locked lies beyond the text, which can then still be read by others.
    _LOCKED_BYTE = 1024

    def _take(file: int) -> None:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Holds a lock file, in which the holder's process number stands, until `release`.

    Raises `InUse` where another holder lives, `CannotOpen` where the file cannot be written. The
    file stays when the lock is gone; what counts is the lock, not that there is a file.
    """

    def __init__(self, path: Path) -> None:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            reason = f"the data folder cannot be written: {error.strerror}"
            raise CannotOpen(str(path.parent), reason) from error
        try:
            _take(file)
        except OSError as error:
            os.lseek(file, 0, os.SEEK_SET)
            number = os.read(file, 20).split(b"\n")[0]
            os.close(file)
            process = int(number) if number.isdigit() else None
            raise InUse(str(path.parent), process) from error
        os.lseek(file, 0, os.SEEK_SET)
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
        self._file: int | None = file

    def release(self) -> None:
        """Let go; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
