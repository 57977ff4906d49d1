"""Programs that are talked to in lines: asked within a time limit, and ended for certain.

A program may stall, die, flood its output or never read its input; none of that may hold up the
caller or eat its memory. So threads read and write (pipes cannot be waited for in any other way on
all systems), and nothing that the program writes unasked is kept beyond a few lines.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from kartenkniffel.notation import excerpt

LONGEST_LINE = 1_000_000
"""The most bytes a program may write as one line."""

SECONDS_TO_QUIT = 1.0
"""How long a program that has been told to quit may go on."""

_CHUNK = 65536
_LAST_WORDS = 2048  # bytes of standard error that are kept
_GLANCE = 0.1  # seconds between two looks at whether a program that is silent still lives
_SECONDS_FOR_LAST_WORDS = 0.5
_SECONDS_TO_DIE = 5.0  # a killed program that is still there after this is left to the system


class ProgramError(ValueError):
    """The program broke the conversation; the message is a sentence about «it»."""


class SilentError(ProgramError):
    """The program gave no answer in time."""


class Program:
    """A running program, with its own three threads; raises ``OSError`` where it cannot start."""

    def __init__(self, command: Sequence[str]) -> None:
        self._changed = threading.Condition()
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._too_long = self._output_ended = self._input_closed = False
        self._asked = False
        self._last_words = b""
        self._to_say: SimpleQueue[bytes | None] = SimpleQueue()
        with _roll.lock:
            if _roll.closed:
                raise OSError("no more programs are started")
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Its own group, so that what it starts is ended with it, and so that an interrupt
                # from the keyboard is for us to handle.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            _roll.programs.add(self)
        streams = (self._process.stdout, self._process.stdin, self._process.stderr)
        tasks = zip((self._read, self._write, self._listen), streams, strict=True)
        self._threads = [threading.Thread(target=t, args=(s,), daemon=True) for t, s in tasks]
        for thread in self._threads:
            thread.start()

    def say(self, line: bytes) -> None:
        """Send a line that wants no answer; never waits, and never fails."""
        self._to_say.put(line)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and give the line that answers it.

        Raises `ProgramError`, or `SilentError` after so many seconds.
        """
        with self._changed:
            # Before the first question it may be anybody's luck whether a banner is here already.
            if self._asked and (self._lines or self._partial):
                said = _quoted(self._lines[0] if self._lines else self._partial)
                raise ProgramError(f"it spoke without being asked: {said}")
        self._asked = True
        self.say(line)
        deadline = time.monotonic() + seconds
        ended = 0
        with self._changed:
            while not (self._lines or self._over) and ended < 2:
                left = deadline - time.monotonic()
                if left <= 0:
                    beginning = ", only the beginning of a line" if self._partial else ""
                    raise SilentError(
                        f"it gave no answer within {seconds_text(seconds)}{beginning}"
                    )
                self._changed.wait(min(left, _GLANCE))
                # What the program has started may keep its output open when it has ended. Only
                # the second glance counts, because its last words may still be on their way.
                ended += self._process.poll() is not None
            if self._lines:
                return self._lines.popleft()
        raise ProgramError(self._why_over())

    def quit(self, line: bytes) -> None:
        """Send a last line, wait a moment for the program to end, and end it if it does not."""
        self.say(line)
        self._to_say.put(None)
        try:
            self._process.wait(SECONDS_TO_QUIT)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self.kill()

    def kill(self) -> None:
        """End the program and all that it has started; when this returns it is gone."""
        self.kill_now()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_DIE)
        self._to_say.put(None)
        for thread in self._threads:
            # Only a process that has left the program's group can still hold a pipe open.
            thread.join(SECONDS_TO_QUIT)
        with _roll.lock:
            _roll.programs.discard(self)

    def kill_now(self) -> None:
        """Send the signal that ends the program, and do not wait."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    @property
    def _over(self) -> bool:
        return self._too_long or self._output_ended or self._input_closed

    def _why_over(self) -> str:
        if self._too_long:
            return f"it wrote a line longer than {LONGEST_LINE // 1_000_000} MB"
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(SECONDS_TO_QUIT)
            self._threads[2].join(_SECONDS_FOR_LAST_WORDS)
            words = self._last_words.split(b"\n")
            last = next((line.strip() for line in reversed(words) if line.strip()), b"")
            said = f"; the last it said on standard error: {_quoted(last, 100)}" if last else ""
            return f"it ended {_exit_text(code)}{said}"
        return f"it closed its standard {'output' if self._output_ended else 'input'}"

    def _read(self, stream: IO[bytes]) -> None:
        """Collect lines until the output ends, or until it is plain that the program misbehaves."""
        with stream, suppress(OSError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                with self._changed:
                    *lines, self._partial = (self._partial + chunk).split(b"\n")
                    self._lines.extend(lines)
                    self._too_long = any(
                        len(line) > LONGEST_LINE for line in (*lines, self._partial)
                    )
                    if self._too_long:
                        self._lines.clear()
                        self._partial = b""
                    self._changed.notify_all()
                    # Two lines waiting: one was not asked for. No need to read on.
                    if self._too_long or len(self._lines) > 1:
                        return
        with self._changed:
            self._output_ended = True
            self._changed.notify_all()

    def _write(self, stream: IO[bytes]) -> None:
        try:
            with stream:
                while (line := self._to_say.get()) is not None:
                    rest = memoryview(line + b"\n")
                    while rest:
                        rest = rest[stream.write(rest) :]
        except OSError:
            with self._changed:
                self._input_closed = True
                self._changed.notify_all()

    def _listen(self, stream: IO[bytes]) -> None:
        with stream, suppress(OSError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                self._last_words = (self._last_words + chunk)[-_LAST_WORDS:]


class _Roll:
    """The programs that are running now, to end them all when this process has to go."""

    def __init__(self) -> None:
        # Reentrant, because a signal handler may call `end_all` in the thread that holds it.
        self.lock = threading.RLock()
        self.programs: set[Program] = set()
        self.closed = False


_roll = _Roll()


def end_all() -> None:
    """End every program this process has started, for good: from now on none can be started."""
    with _roll.lock:
        _roll.closed = True
        for program in _roll.programs:
            program.kill_now()


def all_ended() -> bool:
    """Tell whether `end_all` has been called."""
    return _roll.closed


def seconds_text(seconds: float) -> str:
    """Give a time for a sentence.

    >>> seconds_text(10.0), seconds_text(1), seconds_text(0.5)
    ('10 seconds', '1 second', '0.5 seconds')
    """
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def _exit_text(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by signal {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"


def _quoted(said: bytes, length: int = 0) -> str:
    """Give the beginning of what a program said for a sentence, in ASCII."""
    text = said.decode("utf-8", "replace")
    return ascii(text[:length]) if length else excerpt(text)
