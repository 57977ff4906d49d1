from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from kartenkniffel.rules import HouseRules, PlayersError
from kartenkniffel.store import Store, StoreFailed
from kartenkniffel.table import (
    Begun,
    Full,
    Guest,
    Lobby,
    NotHost,
    NotSeated,
    Seat,
    SeatError,
    ShutOut,
    Start,
    Table,
    Tables,
    TooFew,
    UnknownTable,
    fold,
)
from tests.store.threads import together
from tests.table.helpers import (
    BOTS,
    begun,
    gathered,
    guest,
    lobby,
    machines,
    play,
    terms,
    wait_for,
)


def names(state: Any) -> list[str]:
    return [guest.name for guest in state.guests]


def host(state: Any) -> str:
    (found,) = [guest.owner for guest in state.guests if state.is_host(guest.owner)]
    return str(found)


# Sitting down


def test_two_people_with_one_link_get_two_seats(tables: Tables, store: Store) -> None:
    waiting = gathered(tables, "Ana", "Bo", seats=3)
    assert waiting.guests == (Guest(1, "Ana", "ana"), Guest(2, "Bo", "bo"))
    assert (waiting.free, waiting.host, waiting.closed) == (1, 1, False)
    assert store.owners(waiting.id) == ["ana", "bo"]
    assert Tables(store, BOTS).look(waiting.id) == waiting


def test_one_person_with_two_pages_gets_one_seat(tables: Tables, store: Store) -> None:
    id = gathered(tables, "Ana", seats=3).id
    states = together(8, lambda n: tables.lobbies.join(id, f"Bo {n}", "bo"))
    assert all(state == states[0] for state in states)
    assert len(states[0].guests) == 2
    assert tables.lobbies.join(id, "Somebody", "ana") == states[0]


def _join(tables: Tables, id: str, number: int) -> object:
    return tables.lobbies.join(id, f"P{number}", f"p{number}")


def test_the_last_seat_goes_to_one_and_the_others_are_told(tables: Tables) -> None:
    for _ in range(5):
        id = gathered(tables, "Ana", seats=2).id
        states = together(8, partial(_join, tables, id))
        assert sorted(type(state).__name__ for state in states) == ["Full"] * 7 + ["Lobby"]
        (winner,) = [n for n, state in enumerate(states) if isinstance(state, Lobby)]
        assert names(tables.look(id)) == ["Ana", f"P{winner}"]


def test_a_seat_that_is_left_can_be_taken(tables: Tables, store: Store) -> None:
    id = gathered(tables, "Ana", "Bo").id
    with pytest.raises(Full, match="every seat of this table is taken"):
        tables.lobbies.join(id, "Cai", "cai")
    assert names(tables.lobbies.leave(id, "bo")) == ["Ana"]
    assert store.owners(id) == ["ana"]
    assert names(tables.lobbies.leave(id, "bo")) == ["Ana"]
    assert names(tables.lobbies.join(id, "Cai", "cai")) == ["Ana", "Cai"]


def test_a_name_that_somebody_has_gets_a_number(tables: Tables) -> None:
    id = gathered(tables, "Ana", seats=4).id
    tables.lobbies.join(id, "ANA", "a2")
    tables.lobbies.join(id, "A\u200dna", "a3")
    assert names(tables.look(id)) == ["Ana", "ANA 2", "A\u200dna 3"]


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "\u3164", "a\nb"])
def test_a_name_must_be_seen(tables: Tables, name: str) -> None:
    id = gathered(tables, "Ana").id
    with pytest.raises(SeatError, match="a name has 1 to 24 characters"):
        tables.lobbies.join(id, name, "bo")
    with pytest.raises(SeatError, match="a name has 1 to 24 characters"):
        tables.lobbies.invite(name, "bo", terms())
    assert names(tables.look(id)) == ["Ana"]


def test_a_running_or_finished_game_is_joined_by_nobody(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    for _ in range(2):
        assert tables.lobbies.join(table.id, "Ana", "ana") == tables.look(table.id)
        with pytest.raises(Begun):
            tables.lobbies.join(table.id, "Cai", "cai")
        play(tables, table.id)


def test_a_table_there_is_not_is_joined_by_nobody(tables: Tables) -> None:
    with pytest.raises(UnknownTable):
        tables.lobbies.join("nothere", "Ana", "ana")


# Opening


@pytest.mark.parametrize("number", [0, 11])
def test_R2_a_table_has_at_most_ten_seats(tables: Tables, number: int) -> None:
    with pytest.raises(PlayersError):
        tables.lobbies.invite("Ana", "ana", terms(number))


@pytest.mark.parametrize("wrong", [{"seats": 1}, {"clock": 29}, {"level": "genius"}])
def test_terms_that_are_not_on_offer_are_refused(tables: Tables, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not among those on offer"):
        tables.lobbies.invite("Ana", "ana", terms(**wrong))


def test_a_key_cannot_open_two_tables(tables: Tables, store: Store) -> None:
    made = together(6, lambda _: tables.lobbies.invite("Ana", "ana", terms(), key="ana:k"))
    assert {each.id for each in made} == {made[0].id}
    assert tables.lobbies.find(made[0].code).id == made[0].id
    assert [info.id for info in store.unfinished("code")] == [f"code-{made[0].code}"]
    assert tables.lobbies.invite("Ana", "ana", terms(), key="ana:l").id != made[0].id
    table = tables.lobbies.start(
        tables.lobbies.fill(made[0].id, "ana", True, "simple").id, "ana", Start()
    )
    assert tables.lobbies.invite("Ana", "ana", terms(), key="ana:k") == table


def test_a_table_that_could_not_be_opened_keeps_no_code(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(log: str, kind: str, *others: Any, **named: Any) -> Any:
        if kind == "table":
            raise StoreFailed("here", "the disk is full")
        return create(log, kind, *others, **named)

    create = store.create
    monkeypatch.setattr(store, "create", fail)
    with pytest.raises(StoreFailed):
        tables.lobbies.invite("Ana", "ana", terms())
    assert store.unfinished("code") == []


# The host


def test_only_the_host_has_the_hosts_powers(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo", seats=3)
    lobbies, id, own = tables.lobbies, waiting.id, waiting.guests[0].number
    for player, error in (("bo", NotHost), ("cai", NotSeated)):
        acts: list[Callable[[], object]] = [
            partial(lobbies.start, id, player, Start()),
            partial(lobbies.remove, id, player, own),
            partial(lobbies.hand_over, id, player, own),
            partial(lobbies.fill, id, player, True, "simple"),
            partial(lobbies.close, id, player),
        ]
        for act in acts:
            with pytest.raises(error):
                act()
    assert tables.look(id) == waiting


def test_a_removed_guest_stays_out(tables: Tables, store: Store) -> None:
    waiting = gathered(tables, "Ana", "Bo", "Cai", seats=3)
    state = tables.lobbies.remove(waiting.id, "ana", guest(waiting, "bo").number)
    assert names(state) == ["Ana", "Cai"]
    assert store.owners(waiting.id) == ["ana", "cai"]
    for name in ("Bo", "Other"):
        with pytest.raises(ShutOut, match="given this seat to others"):
            tables.lobbies.join(waiting.id, name, "bo")
    assert tables.lobbies.remove(waiting.id, "ana", guest(waiting, "bo").number) == state
    assert tables.lobbies.remove(waiting.id, "ana", 99) == state
    assert names(tables.lobbies.join(waiting.id, "Bo", "other bo")) == ["Ana", "Cai", "Bo"]


def test_the_host_does_not_remove_the_host(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    assert tables.lobbies.remove(waiting.id, "ana", waiting.host) == waiting


def test_when_the_host_leaves_the_next_clockwise_is_host_with_all_powers(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo", "Cai", "Dan")
    lobbies, id = tables.lobbies, waiting.id
    lobbies.hand_over(id, "ana", guest(waiting, "cai").number)
    assert host(tables.look(id)) == "cai"
    assert host(lobbies.leave(id, "bo")) == "cai"
    assert host(lobbies.leave(id, "cai")) == "dan"
    assert host(lobbies.leave(id, "dan")) == "ana"
    state = lobbies.join(id, "Eve", "eve")
    assert host(lobbies.hand_over(id, "ana", guest(state, "eve").number)) == "eve"
    assert lobby(lobbies.fill(id, "eve", True, "simple")).terms.fill
    assert names(lobbies.remove(id, "eve", waiting.guests[0].number)) == ["Eve"]
    assert [seat.owner for seat in lobbies.start(id, "eve", Start()).seats].count("eve") == 1


def test_hands_do_not_go_to_who_is_not_there(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    assert tables.lobbies.hand_over(waiting.id, "ana", 99) == waiting
    assert tables.lobbies.hand_over(waiting.id, "ana", waiting.host) == waiting


@pytest.mark.parametrize(
    ("here", "next_host"),
    [("abcd", "b"), ("acd", "c"), ("cd", "c"), ("ad", "d"), ("a", "a"), ("b", "b"), ("", "b")],
)
def test_a_host_who_is_gone_is_followed_by_the_next_who_is_there(
    tables: Tables, here: str, next_host: str
) -> None:
    waiting = gathered(tables, *"ABCD")
    tables.lobbies.hand_over(waiting.id, "a", guest(waiting, "b").number)
    state = tables.lobbies.pass_on(waiting.id, here.__contains__)
    assert host(state) == next_host
    assert tables.lobbies.pass_on(waiting.id, here.__contains__) == state


def test_there_is_nothing_to_pass_on_once_the_game_runs(tables: Tables) -> None:
    table = begun(tables, "Ana", "Bo")
    assert tables.lobbies.pass_on(table.id, lambda _: False) == table
    waiting = gathered(tables, "Ana", "Bo")
    closed = tables.lobbies.close(waiting.id, "ana")
    assert tables.lobbies.pass_on(waiting.id, lambda _: False) == closed


def test_a_closed_table_is_over(tables: Tables, store: Store) -> None:
    id = gathered(tables, "Ana", "Bo", seats=3).id
    assert lobby(tables.lobbies.close(id, "ana")).closed
    assert store.info(id).finished
    acts: list[Callable[[], object]] = [
        lambda: tables.lobbies.join(id, "Cai", "cai"),
        lambda: tables.lobbies.start(id, "ana", Start()),
        lambda: tables.lobbies.close(id, "ana"),
        lambda: tables.lobbies.leave(id, "bo"),
        lambda: tables.get(id),
    ]
    for act in acts:
        with pytest.raises(UnknownTable):
            act()


# The start


def test_a_table_starts_with_its_guests_as_they_sat_down(tables: Tables, store: Store) -> None:
    rules = HouseRules(five_of_a_kind_is_full_house=True)
    agreed = {"clock": 60, "spectators": False, "listed": True, "settings": {"pace": "slow"}}
    table = begun(tables, "Ana", "Bo", "Cai", rules=rules, **agreed)
    assert [seat.name for seat in table.seats] == ["Ana", "Bo", "Cai"]
    assert [seat.owner for seat in table.seats] == ["ana", "bo", "cai"]
    assert (table.game.rules, table.clock, table.pace) == (rules, 60, "slow")
    assert (table.spectators, table.level, table.is_among_friends) == (False, "simple", True)
    assert (table.number, table.turn, table.to_move) == (4, 4, 0)
    assert fold(store.read(table.id)) == table == Tables(store, BOTS).get(table.id)


@pytest.mark.parametrize("how", ["seat", "youngest"])
def test_R4_the_guest_who_is_named_starts(tables: Tables, how: Any) -> None:
    waiting = gathered(tables, "Ana", "Bo", "Cai", "Dan", fill=True, seats=5)
    tables.lobbies.leave(waiting.id, "bo")
    number = guest(waiting, "dan").number
    table = tables.lobbies.start(waiting.id, "ana", Start(how), number)
    assert [seat.owner for seat in table.seats] == ["dan", None, None, "ana", "cai"]


def test_R4_a_random_start_comes_to_everybody(tables: Tables) -> None:
    starters = set()
    for _ in range(30):
        waiting = gathered(tables, "Ana", "Bo")
        starters.add(tables.lobbies.start(waiting.id, "ana", Start()).seats[0].name)
    assert starters == {"Ana", "Bo"}


@pytest.mark.parametrize("number", [None, 0, 99])
def test_R4_who_starts_must_have_a_seat(tables: Tables, number: int | None) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    with pytest.raises(SeatError, match="has no seat here"):
        tables.lobbies.start(waiting.id, "ana", Start("youngest"), number)
    assert tables.look(waiting.id) == waiting
    assert tables.lobbies.find(waiting.code) == waiting


def test_bots_sit_on_the_free_seats_if_the_host_wants_it(tables: Tables) -> None:
    waiting = gathered(tables, "Mara", "Bo", seats=5)
    tables.lobbies.fill(waiting.id, "mara", True, "simple")
    assert tables.lobbies.fill(waiting.id, "mara", True, "simple").number == 3
    with pytest.raises(ValueError, match="the bots are simple"):
        tables.lobbies.fill(waiting.id, "mara", True, "genius")
    table = tables.lobbies.start(waiting.id, "mara", Start("seat"), waiting.host)
    assert [seat.bot for seat in table.seats] == [None, None, "simple", "simple", "simple"]
    assert len({seat.name.casefold() for seat in table.seats}) == 5
    assert table.seats[2].name == "Mara 2"


def test_ten_may_play_nine_of_them_bots(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", seats=10, fill=True)
    table = tables.lobbies.start(waiting.id, "ana", Start())
    assert sorted(seat.bot or "" for seat in table.seats) == ["", *["simple"] * 9]


def test_without_bots_the_free_seats_are_not_in_the_game(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo", seats=5)
    assert len(tables.lobbies.start(waiting.id, "ana", Start()).seats) == 2
    alone = gathered(tables, "Ana", seats=5)
    with pytest.raises(TooFew, match="a game needs two players"):
        tables.lobbies.start(alone.id, "ana", Start())
    assert tables.lobbies.find(alone.code) == alone


def test_started_twice_at_once_there_is_one_game(tables: Tables, store: Store) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    started = together(6, lambda _: tables.lobbies.start(waiting.id, "ana", Start()))
    assert all(table == started[0] for table in started)
    assert [event.body["type"] for event in store.read(waiting.id)].count("opened") == 1
    assert tables.lobbies.start(waiting.id, "bo", Start()) == started[0]
    with pytest.raises(Begun):
        tables.lobbies.start(waiting.id, "cai", Start())


def test_who_joins_while_the_game_starts_is_in_it_or_told(tables: Tables) -> None:
    for _ in range(8):
        id = gathered(tables, "Ana", "Bo", seats=3).id

        def act(thread: int, id: str = id) -> object:
            if thread:
                return tables.lobbies.join(id, "Cai", "cai")
            return tables.lobbies.start(id, "ana", Start())

        started, joined = together(2, act)
        assert isinstance(started, Table)
        assert isinstance(joined, Begun) != ("cai" in started.owners)


def test_bots_of_a_started_table_play(running: Tables) -> None:
    waiting = gathered(running, "Ana", seats=2, fill=True)
    table = running.lobbies.start(waiting.id, "ana", Start())
    wait_for(running, table.id, lambda table: table.to_move == table.seat_of("ana"))


# Lists


def test_listed_tables_with_a_free_seat_are_shown_the_newest_first(tables: Tables) -> None:
    one = gathered(tables, "Ana", listed=True)
    two = gathered(tables, "Bo", listed=True)
    gathered(tables, "Cai", "Dan", listed=True)
    hidden = gathered(tables, "Eve")
    assert [each.id for each in tables.lobbies.waiting()] == [two.id, one.id]
    assert len(tables.lobbies.all_open()) == 4
    assert [each.id for each in tables.lobbies.of_player("eve")] == [hidden.id]
    tables.lobbies.join(two.id, "Ana", "ana")
    assert [each.id for each in tables.lobbies.waiting()] == [one.id]
    assert [each.id for each in tables.lobbies.of_player("ana")] == [two.id, one.id]


def test_after_a_restart_the_tables_still_wait(tables: Tables, store: Store) -> None:
    waiting = gathered(tables, "Ana", listed=True)
    closed = gathered(tables, "Ana", listed=True)
    tables.lobbies.close(closed.id, "ana")
    again = Tables(store, BOTS)
    assert again.lobbies.waiting() == []
    again.lobbies.load()
    assert again.lobbies.waiting() == again.lobbies.of_player("ana") == [waiting]
    assert again.lobbies.find(waiting.code) == waiting


def test_a_writer_that_tells_late_does_not_open_a_started_table_again(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo", listed=True, seats=3)
    table = tables.lobbies.start(waiting.id, "ana", Start())
    tables.lobbies.note(waiting)
    assert tables.lobbies.waiting() == []
    tables.lobbies.note(table)
    assert tables.lobbies.all_open() == []


def test_a_table_that_waits_is_no_game_yet(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    assert tables.of_player("ana") == []
    with pytest.raises(UnknownTable):
        tables.get(waiting.id)
    acts: list[Callable[[], object]] = [
        lambda: tables.company.say(waiting.id, "ana", "hello"),
        lambda: tables.company.leave(waiting.id, "ana"),
        lambda: tables.rematch(waiting.id),
        lambda: tables.record(waiting.id),
    ]
    for act in acts:
        with pytest.raises(UnknownTable):
            act()


def test_everybody_concerned_is_told_of_what_happens(tables: Tables) -> None:
    told: list[tuple[int, frozenset[str]]] = []
    tables.watch(lambda notice: told.append((notice.number, notice.people)))
    waiting = gathered(tables, "Ana", "Bo")
    tables.lobbies.remove(waiting.id, "ana", guest(waiting, "bo").number)
    tables.lobbies.leave(waiting.id, "ana")
    assert told == [
        (1, frozenset({"ana"})),
        (2, frozenset({"ana", "bo"})),
        (3, frozenset({"ana", "bo"})),
        (4, frozenset({"ana"})),
    ]


def test_a_local_table_is_no_table_of_friends(tables: Tables) -> None:
    table = tables.open([Seat("Ana", owner="ana"), *machines("A")])
    assert not table.is_among_friends
    assert not table.spectators
    with pytest.raises(Begun):
        tables.lobbies.leave(table.id, "ana")


def test_an_abandoned_lobby_is_dated(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = gathered(tables, "Ana")

    def later(zone: Any) -> datetime:
        return datetime.now(zone) + timedelta(days=1)

    with monkeypatch.context() as tomorrow:
        tomorrow.setattr("kartenkniffel.store.statements.datetime", SimpleNamespace(now=later))
        state = lobby(tables.lobbies.join(waiting.id, "Bo", "bo"))
    assert state.changed_at - waiting.changed_at >= timedelta(days=1)
    assert state.opened_at == waiting.opened_at
