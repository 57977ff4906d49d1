import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kartenkniffel.notation import Record, parse_move
from kartenkniffel.rules import NO_CARDS
from kartenkniffel.store import Event, open_store
from kartenkniffel.table import DamagedTable, Seat, Start, Table, Tables, fold
from kartenkniffel.table.journal import running
from kartenkniffel.table.state import add
from tests.table.helpers import people, play


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of a whole game of three, in which the discard pile was shuffled (R14)."""
    store = open_store(tmp_path_factory.mktemp("played"))
    tables = Tables(store, {}, rng=random.Random(5))
    id = tables.open(people("Ana", "Bo", "Cai"), Start("seat", 1)).id
    play(tables, id)
    events = store.read(id)
    store.close()
    assert any("shuffle" in event.body for event in events[1:])
    return events


def test_the_fold_is_the_game_that_its_record_replays(played: list[Event]) -> None:
    table = running(fold(played))
    assert table.finished
    assert table.number == len(played)
    assert Record.of(table.game).replay() == table.game


def test_adding_events_one_by_one_gives_the_fold(played: list[Event]) -> None:
    table = running(fold(played[:1]))
    for number, event in enumerate(played[1:], 2):
        table = running(add(table, event))
        if number % 20 == 0:
            assert table == fold(played[:number])
    assert table == fold(played)


def test_what_a_seat_drew_last_is_known(played: list[Event]) -> None:
    table = running(fold(played[:1]))
    assert table.drawn == (NO_CARDS,) * 3
    for event in played[1:]:
        seat = event.body["seat"]
        before, table = table, running(add(table, event))
        kept = before.game.hands[seat] - table.game.moves[-1].leaving
        assert kept + table.drawn[seat] == table.game.hands[seat]
        assert [table.drawn[other] for other in range(3) if other != seat] == [
            before.drawn[other] for other in range(3) if other != seat
        ]


def test_R4_seats_are_numbered_from_the_one_that_starts(played: list[Event]) -> None:
    table = running(fold(played))
    assert [seat.name for seat in table.seats] == ["Bo", "Cai", "Ana"]
    assert table.game.names == ("Bo", "Cai", "Ana")


def test_times_are_those_of_the_events(played: list[Event]) -> None:
    table = running(fold(played))
    assert (table.opened_at, table.changed_at) == (played[0].at, played[-1].at)


def _changed(events: list[Event], number: int, **change: Any) -> list[Event]:
    """The events with entries of one body changed; ``None`` takes an entry away."""
    body = {**events[number - 1].body, **change}
    for key in [key for key, value in change.items() if value is None]:
        del body[key]
    event = replace(events[number - 1], body=body)
    return [*events[: number - 1], event, *events[number:]]


Damage = Callable[[list[Event]], list[Event]]

_DAMAGES: dict[str, tuple[Damage, int, str]] = {
    "no beginning": (lambda e: e[1:], 2, "the table is not opened yet"),
    "a gap": (lambda e: e[:4] + e[5:], 6, "event 5 is missing"),
    "another log": (lambda e: [*e[:3], replace(e[3], log="x")], 4, "event 4 is missing"),
    "opened twice": (
        lambda e: [*e[:4], replace(e[0], number=5)],
        5,
        "opened makes no sense here",
    ),
    "new type": (lambda e: _changed(e, 5, type="danced"), 5, "the event type danced is unknown"),
    "a lobby's": (
        lambda e: [*e[:4], replace(e[4], body={"type": "joined", "name": "D", "owner": "d"})],
        5,
        "joined makes no sense here",
    ),
    "no type": (lambda e: _changed(e, 5, type=None), 5, "the event is unreadable"),
    "illegal": (lambda e: _changed(e, 5, move="x1+99"), 5, "the move breaks R"),
    "no move": (lambda e: _changed(e, 5, move="11345"), 5, "the event is unreadable"),
    "without": (lambda e: _changed(e, 5, move=None), 5, "the event is unreadable"),
    "another's turn": (lambda e: _changed(e, 5, seat=2), 5, "it is not the turn of seat 2"),
    "a shuffle": (lambda e: _changed(e, 5, shuffle="123"), 5, "the shuffle is not called for"),
    "few cards": (lambda e: _changed(e, 1, shuffle="123"), 1, "the deal breaks R1"),
    "nobody": (lambda e: _changed(e, 1, seats=[], order=[]), 1, "the deal breaks R2"),
    "seat twice": (lambda e: _changed(e, 1, order=[0, 1, 1]), 1, "the order of the seats is wrong"),
    "new rule": (lambda e: _changed(e, 1, rules={"new": True}), 1, "the event is unreadable"),
    "new version": (lambda e: _changed(e, 1, version=2), 1, "the event type opened of version 2"),
}


@pytest.mark.parametrize("name", _DAMAGES)
def test_damage_is_told_with_its_event_and_without_a_secret(played: list[Event], name: str) -> None:
    damage, number, reason = _DAMAGES[name]
    with pytest.raises(DamagedTable) as caught:
        fold(damage(played))
    error = caught.value
    assert error.number == number
    assert error.reason.startswith(reason)
    assert error.__suppress_context__ or error.__context__ is None
    hands = {str(hand) for hand in running(fold(played[:4])).game.hands}
    assert not any(hand in str(error) for hand in hands)


def test_a_shuffle_that_is_missing_or_wrong_is_damage(played: list[Event]) -> None:
    number = next(e.number for e in played if e.number > 1 and "shuffle" in e.body)
    for damaged in (_changed(played, number, shuffle=None), _changed(played, number, shuffle="1")):
        with pytest.raises(DamagedTable, match=f"at event {number}, the move breaks R14"):
            fold(damaged)


def test_R15_a_table_does_not_show_its_secrets(played: list[Event]) -> None:
    table = running(fold(played[:10]))
    shown = repr(table)
    assert table.game.pile not in shown
    assert table.game.shuffles[0] not in shown
    assert not any(repr(hand) in shown for hand in table.game.hands)


def _after(tables: Tables, moves: int, *owners: str | None) -> Table:
    seats = [Seat(f"P{n}", owner=owner) for n, owner in enumerate(owners)]
    return play(tables, tables.open(seats, Start("seat", 0)).id, moves)


@pytest.mark.parametrize(
    ("moves", "owners", "seat"),
    [
        (0, ("a", "b", "c"), 0),
        (1, ("a", "b", "c"), 0),
        (0, ("a", "a", "a"), 0),
        (1, ("a", "a", "a"), 1),
        (5, ("a", "a", "a"), 2),
        (0, (None, "a", "a"), 1),
        (1, (None, "a", "a"), 1),
        (2, ("a", "a", None), 1),
        (3, ("a", "a", None), 0),
        (0, (None, None, "a"), 2),
        (3, ("b", "b", "b"), None),
        (3, (None, None, None), None),
    ],
)
def test_a_player_with_several_seats_holds_the_one_to_move_or_that_moved_last(
    tables: Tables, moves: int, owners: tuple[str | None, ...], seat: int | None
) -> None:
    assert _after(tables, moves, *owners).seat_of("a") == seat


def test_a_stranger_has_no_seat(tables: Tables) -> None:
    table = _after(tables, 0, "a", None)
    assert table.seats_of("a") == (0,)
    assert table.seats_of("b") == table.seats_of(None) == ()
    assert table.seat_of(None) is None


def test_a_finished_table_keeps_its_players_seat(played: list[Event]) -> None:
    assert [running(fold(played)).seat_of(each) for each in ("ana", "bo", "cai")] == [2, 0, 1]


def test_moves_are_kept_as_text(played: list[Event]) -> None:
    moves = [parse_move(event.body["move"]) for event in played[1:]]
    assert tuple(moves) == running(fold(played)).game.moves


def test_a_shared_device_shows_the_seat_to_move_and_the_one_that_moved_last(
    tables: Tables,
) -> None:
    seats = [
        Seat("Ana", owner="home"),
        Seat("Eve", owner="eve"),
        Seat("Bo", owner="home"),
        Seat("Cy", owner="home"),
    ]
    id = tables.open(seats, Start("seat", 0)).id
    seen = []
    for _ in range(5):
        table = tables.get(id)
        assert table.is_shared("home")
        assert not table.is_shared("eve")
        seen.append(
            (
                table.next_seat_of("home"),
                [seat for seat in range(4) if table.may_look("home", seat)],
                [seat for seat in range(4) if table.may_look("eve", seat)],
            )
        )
        play(tables, id, 1)
    assert seen == [
        (0, [0], []),
        (2, [0], [1]),
        (2, [0, 2], [1]),
        (3, [2, 3], [1]),
        (0, [0, 3], [1]),
    ]
    table = play(tables, id)
    assert not table.is_shared("home")
    assert table.next_seat_of("home") is None
    assert table.next_seat_of("nobody") is None
