"""What every storage must do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from kartenkniffel.store import (
    Conflict,
    Event,
    LogExists,
    Store,
    StoreClosed,
    StoreError,
    UnknownLog,
)
from tests.store.conftest import Storage
from tests.store.threads import together


def bodies(events: list[Event]) -> list[Any]:
    return [event.body for event in events]


def _append_after(store: Store, after: int, thread: int) -> list[Event]:
    return store.append("a", after, [{"by": thread}])


def test_events_are_numbered_from_1_and_read_as_they_were_written(store: Store) -> None:
    made = store.create("a", "table", [], [{"x": 1}, {"x": [True, None, "ß"]}])
    made += store.append("a", 2, [{"x": {"y": 2.5}}])
    assert [event.number for event in made] == [1, 2, 3]
    assert store.read("a") == made
    assert store.read("a", after=2) == made[2:]
    assert store.read("a", after=3) == []


def test_times_are_utc_and_of_now(store: Store) -> None:
    (event,) = store.create("a", "table", [], [{}])
    assert event.at.tzinfo is UTC
    assert abs(event.at - datetime.now(UTC)) < timedelta(minutes=1)
    assert store.read("a")[0].at == store.info("a").created == event.at


def test_events_survive_closing(storage: Storage) -> None:
    first = storage.open()
    made = first.create("a", "table", ["ana"], [{"x": 1}], "k")
    first.close()
    again = storage.open()
    assert again.read("a") == made
    assert again.append("a", 1, [{}])[0].number == 2


def test_a_log_that_moved_on_is_a_conflict_and_nothing_is_written(store: Store) -> None:
    store.create("a", "table", [], [{}])
    store.append("a", 1, [{}])
    for after in (0, 1, 3):
        with pytest.raises(Conflict, match=f"log a is at event 2, not {after}") as caught:
            store.append("a", after, [{}, {}])
        assert (caught.value.log, caught.value.after, caught.value.last) == ("a", after, 2)
    assert len(store.read("a")) == store.info("a").last == 2


def test_of_two_threads_that_append_after_the_same_event_one_wins(store: Store) -> None:
    store.create("a", "table", [], [{}])
    for _ in range(20):
        after = store.info("a").last
        results = together(2, partial(_append_after, store, after))
        assert sum(isinstance(result, Conflict) for result in results) == 1
    assert [event.number for event in store.read("a")] == list(range(1, 22))


def test_a_key_is_done_once(store: Store) -> None:
    store.create("a", "table", [], [{}])
    done = store.append("a", 1, [{"x": 1}, {"x": 2}], "k")
    store.append("a", 3, [{"x": 3}])
    for after in (1, 3, 4):
        assert store.append("a", after, [{"x": 9}], "k", finished=True) == done
    assert store.made("a", "k") == done
    assert store.made("a", "other") == []
    assert not store.info("a").finished
    assert bodies(store.read("a", 1)) == [{"x": 1}, {"x": 2}, {"x": 3}]


def test_a_key_counts_in_its_own_log_only(store: Store) -> None:
    for log in ("a", "b"):
        store.create(log, "table", [], [{}])
        assert store.append(log, 1, [{"in": log}], "k")[0].body == {"in": log}


def test_of_twenty_threads_with_the_same_key_one_event_comes(store: Store) -> None:
    store.create("a", "table", [], [{}])
    results = together(20, lambda n: store.append("a", 1, [{"by": n}], "k"))
    assert len(store.read("a")) == 2
    assert results == [store.read("a", 1)] * 20


def test_a_key_makes_one_log(store: Store) -> None:
    results = together(20, lambda n: store.create(f"log-{n}", "table", [], [{"by": n}], "k"))
    (event,) = results[0]
    assert all(result == [event] for result in results)
    assert store.read(event.log) == [event]
    assert len(store.unfinished("table")) == 1


def test_an_id_is_taken_once(store: Store) -> None:
    store.create("a", "table", [], [{}], "k")
    with pytest.raises(LogExists, match="there is a log a already"):
        store.create("a", "table", [], [{}], "other")


def test_threads_on_logs_of_their_own_do_not_meet(storage: Storage) -> None:
    store = storage.open()

    def write(thread: int) -> None:
        store.create(f"log-{thread}", "table", [], [{}])
        for after in range(1, 30):
            store.append(f"log-{thread}", after, [{"thread": thread, "after": after}])

    assert together(12, write) == [None] * 12
    store.close()
    again = storage.open()
    for thread in range(12):
        expected = [{"thread": thread, "after": after} for after in range(1, 30)]
        assert bodies(again.read(f"log-{thread}", 1)) == expected


def test_one_in_a_crowd_who_conflicts_spoils_nobody(store: Store) -> None:
    for n in range(20):
        store.create(f"log-{n}", "table", [], [{}])
    results = together(20, lambda n: store.append(f"log-{n}", n % 2, [{}]))
    assert [isinstance(result, Conflict) for result in results] == [True, False] * 10
    assert [store.info(f"log-{n}").last for n in range(20)] == [1, 2] * 10


def test_an_owners_logs_come_unfinished_first_then_changed_last(store: Store) -> None:
    for log, owners in (("a", ["ana", "bo"]), ("b", ["ana"]), ("c", ["ana", "ana"]), ("d", ["bo"])):
        store.create(log, "table", owners, [{}])
    store.create("pad", "pad", ["ana"], [{}])
    store.append("c", 1, [{}], finished=True)
    store.append("a", 1, [{}])
    assert [log.id for log in store.logs("ana", "table")] == ["a", "b", "c"]
    assert [log.id for log in store.logs("ana", "table", limit=2)] == ["a", "b"]
    assert [log.id for log in store.logs("bo", "table")] == ["a", "d"]
    assert [log.id for log in store.logs("ana", "pad")] == ["pad"]
    assert store.logs("nobody", "table") == []


def test_what_is_known_of_a_log_follows_its_events(store: Store) -> None:
    (first,) = store.create("a", "table", [], [{}])
    info = store.info("a")
    assert (info.id, info.kind, info.last, info.finished) == ("a", "table", 1, False)
    assert info.created == info.changed == first.at
    (second,) = store.append("a", 1, [{}], finished=True)
    info = store.info("a")
    assert (info.last, info.finished) == (2, True)
    assert (info.created, info.changed) == (first.at, second.at)
    store.append("a", 2, [{}])
    assert store.info("a").finished
    store.append("a", 3, [{}], finished=False)
    assert not store.info("a").finished


def test_unfinished_logs_of_a_kind_are_found_the_oldest_first(store: Store) -> None:
    for log in ("c", "a", "b"):
        store.create(log, "table", [], [{}])
    store.create("pad", "pad", [], [{}])
    store.create("done", "table", [], [{}], finished=True)
    store.append("a", 1, [{}], finished=True)
    store.append("c", 1, [{}])
    assert [log.id for log in store.unfinished("table")] == ["c", "b"]


def test_a_deleted_log_is_gone_and_its_key_free(store: Store) -> None:
    store.create("a", "table", ["ana"], [{}], "k")
    store.create("b", "table", ["ana"], [{}])
    store.delete("a")
    store.delete("a")
    assert [log.id for log in store.logs("ana", "table")] == ["b"]
    assert store.made("a", "k") == []
    assert store.create("a", "table", ["ana"], [{}], "k")[0].number == 1


def test_a_log_there_is_not_is_unknown(store: Store) -> None:
    asks: list[Callable[[], object]] = [
        lambda: store.read("a"),
        lambda: store.info("a"),
        lambda: store.append("a", 0, [{}]),
        lambda: store.append("a", 0, [{}], "k"),
    ]
    for ask in asks:
        with pytest.raises(UnknownLog, match="there is no log a"):
            ask()


@pytest.mark.parametrize("bad", [[], [{"x": float("nan")}], [{"x": object()}], [{}, {"x": {1}}]])
def test_what_is_not_json_is_refused_and_nothing_is_written(
    store: Store, bad: list[dict[str, object]]
) -> None:
    store.create("a", "table", [], [{}])
    with pytest.raises((ValueError, TypeError)):
        store.append("a", 1, bad)
    with pytest.raises((ValueError, TypeError)):
        store.create("b", "table", [], bad)
    assert store.info("a").last == 1
    assert len(store.unfinished("table")) == 1


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_names_too_short_or_too_long_are_refused(store: Store, name: str) -> None:
    store.create("a", "table", [], [{}])
    with pytest.raises(ValueError, match="1 to 200 characters"):
        store.create(name, "table", [], [{}])
    with pytest.raises(ValueError, match="1 to 200 characters"):
        store.create("b", "table", [name], [{}])
    with pytest.raises(ValueError, match="1 to 200 characters"):
        store.append("a", 1, [{}], name)


def test_a_closed_store_says_so(store: Store) -> None:
    store.create("a", "table", [], [{}])
    store.close()
    store.close()
    asks: list[Callable[[], object]] = [
        lambda: store.read("a"),
        lambda: store.append("a", 1, [{}]),
    ]
    for ask in asks:
        with pytest.raises(StoreClosed, match="the storage is closed"):
            ask()


def test_closing_waits_for_what_is_being_written(storage: Storage) -> None:
    store = storage.open()
    for n in range(8):
        store.create(f"log-{n}", "table", [], [{}])

    def write(n: int) -> int:
        after = 1
        while True:
            try:
                store.append(f"log-{n}", after, [{}])
            except StoreClosed:
                return after
            after += 1
            if n == 0 and after == 20:
                store.close()

    written = together(8, write)
    again = storage.open()
    assert [again.info(f"log-{n}").last for n in range(8)] == written


def test_every_error_is_one_sentence_and_a_value_error() -> None:
    for error in (UnknownLog("a"), LogExists("a"), Conflict("a", 1, 2), StoreClosed()):
        assert isinstance(error, ValueError)
        assert isinstance(error, StoreError)
        assert "\n" not in str(error)


# Owners come and go, and what is old


def owned(store: Store, owner: str) -> list[str]:
    return [info.id for info in store.logs(owner, "table")]


def test_owners_join_and_part_in_the_step_that_says_so(store: Store) -> None:
    store.create("a", "table", ["ana"], [{"x": 1}])
    store.append("a", 1, [{"x": 2}], joining=["bo", "ana", "bo"])
    assert (store.owners("a"), owned(store, "bo")) == (["ana", "bo"], ["a"])
    with pytest.raises(Conflict):
        store.append("a", 1, [{"x": 3}], joining=["cai"], parting=["bo"])
    assert store.owners("a") == ["ana", "bo"]
    store.append("a", 2, [{"x": 3}], joining=["cai"], parting=["bo", "nobody"])
    assert (store.owners("a"), owned(store, "bo")) == (["ana", "cai"], [])


def test_a_key_used_again_changes_no_owners(store: Store) -> None:
    store.create("a", "table", ["ana"], [{"x": 1}])
    store.append("a", 1, [{"x": 2}], "k", joining=["bo"])
    store.part("a", "bo")
    store.append("a", 2, [{"x": 2}], "k", joining=["bo"])
    assert store.owners("a") == ["ana"]


def test_somebody_who_parts_leaves_the_events(store: Store) -> None:
    store.create("a", "table", ["ana", "bo"], [{"x": 1}])
    for _ in range(2):
        store.part("a", "ana")
        store.part("nowhere", "ana")
        assert (store.owners("a"), bodies(store.read("a"))) == (["bo"], [{"x": 1}])
    assert store.owners("nowhere") == []


def test_finished_logs_are_listed_by_their_age(store: Store) -> None:
    for id, finished in (("a", True), ("b", False), ("c", True)):
        store.create(id, "table", [], [{}], finished=finished)
    store.create("d", "other", [], [{}], finished=True)
    now = datetime.now(UTC)
    assert [info.id for info in store.finished("table", now + timedelta(seconds=1))] == ["a", "c"]
    assert store.finished("table", now - timedelta(minutes=1)) == []


def test_amended_events_keep_their_number_time_and_key(store: Store) -> None:
    before = store.create("a", "table", [], [{"name": "Ana"}, {"x": 1}], "k")
    store.create("b", "table", [], [{"name": "Ana"}])
    store.amend("a", {1: {"name": "N. N."}})
    after = store.read("a")
    assert bodies(after) == [{"name": "N. N."}, {"x": 1}]
    assert [(e.number, e.at, e.key) for e in after] == [(e.number, e.at, e.key) for e in before]
    assert bodies(store.read("b")) == [{"name": "Ana"}]


# Who is to be forgotten


def test_logs_are_found_by_what_their_events_name(store: Store) -> None:
    store.create("a", "table", ["x"], [{"name": "Ana"}, {"seats": [{"owner": 'b"%_\\'}]}])
    store.create("b", "table", [], [{"name": "Anabel"}])
    store.create("c", "table", [], [{}])
    store.append("c", 1, [{"said": [1, "Ana"]}])
    store.create("d", "other", [], [{"name": "Ana"}])
    assert [info.id for info in store.mentioning("Ana", "table")] == ["a", "c"]
    assert [info.id for info in store.mentioning('b"%_\\', "table")] == ["a"]
    for text in ("An", "%", "A_a", "x", "", "b"):
        assert store.mentioning(text, "table") == []


def test_after_a_purge_all_is_still_there_that_is_to_be(store: Store) -> None:
    store.create("a", "table", ["ana"], [{"name": "Ana"}])
    store.purge()
    store.append("a", 1, [{"x": 2}])
    store.purge()
    assert bodies(store.read("a")) == [{"name": "Ana"}, {"x": 2}]
