"""A place moves to another device by a link."""

import pytest

from kartenkniffel.notation import parse_move
from kartenkniffel.store import Store
from kartenkniffel.table import (
    Lobby,
    NotPossible,
    NotSeated,
    Seat,
    Start,
    State,
    Table,
    Tables,
    fold,
)
from tests.store.threads import together
from tests.table.helpers import (
    begun,
    gathered,
    guest,
    play,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


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
