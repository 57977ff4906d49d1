"""Somebody wants to be forgotten."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kartenkniffel.notation import parse_move
from kartenkniffel.store import Store, StoreFailed
from kartenkniffel.table import (
    Lobby,
    Seat,
    Start,
    Table,
    Tables,
    fold,
)
from tests.table.helpers import (
    BOTS,
    begun,
    exists,
    finished,
    gathered,
    guest,
    lobby,
    machines,
    names_at,
    play,
    wait_for,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")
NAME = "Zacharias"
KEY = "5ec2e7a9" * 8
"""A name and a player id that would stand out among other bytes."""


def rows(folder: Path) -> str:
    """All that stands in the database, as text."""
    with sqlite3.connect(folder / "kartenkniffel.sqlite3") as connection:
        text = "\n".join(connection.iterdump())
    connection.close()
    return text


def assert_forgotten(folder: Path, *words: str) -> None:
    found = b"".join(path.read_bytes() for path in folder.iterdir())
    for word in words:
        assert word not in rows(folder)
        assert word.encode() not in found


def with_stranger(tables: Tables, *names: str, **others: Any) -> Lobby:
    """A table at which these people wait, and one who wants to be forgotten later."""
    waiting = gathered(tables, *names, seats=len(names) + 1, **others)
    return lobby(tables.lobbies.join(waiting.id, NAME, KEY))


def started(tables: Tables, waiting: Lobby) -> Table:
    host = waiting.guests[0]
    return tables.lobbies.start(waiting.id, host.owner, Start("seat"), host.number)


def test_tables_of_nobody_else_are_gone(tables: Tables, tmp_path: Path) -> None:
    done = tables.open([Seat(NAME, owner=KEY), *machines("A")], key=f"{KEY}:1").id
    play(tables, done)
    tables.rematch(done)
    tables.lobbies.invite(NAME, KEY, with_stranger(tables, "Ana").terms, key=f"{KEY}:2")
    assert tables.upkeep.forget(KEY) == 4
    assert not exists(tables, done)
    assert tables.upkeep.export(KEY) == []
    assert_forgotten(tmp_path, NAME, KEY)
    assert tables.upkeep.forget(KEY) == 0


def test_a_running_game_goes_on_without_name_and_key(
    running: Tables, store: Store, tmp_path: Path
) -> None:
    waiting = with_stranger(running, "Ana")
    id = started(running, waiting).id
    running.company.say(id, KEY, "hello", f"{KEY}-k")
    running.move(id, 0, DRAW)
    running.move(id, 1, DRAW, key="k")
    running.company.offer(id, KEY)
    assert running.upkeep.forget(KEY) == 1
    assert_forgotten(tmp_path, NAME, KEY)
    table = running.get(id)
    assert [(seat.name, seat.owner) for seat in table.seats] == [("Ana", "ana"), ("N. N.", None)]
    assert table.game.names == ("Ana", "N. N.")
    assert table.owners == {"ana"}
    assert table.stand_ins == {1: "left"}
    assert fold(store.read(id)) == table
    assert [summary.names for summary in running.of_player("ana")] == [("Ana", "N. N.")]
    running.move(id, 0, DRAW)
    wait_for(running, id, lambda table: table.to_move == 0)
    running.company.leave(id, "ana")
    assert wait_for(running, id, finished).game.finished


def test_a_finished_game_stays_for_the_others(tables: Tables, tmp_path: Path) -> None:
    id = started(tables, with_stranger(tables, "Ana", "Bo")).id
    before = play(tables, id)
    tables.upkeep.forget(KEY)
    assert_forgotten(tmp_path, NAME, KEY)
    after = tables.get(id)
    assert after.game.sheets == before.game.sheets
    assert tables.record(id).names == ("Ana", "Bo", "N. N.")
    assert {seat.name for seat in tables.rematch(id).seats} == {"Ana", "Bo"}


def test_a_table_that_waits_loses_the_guest(tables: Tables, tmp_path: Path) -> None:
    waiting = with_stranger(tables, "Ana", "Bo")
    tables.lobbies.hand_over(waiting.id, "ana", guest(waiting, KEY).number)
    tables.upkeep.forget(KEY)
    assert_forgotten(tmp_path, NAME, KEY)
    state = lobby(tables.look(waiting.id))
    assert [each.name for each in state.guests] == ["Ana", "Bo"]
    assert state.is_host("ana")
    assert started(tables, state).finished is False


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("start", [False, True])
def test_who_left_long_ago_is_forgotten_there_too(
    tables: Tables, store: Store, tmp_path: Path, removed: bool, start: bool
) -> None:
    waiting = with_stranger(tables, "Ana", "Bo")
    if removed:
        tables.lobbies.remove(waiting.id, "ana", guest(waiting, KEY).number)
    else:
        tables.lobbies.leave(waiting.id, KEY)
    if start:
        started(tables, waiting)
    assert store.owners(waiting.id) == ["ana", "bo"]
    assert tables.upkeep.forget(KEY) == 1
    assert_forgotten(tmp_path, NAME, KEY)
    assert fold(store.read(waiting.id)) == tables.look(waiting.id)


def test_a_table_that_all_have_left_is_forgotten_whole(tables: Tables, tmp_path: Path) -> None:
    waiting = with_stranger(tables, "Ana")
    tables.lobbies.leave(waiting.id, "ana")
    tables.lobbies.leave(waiting.id, KEY)
    assert tables.upkeep.forget(KEY) == 1
    assert_forgotten(tmp_path, NAME, KEY)
    assert not exists(tables, waiting.id)


def test_a_closed_table_is_forgotten(tables: Tables, tmp_path: Path) -> None:
    waiting = with_stranger(tables, "Ana")
    tables.lobbies.close(waiting.id, "ana")
    tables.upkeep.forget(KEY)
    assert_forgotten(tmp_path, NAME, KEY)
    assert names_at(tables, waiting.id) == ["Ana", "N. N."]


OTHER_KEYS = ["0ddba11" * 9, "7e1eph0ne" * 7]


@pytest.mark.parametrize("moved", [0, 1, 2, 3])
def test_all_keys_of_somebody_with_several_devices_are_forgotten(
    tables: Tables, store: Store, tmp_path: Path, moved: int
) -> None:
    waiting = with_stranger(tables, "Ana", "Bo")
    keys = [KEY, *OTHER_KEYS]
    for number in range(3):
        if number == moved:
            started(tables, lobby(tables.look(waiting.id)))
        if number < 2:
            token = tables.company.offer(waiting.id, keys[number])
            tables.company.claim(waiting.id, keys[number + 1], token)
    # A link that others made later is good still.
    token = tables.company.offer(waiting.id, "bo")
    tables.upkeep.forget(keys[-1])
    assert_forgotten(tmp_path, NAME, *keys)
    state = tables.company.claim(waiting.id, "phone of bo", token)
    assert state.owners == {"ana", "phone of bo"}
    assert fold(store.read(waiting.id)) == state


@pytest.mark.parametrize("start", [False, True])
def test_an_old_device_is_forgotten_and_the_place_stays(
    tables: Tables, store: Store, tmp_path: Path, start: bool
) -> None:
    waiting = with_stranger(tables, "Ana", "Bo")
    if start:
        started(tables, waiting)
    tables.company.claim(waiting.id, "phone", tables.company.offer(waiting.id, KEY))
    before = tables.look(waiting.id)
    assert tables.upkeep.forget(KEY) == 1
    assert_forgotten(tmp_path, KEY)
    assert NAME in rows(tmp_path)
    assert tables.look(waiting.id).owners == before.owners == {"ana", "bo", "phone"}
    assert names_at(tables, waiting.id)[2] == NAME
    assert fold(store.read(waiting.id)) == tables.look(waiting.id)
    tables.upkeep.forget("phone")
    assert_forgotten(tmp_path, NAME, KEY)


def test_who_forgets_an_old_device_keeps_the_place_that_came_from_it(
    tables: Tables, tmp_path: Path
) -> None:
    # The device that has the stranger's place now had another one at that time.
    waiting = with_stranger(tables, "Ana")
    first = tables.company.offer(waiting.id, "ana")
    tables.company.claim(waiting.id, "cai", first)
    second = tables.company.offer(waiting.id, KEY)
    tables.company.claim(waiting.id, "ana", second)
    before = [guest.owner for guest in lobby(tables.look(waiting.id)).guests]
    assert before == ["cai", "ana"]
    tables.upkeep.forget(KEY)
    assert [guest.owner for guest in lobby(tables.look(waiting.id)).guests] == before
    assert_forgotten(tmp_path, KEY)
    tables.upkeep.forget("cai")
    assert [guest.owner for guest in lobby(tables.look(waiting.id)).guests] == ["ana"]


def test_who_gave_the_place_away_and_came_again_keeps_nothing(
    tables: Tables, store: Store, tmp_path: Path
) -> None:
    waiting = with_stranger(tables, "Ana", "Bo", "Cai")
    tables.lobbies.leave(waiting.id, "cai")
    tables.company.claim(waiting.id, "phone", tables.company.offer(waiting.id, KEY))
    tables.lobbies.join(waiting.id, "Balthasar", KEY)
    tables.upkeep.forget(KEY)
    assert_forgotten(tmp_path, "Balthasar", KEY)
    assert names_at(tables, waiting.id) == ["Ana", "Bo", NAME]
    assert fold(store.read(waiting.id)) == tables.look(waiting.id)


def test_one_after_the_other_may_be_forgotten(tables: Tables, store: Store, tmp_path: Path) -> None:
    waiting = with_stranger(tables, "Ana", "Bo", "Cai")
    id = started(tables, waiting).id
    token = tables.company.offer(id, KEY)
    tables.company.offer(id, "bo")
    for number, player in enumerate(("bo", KEY, "cai"), 1):
        assert tables.upkeep.forget(player) == 1
        assert sum(name.startswith("N. N.") for name in names_at(tables, id)) == number
        assert fold(store.read(id)) == tables.look(id)
    assert tables.company.offered_name(id, token) is None
    with pytest.raises(ValueError, match="too old"):
        tables.company.claim(id, "phone", token)
    assert tables.upkeep.forget("ana") == 1
    assert not exists(tables, id)


def test_others_of_a_like_name_stay(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo", seats=3)
    tables.lobbies.join(waiting.id, "Ana", "ANA")
    assert tables.upkeep.forget("ANA") == 1
    assert names_at(tables, waiting.id) == ["Ana", "Bo"]
    assert tables.look(waiting.id).owners == {"ana", "bo"}
    assert tables.upkeep.forget("Bo") == 0


def test_what_cannot_be_read_keeps_nobody_from_being_forgotten_elsewhere(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
    store.append(bad.id, bad.number, [{"type": "claimed", "owner": "x", "token": "y"}])
    tables.upkeep.forget("ana")
    assert f"table {bad.id} cannot be read" in caplog.text
    assert names_at(tables, good.id) == ["N. N.", "Bo"]
    assert store.owners(bad.id) == store.owners(good.id) == ["bo"]


def test_a_host_who_starts_at_that_moment_does_not_stop_the_game(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = gathered(tables, "Ana", "Bo", "Cai")
    leave = tables.lobbies.leave

    def start_and_leave(id: str, player: str) -> object:
        started(tables, waiting)
        return leave(id, player)

    monkeypatch.setattr(tables.lobbies, "leave", start_and_leave)
    tables.upkeep.forget("bo")
    assert tables.get(waiting.id).stand_ins == {1: "left"}


def test_a_storage_that_fails_is_told(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreFailed("here", "the disk is full")

    begun(tables, "Ana", "Bo")
    monkeypatch.setattr(tables._journal.store, "amend", fail)
    with pytest.raises(StoreFailed):
        tables.upkeep.forget("ana")


def test_what_is_read_meanwhile_does_not_bring_back_who_was_forgotten(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    id = begun(tables, "Ana", "Bo").id
    fresh = Tables(store, BOTS)
    read = store.read

    def slow_read(log: str, after: int = 0) -> Any:
        events = read(log, after)
        monkeypatch.setattr(store, "read", read)
        fresh.upkeep.forget("ana")  # while the events that were read are not yet folded
        return events

    monkeypatch.setattr(store, "read", slow_read)
    assert "Ana" in [seat.name for seat in fresh.get(id).seats]
    assert [seat.name for seat in fresh.get(id).seats if seat.name == "Ana"] == []
    assert "ana" not in fresh.get(id).owners
