"""A simple bot, and what else the tests of the tables share."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from types import SimpleNamespace
from typing import Any

import pytest

from kartenkniffel.bots import Bot
from kartenkniffel.rules import HAND_LIMIT, Cards, Exchange, Field, Move, Score, View
from kartenkniffel.store import Event, Store, StoreFailed
from kartenkniffel.table import Guest, Lobby, Seat, Start, State, Table, Tables, Terms, UnknownTable

STRAIGHTS = (Field.SMALL_STRAIGHT, Field.LARGE_STRAIGHT)


class SimpleBot:
    """Plays the first field it can; else it collects for the first open one."""

    name = "simple"

    def choose(self, view: View, rng: random.Random) -> Move:
        legal = view.legal_moves()
        for move in legal:
            if isinstance(move, Score):
                return move
        assert view.hand is not None
        wanted = view.own.sheet.open_fields[0]
        keep = _collected(view.hand, wanted)
        discard = Cards(list(view.hand - keep)[:5])
        extra = 1 if len(view.hand) < HAND_LIMIT else 0
        return Exchange(discard, len(discard) + extra)


def _collected(hand: Cards, wanted: Field) -> Cards:
    if wanted.is_upper:
        return Cards([wanted.number] * hand.count(wanted.number))
    if wanted in STRAIGHTS:
        return Cards(set(hand) & set(range(1, 5 if wanted is Field.SMALL_STRAIGHT else 6)))
    kinds = Counter(hand).most_common(2 if wanted is Field.FULL_HOUSE else 1)
    return Cards([value for value, count in kinds for _ in range(min(count, 5))])


class Doing:
    """A bot that does as told."""

    name = "doing"

    def __init__(self, do: Callable[[View, random.Random], Any]) -> None:
        self.do = do

    def choose(self, view: View, rng: random.Random) -> Move:
        move: Move = self.do(view, rng)
        return move


def levels(do: Callable[[View, random.Random], Any]) -> dict[str, Callable[[], Bot]]:
    return {"simple": SimpleBot, "doing": lambda: Doing(do)}


BOTS = {"simple": SimpleBot}


def people(*names: str) -> list[Seat]:
    """Seats of people whose player ids are their names in lower case."""
    return [Seat(name, owner=name.lower()) for name in names]


def machines(*names: str, level: str = "simple") -> list[Seat]:
    return [Seat(name, bot=level) for name in names]


def terms(seats: int = 4, **others: Any) -> Terms:
    """Terms whose bots are the simple ones."""
    return Terms(seats, **{"level": "simple", **others})


def gathered(tables: Tables, *names: str, **others: Any) -> Lobby:
    """A table at which these people sit, the first of them as the host."""
    agreed = terms(**{"seats": max(2, len(names)), **others})
    state = tables.lobbies.invite(names[0], names[0].lower(), agreed)
    for name in names[1:]:
        state = tables.lobbies.join(state.id, name, name.lower())
    return lobby(state)


def lobby(state: State) -> Lobby:
    assert isinstance(state, Lobby)
    return state


def guest(state: State, player: str) -> Guest:
    found = lobby(state).guest_of(player)
    assert found is not None
    return found


def begun(tables: Tables, *names: str, **others: Any) -> Table:
    """A game among friends; the first of them starts and is the host."""
    waiting = gathered(tables, *names, **others)
    host = names[0].lower()
    return tables.lobbies.start(waiting.id, host, Start("seat"), guest(waiting, host).number)


def kinds(store: Store, id: str, after: int) -> list[str]:
    return [str(event.body["type"]) for event in store.read(id, after)]


def nobody(player: str) -> bool:
    """Nobody is there."""
    return False


def simple_move(table: Table) -> Move:
    """The move that the simple bot makes where it is anyone's turn."""
    return SimpleBot().choose(table.view(table.to_move), random.Random())


def play(tables: Tables, id: str, moves: int = 10_000) -> Table:
    """Make so many moves for whoever is to move, or play to the end."""
    table = tables.get(id)
    for _ in range(moves):
        if table.to_move is None:
            break
        table = tables.move(id, table.to_move, simple_move(table), number=table.number)
    return table


def wait_for(
    tables: Tables, id: str, reached: Callable[[Table], bool], seconds: float = 20
) -> Table:
    """Wait until a table is as wished, looking again whenever it has moved on."""
    moved_on = threading.Event()
    unwatch = tables.watch(lambda *_: moved_on.set())
    try:
        while not reached(table := tables.get(id)):
            assert moved_on.wait(seconds), f"{table} does not go on"
            moved_on.clear()
        return table
    finally:
        unwatch()


def finished(table: Table) -> bool:
    return table.finished


@contextmanager
def earlier(monkeypatch: pytest.MonkeyPatch, ago: timedelta) -> Iterator[None]:
    """Whatever is stored meanwhile bears an older time."""

    def now(zone: tzinfo) -> datetime:
        return datetime.now(zone) - ago

    with monkeypatch.context() as before:
        before.setattr("kartenkniffel.store.statements.datetime", SimpleNamespace(now=now))
        yield


class Failing:
    """A store that fails so many times when an event is appended."""

    def __init__(self, store: Store, times: int) -> None:
        self.store = store
        self.times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def append(self, *args: Any, **kwargs: Any) -> list[Event]:
        if self.times:
            self.times -= 1
            raise StoreFailed("here", "the disk is full")
        return self.store.append(*args, **kwargs)


def exists(tables: Tables, id: str) -> bool:
    try:
        tables.look(id)
    except UnknownTable:
        return False
    return True


def names_at(tables: Tables, id: str) -> list[str]:
    """What those at a table are called, before the game or in it."""
    state = tables.look(id)
    return [each.name for each in (state.guests if isinstance(state, Lobby) else state.seats)]
