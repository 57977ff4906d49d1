"""What cannot be is refused, by clause, and leaves the pad as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.pad import (
    GameRunning,
    MovedOn,
    NamesError,
    NewGame,
    NotCounting,
    NothingLeft,
    NotOnPad,
    NotYours,
    Pad,
    PadError,
    Pads,
    StartError,
    Told,
    UnknownPad,
)
from kartenkniffel.rules import (
    FIELDS,
    Field,
    FieldFilledError,
    GameOverError,
    HandSizeError,
    HouseRules,
    LowerFieldError,
    PlayersError,
    UpperFieldError,
)
from tests.pad.reckoning import possible

OWNER = "opener"


@pytest.fixture
def pad(pads: Pads) -> Pad:
    return pads.open(OWNER, NewGame(["Ana", "Bo"], "chosen", 0))


@given(code=st.sampled_from([f.value for f in FIELDS]), points=st.integers(-5, 70))
def test_R8_R9_only_possible_points_pass(code: str, points: int) -> None:
    told = Told(5, points=points)
    if points in possible(code):
        assert told.checked(Field(code), HouseRules()).points == points
        return
    kind = UpperFieldError if code in "123456" else LowerFieldError
    with pytest.raises(kind) as refusal:
        told.checked(Field(code), HouseRules())
    assert refusal.value.reason in ("upper_points", "lower_points")


@pytest.mark.parametrize("hand", [-1, 0, 4, 11, 10**9])
def test_R7_a_hand_has_five_to_ten_cards_before_playing(pads: Pads, pad: Pad, hand: int) -> None:
    with pytest.raises(HandSizeError, match="5 to 10") as refusal:
        pads.enter(pad.id, OWNER, 1, 0, Field.KNIFFEL, Told(hand))
    assert refusal.value.clause == "R7"
    assert pads.get(pad.id) == pad


@pytest.mark.parametrize(
    ("field", "cards"),
    [
        ("3k", "33245"),
        ("4k", "33324"),
        ("3k", "3333"),
        ("fh", "33333"),
        ("kn", "44443"),
        ("ls", "12346"),
        ("ss", "12345"),
        ("6", "665"),
        ("6", "666666"),
        ("3k", "7"),
        ("3k", "abc"),
        ("3k", "1" * 1000),
    ],
)
def test_R8_R9_cards_must_fit(pads: Pads, pad: Pad, field: str, cards: str) -> None:
    with pytest.raises((UpperFieldError, LowerFieldError)):
        pads.enter(pad.id, OWNER, 1, 0, Field(field), Told(5, cards=cards))
    assert pads.get(pad.id) == pad


def test_R9_a_sum_must_be_that_of_the_cards(pads: Pads, pad: Pad) -> None:
    with pytest.raises(LowerFieldError, match="18"):
        pads.enter(pad.id, OWNER, 1, 0, Field.THREE_OF_A_KIND, Told(5, 19, "33345"))
    after = pads.enter(pad.id, OWNER, 1, 0, Field.THREE_OF_A_KIND, Told(5, 18, "54333"))
    assert after.game.board.written[0][Field.THREE_OF_A_KIND].cards == "33345"


def test_R9_points_are_needed_where_several_are_possible(pads: Pads, pad: Pad) -> None:
    with pytest.raises(PadError, match="how many points"):
        pads.enter(pad.id, OWNER, 1, 0, Field.SIXES, Told(5))


def test_R9_the_house_rule_makes_five_equal_cards_a_full_house(pads: Pads) -> None:
    rules = HouseRules(five_of_a_kind_is_full_house=True)
    pad = pads.open(OWNER, NewGame(["Ana"], "chosen", 0, rules))
    pad = pads.enter(pad.id, OWNER, 1, 0, Field.FULL_HOUSE, Told(5, cards="44444"))
    assert pad.game.board.sheet(0).lower == 25


def test_R10_a_field_is_filled_once(pads: Pads, pad: Pad) -> None:
    pad = pads.enter(pad.id, OWNER, 1, 0, Field.SIXES, Told(5, 18), seen=pad.number)
    pad = pads.exchange(pad.id, OWNER, 1, 1)
    for seen in (None, pad.number):
        with pytest.raises(FieldFilledError) as refusal:
            pads.enter(pad.id, OWNER, 1, 0, Field.SIXES, Told(5, 24), seen=seen)
        assert refusal.value.clause == "R10"
    assert pads.get(pad.id) == pad


def fill(pads: Pads, pad: Pad, player: int) -> Pad:
    for field in FIELDS:
        points = possible(field.value)[0]
        pad = pads.enter(pad.id, OWNER, 1, player, field, Told(5, points))
    return pad


def test_R12_the_last_round_is_played_to_its_end_and_no_further(pads: Pads, pad: Pad) -> None:
    for _ in range(11):
        pad = pads.exchange(pad.id, OWNER, 1, 1)
    pad = fill(pads, pad, 0)
    board = pad.game.board
    assert (board.last_round, board.round, board.to_move) == (12, 12, 1)
    assert not board.finished
    with pytest.raises(GameOverError) as refusal:
        pads.exchange(pad.id, OWNER, 1, 0)
    assert refusal.value.reason == "no_turn_left"
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.KNIFFEL, Told(5))
    assert pad.game.finished
    assert pad.game.board.to_move is None
    for player in (0, 1):
        with pytest.raises(GameOverError) as refusal:
            pads.enter(pad.id, OWNER, 1, player, Field.TWOS, Told(5, 4))
        assert refusal.value.clause == "R12"


def test_R12_a_game_is_over_when_nothing_is_left_to_fill(pads: Pads, pad: Pad) -> None:
    pad = fill(pads, pads.exchange(pad.id, OWNER, 1, 1), 0)
    # Bo had a turn more than Ana, by a tap too many.
    for field in FIELDS[:-1]:
        pad = pads.enter(pad.id, OWNER, 1, 1, field, Told(5, possible(field.value)[0]))
        if pad.game.board.to_move is None:
            break
    assert len(pad.game.board.turns[1]) == 12
    pad = pads.recount(pad.id, OWNER, 1, 1, 0)
    assert not pad.game.finished
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.KNIFFEL, Told(5))
    assert pad.game.finished
    assert pads.recount(pad.id, OWNER, 1, 1, 3).game.finished


def test_R12_a_game_ends_after_a_thousand_rounds(pads: Pads, pad: Pad) -> None:
    for player in (0, 1):
        assert not pad.game.finished
        pad = pads.recount(pad.id, OWNER, 1, player, 1000)
    assert pad.game.finished
    with pytest.raises(GameOverError):
        pads.exchange(pad.id, OWNER, 1, 0)


def test_R12_without_counting_the_game_is_ended_by_hand(pads: Pads) -> None:
    pad = pads.open(OWNER, NewGame(["Ana", "Bo"], "chosen", 0, counting=False))
    pad = fill(pads, pad, 0)
    assert not pad.game.finished
    assert pad.game.board.to_move is None
    with pytest.raises(NotCounting):
        pads.exchange(pad.id, OWNER, 1, 1)
    pad = pads.enter(pad.id, OWNER, 1, 1, Field.KNIFFEL, Told(10))
    pad = pads.end(pad.id, OWNER, 1)
    assert pad.game.board.winners == (0,)
    with pytest.raises(GameOverError):
        pads.enter(pad.id, OWNER, 1, 1, Field.ONES, Told(5, 1))
    pad = pads.undo(pad.id, OWNER, 1)
    assert not pad.game.finished


def test_R12_a_correction_can_open_a_game_that_was_over(pads: Pads) -> None:
    pad = pads.open(OWNER, NewGame(["Ana"], "chosen", 0))
    pad = fill(pads, pad, 0)
    assert pad.game.finished
    pad = pads.correct(pad.id, OWNER, 1, 0, Field.TWOS, None)
    assert pad.game.board.to_move == 0
    pad = pads.enter(pad.id, OWNER, 1, 0, Field.TWOS, Told(5, 8))
    assert pad.game.finished
    assert pad.game.board.sheet(0)[Field.TWOS] is not None


def test_R2_names_are_one_to_ten_and_differ(pads: Pads) -> None:
    with pytest.raises(PlayersError):
        pads.open(OWNER, NewGame([], "random"))
    with pytest.raises(PlayersError):
        pads.open(OWNER, NewGame([f"P{n}" for n in range(11)], "random"))
    wrong = [["Ana", " ana "], ["Ana", "  "], ["A\u0007na"], ["x" * 41]]
    unseen = ["\u3164", "\u2800", "\ufe0f", "\U000e0101", "\u200d", "\u0301"]
    alike = ["A\u200dna", "Ａｎａ", "A\u034fna"]
    for names in [*wrong, *([name] for name in unseen), *(["Ana", name] for name in alike)]:
        with pytest.raises(NamesError):
            pads.open(OWNER, NewGame(names, "random"))
    assert pads.of_person(OWNER) == []
    pad = pads.open(OWNER, NewGame(["\u05d3\u05e0\u05d4\u200f", " Zoe\u0308 "], "random"))
    assert pad.game.board.players == ("\u05d3\u05e0\u05d4", "Zo\u00eb")


def test_R4_who_begins_sits_at_the_table(pads: Pads) -> None:
    for first in (None, -1, 2):
        with pytest.raises(StartError):
            pads.open(OWNER, NewGame(["Ana", "Bo"], "youngest", first))
    firsts = {
        pads.open(OWNER, NewGame(["Ana", "Bo"], "random")).game.board.first for _ in range(40)
    }
    assert firsts == {0, 1}


def test_there_must_be_such_a_thing(pads: Pads, pad: Pad) -> None:
    for id in ("x", "../etc", "ä", ""):
        with pytest.raises(UnknownPad):
            pads.get(id)
    with pytest.raises(NotOnPad):
        pads.exchange(pad.id, OWNER, 2, 0)
    with pytest.raises(NotOnPad):
        pads.exchange(pad.id, OWNER, 1, 2)
    with pytest.raises(NotOnPad):
        pads.exchange(pad.id, OWNER, 1, -1)
    with pytest.raises(NotOnPad):
        pads.correct(pad.id, OWNER, 1, 0, Field.SIXES, Told(5, 6))
    with pytest.raises(NotOnPad):
        pads.answer(pad.id, OWNER, 1, 3, True)
    with pytest.raises(NothingLeft):
        pads.undo(pad.id, OWNER, 1)
    with pytest.raises(NothingLeft):
        pads.redo(pad.id, OWNER, 1)
    with pytest.raises(GameRunning):
        pads.begin(pad.id, OWNER, NewGame(["Ana"]), after=1)
    with pytest.raises(GameOverError):
        pads.recount(pad.id, OWNER, 1, 0, 1001)
    with pytest.raises(NamesError):
        pads.rename(pad.id, OWNER, 1, 0, "bo")
    assert pads.get(pad.id) == pad


def test_everybody_enters_for_themselves_and_the_opener_for_all(pads: Pads, pad: Pad) -> None:
    with pytest.raises(NotYours):
        pads.enter(pad.id, "guest", 1, 1, Field.KNIFFEL, Told(5))
    pad = pads.claim(pad.id, "guest", 1)
    pad = pads.enter(pad.id, "guest", 1, 1, Field.KNIFFEL, Told(5))
    assert pad.game.board.written[1][Field.KNIFFEL].by == "guest"
    assert [each.id for each in pads.of_person("guest")] == [pad.id]
    pad = pads.exchange(pad.id, OWNER, 1, 0)
    for refused in (
        lambda: pads.enter(pad.id, "guest", 1, 0, Field.KNIFFEL, Told(5)),
        lambda: pads.enter(pad.id, "guest", 1, 1, Field.ONES, Told(5, 1), passed=(0,)),
        lambda: pads.exchange(pad.id, "guest", 1, 0),
        lambda: pads.undo(pad.id, "guest", 1),
        lambda: pads.end(pad.id, "guest", 1),
        lambda: pads.count(pad.id, "guest", 1, False),
        lambda: pads.delete(pad.id, "guest"),
        lambda: pads.rename(pad.id, "guest", 1, 0, "Bea"),
    ):
        with pytest.raises(NotYours):
            refused()
    assert pads.get(pad.id) == pad
    pads.leave(pad.id, "guest")
    assert pads.of_person("guest") == []
    with pytest.raises(NotYours):
        pads.exchange(pad.id, "guest", 1, 1)


def test_undo_takes_back_what_the_person_saw(pads: Pads, pad: Pad) -> None:
    one = pads.exchange(pad.id, OWNER, 1, 0)
    pads.exchange(pad.id, OWNER, 1, 1)
    with pytest.raises(MovedOn):
        pads.undo(pad.id, OWNER, 1, line=one.number)


def test_after_a_new_change_nothing_is_left_to_make_again(pads: Pads, pad: Pad) -> None:
    pads.exchange(pad.id, OWNER, 1, 0)
    undone = pads.undo(pad.id, OWNER, 1)
    coming = undone.game.next_change()
    assert coming is not None
    with pytest.raises(MovedOn):
        pads.redo(pad.id, OWNER, 1, line=coming.number + 1)
    pads.enter(pad.id, OWNER, 1, 0, Field.KNIFFEL, Told(5))
    with pytest.raises(NothingLeft):
        pads.redo(pad.id, OWNER, 1)


def test_only_who_may_write_begins_the_next_game_or_makes_again(pads: Pads, pad: Pad) -> None:
    pads.claim(pad.id, "guest", 1)
    pads.exchange(pad.id, OWNER, 1, 0)
    pads.undo(pad.id, OWNER, 1)
    with pytest.raises(NotYours):
        pads.redo(pad.id, "guest", 1)
    pads.end(pad.id, OWNER, 1)
    with pytest.raises(NotYours):
        pads.begin(pad.id, "stranger", NewGame(["Ana"], "chosen", 0), after=1)
    after = pads.begin(pad.id, "guest", NewGame(["Ana", "Bo"], "chosen", 0), after=1)
    assert len(after.games) == 2
