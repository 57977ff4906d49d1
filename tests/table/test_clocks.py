"""The clocks of turns. A second is the shortest time that a turn may have."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kartenkniffel.notation import parse_move
from kartenkniffel.store import Event, Store
from kartenkniffel.table import Seat, Start, Table, Tables
from tests.table.helpers import (
    BOTS,
    Failing,
    begun,
    earlier,
    finished,
    machines,
    people,
    play,
    wait_for,
)

PASS = parse_move("x+0")
FIRST = Start("seat", 0)
NEVER = 600.0
"""A pause after which no bot moves while a test runs."""


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    grace(monkeypatch, 0)


def grace(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr("kartenkniffel.table.clocks.GRACE", timedelta(seconds=seconds))


def opened(tables: Tables, seconds: int, *seats: Seat) -> Table:
    return tables.open([*seats] or people("Ana", "Bo"), FIRST, settings={"clock": seconds})


def stood_in(store: Store, id: str) -> list[Event]:
    return [event for event in store.read(id) if event.body["type"] == "stood_in"]


def is_stood_in(table: Table) -> bool:
    return bool(table.stand_ins)


def test_when_the_time_is_over_a_bot_stands_in_once(store: Store) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        table = opened(tables, 1)
        after = wait_for(tables, table.id, is_stood_in)
        assert (after.stand_ins, after.to_move, after.due) == ({0: "clock"}, 0, None)
        time.sleep(0.2)
    (event,) = stood_in(store, table.id)
    assert 1 <= (event.at - table.turn_began).total_seconds() < 10


def test_then_the_bot_moves_and_the_next_ones_time_runs(store: Store) -> None:
    with Tables(store, BOTS, pause=0) as tables:
        id = opened(tables, 1).id
        table = wait_for(tables, id, lambda table: len(table.stand_ins) == 2)
        assert table.stand_ins == {0: "clock", 1: "clock"}
        assert [event.body["seat"] for event in stood_in(store, id)] == [0, 1]
        wait_for(tables, id, finished)
    assert len(stood_in(store, id)) == 2


def test_who_moves_in_time_plays_on(store: Store) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        id = opened(tables, 1).id
        for _ in range(4):
            time.sleep(0.4)
            play(tables, id, 1)
        assert stood_in(store, id) == []
        wait_for(tables, id, is_stood_in)


def test_a_turn_that_ran_out_while_nobody_served_is_found(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(hours=1)):
        id = begun(tables, "Ana", "Bo", clock=60).id
    for _ in range(2):
        with Tables(store, BOTS, pause=NEVER) as again:
            wait_for(again, id, is_stood_in)
            time.sleep(0.05)
    assert len(stood_in(store, id)) == 1


def test_after_the_start_nobodys_time_is_over_before_a_while(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    grace(monkeypatch, 0.6)
    with earlier(monkeypatch, timedelta(hours=48)):
        old, older = (begun(tables, "Ana", "Bo", clock=86_400).id for _ in range(2))
    before = datetime.now(UTC)
    with Tables(store, BOTS, pause=NEVER) as again:
        again.company.say(old, "bo", "hello")
        fresh = opened(again, 1)
        for id in (old, older, fresh.id):
            wait_for(again, id, is_stood_in)
    for id in (old, older):
        assert (stood_in(store, id)[0].at - before).total_seconds() >= 0.6


def test_the_grace_is_long_enough_to_come_back(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    with earlier(monkeypatch, timedelta(hours=1)):
        id = begun(tables, "Ana", "Bo", clock=30).id
    with Tables(store, BOTS, pause=NEVER) as again:
        time.sleep(0.3)
        play(again, id, 1)
    assert stood_in(store, id) == []


def test_a_turn_that_is_not_over_runs_on_after_a_restart(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        table = opened(tables, 2)
    with Tables(store, BOTS, pause=NEVER) as tables:
        wait_for(tables, table.id, is_stood_in)
    (event,) = stood_in(store, table.id)
    assert 2 <= (event.at - table.turn_began).total_seconds() < 10


def test_no_clock_runs_where_a_bot_plays(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(hours=1)):
        bots = tables.open([*machines("A"), *people("Ana")], FIRST, settings={"clock": 30})
        left = begun(tables, "Ana", "Bo", clock=30)
        tables.company.leave(left.id, "ana")
        none = begun(tables, "Ana", "Bo")
    ids = [bots.id, left.id, none.id]
    assert [tables.get(id).due for id in ids] == [None] * 3
    with Tables(store, BOTS, pause=NEVER):
        time.sleep(0.3)
    assert [len(stood_in(store, id)) for id in ids] == [0, 1, 0]


def test_a_finished_game_has_no_clock(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", clock=30)
    assert table.due == table.turn_began + timedelta(seconds=30)
    assert play(tables, table.id).due is None
    ended = begun(tables, "Ana", seats=2, fill=True, clock=30).id
    assert tables.company.propose(ended, "ana", "end").due is None


@pytest.mark.parametrize("clock", ["30", None, 2.5, [30]])
def test_what_is_no_number_of_seconds_is_no_clock(tables: Tables, clock: Any) -> None:
    table = tables.open(people("Ana"), settings={"clock": clock})
    assert (table.clock, table.due) == (None, None)


def test_who_takes_the_seat_back_has_the_whole_time_again(store: Store) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        id = opened(tables, 1).id
        wait_for(tables, id, is_stood_in)
        table = tables.company.take_back(id, "ana")
        assert table.due == table.changed_at + timedelta(seconds=1)
        wait_for(tables, id, is_stood_in)
    first, second = stood_in(store, id)
    assert (second.at - table.changed_at).total_seconds() >= 1
    assert first.body == second.body


def test_the_owner_may_move_although_the_time_is_over(store: Store) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        id = opened(tables, 1).id
        seen = wait_for(tables, id, is_stood_in)
        table = tables.move(id, 0, PASS, number=seen.number)
    assert (table.stand_ins, table.to_move) == ({}, 1)


def test_nothing_but_a_move_gives_more_time(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", "Cai", clock=30)
    id = table.id
    tables.company.say(id, "ana", "one_moment")
    tables.company.propose(id, "bo", "end")
    tables.company.answer(id, "cai", False)
    tables.company.leave(id, "cai")
    tables.company.take_back(id, "cai")
    tables.company.offer(id, "ana")
    tables.set_pace(id, "none")
    assert tables.get(id).due == table.due
    moved = tables.move(id, 0, PASS)
    assert moved.due == moved.changed_at + timedelta(seconds=30)
    tables.company.propose(id, "ana", "undo")
    tables.company.answer(id, "bo", True)
    undone = tables.company.answer(id, "cai", True)
    assert undone.to_move == 0
    assert undone.due == undone.changed_at + timedelta(seconds=30)


def test_a_turn_that_is_over_by_now_or_not_yet_is_left_alone(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", clock=30)
    assert table.due is not None
    early, late = table.due - timedelta(seconds=1), table.due + timedelta(hours=1)
    assert tables.company.overdue(table.id, table.turn, early) == table
    moved = tables.move(table.id, 0, PASS)
    assert tables.company.overdue(table.id, table.turn, late) == moved
    after = tables.company.overdue(table.id, moved.turn, late)
    assert after.stand_ins == {1: "clock"}
    assert tables.company.overdue(table.id, moved.turn, late) == after


def test_of_two_services_one_lets_a_bot_stand_in(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(hours=1)):
        ids = [begun(tables, "Ana", "Bo", clock=60).id for _ in range(5)]
    with Tables(store, BOTS, pause=NEVER) as one, Tables(store, BOTS, pause=NEVER) as two:
        deadline = time.monotonic() + 20
        while not all(is_stood_in(tables.get(id)) for tables in (one, two) for id in ids):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.1)
    assert [len(stood_in(store, id)) for id in ids] == [1] * 5


def test_when_the_storage_fails_it_is_tried_again(
    tables: Tables,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("kartenkniffel.table.clocks._RETRY_SECONDS", 0.02)
    with earlier(monkeypatch, timedelta(hours=1)):
        id = begun(tables, "Ana", "Bo", clock=60).id
    with Tables(Failing(store, 3), BOTS, pause=NEVER) as again:
        wait_for(again, id, is_stood_in)
    assert caplog.text.count("is looked at again") == 3
    assert "StoreFailed" in caplog.text


def test_a_deleted_table_is_not_waited_for(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with Tables(store, BOTS, pause=NEVER) as tables:
        gone, other = opened(tables, 1).id, opened(tables, 1).id
        tables.delete(gone)
        wait_for(tables, other, is_stood_in)
        time.sleep(0.1)
    assert caplog.text == ""


def test_closing_does_not_wait_for_a_clock(store: Store) -> None:
    tables = Tables(store, BOTS)
    tables.start()
    opened(tables, 86_400)
    begun_at = time.monotonic()
    tables.close()
    assert time.monotonic() - begun_at < 5


def test_a_clock_ends_no_game_although_it_was_only_waited_for_who_is_slow(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", "Cai", clock=30)
    tables.company.propose(table.id, "bo", "end")
    tables.company.answer(table.id, "cai", True)
    assert table.due is not None
    after = tables.company.overdue(table.id, table.turn, table.due)
    assert (after.stand_ins, after.finished) == ({0: "clock"}, False)
    assert tables.company.answer(table.id, "ana", False).proposal is None


@pytest.mark.parametrize("player", ["bo", "cai"])
def test_who_ran_out_of_time_need_not_agree_when_the_others_ask_again(
    tables: Tables, player: str
) -> None:
    table = begun(tables, "Ana", "Bo", "Cai", clock=30)
    tables.company.propose(table.id, "bo", "end")
    tables.company.answer(table.id, "cai", True)
    assert table.due is not None
    tables.company.overdue(table.id, table.turn, table.due)
    # While Ana is there, merely slow, nothing is agreed without her.
    assert not tables.company.propose(table.id, player, "end").ended
    gone = lambda who: who != "ana"  # noqa: E731
    assert tables.company.propose(table.id, player, "end", gone).ended


def test_who_is_slow_but_there_must_agree(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", clock=30)
    assert table.due is not None
    tables.company.overdue(table.id, table.turn, table.due)
    assert not tables.company.propose(table.id, "bo", "end").ended
    assert tables.company.answer(table.id, "ana", True).ended


def test_nobody_stalls_a_clock_by_going_and_coming_back(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", clock=30)
    tables.company.leave(table.id, "ana")
    once = tables.company.take_back(table.id, "ana")
    assert once.due is not None
    assert table.due is not None
    assert once.due > table.due
    tables.company.leave(table.id, "ana")
    assert tables.company.take_back(table.id, "ana").due == once.due
