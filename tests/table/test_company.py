import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from kartenkniffel.notation import Record, parse_move
from kartenkniffel.rules import Cards, Field, Move, Score, View
from kartenkniffel.store import Store
from kartenkniffel.table import (
    EMOJI,
    PHRASES,
    Lobby,
    MovedOn,
    NotPossible,
    NotSeated,
    NotYourTurn,
    Seat,
    Start,
    State,
    StillHere,
    Table,
    Tables,
    UnknownTable,
    fold,
)
from kartenkniffel.table.state import MOST_TALK
from tests.store.threads import together
from tests.table.helpers import (
    BOTS,
    begun,
    finished,
    gathered,
    guest,
    levels,
    lobby,
    machines,
    people,
    play,
    simple_move,
    wait_for,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


def kinds(store: Store, id: str, after: int) -> list[str]:
    return [str(event.body["type"]) for event in store.read(id, after)]


def nobody(player: str) -> bool:
    return False


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


# Ending by agreement


def test_a_game_ends_when_all_agree(tables: Tables, store: Store) -> None:
    id = begun(tables, "Ana", "Bo", "Cai").id
    tables.move(id, 0, DRAW)
    table = tables.company.propose(id, "bo", "end")
    assert table.proposal is not None
    assert (table.proposal.matter, table.proposal.seat) == ("end", 1)
    assert not tables.company.answer(id, "ana", True).finished
    table = tables.company.answer(id, "cai", True)
    assert (table.ended, table.finished, table.to_move, table.proposal) == (True, True, None, None)
    assert store.info(id).finished
    assert tables.record(id).replay() == table.game
    assert (table.view(0).finished, table.view(None).to_move) == (True, None)
    with pytest.raises(NotYourTurn, match="the game is over"):
        tables.move(id, 1, DRAW)
    assert fold(store.read(id)) == table


def test_who_plays_only_against_bots_ends_at_once(tables: Tables) -> None:
    id = begun(tables, "Ana", seats=3, fill=True).id
    assert tables.company.propose(id, "ana", "end").ended


def test_one_who_says_no_is_enough(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo", "Cai").id
    tables.company.propose(id, "ana", "end")
    tables.company.answer(id, "bo", True)
    table = tables.company.answer(id, "cai", False)
    assert (table.proposal, table.finished) == (None, False)
    assert tables.company.answer(id, "bo", True) == table
    assert tables.company.answer(id, "cai", False) == table
    again = tables.company.propose(id, "cai", "end").proposal
    assert again is not None
    assert again.agreed == {"cai"}


def test_a_proposal_can_be_withdrawn(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.propose(id, "ana", "end")
    assert tables.company.answer(id, "ana", False).proposal is None
    assert not tables.company.answer(id, "bo", True).finished


def test_to_ask_for_what_is_asked_for_is_to_agree(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    table = tables.company.propose(id, "ana", "end")
    assert tables.company.propose(id, "ana", "end") == table
    assert tables.company.answer(id, "ana", True) == table
    assert tables.company.propose(id, "bo", "end").ended


def _act(acts: Sequence[Callable[[], object]], number: int) -> object:
    return acts[number]()


def test_all_who_ask_at_once_agree(tables: Tables, store: Store) -> None:
    for _ in range(5):
        id = begun(tables, "Ana", "Bo").id
        acts = [partial(tables.company.propose, id, player, "end") for player in ("ana", "bo")]
        together(2, partial(_act, acts))
        assert tables.get(id).ended
        assert kinds(store, id, 3) == ["proposed", "answered", "ended"]


def test_when_the_last_who_must_agree_leaves_it_is_agreed(tables: Tables, store: Store) -> None:
    id = begun(tables, "Ana", "Bo", "Cai").id
    tables.company.propose(id, "ana", "end")
    tables.company.answer(id, "bo", True)
    table = tables.company.leave(id, "cai")
    assert (table.ended, table.stand_ins) == (True, {2: "left"})
    assert store.info(id).finished


def test_who_is_gone_need_not_agree(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo", "Cai").id
    tables.company.stand_in(id, "ana", 2, nobody)
    tables.company.propose(id, "ana", "end")
    assert tables.company.answer(id, "bo", True).ended


def test_who_comes_back_must_agree(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo", "Cai").id
    tables.company.leave(id, "cai")
    tables.company.propose(id, "ana", "end")
    tables.company.take_back(id, "cai")
    assert not tables.company.answer(id, "bo", True).finished
    assert tables.company.answer(id, "cai", True).ended


def test_a_wish_to_end_outlives_moves_but_not_the_game(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.propose(id, "ana", "end")
    assert play(tables, id, 4).proposal is not None
    table = play(tables, id)
    assert (table.proposal, table.ended) == (None, False)
    assert tables.company.answer(id, "bo", True) == table
    with pytest.raises(NotPossible, match="the game is over"):
        tables.company.propose(id, "bo", "end")


@pytest.mark.parametrize("matter", ["", "draw", "END"])
def test_nothing_else_can_be_asked_for(tables: Tables, matter: Any) -> None:
    id = begun(tables, "Ana", seats=2, fill=True).id
    with pytest.raises(ValueError, match="cannot be asked"):
        tables.company.propose(id, "ana", matter)
    assert not tables.get(id).finished


# Undo


def scored_without_drawing(tables: Tables, *names: str) -> tuple[Table, Table]:
    """A game before and after seat 0 played one of six cards, so that none was drawn."""
    id = begun(tables, *names).id
    before = play_round(tables, id, DRAW)
    value = next(iter(before.game.hands[0]))
    after = tables.move(id, 0, Score(Cards([value]), Field(str(value))))
    assert after.drawn[0] == Cards("")
    return before, after


def play_round(tables: Tables, id: str, move: Move) -> Table:
    table = tables.get(id)
    for seat in range(len(table.seats)):
        table = tables.move(id, seat, move)
    return table


def as_it_lies(table: Table) -> tuple[object, ...]:
    return (table.game, table.drawn, table.to_move, table.stand_ins, table.seats)


def test_a_move_is_taken_back_when_all_agree_and_all_is_as_before(
    tables: Tables, store: Store
) -> None:
    before, after = scored_without_drawing(tables, "Ana", "Bo")
    id = before.id
    assert after.game.sheets[0].penalties == 2
    assert tables.company.propose(id, "ana", "undo").proposal is not None
    table = tables.company.answer(id, "bo", True)
    assert as_it_lies(table) == as_it_lies(before)
    assert table.proposal is None
    assert table.view(0) == before.view(0)
    assert table.view(1) == before.view(1)
    assert table.view(None) == before.view(None)
    assert Record.of(table.game) == Record.of(before.game)
    assert fold(store.read(id)) == table
    with pytest.raises(MovedOn):
        tables.move(id, 0, PASS, number=after.number)
    with pytest.raises(MovedOn):
        tables.move(id, 0, PASS, number=before.number)
    assert tables.move(id, 0, PASS, number=table.number).to_move == 1
    done = play(tables, id)
    assert tables.record(id).replay() == done.game
    assert fold(store.read(id)) == done


def test_with_nobody_to_ask_a_move_is_taken_back_at_once(tables: Tables) -> None:
    before = begun(tables, "Ana", seats=2, fill=True)
    tables.move(before.id, 0, PASS)
    assert as_it_lies(tables.company.propose(before.id, "ana", "undo")) == as_it_lies(before)


def _seen_moves(tables: Tables) -> list[Table]:
    """Games after a move by which cards were seen, by an exchange and by a refill."""
    exchanged = tables.move(begun(tables, "Ana", "Bo").id, 0, DRAW)
    id = begun(tables, "Ana", "Bo").id
    return [exchanged, tables.move(id, 0, simple_move(tables.get(id)))]


def test_R6_a_move_by_which_a_card_was_seen_stays(tables: Tables) -> None:
    for table in _seen_moves(tables):
        assert table.drawn[0]
        assert not table.undoable_by("ana")
        with pytest.raises(NotPossible, match="only the latest move, by which no card was seen"):
            tables.company.propose(table.id, "ana", "undo")
        assert tables.get(table.id) == table


def test_only_the_own_latest_move_is_taken_back(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    with pytest.raises(NotPossible):
        tables.company.propose(id, "ana", "undo")
    tables.move(id, 0, PASS)
    with pytest.raises(NotPossible):
        tables.company.propose(id, "bo", "undo")
    tables.move(id, 1, PASS)
    with pytest.raises(NotPossible):
        tables.company.propose(id, "ana", "undo")
    tables.company.propose(id, "bo", "undo")
    table = tables.company.answer(id, "ana", True)
    assert (table.to_move, table.game.moves) == (1, (PASS,))
    for player in ("ana", "bo"):
        with pytest.raises(NotPossible):
            tables.company.propose(id, player, "undo")


def test_the_next_move_lets_the_wish_lapse(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.move(id, 0, PASS)
    tables.company.propose(id, "ana", "undo")
    table = tables.move(id, 1, PASS)
    assert table.proposal is None
    assert tables.company.answer(id, "bo", True) == table


def test_a_refused_move_stays(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    after = tables.move(id, 0, PASS)
    tables.company.propose(id, "ana", "undo")
    table = tables.company.answer(id, "bo", False)
    assert as_it_lies(table) == as_it_lies(after)
    tables.company.propose(id, "ana", "undo")
    assert tables.company.answer(id, "ana", False).proposal is None
    assert as_it_lies(tables.company.answer(id, "bo", True)) == as_it_lies(after)


def test_what_is_said_meanwhile_is_no_hindrance(tables: Tables) -> None:
    before = begun(tables, "Ana", "Bo")
    tables.move(before.id, 0, PASS)
    tables.company.say(before.id, "bo", "hello")
    tables.company.propose(before.id, "ana", "undo")
    tables.company.say(before.id, "ana", "sorry")
    table = tables.company.answer(before.id, "bo", True)
    assert as_it_lies(table) == as_it_lies(before)
    assert len(table.talk) == 2


def test_what_a_bot_did_stays(store: Store) -> None:
    with Tables(store, levels(lambda view, rng: PASS), pause=0) as tables:
        id = begun(tables, "Ana", "Bo", level="doing").id
        tables.company.leave(id, "ana")
        table = wait_for(tables, id, lambda table: table.to_move == 1)
        tables.company.take_back(id, "ana")
        with pytest.raises(NotPossible):
            tables.company.propose(id, "ana", "undo")
        assert table.game.moves == (PASS,)
        bots = tables.open([*people("Ana"), Seat("B", bot="doing")], Start("seat", 1)).id
        wait_for(tables, bots, lambda table: table.to_move == 1)
        with pytest.raises(NotPossible):
            tables.company.propose(bots, "ana", "undo")


def test_a_bot_that_was_to_move_waits_again(store: Store) -> None:
    thinking, enough = threading.Event(), threading.Event()

    def think(view: View, rng: object) -> Move:
        thinking.set()
        assert enough.wait(10)
        return DRAW

    with Tables(store, levels(think), pause=0) as tables:
        before = begun(tables, "Ana", seats=2, fill=True, level="doing")
        tables.move(before.id, 0, PASS)
        assert thinking.wait(10)
        assert tables.company.propose(before.id, "ana", "undo").to_move == 0
        enough.set()
        time.sleep(0.1)
        assert as_it_lies(tables.get(before.id)) == as_it_lies(before)
        tables.move(before.id, 0, PASS)
        table = wait_for(tables, before.id, lambda table: table.to_move == 0)
    assert table.game.moves == (PASS, DRAW)


def test_the_key_of_a_move_that_was_taken_back_does_not_make_it_again(tables: Tables) -> None:
    before = begun(tables, "Ana", "Bo")
    id = before.id
    tables.move(id, 0, PASS, number=before.number, key="k")
    tables.company.propose(id, "ana", "undo")
    table = tables.company.answer(id, "bo", True)
    assert tables.move(id, 0, PASS, number=before.number, key="k") == table
    assert tables.move(id, 0, PASS, number=table.number, key="k") == table
    assert tables.move(id, 0, PASS, number=table.number, key="l").game.moves == (PASS,)


def test_only_one_of_two_who_hurry_gets_the_undone_move(tables: Tables) -> None:
    for _ in range(5):
        id = begun(tables, "Ana", "Bo").id
        tables.move(id, 0, PASS)
        asked = tables.company.propose(id, "ana", "undo")
        acts = [
            partial(tables.company.answer, id, "bo", True),
            partial(tables.move, id, 1, PASS, number=asked.number),
        ]
        together(2, partial(_act, acts))
        table = tables.get(id)
        assert table.game.moves in ((), (PASS, PASS))
        assert table.proposal is None


# Another device


@pytest.fixture(params=["gathering", "playing", "over"])
def place(request: pytest.FixtureRequest, tables: Tables) -> State:
    if request.param == "gathering":
        return gathered(tables, "Ana", "Bo", seats=3)
    table = begun(tables, "Ana", "Bo")
    return play(tables, table.id) if request.param == "over" else table


def name_of(state: State, player: str) -> str | None:
    seats = state.guests if isinstance(state, Lobby) else state.seats
    return next((seat.name for seat in seats if seat.owner == player), None)


def test_a_place_moves_to_another_device_and_the_old_one_is_a_stranger(
    tables: Tables, store: Store, place: State
) -> None:
    token = tables.company.offer(place.id, "ana")
    assert tables.company.offered_name(place.id, token) == "Ana"
    state = tables.company.claim(place.id, "phone", token)
    assert state.owners == {"phone", "bo"}
    assert store.owners(place.id) == ["bo", "phone"]
    assert (name_of(state, "phone"), name_of(state, "ana")) == ("Ana", None)
    assert fold(store.read(place.id)) == state
    with pytest.raises(NotSeated):
        tables.company.offer(place.id, "ana")
    if isinstance(state, Lobby):
        assert state.is_host("phone")
        assert not state.is_host("ana")
    else:
        assert (state.seat_of("phone"), state.seat_of("ana")) == (0, None)
        with pytest.raises(NotSeated):
            tables.company.say(place.id, "ana", "hello")


def test_a_link_is_good_once(tables: Tables, place: State) -> None:
    token = tables.company.offer(place.id, "ana")
    state = tables.company.claim(place.id, "phone", token)
    assert tables.company.claim(place.id, "phone", token) == state
    for player in ("ana", "bo", "pad"):
        with pytest.raises(NotPossible, match="has been used, or is too old") as caught:
            tables.company.claim(place.id, player, token)
        assert caught.value.what == "claim"
    assert tables.company.offered_name(place.id, token) is None
    assert tables.look(place.id) == state


def test_of_many_devices_one_gets_the_place(tables: Tables, place: State) -> None:
    token = tables.company.offer(place.id, "ana")
    got = together(6, lambda n: tables.company.claim(place.id, f"phone {n}", token))
    assert sum(isinstance(each, NotPossible) for each in got) == 5
    assert len(tables.look(place.id).owners) == 2


def test_a_newer_link_takes_the_older_ones_place(tables: Tables, place: State) -> None:
    old, new = tables.company.offer(place.id, "ana"), tables.company.offer(place.id, "ana")
    other = tables.company.offer(place.id, "bo")
    with pytest.raises(NotPossible):
        tables.company.claim(place.id, "phone", old)
    tables.company.claim(place.id, "phone", new)
    assert tables.company.claim(place.id, "pad", other).owners == {"phone", "pad"}


def test_a_link_that_is_too_old_is_good_no_longer(
    tables: Tables, place: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kartenkniffel.table.company.OFFER_MINUTES", -0.1)
    token = tables.company.offer(place.id, "ana")
    assert tables.company.offered_name(place.id, token) is None
    with pytest.raises(NotPossible, match="too old"):
        tables.company.claim(place.id, "phone", token)
    assert "ana" in tables.look(place.id).owners


def test_who_has_a_seat_takes_no_second_one(tables: Tables, place: State) -> None:
    token = tables.company.offer(place.id, "ana")
    for player, what in (("bo", "seated"), ("ana", "same")):
        with pytest.raises(NotPossible) as caught:
            tables.company.claim(place.id, player, token)
        assert caught.value.what == what
    assert tables.company.claim(place.id, "phone", token).owners == {"phone", "bo"}


def test_a_place_may_come_back(tables: Tables, place: State) -> None:
    tables.company.claim(place.id, "phone", tables.company.offer(place.id, "ana"))
    state = tables.company.claim(place.id, "ana", tables.company.offer(place.id, "phone"))
    assert state.owners == {"ana", "bo"}
    assert name_of(state, "ana") == "Ana"


@pytest.mark.parametrize("token", ["", "nothing", "\0", "x" * 5000])
def test_a_link_that_nobody_made_is_good_for_nothing(tables: Tables, token: str) -> None:
    table = begun(tables, "Ana", "Bo")
    tables.company.offer(table.id, "ana")
    assert tables.company.offered_name(table.id, token) is None
    with pytest.raises(NotPossible):
        tables.company.claim(table.id, "phone", token)


def test_of_a_link_only_the_hash_is_kept(tables: Tables, store: Store, place: State) -> None:
    token = tables.company.offer(place.id, "ana")
    tables.company.claim(place.id, "phone", token)
    assert len(token) >= 32
    assert token not in repr(store.read(place.id))
    assert token not in repr(tables.look(place.id))


def test_a_link_of_who_left_or_was_removed_is_good_for_nothing(
    tables: Tables, store: Store
) -> None:
    waiting = gathered(tables, "Ana", "Bo", "Cai")
    tokens = [tables.company.offer(waiting.id, player) for player in ("bo", "cai")]
    tables.lobbies.remove(waiting.id, "ana", guest(waiting, "bo").number)
    tables.lobbies.leave(waiting.id, "cai")
    for token in tokens:
        assert tables.company.offered_name(waiting.id, token) is None
        with pytest.raises(NotPossible):
            tables.company.claim(waiting.id, "phone", token)
    assert store.owners(waiting.id) == ["ana"]


def test_a_link_made_before_the_start_is_good_after_it(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    token = tables.company.offer(waiting.id, "bo")
    tables.lobbies.start(waiting.id, "ana", Start())
    state = tables.company.claim(waiting.id, "phone", token)
    assert isinstance(state, Table)
    assert state.owners == {"ana", "phone"}


def test_a_device_that_people_share_takes_all_its_seats_along(tables: Tables) -> None:
    seats = [Seat("Ana", owner="home"), Seat("Bo", owner="home"), Seat("Eve", owner="eve")]
    id = tables.open(seats, Start("seat", 0)).id
    state = tables.company.claim(id, "pad", tables.company.offer(id, "home"))
    assert isinstance(state, Table)
    assert state.seats_of("pad") == (0, 1)
    assert tables.move(id, 0, PASS).seat_of("pad") == 1


def test_what_the_old_device_agreed_to_the_new_one_has(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.propose(id, "ana", "end")
    tables.company.claim(id, "phone", tables.company.offer(id, "ana"))
    assert tables.company.answer(id, "bo", True).ended


def test_a_move_goes_on_at_the_new_device(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    tables.company.leave(table.id, "ana")
    state = tables.company.claim(table.id, "phone", tables.company.offer(table.id, "ana"))
    assert isinstance(state, Table)
    assert state.is_current(table.number)
    assert tables.company.take_back(table.id, "phone").stand_ins == {}


# Rematch


def test_a_rematch_is_of_the_same_people_and_nothing_else_is_the_same(tables: Tables) -> None:
    agreed = {"clock": 86_400, "spectators": True, "listed": True}
    id = begun(tables, "Ana", "Bo", "Cai", **agreed).id
    tables.company.say(id, "ana", "hello")
    tables.company.offer(id, "ana")
    tables.company.propose(id, "ana", "end")
    before = play(tables, id)
    tables.company.say(id, "bo", "again")
    table = tables.rematch(id)
    assert [seat.owner for seat in table.seats] == ["bo", "cai", "ana"]
    assert (table.clock, table.spectators, table.level) == (86_400, True, "simple")
    assert table.is_among_friends
    assert (table.talk, table.proposal, table.offers, table.stand_ins) == ((), None, {}, {})
    assert (table.game.moves, table.number, table.before, table.ended) == ((), 1, None, False)
    assert not set(table.game.shuffles) & set(before.game.shuffles)
    assert table.due is not None
    assert table.due > datetime.now(UTC)


def test_who_does_not_want_to_be_watched_is_not_in_the_rematch_either(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo", spectators=False).id
    play(tables, id)
    assert not tables.rematch(id).spectators


@pytest.mark.parametrize(
    ("left", "order"),
    [
        ("", "bcda"),
        ("b", "cda"),
        ("a", "bcd"),
        ("ab", "cd"),
        ("bcd", "a"),
        ("abcd", "bcda"),
    ],
)
def test_R4_who_has_left_is_not_in_the_rematch_and_the_start_moves_on(
    tables: Tables, left: str, order: str
) -> None:
    id = begun(tables, *"ABCD").id
    staying = [player for player in "abcd" if player not in left]
    tables.company.propose(id, (staying or ["a"])[0], "end")
    for player in left:
        tables.company.leave(id, player)
    for player in staying:
        tables.company.answer(id, player, True)
    table = tables.rematch(id)
    assert "".join(seat.owner or "" for seat in table.seats) == order


def test_who_was_only_slow_or_gone_is_in_the_rematch(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.company.stand_in(id, "ana", 1, nobody)
    tables.company.propose(id, "ana", "end")
    assert tables.get(id).ended
    assert [seat.owner for seat in tables.rematch(id).seats] == ["bo", "ana"]


def test_bots_are_in_the_rematch(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo", seats=4, fill=True).id
    tables.company.leave(id, "bo")
    tables.company.propose(id, "ana", "end")
    assert [seat.owner for seat in tables.rematch(id).seats] == [None, None, "ana"]


def test_all_who_want_a_rematch_meet_in_it(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    play(tables, id)
    assert len({table.id for table in together(6, lambda _: tables.rematch(id))}) == 1


def test_a_rematch_that_was_deleted_can_be_opened_again(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    play(tables, id)
    tables.delete(tables.rematch(id).id)
    again = tables.rematch(id)
    assert tables.get(id).next_table == again.id
    assert tables.rematch(id) == again
    with pytest.raises(UnknownTable):
        tables.rematch("nothere")


def test_a_new_device_is_in_the_rematch(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    play(tables, id)
    tables.company.claim(id, "phone", tables.company.offer(id, "ana"))
    assert tables.rematch(id).owners == {"phone", "bo"}


def test_those_at_a_table_are_the_guests_by_name(tables: Tables) -> None:
    assert [each.name for each in lobby(gathered(tables, "Ana", "Bo")).guests] == ["Ana", "Bo"]
