"""The stream of notices: what was missed, too many of them, spectators, who comes and goes."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from kartenkniffel.web import app
from kartenkniffel.web.live import MARGIN, MOST_STREAMS, MOST_WATCHED, Hub, since
from kartenkniffel.web.presence import Presence
from tests.serving import Server
from tests.web.application import number_in
from tests.web.company import Friend, house, listening, path_of, visitor

Notice = tuple[str, str, int]


class Listener:
    """A browser's stream; ``heard`` are its notices, ``last_id`` the id of the latest."""

    def __init__(self, address: str, friend: Friend, last_id: str = "") -> None:
        self.heard: list[Notice] = []
        self.last_id = last_id
        self.ended = threading.Event()
        self._opened = threading.Event()
        self._address = address
        self._headers = {"cookie": f"kk_key={friend.client.cookies['kk_key']}"}
        if last_id:
            self._headers["last-event-id"] = last_id
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        assert self._opened.wait(20)

    def _listen(self) -> None:
        event = ""
        try:
            with httpx2.stream(
                "GET", f"{self._address}events", headers=self._headers, timeout=30
            ) as answer:
                assert answer.status_code == 200
                assert answer.headers["content-type"].startswith("text/event-stream")
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    if name == "event":
                        event = value
                    elif name == "id":
                        self.last_id = value
                    elif name == "data":
                        told = json.loads(value)
                        self.heard.append((event, told.get("table", ""), told.get("number", -1)))
                        self._opened.set()
        except httpx2.HTTPError:
            pass  # the server was killed
        finally:
            self.ended.set()

    def hears(self, what: Callable[[Notice], bool], seconds: float = 10) -> bool:
        """Tell whether such a notice comes in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if any(what(notice) for notice in list(self.heard)):
                return True
            time.sleep(0.02)
        return False

    def join(self) -> None:
        self._thread.join(20)
        assert not self._thread.is_alive()


def begun(server: Server, *people: Friend) -> str:
    link = people[0].opens(seats=str(len(people)))
    for friend in people[1:]:
        friend.joins(link)
    return people[0].starts(link, first="seat", who="1")


def test_what_was_missed_is_told_even_over_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path, command="serve")
    with (
        server,
        visitor(server.address, "Ana") as ana,
        visitor(server.address, "Bo") as bo,
    ):
        path = begun(server, ana, bo)
        id = path.removeprefix("/t/")
        other = bo.opens().removeprefix("/j/")
        listener = Listener(server.address, bo)
        assert [event for event, _, _ in listener.heard] == ["hello"]
        assert ana.draws(path).status_code == 303
        number = number_in(bo.html(path))
        assert listener.hears(lambda notice: notice == ("table", id, number))
        server.kill()
        listener.join()
        server.start()
        # While Bo does not listen, the table moves on.
        assert bo.draws(path).status_code == 303
        assert ana.draws(path).status_code == 303
        number = number_in(ana.html(path))
        back = Listener(server.address, bo, listener.last_id)
        assert back.hears(lambda notice: notice == ("table", id, number))
        anew = Listener(server.address, bo)
        assert not anew.hears(lambda notice: notice[0] == "table", 0.5)
        late = str((time.time_ns() // 1000) + 60_000_000)
        nothing = Listener(server.address, bo, late)
        assert not nothing.hears(lambda notice: notice[0] == "table", 0.5)
        assert other not in {table for _, table, _ in anew.heard}
        assert server.interrupt() == 0
        for each in (back, anew, nothing):
            each.join()
            assert each.heard[-1][0] == "bye"


def test_one_stream_too_many_ends_the_oldest(tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        visitor(server.address, "Ana") as ana,
        visitor(server.address, "Bo") as bo,
    ):
        path = begun(server, ana, bo)
        others = Listener(server.address, bo)
        streams = [Listener(server.address, ana) for _ in range(MOST_STREAMS)]
        assert not any(stream.ended.is_set() for stream in streams)
        newest = Listener(server.address, ana)
        assert streams[0].ended.wait(10)
        assert streams[0].heard[-1][0] == "bye"
        ana.draws(path)
        number = number_in(ana.html(path))
        for stream in (*streams[1:], newest, others):
            assert stream.hears(lambda notice: notice[0] == "table" and notice[2] == number)
        server.interrupt()
        for stream in (*streams, newest, others):
            stream.join()


def test_a_stranger_without_a_key_gets_no_stream(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        assert here.friend("Eve").get("/events").status_code == 403


def told(heard: list[bytes]) -> list[Notice]:
    found = re.findall(
        rb'event: (\w+)\r\ndata: \{"table": "(\w+)", "number": (\d+)\}', b"".join(heard)
    )
    return [(event.decode(), table.decode(), int(number)) for event, table, number in found]


def soon(holds: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


def test_a_spectator_is_told_of_moves_and_of_the_rematch_and_nobody_else(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        eve, fay = here.friends("Eve", "Fay")
        eve.html(path)
        fay.html("/")
        watched: list[bytes] = []
        strange: list[bytes] = []
        with listening(here, eve, watched), listening(here, fay, strange):
            ana.draws(path)
            number = number_in(ana.html(path))
            assert soon(lambda: ("table", path.removeprefix("/t/"), number) in told(watched))
            ana.post(f"{path}/propose", matter="end")
            bo.post(f"{path}/answer", agree="1")
            again = path_of(ana.post(f"{path}/again"))
            number = number_in(ana.html(path))
            assert soon(lambda: ("table", path.removeprefix("/t/"), number) in told(watched))
            assert again in eve.html(path)
            eve.html(again)
            bo.draws(again)
            number = number_in(bo.html(again))
            assert soon(lambda: ("table", again.removeprefix("/t/"), number) in told(watched))
        assert told(strange) == []


def test_whoever_waits_without_a_seat_is_told_of_the_start(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, _) = here.seated("Ana", "Bo")
        eve = here.friend("Eve")
        assert "Every seat is taken." in eve.html(link)
        heard: list[bytes] = []
        with listening(here, eve, heard):
            path = ana.starts(link)
            assert soon(lambda: path.removeprefix("/t/") in {table for _, table, _ in told(heard)})


def test_who_was_removed_is_told_once_more(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="3")
        heard: list[bytes] = []
        with listening(here, bo, heard):
            ana.post(f"{link}/remove", guest="2")
            assert soon(lambda: len(told(heard)) == 1)
            here.friend("Cy").joins(link)
        assert len(told(heard)) == 1


def test_the_others_are_told_who_goes_and_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.05)
    with house(tmp_path, gone_after=2) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        table = path.removeprefix("/t/")
        heard: list[bytes] = []

        def calls() -> int:
            return sum(event == "people" and name == table for event, name, _ in told(heard))

        with listening(here, ana, heard):
            bo.html(path)
            assert soon(lambda: calls() >= 1)
            assert "Bo is away." in ana.html(path)
            before = calls()
            bo.html(path)
            assert soon(lambda: calls() > before)
            assert "Bo is away." not in ana.html(path)


def test_a_table_that_cannot_be_read_keeps_no_news_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.05)
    with house(tmp_path) as here:
        path, people = here.playing("Ana", "Bo")
        damaged = people[1].opens().removeprefix("/j/")
        keys = [friend.client.cookies["kk_key"] for friend in people]
    with closing(sqlite3.connect(tmp_path / "kartenkniffel.sqlite3")) as database, database:
        database.execute("UPDATE event SET body = 'not json' WHERE log = ?", [damaged])
    with house(tmp_path, gone_after=2) as here:
        ana, bo = here.friends("Ana", "Bo")
        for friend, key in zip((ana, bo), keys, strict=True):
            friend.client.cookies.set("kk_key", key)
        bo.html(path)
        heard: list[bytes] = []
        with listening(here, ana, heard):
            assert soon(
                lambda: ("people", path.removeprefix("/t/")) in {n[:2] for n in told(heard)}
            )
        assert "Bo is away." in ana.html(path)


def test_somebody_with_a_stream_is_never_gone(tmp_path: Path) -> None:
    with house(tmp_path, gone_after=0.2) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        with listening(here, bo, []):
            for _ in range(5):
                threading.Event().wait(0.1)
                assert "Bo is away." not in ana.html(path)
                assert ana.post(f"{path}/stand-in", seat="1").status_code == 409
        assert "Bo is away." not in ana.html(path)  # a moment ago he was there
        assert soon(lambda: "Bo is away." in ana.html(path))


# Without a server


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_nobody_is_gone_before_they_could_come_back_after_a_restart() -> None:
    clock = Clock()
    presence = Presence(lambda person: False, gone_after=45, now=clock)
    clock.time = 44
    assert presence.is_here("bo")
    assert presence.changes() == set()
    clock.time = 46
    assert not presence.is_here("bo")
    # He was not seen since the start, but the others saw him as there.
    assert presence.changes() == {"bo"}
    assert presence.changes() == set()
    presence.see("bo")
    assert presence.changes() == {"bo"}


@pytest.mark.parametrize("text", [None, "", "x", "-5", "1e9", "9" * 40, "٣"])
def test_an_id_that_is_none_brings_nothing(text: str | None) -> None:
    assert since(text) is None


def test_an_id_tells_the_time_with_a_margin() -> None:
    from datetime import UTC, datetime

    assert since("1735689600000000") == datetime(2025, 1, 1, tzinfo=UTC) - MARGIN


def test_watching_has_an_end() -> None:
    hub = Hub()
    for n in range(MOST_WATCHED + 5):
        hub.watch("eve", f"t{n}")
    assert len(hub.watched("eve")) == MOST_WATCHED
    assert hub.watchers("t0") == []
    hub.unwatch("eve")
    assert hub.watched("eve") == hub.watchers("t20") == hub.all_watching() == []
