"""Many people at many tables: how soon each hears of a move, and how many moves a second are kept.

Everything is measured on a real server in its own process, the clients are in this one. A player
here draws cards until the hand is full, then passes: such moves are legal without knowing the hand,
so that the clients cost as little as they can.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlencode

TABLES = 250
SEATS = 4
EVERY = 2.0
"""Seconds between two moves of a table."""

SECONDS = 20.0
AT_ONCE = 64
"""How many tables move at the same time where only the count of moves matters."""

KEPT_OPEN = 3.0
"""Seconds after which a client does not trust an idle connection any more."""

_HAND, _FULL = 5, 10
_START = "from kartenkniffel.cli import main; main()"


@dataclass(frozen=True, slots=True)
class FriendsFigures:
    """Times in milliseconds, memory in bytes above the idle server, moves a second.

    ``whole`` is, over all moves, from the sending of a move to its event at the last of its table's
    seats: the median, and what 99 of 100 stay below. The event is often there before the answer to
    the move.
    """

    streams: int
    moves: int
    whole_median_ms: float
    whole_late_ms: float
    wrong: int
    memory_bytes: int
    moves_per_second: float = 0.0
    moves_kept: int = 0


def measure_friends(
    tables: int = TABLES, seconds: float = SECONDS, tell: Callable[[str], None] = lambda _: None
) -> FriendsFigures:
    """Measure both; ``wrong`` counts moves that got lost or were made twice."""
    with _server() as (place, pid):
        watched = asyncio.run(_watched(place, pid, tables, seconds, tell))
    with _server() as (place, _):
        kept, rate = asyncio.run(_full_speed(place, seconds / 2, tell))
    return replace(watched, moves_kept=kept, moves_per_second=rate)


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    with tempfile.TemporaryDirectory() as folder:
        options = ["--host", "127.0.0.1", "--port", "0", "--data", folder, "--pause", "0"]
        command = [sys.executable, "-c", _START, "serve", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://(\S+)/", server.stdout.readline())
                if found is None:
                    raise OSError("the server does not start")
                yield found[1], server.pid
            finally:
                server.terminate()


@dataclass(slots=True)
class _Person:
    """A player with a key and a connection that stays open."""

    place: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    used: float = 0.0

    async def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[int, str, bytes]:
        """Give the status, where the answer leads to, and its body."""
        if self.writer is not None and time.perf_counter() - self.used > KEPT_OPEN:
            self.writer.close()
            self.writer = None
        if self.reader is None or self.writer is None:
            host, _, port = self.place.rpartition(":")
            self.reader, self.writer = await asyncio.open_connection(host, int(port))
        self.writer.write(_request(self.place, self.key, path, form))
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.I)
        body = await self.reader.readexactly(int(length[1])) if length else b""
        self.used = time.perf_counter()
        leads = re.search(rb"location: (\S+)", head, re.I)
        return int(head.split(b" ", 2)[1]), leads[1].decode() if leads else "", body


def _request(place: str, key: str, path: str, form: dict[str, object] | None) -> bytes:
    body = b"" if form is None else urlencode(form, doseq=True).encode()
    method = "GET" if form is None else "POST"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {place}", f"Cookie: kk_key={key}"]
    if form is not None:
        lines.append("Content-Type: application/x-www-form-urlencoded")
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(slots=True)
class _Group:
    """A table with its players in the order in which they move, and the number of its event."""

    id: str
    people: list[_Person]
    number: int
    moves: int = 0
    told: dict[int, list[float]] = field(default_factory=dict)
    wrong: int = 0

    async def move(self) -> float:
        """Make the next move; give when it was sent."""
        person = self.people[self.moves % len(self.people)]
        full = _HAND + self.moves // len(self.people) >= _FULL
        form = {"number": self.number, "key": f"m{self.moves}", "draw": "more"}
        if full:
            form |= {"draw": "same", "confirm": "1"}
        sent = time.perf_counter()
        status, _, _ = await person.ask(f"/t/{self.id}/exchange", form)
        if status != 303:
            self.wrong += 1
        self.moves += 1
        self.number += 1
        return sent

    async def listen(self, person: _Person) -> None:
        """Note when each number comes over a person's stream."""
        host, _, port = person.place.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(_request(person.place, person.key, "/events", None))
        try:
            while line := await reader.readline():
                if line.startswith(b"data: {") and b"number" in line:
                    number = json.loads(line[6:])["number"]
                    self.told.setdefault(number, []).append(time.perf_counter())
        finally:
            writer.close()


async def _open(place: str, seats: int) -> _Group:
    """Open a table and let friends sit down; the host starts."""
    people = [_Person(place) for _ in range(seats)]
    host = people[0]
    form: dict[str, object] = {"mode": "friends", "name": "P1", "seats": seats, "key": "bench"}
    path = (await host.ask("/tables", form))[1]
    for number, person in enumerate(people[1:], 2):
        await person.ask(f"{path}/join", {"name": f"P{number}"})
    status, begun, _ = await host.ask(f"{path}/start", {"first": "seat", "who": 1})
    if status != 303 or not begun.startswith("/t/"):
        raise OSError("the server does not begin a game")
    return _Group(begun.removeprefix("/t/"), people, number=seats + 1)


async def _watched(
    place: str, pid: int, tables: int, seconds: float, tell: Callable[[str], None]
) -> FriendsFigures:
    """Let every table move at its pace, with a stream open for every seat."""
    await _Person(place).ask("/")
    idle = _memory(pid)
    tell(f"{tables} tables of {SEATS} people sit down")
    groups = [await _open(place, SEATS) for _ in range(tables)]
    listening = [
        asyncio.create_task(group.listen(person)) for group in groups for person in group.people
    ]
    await asyncio.sleep(3)
    tell(f"{len(listening)} streams are open; {seconds:.0f} seconds of moves")
    begin = time.perf_counter()
    times = await asyncio.gather(
        *(
            _paced(group, begin + EVERY * place / tables, begin + seconds)
            for place, group in enumerate(groups)
        )
    )
    await asyncio.sleep(1)
    memory = _memory(pid) - idle
    wrong = 0
    whole: list[float] = []
    for group, made in zip(groups, times, strict=True):
        page = (await group.people[0].ask(f"/t/{group.id}"))[2]
        wrong += group.wrong + (f'data-number="{group.number}"'.encode() not in page)
        for number, sent in enumerate(made, SEATS + 2):
            heard = group.told.get(number, [])
            if len(heard) != SEATS:
                wrong += 1
                continue
            whole.append((max(heard) - sent) * 1000)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    return FriendsFigures(
        streams=len(listening),
        moves=len(whole),
        whole_median_ms=quantiles(whole, n=100)[49],
        whole_late_ms=quantiles(whole, n=100)[98],
        wrong=wrong,
        memory_bytes=memory,
    )


async def _paced(group: _Group, first: float, end: float) -> list[float]:
    """Move every so many seconds, and give when each move was sent."""
    times: list[float] = []
    for turn in itertools.count():
        due = first + turn * EVERY
        if due >= end:
            return times
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        times.append(await group.move())
    return times


async def _full_speed(place: str, seconds: float, tell: Callable[[str], None]) -> tuple[int, float]:
    """Let many tables move as fast as they can; count the moves that were accepted."""
    groups = [await _open(place, 2) for _ in range(AT_ONCE)]
    tell(f"{AT_ONCE} tables move as fast as they can")
    begin = time.perf_counter()

    async def hurry(group: _Group) -> None:
        while time.perf_counter() - begin < seconds:
            await group.move()

    await asyncio.gather(*(hurry(group) for group in groups))
    took = time.perf_counter() - begin
    kept = 0
    for group in groups:
        page = (await group.people[0].ask(f"/t/{group.id}"))[2]
        found = re.search(rb'data-number="(\d+)"', page)
        kept += int(found[1]) - 3 if found else 0
    return kept, kept / took


def _memory(pid: int) -> int:
    """Give the memory that a process holds, in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
