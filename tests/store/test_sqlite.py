import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from kartenkniffel.store import CannotOpen, InUse, SqliteStore, StoreFailed, open_store, sqlite

FILE = "kartenkniffel.sqlite3"


def test_the_folder_and_the_file_are_made(tmp_path: Path) -> None:
    folder = tmp_path / "here" / "and % there"
    open_store(folder).close()
    assert (folder / FILE).is_file()


def test_R15_nobody_else_on_the_machine_can_read_it(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    store.create("a", "table", [], [{}])
    made = [tmp_path / "data", *(tmp_path / "data").iterdir()]
    assert len(made) == 5
    assert all(path.stat().st_mode & 0o077 == 0 for path in made)
    store.close()


def test_a_closed_store_is_one_file_beside_its_lock(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.create("a", "table", [], [{}])
    store.read("a")
    store.close()
    assert sorted(os.listdir(tmp_path)) == [FILE, f"{FILE}.lock"]


def test_writing_waits_for_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / FILE)
    asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    with store._writing.connect() as connection:
        found = [connection.scalar(text(f"PRAGMA {name}")) for name in asked]
    assert found == ["wal", 2, 1, 5000]
    store.close()


def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotOpen, match="file/data: the data folder cannot be made: ") as caught:
        open_store(tmp_path / "file" / "data")
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    # Even root cannot open a folder as its lock file.
    (tmp_path / f"{FILE}.lock").mkdir()
    with pytest.raises(CannotOpen, match="the data folder cannot be written: "):
        open_store(tmp_path)


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("Dear diary, " * 1000)
    with pytest.raises(CannotOpen, match="this file is not a database") as caught:
        open_store(tmp_path)
    assert caught.value.place == str(tmp_path / FILE)
    assert (tmp_path / FILE).read_text().startswith("Dear diary")
    (tmp_path / FILE).unlink()
    open_store(tmp_path).close()


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(CannotOpen, match="the file cannot be opened"):
        open_store(tmp_path)


def test_a_damaged_database_is_said_in_one_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.create("a", "table", [], [{"x": "y" * 20_000}])
    store.close()
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with pytest.raises(StoreFailed, match="the database is damaged"):
        open_store(tmp_path).read("a")


def test_a_store_is_opened_once_in_a_process_too(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(InUse, match=f"already running on this data folder .process {os.getpid()}."):
        open_store(tmp_path)
    store.close()
    open_store(tmp_path).close()


def test_a_full_disk_is_said_in_one_sentence_and_nothing_acknowledged_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = sqlite._prepare_writing

    def prepare_a_small_disk(raw: Any) -> None:
        prepare(raw)
        raw.execute("PRAGMA max_page_count = 60")

    monkeypatch.setattr(sqlite, "_prepare_writing", prepare_a_small_disk)
    store = open_store(tmp_path)
    store.create("a", "table", [], [{}])
    store.create("b", "table", [], [{}])
    kept = 1
    with pytest.raises(StoreFailed, match="the disk is full") as caught:  # noqa: PT012
        for after in range(1, 1000):
            store.append("a", after, [{"hand": "11345" * 200}])
            kept += 1
    assert kept > 20
    assert "11345" not in f"{caught.value!r} {caught.value.__cause__}"
    assert store.info("a").last == len(store.read("a")) == kept
    store.delete("a")
    assert store.append("b", 1, [{"hand": "11345" * 200}])[0].number == 2
    store.close()


def test_a_database_locked_by_another_program_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    store = open_store(tmp_path)
    store.create("a", "table", [], [{}])
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="another program has locked the database"):
        store.append("a", 1, [{}])
    assert len(store.read("a")) == 1
    other.execute("ROLLBACK")
    other.close()
    assert store.append("a", 1, [{}])[0].number == 2
    store.close()


def test_a_copy_taken_while_it_runs_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    store.create("a", "table", [], [{"x": 1}])
    shutil.copytree(tmp_path / "data", tmp_path / "copy")
    copy = open_store(tmp_path / "copy")
    assert copy.read("a") == store.read("a")
    copy.close()
    store.close()


def test_opening_what_is_there_is_quick(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        open_store(tmp_path).close()
        times.append(time.perf_counter() - begun)
    assert min(times) < 0.1


def test_opening_what_is_there_does_not_load_alembic(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    program = (
        "import sys; from pathlib import Path; from kartenkniffel.store import open_store;"
        "open_store(Path(sys.argv[1])).close(); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "False\n"


def test_what_was_deleted_or_amended_is_in_no_byte_after_a_purge(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for number in range(40):
        name = f"Zacharias{number}"
        store.create(f"log{number}", "table", [name], [{"name": name}, {"x": "y" * 900}])
    store.create("kept", "table", [], [{"name": "Wilhelmina"}])
    store.amend("log0", {1: {"name": "N. N."}})
    store.part("log0", "Zacharias0")
    for number in range(1, 40):
        store.delete(f"log{number}")
    assert b"Zacharias" in bytes_in(tmp_path)
    store.purge()
    assert b"Zacharias" not in bytes_in(tmp_path)
    assert b"Wilhelmina" in bytes_in(tmp_path)
    store.close()


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())
