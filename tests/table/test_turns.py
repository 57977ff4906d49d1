import logging
import random
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from kartenkniffel.bots import LEVELS
from kartenkniffel.notation import Record, parse_move
from kartenkniffel.rules import Move, Score, View
from kartenkniffel.store import Event, Store, StoreFailed
from kartenkniffel.table import Seat, Start, Table, Tables
from tests.table.helpers import (
    BOTS,
    Failing,
    earlier,
    finished,
    levels,
    machines,
    people,
    play,
    simple_move,
    wait_for,
)

DRAW = parse_move("x+1")
FIRST = Start("seat", 0)


def test_bots_play_a_game_to_its_end(running: Tables, store: Store) -> None:
    id = running.open(machines("A", "B", "C")).id
    table = wait_for(running, id, finished)
    assert store.info(id).finished
    assert Record.of(table.game).replay() == table.game
    assert [event.key for event in store.read(id, 1)] == [
        f"bot:{number}" for number in range(1, table.number)
    ]


@pytest.mark.parametrize("level", [name for name in ("easy", "medium") if name in LEVELS])
def test_a_built_in_bot_plays_a_game_to_its_end(
    store: Store, caplog: pytest.LogCaptureFixture, level: str
) -> None:
    with Tables(store, LEVELS, pause=0) as tables:
        id = tables.open(machines("A", "B", level=level)).id
        wait_for(tables, id, finished)
    assert caplog.text == ""


def test_people_and_bots_take_turns(running: Tables) -> None:
    id = running.open([*people("Ana"), *machines("A", "B")], FIRST).id
    for round in range(1, 6):
        table = wait_for(running, id, lambda table: table.to_move == 0 or table.finished)
        assert len(table.game.moves) == 3 * (round - 1)
        running.move(id, 0, simple_move(table), number=table.number)


def test_a_rematch_of_bots_goes_on_by_itself(running: Tables) -> None:
    id = running.open(machines("A")).id
    wait_for(running, id, finished)
    wait_for(running, running.rematch(id).id, finished)


def test_many_tables_go_on_side_by_side(running: Tables) -> None:
    ids = [running.open(machines("A", "B")).id for _ in range(5)]
    for id in ids:
        wait_for(running, id, finished)


def test_before_the_start_no_bot_moves_and_then_it_does(store: Store) -> None:
    tables = Tables(store, BOTS, pause=0)
    id = tables.open([*people("Ana"), *machines("A")], Start("seat", 1)).id
    time.sleep(0.05)
    assert tables.get(id).number == 1
    with tables:
        wait_for(tables, id, lambda table: table.to_move == 1)


def test_after_a_restart_the_game_goes_on(store: Store) -> None:
    with Tables(store, BOTS, pause=0) as tables:
        id = tables.open(machines("A", "B")).id
        wait_for(tables, id, lambda table: table.number >= 10)
    stopped_at = tables.get(id)
    time.sleep(0.05)
    assert tables.get(id) == stopped_at
    assert not stopped_at.finished
    with Tables(store, BOTS, pause=0) as tables:
        table = wait_for(tables, id, finished)
    assert table.game.moves[: len(stopped_at.game.moves)] == stopped_at.game.moves
    assert Record.of(table.game).replay() == table.game


def test_two_services_on_one_store_do_not_move_twice(store: Store) -> None:
    with Tables(store, BOTS, pause=0) as one, Tables(store, BOTS, pause=0) as two:
        ids = [tables.open(machines("A", "B")).id for tables in (one, two)]
        deadline = time.monotonic() + 20
        while not all(one.get(id).finished for id in ids):
            assert time.monotonic() < deadline
            for id in ids:
                one._turns.ask(one.get(id))
                two._turns.ask(two.get(id))
    for id in ids:
        keys = [event.key for event in store.read(id, 1)]
        assert keys == [f"bot:{number}" for number in range(1, len(keys) + 1)]


def test_a_bot_waits_so_that_people_can_follow(store: Store) -> None:
    with Tables(store, BOTS, pause=0.15) as tables:
        id = tables.open(machines("A", "B"), FIRST).id
        wait_for(tables, id, lambda table: table.number >= 4)
    times = [event.at for event in store.read(id)]
    assert all(later - sooner >= timedelta(seconds=0.14) for sooner, later in pairwise(times))


def test_after_a_restart_a_bot_waits_only_for_what_is_left_of_the_pause(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(hours=1)):
        id = Tables(store, BOTS).open([*people("Ana"), *machines("A")], Start("seat", 1)).id
    with Tables(store, BOTS, pause=600) as tables:
        wait_for(tables, id, lambda table: table.number == 2)


def _broken(view: View, rng: random.Random) -> Move:
    raise RuntimeError(f"holding {view.hand}")


@pytest.mark.parametrize(
    ("do", "told"),
    [
        (_broken, "RuntimeError"),
        (lambda view, rng: parse_move("x+9"), "ValueError"),
        (lambda view, rng: None, "ValueError"),
        (lambda view, rng: "x+1", "ValueError"),
    ],
    ids=["raises", "illegal", "nothing", "text"],
)
def test_a_bot_that_fails_makes_a_plain_move_and_the_log_tells_no_hand(
    store: Store,
    caplog: pytest.LogCaptureFixture,
    do: Callable[[View, random.Random], Any],
    told: str,
) -> None:
    with Tables(store, levels(do), pause=0) as tables:
        id = tables.open([*people("Ana"), Seat("Bo", bot="doing")], Start("seat", 1)).id
        table = wait_for(tables, id, lambda table: table.number == 2)
    assert "the bot doing failed and a plain move is made" in caplog.text
    assert told in caplog.text
    assert "holding 1" not in caplog.text + "".join(str(record.args) for record in caplog.records)
    before = Record(table.game.names, table.game.shuffles, ()).replay()
    best = [move for move in before.legal_moves() if isinstance(move, Score)]
    assert table.game.moves[0] in best


def test_a_bot_that_always_fails_still_gets_through_the_game(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    with Tables(store, levels(_broken), pause=0) as tables:
        id = tables.open([*machines("A"), Seat("Bo", bot="doing")]).id
        wait_for(tables, id, finished)


def test_a_level_that_there_is_no_more_makes_plain_moves(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    id = Tables(store, BOTS).open([*people("Ana"), *machines("A")], Start("seat", 1)).id
    with Tables(store, {}, pause=0) as tables:
        wait_for(tables, id, lambda table: table.number == 2)
    assert "KeyError" in caplog.text


def test_R15_a_bot_gets_the_view_of_its_seat_and_no_generator_of_the_tables(store: Store) -> None:
    seen: list[tuple[View, random.Random]] = []

    def look(view: View, rng: random.Random) -> Move:
        seen.append((view, rng))
        return view.legal_moves()[1]

    own = random.Random(1)
    with Tables(store, levels(look), rng=own, pause=0) as tables:
        seats = [*people("Ana"), Seat("Bo", bot="doing")]
        id = tables.open(seats, Start("seat", 1)).id
        wait_for(tables, id, lambda table: table.number == 2)
    ((view, rng),) = seen
    game = Record(("Bo", "Ana"), tables.get(id).game.shuffles, ()).replay()
    assert view == game.view(0)
    assert rng is not own
    assert rng.getstate() != own.getstate()


def test_a_bot_asked_again_for_the_same_move_thinks_once(store: Store) -> None:
    thought: list[int] = []

    def think(view: View, rng: random.Random) -> Move:
        thought.append(len(view.moves))
        return DRAW

    with Tables(store, levels(think), pause=0.1) as tables:
        table = tables.open([*people("Ana"), Seat("Bo", bot="doing")], Start("seat", 1))
        for _ in range(5):
            tables._turns.ask(table)
        wait_for(tables, table.id, lambda table: table.number == 2)
        time.sleep(0.1)
    assert thought == [0]


def test_closing_does_not_wait_for_a_pause(store: Store) -> None:
    tables = Tables(store, BOTS, pause=60)
    tables.start()
    id = tables.open(machines("A"), FIRST).id
    begun = time.monotonic()
    tables.close()
    assert time.monotonic() - begun < 5
    assert tables.get(id).number == 1


def test_closing_does_not_wait_for_a_bot_that_thinks_and_its_move_is_not_made(
    store: Store,
) -> None:
    thinking, enough = threading.Event(), threading.Event()

    def think(view: View, rng: random.Random) -> Move:
        thinking.set()
        enough.wait(10)
        return DRAW

    tables = Tables(store, levels(think), pause=0)
    tables.start()
    id = tables.open([Seat("A", bot="doing")]).id
    assert thinking.wait(10)
    begun = time.monotonic()
    tables.close()
    assert time.monotonic() - begun < 5
    enough.set()
    time.sleep(0.05)
    assert tables.get(id).number == 1


def test_when_the_storage_fails_a_bot_tries_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("kartenkniffel.table.turns.RETRY_SECONDS", 0.02)
    with Tables(Failing(store, 3), BOTS, pause=0) as tables:
        id = tables.open([*people("Ana"), *machines("A")], Start("seat", 1)).id
        wait_for(tables, id, lambda table: table.number == 2)
    assert caplog.text.count("failed and will be tried again: here: the disk is full") == 3


def test_when_the_storage_fails_at_the_start_the_bots_turns_are_found_later(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("kartenkniffel.table.turns.RETRY_SECONDS", 0.02)
    ids = [Tables(store, BOTS).open(machines("A")).id for _ in range(2)]
    read, failures = store.read, iter([StoreFailed("here", "the disk cannot be read")] * 2)

    def fail(log: str, after: int = 0) -> list[Event]:
        for failure in failures:
            raise failure
        return read(log, after)

    with monkeypatch.context() as broken:
        broken.setattr(store, "read", fail)
        with Tables(store, BOTS, pause=0) as tables:
            deadline = time.monotonic() + 20
            while not all(info.finished for info in map(store.info, ids)):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert tables.get(ids[0]).finished
    assert caplog.text.count("the search for the bots' turns failed and will be tried again") == 2


def test_a_damaged_table_does_not_keep_bots_from_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    before = Tables(store, BOTS)
    bad, good = (before.open(machines("A")).id for _ in range(2))
    store.append(bad, 1, [{"type": "joined"}])
    with Tables(store, BOTS, pause=0) as tables:
        wait_for(tables, good, finished)
    assert f"no bot plays at table {bad}" in caplog.text


def test_a_table_deleted_under_a_bot_is_left(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    waiting: list[Callable[[], None]] = []

    def delete(view: View, rng: random.Random) -> Move:
        waiting.pop()()
        return DRAW

    with Tables(store, levels(delete), pause=0.01) as tables:
        id = tables.open([Seat("A", bot="doing")]).id
        waiting.append(lambda: tables.delete(id))
        gone = threading.Event()
        tables.watch(lambda notice: gone.set() if notice.number == 0 else None)
        assert gone.wait(10)
        other = tables.open(machines("B")).id
        wait_for(tables, other, finished)
    assert caplog.text == ""


def test_people_play_on_when_the_bots_are_closed(store: Store) -> None:
    with Tables(store, BOTS) as tables:
        id = tables.open(people("Ana")).id
    table: Table = play(tables, id, 3)
    assert table.number == 4


def test_bots_that_are_skipped_move_at_once_until_a_person_is_to_move(store: Store) -> None:
    with Tables(store, BOTS, pause=30) as tables:
        id = tables.open([*people("Ana"), *machines("A", "B", "C")], FIRST).id
        tables.skip(id)  # nothing to skip
        tables.move(id, 0, DRAW)
        assert tables.get(id).to_move == 1
        tables.skip(id)
        tables.skip(id)
        table = wait_for(tables, id, lambda table: table.to_move == 0, seconds=5)
        assert len(table.game.moves) == 4
        tables.move(id, 0, DRAW)
        time.sleep(0.2)
        assert tables.get(id).to_move == 1


def test_a_game_of_bots_alone_can_be_skipped_to_its_end(store: Store) -> None:
    with Tables(store, BOTS, pause=30) as tables:
        id = tables.open(machines("A", "B")).id
        tables.skip(id)
        wait_for(tables, id, finished, seconds=10)


def test_another_pace_counts_at_once(store: Store) -> None:
    with Tables(store, BOTS, pause=30) as tables:
        id = tables.open([*people("Ana"), *machines("A")], FIRST, settings={"pace": "slow"}).id
        tables.move(id, 0, DRAW)
        assert tables.set_pace(id, "none").to_move == 1
        wait_for(tables, id, lambda table: table.to_move == 0, seconds=5)
