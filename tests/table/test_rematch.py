from datetime import UTC, datetime

import pytest

from kartenkniffel.notation import parse_move
from kartenkniffel.table import (
    Tables,
    UnknownTable,
)
from tests.store.threads import together
from tests.table.helpers import (
    begun,
    gathered,
    lobby,
    nobody,
    play,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


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
    tables.company.propose(id, "ana", "end", nobody)
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
