"""Live notices: who gets them, what is in them, and that they end when the server is told to."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path

import httpx2
import pytest

from kartenkniffel.web.live import Hub
from tests.serving import Server


async def heard(hub: Hub, person: str, count: int) -> list[tuple[str, str]]:
    """Open a stream and give its first events."""
    stream = hub.open(person)
    events: list[tuple[str, str]] = []
    async for event in stream.events():
        events.append((event.event or "", str(event.data)))
        if len(events) == count:
            break
    hub.drop(stream, person)
    return events


def test_a_notice_reaches_its_people_only_and_holds_a_number_only() -> None:
    async def story() -> None:
        hub = Hub()
        ana, bo = (asyncio.create_task(heard(hub, who, 2)) for who in ("ana", "bo"))
        await asyncio.sleep(0)
        hub.publish(["ana"], "t1", 7)
        events = await asyncio.wait_for(ana, 5)
        assert events[1] == ("table", json.dumps({"table": "t1", "number": 7}))
        assert not bo.done()
        hub.close()
        assert (await asyncio.wait_for(bo, 5))[1][0] == "bye"

    asyncio.run(story())


def test_a_slow_reader_hears_the_newest_number_once() -> None:
    async def story() -> None:
        hub = Hub()
        stream = hub.open("ana")
        for number in (3, 5, 4):
            hub.publish(["ana"], "t1", number)
        await asyncio.sleep(0)
        events = stream.events()
        await anext(events)
        assert json.loads(str((await anext(events)).data)) == {"table": "t1", "number": 5}
        hub.close()
        assert (await anext(events)).event == "bye"

    asyncio.run(story())


def test_a_stream_opened_after_the_end_ends_at_once() -> None:
    async def story() -> None:
        hub = Hub()
        hub.close()
        assert [event for event, _ in await heard(hub, "ana", 2)] == ["hello", "bye"]

    asyncio.run(story())


def test_ctrl_c_stops_at_once_with_streams_open(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        address = server.address
        lines: list[str] = []
        opened = threading.Semaphore(0)

        def listen() -> None:
            with httpx2.stream("GET", f"{address}events", timeout=30) as answer:
                opened.release()
                lines.extend(answer.iter_lines())

        listeners = [threading.Thread(target=listen) for _ in range(5)]
        for listener in listeners:
            listener.start()
        assert all(opened.acquire(timeout=20) for _ in listeners)
        begin = time.monotonic()
        assert server.interrupt() == 0
        assert time.monotonic() - begin < 5
        for listener in listeners:
            listener.join(5)
        assert "event: bye" in lines
        assert server.output[0].startswith("Karten-Kniffel: http://127.0.0.1:")
        assert len(server.output) == 1


def test_what_keeps_the_server_from_starting_is_one_sentence(tmp_path: Path) -> None:
    from tests.cli.test_replay import one_line, run

    with Server(tmp_path / "one") as server:
        other = str(tmp_path / "two")
        taken = run("play", "--no-browser", "--port", str(server.port), "--data", other)
        assert taken.returncode == 1
        said = one_line(taken.stderr)
        assert f"port {server.port} is taken" in said
        assert '--port 8080, or make play ARGS="--port 8080"' in said
        served = run("serve", "--port", str(server.port), "--data", other)
        assert one_line(served.stderr).endswith("choose another one: --port 8080")
        twice = run("play", "--no-browser", "--port", "0", "--data", str(server.data))
        assert twice.returncode == 1
        said = one_line(twice.stderr)
        assert said.startswith(f"the game is already running at {server.address} (just open it)")
    (tmp_path / "file").write_text("x")
    folder = run("play", "--no-browser", "--port", "0", "--data", str(tmp_path / "file" / "x"))
    assert folder.returncode == 1
    one_line(folder.stderr)
    host = run("play", "--no-browser", "--host", "no.such.host.invalid", "--port", "0")
    assert host.returncode == 1
    assert "--host" in one_line(host.stderr)


def test_many_browsers_of_one_machine_keep_their_streams() -> None:
    async def story() -> None:
        hub = Hub()
        streams = [hub.open(f"browser {number}", "this-machine") for number in range(30)]
        hub.publish(["this-machine"], "t1", 7)
        await asyncio.sleep(0)
        for stream in streams:
            events = stream.events()
            assert [(await anext(events)).event for _ in range(2)] == ["hello", "table"]
        hub.close()

    asyncio.run(story())


def test_who_follows_a_table_is_not_pushed_out_by_idle_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kartenkniffel.web.live.MOST_WATCHERS", 3)

    async def story() -> None:
        hub = Hub()
        stream = hub.open("eve")
        hub.watch("eve", "t1")
        for number in range(20):
            hub.watch(f"passer-by {number}", "t1")
        assert len(hub.watchers("t1")) == 3
        hub.publish([], "t1", 7)
        await asyncio.sleep(0)
        events = stream.events()
        assert [(await anext(events)).event for _ in range(2)] == ["hello", "table"]
        hub.close()

    asyncio.run(story())
