"""Whatever several people do at one table, in whatever order, it stays a table."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.notation import Record, parse_move, view_to_json
from kartenkniffel.rules import RuleError
from kartenkniffel.store import Store, open_store
from kartenkniffel.table import (
    Lobby,
    NotSeated,
    SeatError,
    Start,
    State,
    Table,
    TableError,
    Tables,
    UnknownCode,
    fold,
)
from tests.table.helpers import BOTS, begun, play, simple_move, terms

PEOPLE = ("ana", "bo", "cai", "dan", "eve")
EXPECTED = (TableError, RuleError, SeatError, UnknownCode)
"""What people are told; anything else is a fault."""


@dataclass
class Around:
    """A table and all that people do there: a command has the person and some number."""

    tables: Tables
    id: str
    tokens: list[str] = field(default_factory=list)
    seen: list[int] = field(default_factory=lambda: [1])

    @property
    def state(self) -> State:
        return self.tables.look(self.id)

    def guest(self, n: int) -> int:
        state = self.state
        guests = state.guests if isinstance(state, Lobby) else ()
        return guests[n % len(guests)].number if guests else n

    def join(self, who: str, n: int) -> None:
        self.tables.lobbies.join(self.id, ("Ana", "ANA", who, "x" * 24)[n % 4], who)

    def leave(self, who: str, n: int) -> None:
        if isinstance(self.state, Lobby):
            self.tables.lobbies.leave(self.id, who)
        else:
            self.tables.company.leave(self.id, who)

    def remove(self, who: str, n: int) -> None:
        self.tables.lobbies.remove(self.id, who, self.guest(n))

    def hand_over(self, who: str, n: int) -> None:
        self.tables.lobbies.hand_over(self.id, who, self.guest(n))

    def pass_on(self, who: str, n: int) -> None:
        self.tables.lobbies.pass_on(self.id, lambda player: len(player) + n % 2 == 3)

    def fill(self, who: str, n: int) -> None:
        self.tables.lobbies.fill(self.id, who, n % 2 == 0, "simple")

    def close(self, who: str, n: int) -> None:
        if n % 8 == 0:
            self.tables.lobbies.close(self.id, who)

    def start(self, who: str, n: int) -> None:
        how = (Start(), Start("youngest"), Start("seat"))[n % 3]
        self.tables.lobbies.start(self.id, who, how, self.guest(n))

    def find(self, who: str, n: int) -> None:
        state = self.state
        self.tables.lobbies.find(state.code if isinstance(state, Lobby) else "ABCDEF")

    def move(self, who: str, n: int) -> None:
        table = self.tables.get(self.id)
        seat = table.to_move if n % 4 else table.seat_of(who)
        move = parse_move(("x+0", "x+1", "x+0", "1@1", "66@6")[n % 5])
        if n % 3 == 0 and table.to_move is not None:
            move = simple_move(table)
        number = self.seen[n % len(self.seen)] if n % 8 == 1 else None
        key = f"k{n % 6}" if n % 8 == 2 else None
        self.tables.move(self.id, -1 if seat is None else seat, move, number=number, key=key)

    def moves(self, who: str, n: int) -> None:
        play(self.tables, self.id, n)

    def bots(self, who: str, n: int) -> None:
        table = self.tables.get(self.id)
        self.tables._turns._play_if_due(self.id, table.turn)

    def say(self, who: str, n: int) -> None:
        self.tables.company.say(self.id, who, "hello", f"k{n % 6}" if n % 2 else None)

    def propose(self, who: str, n: int) -> None:
        self.tables.company.propose(self.id, who, "end" if n % 4 else "undo")

    def regret(self, who: str, n: int) -> None:
        table = self.tables.get(self.id)
        owner = None if table.to_move is None else table.seats[table.to_move].owner
        if table.to_move is not None and owner is not None:
            self.tables.move(self.id, table.to_move, parse_move("x+0"))
            self.tables.company.propose(self.id, owner, "undo")

    def agree(self, who: str, n: int) -> None:
        for player in PEOPLE[: n % 5]:
            with suppress(NotSeated):
                self.tables.company.answer(self.id, player, True)

    def answer(self, who: str, n: int) -> None:
        self.tables.company.answer(self.id, who, n % 8 != 0)

    def stand_in(self, who: str, n: int) -> None:
        self.tables.company.stand_in(self.id, who, n % 5, lambda _: n % 2 == 0)

    def take_back(self, who: str, n: int) -> None:
        self.tables.company.take_back(self.id, who)

    def clock(self, who: str, n: int) -> None:
        now = datetime.now(UTC) + timedelta(seconds=60 * (n % 2))
        self.tables.company.overdue(self.id, self.tables.get(self.id).turn, now)

    def pace(self, who: str, n: int) -> None:
        self.tables.set_pace(self.id, "slow" if n % 2 else "none")

    def offer(self, who: str, n: int) -> None:
        self.tokens.append(self.tables.company.offer(self.id, who))

    def claim(self, who: str, n: int) -> None:
        if self.tokens:
            self.tables.company.claim(self.id, who, self.tokens[n % len(self.tokens)])

    def rematch(self, who: str, n: int) -> None:
        following = self.tables.rematch(self.id)
        if n % 2:
            self.id, self.tokens = following.id, []

    def drop(self, who: str, n: int) -> None:
        if n % 4 == 0 and len(self.tables.owners_of(self.id)) > 1:
            self.tables.upkeep.drop(self.id, who)

    def forget(self, who: str, n: int) -> None:
        if n % 8 == 0 and len(self.tables.owners_of(self.id)) > 1:
            self.tables.upkeep.forget(who)

    def export(self, who: str, n: int) -> None:
        self.tables.upkeep.export(who)


BEFORE = "join leave remove hand_over pass_on fill close start find offer claim drop forget export"
DURING = (
    "move moves bots say propose regret agree agree answer stand_in take_back leave clock pace"
    " offer claim"
)
OTHERS = "join start rematch drop forget export find fill close"
numbers = st.integers(0, 60)


def steps(commands: str) -> st.SearchStrategy[list[tuple[str, str, int]]]:
    step = st.tuples(st.sampled_from(commands.split()), st.sampled_from(PEOPLE), numbers)
    return st.lists(step, min_size=20, max_size=60)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = open_store(tmp_path_factory.mktemp("anything"))
    yield store
    store.close()


def check(store: Store, around: Around, state: State) -> None:
    """What must be true of a table after whatever has happened."""
    events = store.read(around.id)
    assert fold(events) == state
    assert state.number == len(events)
    assert Tables(store, BOTS).look(around.id) == state
    if isinstance(state, Lobby):
        assert state.closed or state.host in [guest.number for guest in state.guests]
        assert len({guest.owner for guest in state.guests}) == len(state.guests)
        assert len({guest.name.casefold() for guest in state.guests}) == len(state.guests)
        assert state.closed or set(store.owners(around.id)) == state.owners
        assert store.info(around.id).finished == state.closed
        return
    check_game(state)
    assert set(store.owners(around.id)) <= state.owners
    assert store.info(around.id).finished == state.finished


def check_game(table: Table) -> None:
    game = table.game
    cards = "".join(map(str, game.hands)) + game.pile
    assert len(cards) + len(game.view(None).discards) == 108
    assert Record.of(game).replay() == game
    assert set(table.stand_ins) <= set(range(len(table.seats)))
    assert (table.to_move is None) == table.finished
    assert table.proposal is None or not table.finished
    asked, slow = table.proposal, "clock" in table.stand_ins.values()
    assert asked is None or slow or not table.must_agree(lambda _: True) <= asked.agreed
    for seat in range(len(table.seats)):
        view_to_json(table.view(seat))


def do(store: Store, around: Around, step: tuple[str, str, int]) -> None:
    name, who, n = step
    with suppress(*EXPECTED):
        getattr(around, name)(who, n)
    state = around.state
    around.seen.append(state.number)
    check(store, around, state)


@settings(max_examples=20)
@given(steps(BEFORE), st.integers(2, 5), st.booleans(), st.integers(0, 2**32))
def test_whatever_people_do_before_the_start_it_stays_a_table(
    shared: Store, all_steps: list[tuple[str, str, int]], seats: int, fill: bool, seed: int
) -> None:
    tables = Tables(shared, BOTS, rng=random.Random(seed))
    around = Around(tables, tables.lobbies.invite("Ana", "ana", terms(seats, fill=fill)).id)
    for step in all_steps:
        do(shared, around, step)
    state = around.state
    waits = isinstance(state, Lobby) and not state.closed
    assert [each.id for each in tables.lobbies.all_open()] == [around.id] * waits
    tables.delete(around.id)
    assert tables.lobbies.all_open() == []
    assert shared.unfinished("code") == []


@settings(max_examples=20)
@given(
    steps(f"{DURING} {DURING} {DURING} {OTHERS}"),
    st.integers(2, 4),
    st.integers(0, 1),
    st.sampled_from([None, 30]),
    st.integers(0, 2**32),
)
def test_whatever_people_do_in_a_game_it_stays_a_game(
    shared: Store,
    all_steps: list[tuple[str, str, int]],
    friends: int,
    bots: int,
    clock: int | None,
    seed: int,
) -> None:
    tables = Tables(shared, BOTS, rng=random.Random(seed))
    names = PEOPLE[:friends]
    table = begun(tables, *names, seats=friends + bots, fill=True, clock=clock)
    around = Around(tables, table.id)
    for step in all_steps:
        do(shared, around, step)
    assert tables.lobbies.all_open() == []
