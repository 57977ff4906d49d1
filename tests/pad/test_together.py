"""Several people write on one pad at once, and some of them late."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from kartenkniffel.pad import MovedOn, NewGame, NotOnPad, Pad, Pads, Told, fold
from kartenkniffel.pad.events import Answered, Asked, Undone
from kartenkniffel.rules import FIELDS, Field, GameOverError
from kartenkniffel.store import Store
from tests.pad.reckoning import possible

OWNER, GUEST = "opener", "guest"


@pytest.fixture
def pad(pads: Pads) -> Pad:
    pad = pads.open(OWNER, NewGame(["Ana", "Bo", "Cy"], "chosen", 0))
    return pads.claim(pad.id, GUEST, 1)


def test_of_two_entries_one_wins_and_the_other_is_asked_about(pads: Pads, pad: Pad) -> None:
    seen = pad.number
    pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(5, 18), seen=seen)
    pad = pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(7, 24), seen=seen)
    board = pad.game.board
    assert board.written[1][Field.SIXES].points == 18
    assert len(board.turns[1]) == 1
    (question,) = pad.game.questions
    assert (question.asked.points, question.penalty, question.asked.by) == (24, 4, GUEST)
    standing = question.standing.number
    taken = pads.answer(pad.id, GUEST, 1, question.line.number, True, standing=standing)
    assert taken.game.board.sheet(1).total == 24 - 20 - 4
    assert taken.game.questions == ()
    assert isinstance(taken.game.lines[-1].event, Answered)
    back = pads.undo(pad.id, OWNER, 1)
    assert back.game.board == board


def test_what_stands_can_be_kept(pads: Pads, pad: Pad) -> None:
    seen = pad.number
    pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(5, 18), seen=seen)
    pad = pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(7, 24), seen=seen)
    question = pad.game.questions[0].line.number
    kept = pads.answer(pad.id, OWNER, 1, question, False)
    assert kept.game.board == pad.game.board
    assert kept.game.questions == ()
    assert [type(line.event) for line in kept.game.lines[-2:]] == [Asked, Answered]
    with pytest.raises(NotOnPad):
        pads.answer(pad.id, GUEST, 1, question, True)


def test_an_answer_speaks_of_what_stood_there(pads: Pads, pad: Pad) -> None:
    seen = pad.number
    pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(5, 18), seen=seen)
    pad = pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(7, 24), seen=seen)
    (question,) = pad.game.questions
    pads.correct(pad.id, OWNER, 1, 1, Field.SIXES, Told(5, 30))
    with pytest.raises(MovedOn):
        pads.answer(pad.id, GUEST, 1, question.line.number, True, standing=question.standing.number)


def test_the_same_entry_twice_is_one(pads: Pads, pad: Pad) -> None:
    seen = pad.number
    one = pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(6, 18), seen=seen)
    two = pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(6, 18), seen=seen)
    assert one == two
    # Another hand is another penalty, so it is not the same.
    three = pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(7, 18), seen=seen)
    assert len(three.game.questions) == 1


def test_of_two_corrections_one_wins_and_the_other_is_asked_about(pads: Pads, pad: Pad) -> None:
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(6, 18))
    standing = pad.number
    pads.correct(pad.id, OWNER, 1, 1, Field.SIXES, Told(6, 24), standing=standing)
    pad = pads.correct(pad.id, GUEST, 1, 1, Field.SIXES, Told(6, 12), standing=standing)
    assert pad.game.board.written[1][Field.SIXES].points == 24
    assert pad.game.questions[0].asked.points == 12
    with pytest.raises(MovedOn):
        pads.correct(pad.id, GUEST, 1, 1, Field.SIXES, None, standing=standing)


def test_a_key_is_done_once(pads: Pads, pad: Pad, store: Store) -> None:
    for _ in range(3):
        pad = pads.exchange(pad.id, GUEST, 1, 1, key="k1")
    assert pad.game.board.turns[1] == (None,)
    # Another person's key is another one.
    pad = pads.exchange(pad.id, OWNER, 1, 1, key="k1")
    assert pad.game.board.turns[1] == (None, None)
    pad = pads.undo(pad.id, OWNER, 1)
    again = pads.exchange(pad.id, OWNER, 1, 1, key="k1")
    assert again == pad
    assert isinstance(again.game.lines[-1].event, Undone)
    assert pads.open(OWNER, NewGame(["Ana"]), key="o") == pads.open(
        OWNER, NewGame(["Ana"]), key="o"
    )
    assert len(store.logs(OWNER, "pad")) == 2


def test_a_turn_told_by_two_phones_is_one(pads: Pads, pad: Pad) -> None:
    one = pads.exchange(pad.id, OWNER, 1, 1, turns=0)
    assert pads.exchange(pad.id, GUEST, 1, 1, turns=0) == one
    # Who has seen it tells the next one.
    pad = pads.exchange(pad.id, GUEST, 1, 1, turns=1)
    assert pad.game.board.turns[1] == (None, None)
    # What somebody has seen and was taken back is told anew.
    pads.undo(pad.id, OWNER, 1)
    pad = pads.exchange(pad.id, GUEST, 1, 1, turns=2)
    assert pad.game.board.turns[1] == (None, None)
    # Told again, it is no more refused than counted, even when the game is over.
    over = pads.end(pad.id, OWNER, 1)
    assert pads.exchange(pad.id, GUEST, 1, 1, turns=1) == over


def test_turns_sent_late_are_those_that_others_took_for_exchanges(pads: Pads, pad: Pad) -> None:
    for told in range(4):
        pads.exchange(pad.id, OWNER, 1, 1, turns=told)
    # Bo had no network; these are the second to fifth of Bo's turns.
    pads.enter(pad.id, GUEST, 1, 1, Field.SIXES, Told(5, 18), turns=1)
    pads.exchange(pad.id, GUEST, 1, 1, turns=2)
    pads.enter(pad.id, GUEST, 1, 1, Field.KNIFFEL, Told(5), turns=3)
    pad = pads.enter(pad.id, GUEST, 1, 1, Field.ONES, Told(5, 1), turns=4)
    turns = (None, Field.SIXES, None, Field.KNIFFEL, Field.ONES)
    assert pad.game.board.turns[1] == turns
    assert pad.game.board.sheet(1).total == 18 + 50 + 1 - 20
    # Two fields cannot be one turn.
    pad = pads.enter(pad.id, GUEST, 1, 1, Field.TWOS, Told(5, 2), turns=1)
    assert pad.game.board.turns[1] == (*turns, Field.TWOS)


def test_R12_an_entry_takes_the_place_of_a_turn_that_was_only_assumed(pads: Pads) -> None:
    pad = pads.open(OWNER, NewGame(["Ana", "Bo"], "chosen", 1))
    pads.claim(pad.id, GUEST, 1)
    *fields, last = FIELDS
    for field in fields:
        told = Told(5, possible(field.value)[0])
        pads.enter(pad.id, OWNER, 1, 1, field, told)
        pads.enter(pad.id, OWNER, 1, 0, field, told)
    # Ana is quicker than Bo, who is just telling the turn that ends up as an exchange.
    pad = pads.enter(pad.id, OWNER, 1, 0, last, Told(5), passed=(1,))
    assert pad.game.finished
    assert pad.game.board.winners == (0,)
    pad = pads.enter(pad.id, GUEST, 1, 1, last, Told(5), turns=11)
    assert pad.game.board.winners == (0, 1)
    assert [len(turns) for turns in pad.game.board.turns] == [12, 12]
    pad = pads.undo(pad.id, OWNER, 1)
    assert pad.game.board.turns[1][-1] is None


def test_an_entry_for_an_assumed_turn_in_an_ended_game_is_refused(pads: Pads, pad: Pad) -> None:
    pads.exchange(pad.id, OWNER, 1, 1, turns=0)
    pads.end(pad.id, OWNER, 1)
    with pytest.raises(GameOverError):
        pads.enter(pad.id, GUEST, 1, 1, Field.KNIFFEL, Told(5), turns=0)


def test_R12_late_entries_count_in_whatever_order_they_come(pads: Pads, pad: Pad) -> None:
    fields = {player: list(FIELDS) for player in range(3)}
    # Cy has no network for five rounds; then all that Cy wrote down comes at once, in order.
    for player in [0, 1] * 5 + [2] * 5 + [2, 1, 0] * 7:
        field = fields[player].pop(0)
        told = Told(5, possible(field.value)[-1])
        pad = pads.enter(pad.id, OWNER, 1, player, field, told)
    board = pad.game.board
    assert board.finished
    assert board.winners == (0, 1, 2)


def test_whose_turn_it_is_follows_the_count(pads: Pads, pad: Pad) -> None:
    assert pad.game.board.missing(2) == (0, 1)
    pad = pads.enter(pad.id, OWNER, 1, 2, Field.KNIFFEL, Told(5), passed=(0, 1))
    board = pad.game.board
    assert (board.to_move, board.round, board.exchanges(0)) == (0, 2, 1)
    assert board.missing(2) == (0, 1)
    # Bo's turn came in meanwhile: it is not counted a second time.
    pads.exchange(pad.id, GUEST, 1, 1)
    pad = pads.enter(pad.id, OWNER, 1, 2, Field.ONES, Told(5, 5), passed=(0, 1))
    assert [len(turns) for turns in pad.game.board.turns] == [2, 2, 2]
    # All in one step, so all is taken back in one.
    pad = pads.undo(pad.id, OWNER, 1)
    assert [len(turns) for turns in pad.game.board.turns] == [1, 2, 1]


def test_a_name_written_differently_stays_the_same_person(pads: Pads, pad: Pad) -> None:
    pad = pads.rename(pad.id, GUEST, 1, 1, "Bob")
    assert pad.name_of(GUEST, pad.game) == "Bob"
    pad = pads.undo(pad.id, OWNER, 1)
    assert pad.name_of(GUEST, pad.game) == "Bo"
    pads.end(pad.id, OWNER, 1)
    pad = pads.begin(pad.id, GUEST, NewGame(["Dee", "BO"], "chosen", 0), after=1)
    assert pad.player_of(GUEST, pad.game) == 1


def test_a_name_mended_in_an_old_game_makes_nobody_somebody_else(pads: Pads, pad: Pad) -> None:
    pads.end(pad.id, OWNER, 1)
    pads.begin(pad.id, OWNER, NewGame(["Dee", "Bo"], "chosen", 0), after=1)
    pads.claim(pad.id, "other", 0)
    pad = pads.rename(pad.id, GUEST, 1, 1, "Dee")
    assert pad.games[0].board.players == ("Ana", "Dee", "Cy")
    for game, seats in ((1, (1, None)), (2, (1, 0))):
        seated = pad.game_at(game)
        assert tuple(pad.player_of(who, seated) for who in (GUEST, "other")) == seats
    pad = pads.undo(pad.id, GUEST, 1)
    assert [pad.player_of(GUEST, game) for game in pad.games] == [1, 1]


def test_the_next_game_begins_once(pads: Pads, pad: Pad) -> None:
    pads.end(pad.id, OWNER, 1)
    one = pads.begin(pad.id, OWNER, NewGame(["Ana", "Bo", "Cy"], "chosen", 1), after=1)
    two = pads.begin(pad.id, GUEST, NewGame(["Ana", "Bo", "Cy"], "chosen", 1), after=1)
    assert one == two
    assert len(two.games) == 2


def test_turns_that_were_not_told_can_be_counted_later(pads: Pads, pad: Pad) -> None:
    pad = pads.recount(pad.id, OWNER, 1, 0, 4)
    assert pad.game.board.exchanges(0) == 4
    pad = pads.recount(pad.id, OWNER, 1, 0, 1)
    assert pad.game.board.turns[0] == (None,)
    pads.enter(pad.id, OWNER, 1, 0, Field.KNIFFEL, Told(5))
    pads.exchange(pad.id, OWNER, 1, 0)
    # Of several the latest goes, so that the course of the game stays as it was.
    pad = pads.recount(pad.id, OWNER, 1, 0, 1)
    assert pad.game.board.turns[0] == (None, Field.KNIFFEL)
    pad = pads.count(pad.id, OWNER, 1, False)
    pad = pads.enter(pad.id, OWNER, 1, 2, Field.KNIFFEL, Told(5))
    pad = pads.enter(pad.id, OWNER, 1, 2, Field.ONES, Told(5, 1))
    pad = pads.count(pad.id, OWNER, 1, True)
    assert [len(turns) for turns in pad.game.board.turns] == [2, 2, 2]
    assert pad.game.board.to_move == 0


def test_many_writers_lose_nothing(pads: Pads, pad: Pad, store: Store) -> None:
    def write(field: Field) -> None:
        for player in range(3):
            told = Told(5, possible(field.value)[0])
            pads.enter(pad.id, OWNER, 1, player, field, told, key=f"{field.value}-{player}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, FIELDS))
    after = pads.get(pad.id)
    assert after.game.finished
    assert all(len(written) == 12 for written in after.game.board.written)
    assert fold(store.read(pad.id)) == after


def test_watchers_are_told_who_should_look_again(pads: Pads, pad: Pad) -> None:
    told: list[tuple[str, int, frozenset[str]]] = []
    stop = pads.watch(lambda *what: told.append(what))
    pad = pads.exchange(pad.id, OWNER, 1, 0)
    pads.delete(pad.id, OWNER)
    stop()
    people = frozenset({OWNER, GUEST})
    assert told == [(pad.id, pad.number, people), (pad.id, 0, people)]


def test_of_two_untold_turns_only_as_many_count_as_were_named(pads: Pads, pad: Pad) -> None:
    pads.exchange(pad.id, OWNER, 1, 1)
    assert pads.get(pad.id).game.board.missing(1) == (0, 0, 2)
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.KNIFFEL, Told(5), passed=(0,))
    assert [len(turns) for turns in pad.game.board.turns] == [1, 2, 0]


def test_what_changes_nothing_leaves_no_trace(pads: Pads, pad: Pad) -> None:
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.SIXES, Told(6, 18))
    assert pads.correct(pad.id, OWNER, 1, 1, Field.SIXES, Told(6, 18)) == pad
    assert pads.rename(pad.id, OWNER, 1, 1, " Bo ") == pad
    assert pads.recount(pad.id, OWNER, 1, 1, 0) == pad
    assert pads.count(pad.id, OWNER, 1, True) == pad
    assert pads.claim(pad.id, GUEST, 1) == pad


def test_an_entry_that_arrived_is_not_refused_when_it_comes_again(pads: Pads, pad: Pad) -> None:
    one = pads.enter(pad.id, GUEST, 1, 1, Field.KNIFFEL, Told(5), key="late")
    pads.end(pad.id, OWNER, 1)
    # By now the field is filled and the game over; but it is the same command.
    again = pads.enter(pad.id, GUEST, 1, 1, Field.KNIFFEL, Told(5), key="late")
    assert again.game.board.written == one.game.board.written
    assert again.game.questions == ()


def test_a_log_is_finished_while_its_game_is(pads: Pads, pad: Pad, store: Store) -> None:
    assert not store.info(pad.id).finished
    pads.end(pad.id, OWNER, 1)
    assert store.info(pad.id).finished
    pads.undo(pad.id, OWNER, 1)
    assert not store.info(pad.id).finished
    pads.redo(pad.id, OWNER, 1)
    pads.begin(pad.id, OWNER, NewGame(["Ana"], "chosen", 0), after=1)
    assert not store.info(pad.id).finished
