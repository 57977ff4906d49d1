"""Whole evenings on the pad, held against a reckoning of their own."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.pad import NewGame, Pad, Pads, Told, as_json, fold
from kartenkniffel.pad.statistics import course, evenings, results, statistics, table
from kartenkniffel.rules import FIELDS, HAND_SIZES, Field
from kartenkniffel.store import open_store
from tests.pad.reckoning import CODES, Column, possible

OWNER = "opener"


class Evening:
    """People at a table who play at random and reckon along with a pencil."""

    def __init__(self, pads: Pads, rng: random.Random, players: int) -> None:
        self.pads, self.rng = pads, rng
        self.names = [f"P{number}" for number in range(players)]
        self.first = rng.randrange(players)
        self.pad = pads.open(OWNER, NewGame(self.names, "chosen", self.first))
        self.columns = [Column() for _ in self.names]
        self.sums = dict.fromkeys(self.names, 0)

    def play(self) -> None:
        """Play one game to its end (R12), round by round, and compare after each turn."""
        order = [(self.first + step) % len(self.names) for step in range(len(self.names))]
        full = False
        while not full:
            for player in order:
                assert self.pad.game.board.to_move == player
                self.turn(player)
                assert self.pad.game.board.sheet(player).total == self.columns[player].total
                full = full or len(self.columns[player].points) == 12
        assert self.pad.game.finished
        best = max(column.total for column in self.columns)
        winners = [n for n, column in enumerate(self.columns) if column.total == best]
        assert list(self.pad.game.board.winners) == winners
        for name, column in zip(self.names, self.columns, strict=True):
            self.sums[name] += column.total

    def turn(self, player: int) -> None:
        column, game = self.columns[player], self.pad.game.number
        still = [code for code in CODES if code not in column.points]
        if self.rng.random() < 0.3:
            self.pad = self.pads.exchange(self.pad.id, OWNER, game, player)
        else:
            code = self.rng.choice(still)
            points = self.rng.choice(possible(code))
            hand = self.rng.randint(5, 10)
            told = Told(hand, points=None if code in ("fh", "kn") else points)
            if self.rng.random() < 0.2:
                self.slip(player, code)
            self.pad = self.pads.enter(self.pad.id, OWNER, game, player, Field(code), told)
            column.write(code, points, hand)
        column.turns += 1

    def slip(self, player: int, code: str) -> None:
        """Write something wrong, see it, and take it back."""
        pad, game = self.pad, self.pad.game.number
        wrong = Told(self.rng.randint(5, 10), points=possible(code)[0])
        self.pads.enter(pad.id, OWNER, game, player, Field(code), wrong)
        self.pad = self.pads.undo(pad.id, OWNER, game)

    def again(self) -> None:
        """Begin the next game with the same people; the start passes on (R4)."""
        self.first = (self.first + 1) % len(self.names)
        wanted = NewGame(self.names, "chosen", self.first)
        self.pad = self.pads.begin(self.pad.id, OWNER, wanted, after=len(self.pad.games))
        self.columns = [Column() for _ in self.names]


@settings(max_examples=12)
@given(seed=st.integers(0, 10**9), players=st.integers(1, 6), games=st.integers(1, 3))
def test_R13_an_evening_comes_out_as_reckoned_by_hand(seed: int, players: int, games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        try:
            evening = Evening(Pads(store), random.Random(seed), players)
            evening.play()
            for _ in range(games - 1):
                evening.again()
                evening.play()
            check_tables(evening, games)
            # What was kept is all there is: read anew, the pad is the same.
            assert fold(store.read(evening.pad.id)) == evening.pad
        finally:
            store.close()


def check_tables(evening: Evening, games: int) -> None:
    pad = evening.pad
    (night,) = evenings(pad.games)
    standings = table(night)
    assert len(night) == games
    assert {each.name: each.sum for each in standings} == evening.sums
    assert [each.sum for each in standings] == sorted(evening.sums.values(), reverse=True)
    for each in statistics(pad.games):
        assert each.games == games
        assert each.average * games == evening.sums[each.name]
        assert each.worst <= each.average <= each.best
    for player, totals in enumerate(course(pad.game)):
        assert totals[0] == -20
        assert len(totals) == evening.columns[player].turns + 1
        assert totals[-1] == evening.columns[player].total
    told = as_json(pad)["games"][-1]["players"]
    assert [player["total"] for player in told] == [c.total for c in evening.columns]
    assert results(pad.game)[0].sheet.total == max(c.total for c in evening.columns)


@settings(max_examples=30)
@given(data=st.data())
def test_undo_and_redo_lead_back_and_forth_through_every_board(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        try:
            pads = Pads(store)
            pad = pads.open(OWNER, NewGame(["Ana", "Bo"], "chosen", 1))
            boards = [pad.game.board]
            for _ in range(data.draw(st.integers(1, 12))):
                pad = any_change(data, pads, pad)
                if pad.game.board != boards[-1]:
                    boards.append(pad.game.board)
            for board in reversed(boards[:-1]):
                pad = pads.undo(pad.id, OWNER, 1)
                assert pad.game.board == board
            for board in boards[1:]:
                pad = pads.redo(pad.id, OWNER, 1)
                assert pad.game.board == board
        finally:
            store.close()


def any_change(data: st.DataObject, pads: Pads, pad: Pad) -> Pad:
    board = pad.game.board
    player = data.draw(st.integers(0, 1))
    field = data.draw(st.sampled_from(FIELDS))
    told = Told(
        data.draw(st.sampled_from(HAND_SIZES)), data.draw(st.sampled_from(possible(field.value)))
    )
    what = data.draw(st.sampled_from(["write", "exchange", "recount", "rename", "empty"]))
    if what == "exchange":
        return pads.exchange(pad.id, OWNER, 1, player)
    if what == "recount":
        return pads.recount(pad.id, OWNER, 1, player, data.draw(st.integers(0, 9)))
    if what == "rename":
        name = data.draw(st.sampled_from(["Ana", "Anna"] if player == 0 else ["Bo", "Bob"]))
        return pads.rename(pad.id, OWNER, 1, player, name)
    if field not in board.written[player]:
        return pads.enter(pad.id, OWNER, 1, player, field, told)
    return pads.correct(pad.id, OWNER, 1, player, field, None if what == "empty" else told)
