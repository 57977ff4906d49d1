from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from kartenkniffel.notation import parse_move
from kartenkniffel.rules import GameOverError, HouseRules, PlayersError, RuleError
from kartenkniffel.store import Event, Store
from kartenkniffel.table import (
    MovedOn,
    NotFinished,
    Notice,
    NotYourTurn,
    Seat,
    SeatError,
    Start,
    Table,
    Tables,
    UnknownTable,
    fold,
)
from kartenkniffel.table.journal import running
from tests.store.threads import together
from tests.table.helpers import BOTS, machines, people, play, simple_move

PASS = parse_move("x+0")
DRAW = parse_move("x+1")
FIRST = Start("seat", 0)


def opened(tables: Tables, *names: str) -> Table:
    return tables.open(people(*names or ("Ana", "Bo")), FIRST)


# Opening


def test_an_opened_table_is_dealt_and_kept(tables: Tables, store: Store) -> None:
    rules = HouseRules(five_of_a_kind_is_full_house=True)
    table = tables.open(people("Ana", "Bo"), FIRST, rules, settings={"x": 1})
    assert [len(hand) for hand in table.game.hands] == [5, 5]
    assert (table.number, table.to_move, table.finished) == (1, 0, False)
    assert (table.game.rules, table.settings) == (rules, {"x": 1})
    assert Tables(store, BOTS).get(table.id) == table


def test_R4_a_random_start_comes_to_every_seat(tables: Tables) -> None:
    starters = {tables.open(people("Ana", "Bo", "Cai")).seats[0].name for _ in range(40)}
    assert starters == {"Ana", "Bo", "Cai"}


@pytest.mark.parametrize("how", ["seat", "youngest"])
def test_R4_a_named_seat_starts_and_play_goes_clockwise(tables: Tables, how: Any) -> None:
    table = tables.open(people("Ana", "Bo", "Cai"), Start(how, 2))
    assert [seat.name for seat in table.seats] == ["Cai", "Ana", "Bo"]


def test_R15_no_two_tables_are_dealt_alike_and_no_seed_is_kept(
    tables: Tables, store: Store
) -> None:
    dealt = {opened(tables).game.shuffles for _ in range(20)}
    assert len(dealt) == 20
    body = store.read(opened(tables).id)[0].body
    keys = "type version seats start order shuffle rules rematch_of settings rules_version"
    assert sorted(body) == sorted(keys.split())


def test_a_key_opens_one_table(tables: Tables) -> None:
    results = together(8, lambda _: tables.open(people("Ana", "Bo"), key="ana:1"))
    assert all(result == results[0] for result in results)
    assert len(tables.of_player("ana")) == 1
    assert tables.open(people("Ana", "Bo"), key="ana:2") != results[0]


@pytest.mark.parametrize("number", [0, 11])
def test_R2_a_table_has_one_to_ten_players(tables: Tables, number: int) -> None:
    with pytest.raises(PlayersError):
        tables.open(people(*"ABCDEFGHIJK"[:number]))


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb", "x" * 25, "a" + "\u0301" * 64, "\u202e", "\u200d", "\u0301"]
)
def test_a_name_can_be_seen(tables: Tables, name: str) -> None:
    with pytest.raises(SeatError, match="a name has 1 to 24 characters") as caught:
        tables.open([*people("Ana"), Seat(name)])
    assert caught.value.seat == 1


@pytest.mark.parametrize(
    "name", ["x" * 24, "e\u0301" * 24, "नमस्ते", "\U0001f469\u200d\U0001f680" * 8, "Ana-Marie 3"]
)
def test_what_counts_in_a_name_is_what_one_sees(tables: Tables, name: str) -> None:
    assert tables.open([Seat(name, owner="ana")]).seats[0].name == name


@pytest.mark.parametrize(
    ("seat", "message"),
    [
        (Seat("Bo", bot="genius"), "the bots are simple; there is no other"),
        (Seat("Bo", bot="simple", owner="bo"), "a seat is a bot's or a person's, not both"),
    ],
)
def test_a_seat_is_a_persons_or_a_known_bots(tables: Tables, seat: Seat, message: str) -> None:
    with pytest.raises(SeatError, match=message):
        tables.open([*people("Ana"), seat])


@pytest.mark.parametrize("start", [Start("seat", 2), Start("seat", -1), Start("youngest")])
def test_the_seat_that_starts_must_be_there(tables: Tables, start: Start) -> None:
    with pytest.raises(SeatError, match="the seat that starts is 0 to 1"):
        tables.open(people("Ana", "Bo"), start)


@pytest.mark.parametrize("id", ["nothere", "", "../etc", "ä", "a\0b", "\ud800", "x" * 5000])
def test_a_table_there_is_not_is_unknown(tables: Tables, id: str) -> None:
    with pytest.raises(UnknownTable, match="there is no such table") as caught:
        tables.get(id)
    assert caught.value.table == id


def test_a_log_of_another_kind_is_no_table(tables: Tables, store: Store) -> None:
    store.create("pad", "pad", ["ana"], [{"type": "opened"}])
    with pytest.raises(UnknownTable):
        tables.get("pad")
    tables.delete("pad")
    assert store.info("pad").last == 1


# Moves


def test_a_move_is_made_and_kept(tables: Tables, store: Store) -> None:
    id = opened(tables).id
    table = tables.move(id, 0, DRAW, number=1)
    assert (table.number, table.to_move) == (2, 1)
    assert len(table.game.hands[0]) == 6
    assert Tables(store, BOTS).get(id) == tables.get(id) == table
    assert store.read(id, 1)[0].body == {"type": "moved", "seat": 0, "move": "x+1"}


def test_it_must_be_the_seats_turn(tables: Tables) -> None:
    id = opened(tables).id
    for seat in (1, 2, -1):
        with pytest.raises(NotYourTurn, match=f"the turn of seat 0, not of seat {seat}") as caught:
            tables.move(id, seat, DRAW)
        assert (caught.value.seat, caught.value.to_move) == (seat, 0)


def test_a_move_that_breaks_a_rule_is_refused_with_its_clause(tables: Tables, store: Store) -> None:
    id = opened(tables).id
    with pytest.raises(RuleError, match="draw 0 or 1, not 2") as caught:
        tables.move(id, 0, parse_move("x+2"))
    assert caught.value.clause == "R5"
    assert store.info(id).last == 1


def test_a_mover_who_saw_less_is_refused(tables: Tables) -> None:
    id = opened(tables, "Ana").id
    tables.move(id, 0, DRAW, number=1)
    with pytest.raises(MovedOn, match="has moved on since this page was shown") as caught:
        tables.move(id, 0, DRAW, number=1)
    assert (caught.value.seen, caught.value.number) == (1, 2)
    assert tables.move(id, 0, DRAW).number == 3


def test_a_key_is_done_once_whatever_has_happened_since(tables: Tables) -> None:
    id = opened(tables).id
    tables.move(id, 0, DRAW, number=1, key="k")
    assert tables.move(id, 0, DRAW, number=1, key="k").number == 2
    table = tables.move(id, 1, DRAW, number=2, key="k")
    assert table.number == 3
    assert tables.move(id, 0, DRAW, number=1, key="k") == table
    assert tables.move(id, 0, DRAW, number=3, key="k") == table
    assert tables.move(id, 0, DRAW, number=3, key="other").number == 4


def test_a_key_is_its_seats_own(tables: Tables) -> None:
    id = opened(tables).id
    tables.move(id, 0, DRAW, key="k")
    with pytest.raises(NotYourTurn):
        tables.move(id, 0, DRAW, key="bot:2")
    assert len(tables.move(id, 1, DRAW, key="k").game.hands[1]) == 6


def _pass(tables: Tables, id: str, seat: int, number: int, thread: int) -> Table:
    return tables.move(id, seat, PASS, number=number)


def test_of_two_threads_that_move_at_once_one_wins(tables: Tables, store: Store) -> None:
    id = opened(tables).id
    for number in range(1, 11):
        seat = (number - 1) % 2
        results = together(2, partial(_pass, tables, id, seat, number))
        assert sorted(type(result).__name__ for result in results) == ["MovedOn", "Table"]
    assert store.info(id).last == 11


def test_of_many_threads_with_one_key_one_moves_and_all_are_told_so(tables: Tables) -> None:
    id = opened(tables).id
    results = together(8, lambda _: tables.move(id, 0, DRAW, number=1, key="k"))
    assert results == [tables.get(id)] * 8
    assert tables.get(id).number == 2


class Meddled:
    """A store in which something happens just before the next event is appended."""

    def __init__(self, store: Store, meddle: Callable[[], object]) -> None:
        self.store = store
        self.meddle: Callable[[], object] | None = meddle

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def append(self, *args: Any, **kwargs: Any) -> list[Event]:
        meddle, self.meddle = self.meddle, None
        if meddle:
            meddle()
        return self.store.append(*args, **kwargs)


def meddled(store: Store, meddle: Callable[[], object]) -> Tables:
    return Tables(Meddled(store, meddle), BOTS)


def test_a_move_that_another_writer_overtook_is_judged_anew(tables: Tables, store: Store) -> None:
    id = opened(tables, "Ana").id
    slow = meddled(store, lambda: tables.move(id, 0, DRAW, key="other"))
    assert slow.move(id, 0, DRAW, key="k").number == 3
    slow = meddled(store, lambda: tables.move(id, 0, PASS, key="another"))
    with pytest.raises(MovedOn):
        slow.move(id, 0, DRAW, number=3)
    slow = meddled(store, lambda: tables.move(id, 0, DRAW, number=4, key="twice"))
    assert slow.move(id, 0, DRAW, number=4, key="twice").number == 5
    two = opened(tables).id
    slow = meddled(store, lambda: tables.move(two, 0, DRAW))
    with pytest.raises(NotYourTurn):
        slow.move(two, 0, DRAW)


def test_a_state_that_another_writer_changed_is_seen(tables: Tables, store: Store) -> None:
    other = Tables(store, BOTS)
    id = opened(tables).id
    other.move(id, 0, DRAW)
    assert tables.get(id).number == 2
    other.delete(id)
    with pytest.raises(UnknownTable):
        tables.get(id)


# The end


def played(tables: Tables, *names: str) -> Table:
    return play(tables, opened(tables, *names).id)


def test_a_finished_table_takes_no_move_and_is_marked(tables: Tables, store: Store) -> None:
    table = played(tables, "Ana")
    assert table.finished
    assert store.info(table.id).finished
    with pytest.raises(NotYourTurn, match="the game is over") as caught:
        tables.move(table.id, 0, PASS)
    assert caught.value.to_move is None
    with pytest.raises(GameOverError):
        table.game.check(PASS)


def test_R15_a_record_is_given_when_the_game_is_over(tables: Tables) -> None:
    running = opened(tables, "Ana").id
    with pytest.raises(NotFinished, match="the game is not over"):
        tables.record(running)
    table = play(tables, running)
    assert tables.record(running).replay() == table.game


def test_R4_a_rematch_passes_the_start_one_place_clockwise(tables: Tables) -> None:
    table = tables.open(people("Ana", "Bo", "Cai"), Start("seat", 1), settings={"x": 1})
    with pytest.raises(NotFinished):
        tables.rematch(table.id)
    table = play(tables, table.id)
    following = tables.rematch(table.id)
    assert [seat.name for seat in following.seats] == ["Cai", "Ana", "Bo"]
    assert following.seats == (*table.seats[1:], table.seats[0])
    assert (following.rematch_of, following.settings["x"]) == (table.id, 1)
    assert (following.number, following.game.moves) == (1, ())
    assert tables.get(table.id).next_table == following.id
    assert tables.rematch(table.id) == following


def test_a_rematch_is_opened_once_for_all_who_ask(tables: Tables, store: Store) -> None:
    id = played(tables, "Ana").id
    results = together(6, lambda _: tables.rematch(id))
    assert {result.id for result in results} == {tables.get(id).next_table}
    assert len(tables.of_player("ana")) == 2
    assert store.read(id)[-1].body == {"type": "rematched", "table": results[0].id}


def test_a_rematch_cut_short_is_completed(tables: Tables, store: Store) -> None:
    id = played(tables, "Ana").id

    def die() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meddled(store, die).rematch(id)
    assert tables.get(id).next_table is None
    assert tables.rematch(id).id == tables.get(id).next_table
    assert len(tables.of_player("ana")) == 2


def test_a_rematch_of_one_player_starts_with_the_same(tables: Tables) -> None:
    assert tables.rematch(played(tables, "Ana").id).seats == tuple(people("Ana"))


# Lists, deleting, watching


def test_a_player_finds_the_tables_unfinished_first_then_newest_first(tables: Tables) -> None:
    done = played(tables, "Ana")
    first, second, other = (opened(tables, *names) for names in (("Ana", "Bo"),) * 2 + (("Bo",),))
    tables.move(first.id, 0, DRAW)
    listed = tables.of_player("ana")
    assert [summary.id for summary in listed] == [first.id, second.id, done.id]
    assert [summary.finished for summary in listed] == [False, False, True]
    assert len(tables.of_player("ana", limit=2)) == 2
    assert other.id in [summary.id for summary in tables.of_player("bo")]
    assert tables.of_player("nobody") == []


def test_a_summary_tells_how_things_stand(tables: Tables) -> None:
    table = tables.open([*people("Ana"), *machines("Bot")], Start("seat", 1))
    (running,) = tables.of_player("ana")
    assert (running.seat, running.names, running.to_move) == (1, ("Bot", "Ana"), 0)
    assert (running.round, running.totals, running.winners) == (1, (-20, -20), ())
    table = play(tables, table.id)
    following = tables.rematch(table.id)
    _, summary = tables.of_player("ana")
    assert summary.totals == tuple(sheet.total for sheet in table.game.sheets)
    assert (summary.round, summary.winners) == (table.game.round, table.game.winners)
    assert (summary.to_move, summary.next_table) == (None, following.id)
    assert (summary.opened_at, summary.seat) == (table.opened_at, 1)


def test_a_damaged_table_does_not_hide_the_others(tables: Tables, store: Store) -> None:
    bad, good = opened(tables), opened(tables)
    store.append(bad.id, 1, [{"type": "joined"}])
    assert [summary.id for summary in tables.of_player("ana")] == [good.id]
    tables.delete(bad.id)
    with pytest.raises(UnknownTable):
        tables.get(bad.id)


def test_a_deleted_table_is_gone_for_all(tables: Tables) -> None:
    id = opened(tables).id
    told: list[Notice] = []
    tables.watch(told.append)
    tables.delete(id)
    tables.delete(id)
    assert told == [Notice(id, 0, frozenset({"ana", "bo"}))]
    assert tables.of_player("ana") == []
    with pytest.raises(UnknownTable):
        tables.move(id, 0, DRAW)


def test_watchers_are_told_each_event_once_it_is_kept(tables: Tables, store: Store) -> None:
    told: list[tuple[Notice, int]] = []
    unwatch = tables.watch(lambda notice: told.append((notice, store.info(notice.table).last)))
    id = opened(tables, "Ana").id
    tables.move(id, 0, DRAW, key="k")
    tables.move(id, 0, DRAW, key="k")
    with pytest.raises(RuleError):
        tables.move(id, 0, parse_move("x+9"))
    assert told == [(Notice(id, last, frozenset({"ana"})), last) for last in (1, 2)]
    unwatch()
    unwatch()
    tables.move(id, 0, DRAW)
    assert len(told) == 2


def test_a_watcher_that_fails_harms_nobody(
    tables: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[int] = []

    def fail(notice: Notice) -> None:
        raise RuntimeError(tables.get(notice.table).game.pile)

    tables.watch(fail)
    tables.watch(lambda notice: told.append(notice.number))
    id = opened(tables).id
    assert told == [1]
    assert "RuntimeError" in caplog.text
    assert tables.get(id).game.pile not in caplog.text


def test_more_tables_than_are_kept_in_mind_can_be_played(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kartenkniffel.table.journal.MOST_KEPT", 3)
    tables = Tables(store, BOTS)
    ids = [opened(tables, "Ana").id for _ in range(6)]
    for _ in range(3):
        for id in ids:
            tables.move(id, 0, simple_move(tables.get(id)))
    assert {tables.get(id).number for id in ids} == {4}


def test_a_pace_is_an_event_and_passes_to_the_rematch(tables: Tables, store: Store) -> None:
    id = tables.open(people("Ana"), settings={"pace": "slow"}).id
    assert tables.get(id).pace == "slow"
    table = tables.set_pace(id, "none")
    assert (table.pace, table.number) == ("none", 2)
    assert tables.set_pace(id, "none").number == 2
    assert running(fold(store.read(id))).pace == "none"
    play(tables, id)
    assert tables.rematch(id).pace == "none"
    assert tables.set_pace(id, "slow").pace == "none"


def test_an_unknown_pace_falls_back_to_the_normal_one(tables: Tables) -> None:
    assert tables.open(people("Ana"), settings={"pace": ["fast"]}).pace == "normal"
