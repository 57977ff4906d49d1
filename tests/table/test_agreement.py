"""What people agree to: to end the game, to take a move back."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from kartenkniffel.notation import Record, parse_move
from kartenkniffel.rules import Cards, Field, Move, Score, View
from kartenkniffel.store import Store
from kartenkniffel.table import (
    MovedOn,
    NotPossible,
    NotYourTurn,
    Seat,
    Start,
    Table,
    Tables,
    fold,
)
from tests.store.threads import together
from tests.table.helpers import (
    begun,
    kinds,
    levels,
    nobody,
    people,
    play,
    simple_move,
    wait_for,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


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
    tables.company.propose(id, "ana", "end", nobody)
    # Who is back and looks on is asked too.
    assert not tables.company.answer(id, "bo", True).ended
    assert tables.company.answer(id, "bo", True, is_here=nobody).ended


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


def test_an_answer_to_another_proposal_than_the_one_seen_is_refused(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    first = tables.company.propose(id, "ana", "end").proposal
    assert first is not None
    tables.company.answer(id, "ana", False)
    second = tables.company.propose(id, "ana", "end").proposal
    assert second is not None
    with pytest.raises(MovedOn):
        tables.company.answer(id, "bo", True, first.number)
    assert not tables.get(id).finished
    assert tables.company.answer(id, "bo", True, second.number).ended


def test_nobody_asks_for_something_else_before_the_first_is_answered(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.move(id, 0, PASS)
    tables.company.propose(id, "bo", "end")
    with pytest.raises(NotPossible) as refused:
        tables.company.propose(id, "ana", "undo")
    assert refused.value.what == "asked"
    tables.company.answer(id, "ana", False)
    asked = tables.company.propose(id, "ana", "undo").proposal
    assert asked is not None
    assert asked.matter == "undo"
