import json
import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kartenkniffel.notation import load_record, parse_move
from kartenkniffel.rules import FULL_DECK, HouseRules
from kartenkniffel.store import Store, StoreFailed
from kartenkniffel.table import (
    Lobby,
    Seat,
    Start,
    Table,
    Tables,
    UnknownCode,
    UnknownTable,
    fold,
)
from kartenkniffel.table.bodies import to_body
from kartenkniffel.table.events import Moved, Opened, TableEvent
from kartenkniffel.table.state import MOST_TALK
from tests.table.helpers import (
    BOTS,
    begun,
    finished,
    gathered,
    guest,
    lobby,
    machines,
    people,
    play,
    wait_for,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")
NAME = "Zacharias"
KEY = "5ec2e7a9" * 8
"""A name and a player id that would stand out among other bytes."""


@contextmanager
def days_ago(monkeypatch: pytest.MonkeyPatch, days: float) -> Iterator[None]:
    """Whatever is stored meanwhile bears an older time."""

    def now(zone: tzinfo) -> datetime:
        return datetime.now(zone) - timedelta(days=days)

    with monkeypatch.context() as before:
        before.setattr("kartenkniffel.store.statements.datetime", SimpleNamespace(now=now))
        yield


def exists(tables: Tables, id: str) -> bool:
    try:
        tables.look(id)
    except UnknownTable:
        return False
    return True


# Taking away


def test_all_that_is_kept_can_be_taken_away(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    done = begun(tables, "Bo", "Ana")
    for _ in range(MOST_TALK + 1):
        tables.company.say(done.id, "ana", "hello")
    tables.company.say(done.id, "bo", "thanks")
    played = play(tables, done.id)
    running = begun(tables, "Ana", "Bo")
    tables.move(running.id, 0, DRAW)
    gathered(tables, "Cai")
    told = {each["table"]: each for each in tables.upkeep.export("ana")}
    assert set(told) == {waiting.id, done.id, running.id}
    assert told[waiting.id] | {"opened": "", "changed": ""} == {
        "table": waiting.id,
        "opened": "",
        "changed": "",
        "state": "waiting",
        "name": "Ana",
        "players": ["Ana", "Bo"],
    }
    assert load_record(json.dumps(told[done.id]["record"]).encode()).replay() == played.game
    assert (told[done.id]["state"], told[done.id]["said"]) == (
        "finished",
        ["hello"] * (MOST_TALK + 1),
    )
    assert (told[done.id]["seats"], told[done.id]["names"]) == ([1], ["Ana"])
    (view,) = told[running.id]["views"]
    assert view["seat"] == 0
    assert view["hand"] == str(tables.get(running.id).game.hands[0])
    assert "record" not in told[running.id]
    assert json.loads(json.dumps(list(told.values()))) == list(told.values())
    assert tables.upkeep.export("nobody") == []


def test_a_table_that_was_given_up_is_not_said_to_wait(tables: Tables) -> None:
    id = gathered(tables, "Ana", "Bo").id
    tables.lobbies.close(id, "ana")
    assert [each["state"] for each in tables.upkeep.export("bo")] == ["closed"]


def test_of_a_shared_device_all_own_seats_are_told(tables: Tables) -> None:
    seats = [Seat("Ana", owner="home"), Seat("Eve", owner="eve"), Seat("Bo", owner="home")]
    tables.open(seats, Start("seat", 0))
    (told,) = tables.upkeep.export("home")
    assert [view["seat"] for view in told["views"]] == told["seats"] == [0, 2]
    (told,) = tables.upkeep.export("eve")
    assert [view["seat"] for view in told["views"]] == [1]


def test_what_cannot_be_read_does_not_keep_the_rest(tables: Tables, store: Store) -> None:
    bad, good = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
    store.append(bad.id, bad.number, [{"type": "danced"}])
    assert [each["table"] for each in tables.upkeep.export("ana")] == [good.id]


def _kept(store: Store, id: str, shuffle: str) -> None:
    """A game of two, as a log, of which the first has drawn the card at place 10."""
    opened = Opened(
        tuple(people("Ana", "Bo")), Start("seat", 0), (0, 1), shuffle, HouseRules(False)
    )
    moves = [Moved(0, DRAW), Moved(1, PASS), Moved(0, PASS)]
    events: list[TableEvent] = [opened, *moves]
    store.create(id, "table", ["ana", "bo"], [to_body(event) for event in events])


@pytest.mark.parametrize("seed", range(5))
def test_R15_of_a_running_game_only_what_the_own_seat_knows_is_told(
    tables: Tables, store: Store, seed: int
) -> None:
    rng = random.Random(seed)
    first = list("".join(str(value) for value in FULL_DECK))
    rng.shuffle(first)
    known = {0, 2, 4, 6, 8, 10}
    hidden = [place for place in range(108) if place not in known]
    second = list(first)
    for place, other in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
        second[place] = first[other]
    assert first != second
    for id, shuffle in (("one", first), ("two", second)):
        _kept(store, id, "".join(shuffle))
        table = tables.company.say(id, "bo", "hello")
        tables.company.propose(id, "ana", "undo")
        tables.company.answer(id, "bo", True)
        assert tables.company.leave(id, "bo").number == table.number + 4
    told = {each.pop("table"): each for each in tables.upkeep.export("ana")}
    for each in told.values():
        del each["opened"], each["changed"]
    assert told["one"] == told["two"]
    theirs = {each["table"]: each["views"] for each in tables.upkeep.export("bo")}
    assert tables.get("one").game.hands[1] != tables.get("two").game.hands[1]
    assert theirs["one"] != theirs["two"]


# To be forgotten


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
    assert fold_names(tables, waiting.id) == ["Ana", "N. N."]


def fold_names(tables: Tables, id: str) -> list[str]:
    state = tables.look(id)
    return [each.name for each in (state.guests if isinstance(state, Lobby) else state.seats)]


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
    assert fold_names(tables, waiting.id)[2] == NAME
    assert fold(store.read(waiting.id)) == tables.look(waiting.id)
    tables.upkeep.forget("phone")
    assert_forgotten(tmp_path, NAME, KEY)


def test_who_gave_the_place_away_and_came_again_keeps_nothing(
    tables: Tables, store: Store, tmp_path: Path
) -> None:
    waiting = with_stranger(tables, "Ana", "Bo", "Cai")
    tables.lobbies.leave(waiting.id, "cai")
    tables.company.claim(waiting.id, "phone", tables.company.offer(waiting.id, KEY))
    tables.lobbies.join(waiting.id, "Balthasar", KEY)
    tables.upkeep.forget(KEY)
    assert_forgotten(tmp_path, "Balthasar", KEY)
    assert fold_names(tables, waiting.id) == ["Ana", "Bo", NAME]
    assert fold(store.read(waiting.id)) == tables.look(waiting.id)


def test_one_after_the_other_may_be_forgotten(tables: Tables, store: Store, tmp_path: Path) -> None:
    waiting = with_stranger(tables, "Ana", "Bo", "Cai")
    id = started(tables, waiting).id
    token = tables.company.offer(id, KEY)
    tables.company.offer(id, "bo")
    for number, player in enumerate(("bo", KEY, "cai"), 1):
        assert tables.upkeep.forget(player) == 1
        assert fold_names(tables, id).count("N. N.") == number
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
    assert fold_names(tables, waiting.id) == ["Ana", "Bo"]
    assert tables.look(waiting.id).owners == {"ana", "bo"}
    assert tables.upkeep.forget("Bo") == 0


def test_what_cannot_be_read_keeps_nobody_from_being_forgotten_elsewhere(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
    store.append(bad.id, bad.number, [{"type": "claimed", "owner": "x", "token": "y"}])
    tables.upkeep.forget("ana")
    assert f"table {bad.id} cannot be read" in caplog.text
    assert fold_names(tables, good.id) == ["N. N.", "Bo"]
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


# Off the list


def test_a_table_of_nobody_else_is_deleted(tables: Tables) -> None:
    id = begun(tables, "Ana", seats=2, fill=True).id
    tables.upkeep.drop(id, "bo")
    assert exists(tables, id)
    tables.upkeep.drop(id, "ana")
    tables.upkeep.drop(id, "ana")
    assert not exists(tables, id)


def test_a_table_of_several_goes_off_one_list_only(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    before = play(tables, id)
    tables.upkeep.drop(id, "ana")
    assert tables.of_player("ana") == []
    assert [summary.id for summary in tables.of_player("bo")] == [id]
    assert tables.get(id) == before
    tables.upkeep.drop(id, "bo")
    assert not exists(tables, id)


def test_a_running_game_off_the_list_goes_on(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.upkeep.drop(id, "ana")
    table = tables.get(id)
    assert table.stand_ins == {0: "left"}
    assert table.owners == {"ana", "bo"}
    assert fold_names(tables, id) == ["Ana", "Bo"]


def test_a_table_that_waits_off_the_list_is_left(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    tables.upkeep.drop(waiting.id, "ana")
    assert fold_names(tables, waiting.id) == ["Bo"]
    assert lobby(tables.look(waiting.id)).is_host("bo")


def test_a_damaged_table_can_be_taken_off_the_list(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = begun(tables, "Ana", "Bo")
    store.append(table.id, table.number, [{"type": "danced"}])
    tables.upkeep.drop(table.id, "ana")
    assert store.owners(table.id) == ["bo"]
    assert "is left as it is" in caplog.text


# Clearing


def test_what_is_finished_or_never_began_is_cleared_by_its_age(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_kinds() -> dict[str, str]:
        done, ended = begun(tables, "Ana", "Bo"), begun(tables, "Ana", seats=2, fill=True)
        play(tables, done.id)
        tables.company.propose(ended.id, "ana", "end")
        closed = gathered(tables, "Ana")
        tables.lobbies.close(closed.id, "ana")
        running = begun(tables, "Ana", "Bo")
        tables.move(running.id, 0, DRAW)
        waiting = gathered(tables, "Ana", listed=True)
        return {
            "done": done.id,
            "ended": ended.id,
            "closed": closed.id,
            "running": running.id,
            "waiting": waiting.id,
        }

    with days_ago(monkeypatch, 30):
        old = all_kinds()
    new = all_kinds()
    told: list[tuple[str, int]] = []
    tables.watch(lambda notice: told.append((notice.table, notice.number)))
    assert tables.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 4
    assert [kind for kind, id in old.items() if exists(tables, id)] == ["running"]
    assert all(exists(tables, id) for id in new.values())
    assert sorted(told) == sorted((id, 0) for kind, id in old.items() if kind != "running")
    assert [each.id for each in tables.lobbies.waiting()] == [new["waiting"]]
    codes = [info.id for info in store.unfinished("code")]
    assert codes == [f"code-{lobby(tables.look(new['waiting'])).code}"]
    assert play(tables, old["running"]).finished


def test_an_old_table_at_which_something_happened_lately_stays_and_its_code_too(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days_ago(monkeypatch, 30):
        old = gathered(tables, "Ana", seats=3)
        orphan = gathered(tables, "Bo", seats=3)
    store.delete(orphan.id)
    state = tables.lobbies.join(old.id, "Cai", "cai")
    done = begun(tables, "Ana", "Bo").id
    play(tables, done)
    again = Tables(store, BOTS)
    assert again.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 0
    assert again.lobbies.find(old.code) == state
    assert [info.id for info in store.unfinished("code")] == [f"code-{old.code}"]
    with pytest.raises(UnknownCode):
        again.lobbies.find(orphan.code)


def test_a_damaged_table_is_not_cleared_unless_it_is_finished(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days_ago(monkeypatch, 30):
        running, done = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
        for table, over in ((running, False), (done, True)):
            store.append(table.id, table.number, [{"type": "danced"}], finished=over)
    assert tables.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 1
    assert store.info(running.id).last == 4


def test_a_service_clears_by_its_setting(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with days_ago(monkeypatch, 30):
        old = gathered(tables, "Ana").id
        kept = begun(tables, "Ana", "Bo").id
    with Tables(store, BOTS):
        pass
    assert exists(tables, old)
    gone = wait_until_gone(store, old)
    assert gone
    assert exists(tables, kept)


def wait_until_gone(store: Store, id: str) -> bool:
    gone = threading.Event()
    service = Tables(store, BOTS, keep=timedelta(days=7))
    service.watch(lambda notice: gone.set() if (notice.table, notice.number) == (id, 0) else None)
    with service:
        return gone.wait(10)
