"""What a page weighs and how soon it is there: measured on a real server in its own process."""

from __future__ import annotations

import gzip
import http.client
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from urllib.parse import urlencode, urljoin, urlsplit

LOOKS = 40
TURNS = 20
_START = "from kartenkniffel.cli import main; main()"


@dataclass(frozen=True, slots=True)
class WebFigures:
    """Bytes as they travel, compressed; times in milliseconds, the median of many."""

    page_bytes: int
    files_bytes: int
    first_response_ms: float
    move_ms: float


def measure_web() -> WebFigures:
    """Open a game against a bot, play into its middle, and measure the table page."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-browser", "--port", "0", "--pause", "0", "--data", folder]
        command = [sys.executable, "-c", _START, "play", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://(\S+)/", server.stdout.readline())
                if found is None:
                    raise OSError("the server does not start")
                return _measure(_Client(found[1]))
            finally:
                server.terminate()


class _Client:
    """A small browser: one connection that stays open, compressed answers."""

    def __init__(self, place: str) -> None:
        self._connection = http.client.HTTPConnection(place, timeout=30)

    def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[bytes, bytes, str]:
        """Give the answer's body as it travelled and unpacked, and where it leads on."""
        body = None if form is None else urlencode(form, doseq=True)
        headers = {"Accept-Encoding": "gzip", "Accept-Language": "en"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-Part"] = "1"
        self._connection.request("GET" if body is None else "POST", path, body, headers)
        answer = self._connection.getresponse()
        sent = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
        return sent, gzip.decompress(sent) if packed else sent, answer.headers["Location"] or ""

    def page(self, path: str) -> str:
        return self.ask(path)[1].decode()


def _measure(client: _Client) -> WebFigures:
    form: dict[str, object] = {"name": "Ana", "bots": 2, "start": "me", "key": "bench"}
    path = client.ask("/tables", form)[2]
    moves = [_move(client, path) for _ in range(TURNS) if _my_turn(client, path)]
    _my_turn(client, path)
    sent, page, _ = client.ask(path)
    looks = [_timed(lambda: client.ask(path)) for _ in range(LOOKS)]
    files = _files(client, path, page.decode())
    return WebFigures(
        page_bytes=len(sent),
        files_bytes=sum(files.values()),
        first_response_ms=median(looks),
        move_ms=median(moves),
    )


def _my_turn(client: _Client, path: str) -> bool:
    """Wait until it is the person's turn; tell whether it is before the game is over."""
    for _ in range(1000):
        page = client.page(path)
        if "table--over" in page:
            return False
        if "is-now" in page:
            return True
        time.sleep(0.01)
    raise OSError("the bots do not move")


def _move(client: _Client, path: str) -> float:
    """Exchange two cards and give how long the answer, the page's new main part, took."""
    page = client.page(path)
    hidden = dict(re.findall(r'name="(number|key)" value="([^"]*)"', page))
    form: dict[str, object] = {**hidden, "card": [0, 1], "draw": "same"}
    return _timed(lambda: client.ask(f"{path}/exchange", form))


def _files(client: _Client, path: str, page: str) -> dict[str, int]:
    """Give all files that the page loads, those that scripts import too, and their bytes."""
    waiting = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    files: dict[str, int] = {}
    while waiting:
        url = waiting.pop()
        if url in files:
            continue
        sent, text, _ = client.ask(url)
        files[url] = len(sent)
        imports = re.findall(rb'from "(\./[^"]+)"', text) if url.endswith(".js") else []
        waiting += [urlsplit(urljoin(url, name.decode())).path for name in imports]
    return files


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000
