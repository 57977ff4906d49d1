"""Table files: made, interrupted, read, and refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kartenkniffel.solver import Solution, State, StateError, Table, TableError
from kartenkniffel.solver import build as build_module
from kartenkniffel.solver.build import Build
from kartenkniffel.solver.machine import locked
from kartenkniffel.solver.table import HEAD_BYTES, Head

START = State.read("6,fh,ss,kn", 30, "")
LATER = State.read("6,kn", 30, "")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "end.table"
    Build(path, START, 12).run()
    return path


class Stopped(Exception):
    """What happens to a program at any moment."""


def test_a_table_says_what_solving_on_the_spot_says(finished: Path) -> None:
    with Table(finished) as table:
        for state in (
            START,
            LATER,
            State.read("6,fh,ss,kn", 30, "1123456666"),
            State.read("fh,kn", 54, "444561"),
            State.read("ss", 60, "11111"),
            State.read("", 36, ""),
        ):
            solution = Solution(state, 12)
            assert table.value(state) == pytest.approx(solution.value(state), abs=1e-4)
            moves = [one.move for one in table.moves(state)]
            assert set(moves) == {one.move for one in solution.moves(state)}
        assert 0 < table.head.error < 1e-4


def test_nothing_but_the_table_stays(finished: Path) -> None:
    assert list(finished.parent.iterdir()) == [finished]
    assert finished.stat().st_size == Build(finished, START, 12).disk


@pytest.mark.parametrize("when", [1, 6, 20, 30])
def test_an_interrupted_build_goes_on_and_ends_the_same(
    tmp_path: Path, finished: Path, when: int
) -> None:
    path = tmp_path / "end.table"

    def stop(done: int, pairs: int) -> None:
        if done >= when:
            raise Stopped

    first = Build(path, START, 12)
    with pytest.raises(Stopped):
        first.run(progress=stop)
    assert not path.exists()
    second = Build(path, START, 12)
    told: list[int] = []
    left = 16 - sum(len(layer) for layer in first.outline.layers[: second.head.layers])
    second.run(progress=lambda done, pairs: told.append(done))
    assert path.read_bytes() == finished.read_bytes()
    assert len(told) == left
    assert sorted(path.parent.iterdir()) == [path]


def test_unfinished_work_for_another_cost_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "end.table"

    def stop(done: int, pairs: int) -> None:
        raise Stopped

    for _ in range(2):  # stopped before any layer is safe: nothing to take up
        with pytest.raises(Stopped):
            Build(path, LATER, 12).run(progress=stop)

    def stop_later(done: int, pairs: int) -> None:
        if done == pairs:
            raise Stopped

    with pytest.raises(Stopped):
        Build(path, LATER, 12).run(progress=stop_later)
    with pytest.raises(TableError, match="turn cost 12"):
        Build(path, LATER, 11)
    with pytest.raises(TableError, match="open fields 6,kn"):
        Build(path, State.read("6", 30, ""), 12)


def test_two_processes_do_not_make_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "end.table"
    with (
        locked(path.with_name("end.table.part"), wait=True),
        pytest.raises(TableError, match="another process is at"),
    ):
        Build(path, LATER, 12).run()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "has version 2 of the format, and this program reads 1"),
        ({"rules": "0123"}, "was made for other rules"),
        ({"solver": 0}, "was made by version 0 of the solver"),
        ({"format": "something"}, "is not a table"),
        ({"surprise": 1}, "is not a table"),
        ({"layers": 3}, "is not whole"),
    ],
)
def test_stale_and_foreign_files_are_refused(
    tmp_path: Path, finished: Path, change: dict[str, object], reason: str
) -> None:
    data = finished.read_bytes()
    head = json.loads(data[:HEAD_BYTES]) | change
    path = tmp_path / "stale.table"
    path.write_bytes(json.dumps(head).encode().ljust(HEAD_BYTES) + data[HEAD_BYTES:])
    with pytest.raises(TableError, match=reason) as error:
        Table(path)
    assert str(error.value).startswith("stale.table ")
    with pytest.raises(TableError):
        Build(path, START, 12)


def test_a_file_cut_short_is_refused(tmp_path: Path, finished: Path) -> None:
    path = tmp_path / "short.table"
    for size in (0, 100, HEAD_BYTES, 50_000):
        path.write_bytes(finished.read_bytes()[:size])
        with pytest.raises(TableError, match=r"not whole|not a table"):
            Table(path)
    with pytest.raises(TableError, match="cannot be read"):
        Table(tmp_path / "missing.table")


def test_a_state_that_does_not_come_after_the_start_is_refused(finished: Path) -> None:
    with Table(finished) as table:
        for state in (State.read("1", 40, ""), State.read("6,kn", 31, "")):
            with pytest.raises(TableError, match="does not come after"):
                table.value(state)


def test_it_does_not_start_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = Build(tmp_path / "end.table", State.read("1,2,3,4,5,6,3k,4k,fh,ss,ls,kn", 0, ""), 12)
    assert 4.4e9 < build.disk < 4.5e9
    assert 2e9 < build.memory < 3e9
    monkeypatch.setattr(build_module, "free_memory", lambda: 10**9)
    with pytest.raises(TableError, match=r"solving takes 2\.\d GB of memory, and 1\.0 GB are free"):
        build.run()
    monkeypatch.setattr(build_module, "free_memory", lambda: None)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 10**9}))
    with pytest.raises(TableError, match=r"takes 4\.4 GB of disk, and 1\.0 GB are free"):
        build.run()
    with pytest.raises(TableError, match="no folder"):
        Build(tmp_path / "none" / "end.table", LATER, 12).run()
    assert list(tmp_path.iterdir()) == []


def test_turn_costs_are_checked(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="turn cost"):
        Build(tmp_path / "end.table", LATER, 0)


def test_heads_know_the_same_table() -> None:
    head = Head.of(START, 12)
    assert Head.read(head.dump(), "x") == head
    assert replace(head, layers=2) != head
    assert len(head.dump()) == HEAD_BYTES


@pytest.mark.slow
def test_a_killed_process_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "large.table"
    command = [sys.executable, "-c", "from kartenkniffel.cli import main; main()"]
    command += ["solve", "--out", str(path)]
    command += ["--open", "2,3,4,5,6,4k,fh,ls,kn", "--upper", "3"]
    note = path.with_name("large.table.part.json")
    kills = 0
    for wanted in (3, 5, 7):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(0.01)
            if note.exists() and json.loads(note.read_bytes())["layers"] >= wanted:
                process.send_signal(signal.SIGKILL)
                kills += 1
                break
        process.wait()
    subprocess.run(command, check=True)
    assert kills
    other = tmp_path / "other.table"
    Build(other, State.read("2,3,4,5,6,4k,fh,ls,kn", 3, ""), 12).run()
    # Bytes may differ in the bound alone, which a build that was stopped keeps by layers.
    assert path.read_bytes()[HEAD_BYTES:] == other.read_bytes()[HEAD_BYTES:]
