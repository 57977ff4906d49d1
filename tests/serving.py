"""A real server in its own process, as `kartenkniffel play` or `serve` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

START_LIMIT = 60.0


def free_port() -> int:
    """Give a port that nothing listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Server:
    """A running server; ``address`` ends with a slash. Restarting keeps the port and the data.

    The ``command`` is ``play``, or ``serve`` for people of whom nobody sits at this machine.
    """

    def __init__(
        self,
        data: Path,
        *,
        pause: float = 0,
        port: int = 0,
        options: Sequence[str] = (),
        command: str = "play",
    ) -> None:
        self.data = data
        self.command = ["play", "--no-browser"]
        if command == "serve":
            self.command = ["serve", "--host", "127.0.0.1"]
        if "--public-url" in options:
            port = port or free_port()
        self.pause = pause
        self.port = port
        self.options = list(options)
        self.address = ""
        self.output: list[str] = []

    def start(self) -> None:
        args = [*self.command, "--data", str(self.data), "--pause", str(self.pause)]
        args += ["--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from kartenkniffel.cli import main; main()", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        deadline = time.monotonic() + START_LIMIT
        while not self.address:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.02)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        for line in stream:
            self.output.append(line)
            if self.address:
                continue
            if "--public-url" in self.options:  # it says that one, which leads nowhere here
                self.address = f"http://127.0.0.1:{self.port}/"
            elif found := re.search(r"http://\S+/", line):
                self.address = found[0]
                self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it as a power cut does."""
        self._end(signal.SIGKILL)

    def interrupt(self) -> int:
        """End it as Ctrl-C does, and give its exit code."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(timeout=20)
        self._reader.join(timeout=5)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.address = ""
        return code

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.kill()
