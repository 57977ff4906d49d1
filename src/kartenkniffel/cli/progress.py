"""A progress bar with the time left, on standard error."""

from __future__ import annotations

import sys
import threading
import time

_WIDTH = 30
_PATIENCE = 2.0  # seconds of silence before a bar is worth showing
_PAUSE = 0.2


class Progress:
    """A bar that is redrawn in place on a terminal, and told in few lines elsewhere.

    It may be told from several threads, and stays silent over what takes under two seconds.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._begin = time.monotonic()
        self._next = self._begin + _PATIENCE
        self._skipped = 0
        self._drawn = False

    def announce(self, line: str) -> None:
        """Say something at once."""
        print(line, file=sys.stderr, flush=True)
        self.restart()

    def restart(self, done: int = 0) -> None:
        """Count time from now on, and what is done already as no work of ours."""
        self._begin = time.monotonic()
        self._next = max(self._next, self._begin + _PATIENCE)
        self._skipped = done

    def tell(self, done: int, whole: int) -> None:
        """Take note of how much is done."""
        now = time.monotonic()
        with self._lock:
            if now < self._next and not (self._drawn and done == whole):
                return
            terminal = sys.stderr.isatty()
            self._next = now + (_PAUSE if terminal else max(10.0, now - self._begin))
            share = (done - self._skipped) / max(1, whole - self._skipped)
            left = (now - self._begin) * (1 - share) / max(share, 1e-6)
            filled = round(_WIDTH * done / whole)
            bar = "█" * filled + "·" * (_WIDTH - filled)
            text = f"{self._what} {bar} {done / whole:4.0%}, {_span(left)} left"
            self._drawn = True
            print(
                f"\r{text}\x1b[K" if terminal else text,
                end="" if terminal else "\n",
                file=sys.stderr,
                flush=True,
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._drawn and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _span(seconds: float) -> str:
    """Give a time as people say it.

    >>> _span(8.2), _span(605)
    ('8 s', '10 min 5 s')
    """
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"
