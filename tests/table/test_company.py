import threading
import time
from collections.abc import Callable

import pytest

from kartenkniffel.notation import Record, parse_move
from kartenkniffel.rules import Move, View
from kartenkniffel.store import Store
from kartenkniffel.table import (
    EMOJI,
    PHRASES,
    MovedOn,
    NotSeated,
    Seat,
    Start,
    StillHere,
    Table,
    Tables,
    fold,
)
from kartenkniffel.table.state import MOST_TALK
from tests.store.threads import together
from tests.table.helpers import (
    BOTS,
    begun,
    finished,
    kinds,
    levels,
    machines,
    nobody,
    people,
    play,
    wait_for,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


# Talk


def test_what_is_said_is_heard_by_all(tables: Tables, store: Store) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.say(id, "bo", "hello")
    table = tables.company.say(id, "ana", EMOJI[0])
    assert [(spoken.seat, spoken.phrase) for spoken in table.talk] == [(1, "hello"), (0, EMOJI[0])]
    assert [spoken.number for spoken in table.talk] == [4, 5]
    assert fold(store.read(id)) == table


@pytest.mark.parametrize("phrase", ["", "Hello", "hello there", "<b>", "\U0001f595", "hello\0"])
def test_only_what_is_on_the_list_can_be_said(tables: Tables, phrase: str) -> None:
    id = begun(tables, "Ana", "Bo").id
    with pytest.raises(ValueError, match="cannot be said here"):
        tables.company.say(id, "ana", phrase)
    assert tables.get(id).talk == ()


def test_what_is_said_once_is_heard_once(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    together(6, lambda _: tables.company.say(id, "ana", "hello", "k"))
    tables.company.say(id, "ana", "hello", "k" * 500)
    tables.company.say(id, "bo", "hello", "k")
    assert [spoken.seat for spoken in tables.get(id).talk] == [0, 0, 1]


def test_only_the_last_words_are_remembered(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    said = [PHRASES[n % len(PHRASES)] for n in range(MOST_TALK + 5)]
    for phrase in said:
        tables.company.say(id, "ana", phrase)
    assert [spoken.phrase for spoken in tables.get(id).talk] == said[5:]


def test_after_the_game_people_may_still_talk(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    play(tables, id)
    assert tables.company.say(id, "bo", "again").talk[-1].phrase == "again"


def test_talk_makes_no_move_stale(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    tables.company.say(table.id, "bo", "hello")
    after = tables.move(table.id, 0, DRAW, number=table.number)
    with pytest.raises(MovedOn):
        tables.move(table.id, 1, DRAW, number=table.number)
    tables.company.propose(table.id, "ana", "end")
    assert tables.move(table.id, 1, DRAW, number=after.number).to_move == 0


def test_a_bot_that_thinks_while_people_talk_moves_once(store: Store) -> None:
    thinking, enough = threading.Event(), threading.Event()
    thought: list[int] = []

    def think(view: View, rng: object) -> Move:
        thought.append(len(view.moves))
        thinking.set()
        assert enough.wait(10)
        return DRAW

    with Tables(store, levels(think), pause=0) as tables:
        id = tables.open([*people("Ana"), Seat("B", bot="doing")], Start("seat", 1)).id
        assert thinking.wait(10)
        for phrase in PHRASES:
            tables.company.say(id, "ana", phrase)
        enough.set()
        table = wait_for(tables, id, lambda table: table.to_move == 1)
    assert table.game.moves == (DRAW,)
    assert thought == [0]


def test_talk_does_not_put_a_bots_turn_off(store: Store) -> None:
    with Tables(store, BOTS, pause=0.3) as tables:
        table = tables.open([*people("Ana"), *machines("B")], Start("seat", 1))
        deadline = time.monotonic() + 10
        while not tables.get(table.id).game.moves:
            assert time.monotonic() < deadline
            tables.company.say(table.id, "ana", "your_turn")
            time.sleep(0.02)
    events = store.read(table.id)
    (moved,) = [event for event in events if event.body["type"] == "moved"]
    assert (moved.at - table.turn_began).total_seconds() >= 0.29
    assert moved.number > 3


# Strangers


def test_a_stranger_does_nothing(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    tables.move(table.id, 0, PASS)
    company, id = tables.company, table.id
    acts: list[Callable[[], object]] = [
        lambda: company.say(id, "cai", "hello"),
        lambda: company.propose(id, "cai", "end"),
        lambda: company.propose(id, "cai", "undo"),
        lambda: company.answer(id, "cai", True),
        lambda: company.stand_in(id, "cai", 0, nobody),
        lambda: company.leave(id, "cai"),
        lambda: company.take_back(id, "cai"),
        lambda: company.offer(id, "cai"),
    ]
    for act in acts:
        with pytest.raises(NotSeated):
            act()
    assert tables.get(id).number == table.number + 1


# Absence


def test_a_bot_stands_in_for_who_is_gone(tables: Tables, store: Store) -> None:
    table = begun(tables, "Ana", "Bo")
    after = tables.company.stand_in(table.id, "ana", 1, nobody)
    assert (after.bot_at(0), after.bot_at(1)) == (None, "simple")
    assert after.stand_ins == {1: "gone"}
    assert tables.company.stand_in(table.id, "ana", 1, nobody) == after
    assert fold(store.read(table.id)) == after


def test_who_is_there_is_never_declared_gone(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    with pytest.raises(StillHere):
        tables.company.stand_in(table.id, "ana", 1, "bo".__eq__)
    with pytest.raises(StillHere):
        tables.company.stand_in(table.id, "ana", 0, nobody)
    assert tables.get(table.id) == table


def test_nobody_stands_in_for_a_bot_nor_where_no_seat_is(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo", seats=3, fill=True)
    for seat in (-1, 2, 3):
        assert tables.company.stand_in(table.id, "ana", seat, nobody) == table


def test_nobody_stands_in_once_the_game_is_over(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    table = play(tables, id)
    assert tables.company.stand_in(id, "ana", 1, nobody) == table
    assert tables.company.leave(id, "bo") == table
    assert tables.company.take_back(id, "bo") == table


def test_one_goes_and_the_game_goes_on_and_one_comes_back(running: Tables, store: Store) -> None:
    id = begun(running, "Ana", "Bo").id
    running.company.leave(id, "bo")
    for _ in range(3):
        table = wait_for(running, id, lambda table: table.to_move == 0)
        running.move(id, 0, DRAW, number=table.number)
    table = running.company.take_back(id, "bo")
    assert table.stand_ins == {}
    assert running.company.take_back(id, "bo").number == table.number
    if table.to_move == 0:
        running.move(id, 0, DRAW)
    time.sleep(0.1)
    assert running.get(id).to_move == 1


def test_who_leaves_twice_has_left_once(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.stand_in(id, "ana", 1, nobody)
    left = tables.company.leave(id, "bo")
    assert left.stand_ins == {1: "left"}
    assert tables.company.leave(id, "bo") == left


def test_an_owner_moves_while_a_bot_stands_in(tables: Tables, store: Store) -> None:
    table = begun(tables, "Ana", "Bo")
    tables.company.leave(table.id, "ana")
    after = tables.move(table.id, 0, DRAW, number=table.number, key="k")
    assert (after.to_move, after.stand_ins) == (1, {})
    assert kinds(store, table.id, table.number) == ["stood_in", "took_back", "moved"]
    assert tables.move(table.id, 0, DRAW, number=table.number, key="k") == after


def test_a_bot_whose_seat_was_taken_back_is_not_heard(store: Store) -> None:
    thinking, enough = threading.Event(), threading.Event()

    def think(view: View, rng: object) -> Move:
        thinking.set()
        assert enough.wait(10)
        return DRAW

    with Tables(store, levels(think), pause=0) as tables:
        id = begun(tables, "Ana", "Bo", level="doing").id
        tables.company.leave(id, "ana")
        assert thinking.wait(10)
        tables.company.take_back(id, "ana")
        enough.set()
        time.sleep(0.1)
        assert tables.get(id).game.moves == ()
        assert tables.move(id, 0, PASS).game.moves == (PASS,)


def test_who_comes_and_goes_while_a_bot_thinks_does_not_stop_the_game(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids: list[str] = []
    thought: list[int] = []

    def think(view: View, rng: object) -> Move:
        thought.append(len(view.moves))
        if len(thought) == 1:
            tables.company.take_back(ids[0], "ana")
        return DRAW

    with Tables(store, levels(think), pause=0) as tables:
        make = tables._turns._make

        def make_and_leave(table: Table, seat: int, move: Move) -> object:
            make(table, seat, move)
            return tables.company.leave(ids[0], "ana") if len(thought) == 1 else None

        monkeypatch.setattr(tables._turns, "_make", make_and_leave)
        ids.append(begun(tables, "Ana", "Bo", level="doing").id)
        tables.company.leave(ids[0], "ana")
        wait_for(tables, ids[0], lambda table: table.to_move == 1)
    assert thought == [0, 0]


def test_when_all_have_left_bots_play_to_the_end(running: Tables, store: Store) -> None:
    id = begun(running, "Ana", "Bo", "Cai").id
    for player in ("ana", "bo", "cai"):
        running.company.leave(id, player)
    table = wait_for(running, id, finished)
    assert not table.ended
    assert store.info(id).finished
    assert Record.of(table.game).replay() == table.game


def test_who_took_the_table_off_the_list_has_it_again_when_back(
    tables: Tables, store: Store
) -> None:
    id = begun(tables, "Ana", "Bo").id
    ways: list[Callable[[], object]] = [
        lambda: tables.company.take_back(id, "ana"),
        lambda: tables.move(id, 0, PASS),
    ]
    for back in ways:
        tables.upkeep.drop(id, "ana")
        assert store.owners(id) == ["bo"]
        back()
        assert store.owners(id) == ["ana", "bo"]
    assert [summary.id for summary in tables.of_player("ana")] == [id]
