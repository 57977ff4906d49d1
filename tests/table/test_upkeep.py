import json
import random
import threading
from datetime import UTC, datetime, timedelta

import pytest

from kartenkniffel.notation import load_record, parse_move
from kartenkniffel.rules import FULL_DECK, HouseRules
from kartenkniffel.store import Store
from kartenkniffel.table import (
    Seat,
    Start,
    Tables,
    UnknownCode,
)
from kartenkniffel.table.bodies import to_body
from kartenkniffel.table.events import Moved, Opened, TableEvent
from kartenkniffel.table.state import MOST_TALK
from tests.table.helpers import (
    BOTS,
    begun,
    earlier,
    exists,
    gathered,
    lobby,
    names_at,
    people,
    play,
)

PASS = parse_move("x+0")
DRAW = parse_move("x+1")


# Taking away


def test_all_that_is_kept_can_be_taken_away(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    done = begun(tables, "Bo", "Ana")
    for _ in range(MOST_TALK + 1):
        tables.company.say(done.id, "ana", "hello")
    tables.company.say(done.id, "bo", "thanks")
    played = play(tables, done.id)
    running = begun(tables, "Ana", "Bo")
    tables.move(running.id, 0, DRAW)
    gathered(tables, "Cai")
    told = {each["table"]: each for each in tables.upkeep.export("ana")}
    assert set(told) == {waiting.id, done.id, running.id}
    assert told[waiting.id] | {"opened": "", "changed": ""} == {
        "table": waiting.id,
        "opened": "",
        "changed": "",
        "state": "waiting",
        "name": "Ana",
        "players": ["Ana", "Bo"],
    }
    assert load_record(json.dumps(told[done.id]["record"]).encode()).replay() == played.game
    assert (told[done.id]["state"], told[done.id]["said"]) == (
        "finished",
        ["hello"] * (MOST_TALK + 1),
    )
    assert (told[done.id]["seats"], told[done.id]["names"]) == ([1], ["Ana"])
    (view,) = told[running.id]["views"]
    assert view["seat"] == 0
    assert view["hand"] == str(tables.get(running.id).game.hands[0])
    assert "record" not in told[running.id]
    assert json.loads(json.dumps(list(told.values()))) == list(told.values())
    assert tables.upkeep.export("nobody") == []


def test_a_table_that_was_given_up_is_not_said_to_wait(tables: Tables) -> None:
    id = gathered(tables, "Ana", "Bo").id
    tables.lobbies.close(id, "ana")
    assert [each["state"] for each in tables.upkeep.export("bo")] == ["closed"]


def test_of_a_shared_device_all_own_seats_are_told(tables: Tables) -> None:
    seats = [Seat("Ana", owner="home"), Seat("Eve", owner="eve"), Seat("Bo", owner="home")]
    tables.open(seats, Start("seat", 0))
    (told,) = tables.upkeep.export("home")
    assert told["seats"] == [0, 2]
    # Whoever holds a shared device may not see all its hands at once (R15).
    assert [(view["seat"], view.get("hand")) for view in told["views"]] == [(None, None)]
    (told,) = tables.upkeep.export("eve")
    assert [view["seat"] for view in told["views"]] == [1]


def test_what_cannot_be_read_does_not_keep_the_rest(tables: Tables, store: Store) -> None:
    bad, good = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
    store.append(bad.id, bad.number, [{"type": "danced"}])
    assert [each["table"] for each in tables.upkeep.export("ana")] == [good.id]


def _kept(store: Store, id: str, shuffle: str) -> None:
    """A game of two, as a log, of which the first has drawn the card at place 10."""
    opened = Opened(
        tuple(people("Ana", "Bo")), Start("seat", 0), (0, 1), shuffle, HouseRules(False)
    )
    moves = [Moved(0, DRAW), Moved(1, PASS), Moved(0, PASS)]
    events: list[TableEvent] = [opened, *moves]
    store.create(id, "table", ["ana", "bo"], [to_body(event) for event in events])


@pytest.mark.parametrize("seed", range(5))
def test_R15_of_a_running_game_only_what_the_own_seat_knows_is_told(
    tables: Tables, store: Store, seed: int
) -> None:
    rng = random.Random(seed)
    first = list("".join(str(value) for value in FULL_DECK))
    rng.shuffle(first)
    known = {0, 2, 4, 6, 8, 10}
    hidden = [place for place in range(108) if place not in known]
    second = list(first)
    for place, other in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
        second[place] = first[other]
    assert first != second
    for id, shuffle in (("one", first), ("two", second)):
        _kept(store, id, "".join(shuffle))
        table = tables.company.say(id, "bo", "hello")
        tables.company.propose(id, "ana", "undo")
        tables.company.answer(id, "bo", True)
        assert tables.company.leave(id, "bo").number == table.number + 4
    told = {each.pop("table"): each for each in tables.upkeep.export("ana")}
    for each in told.values():
        del each["opened"], each["changed"]
    assert told["one"] == told["two"]
    theirs = {each["table"]: each["views"] for each in tables.upkeep.export("bo")}
    assert tables.get("one").game.hands[1] != tables.get("two").game.hands[1]
    assert theirs["one"] != theirs["two"]


# Off the list


def test_a_table_of_nobody_else_is_deleted(tables: Tables) -> None:
    id = begun(tables, "Ana", seats=2, fill=True).id
    tables.upkeep.drop(id, "bo")
    assert exists(tables, id)
    tables.upkeep.drop(id, "ana")
    tables.upkeep.drop(id, "ana")
    assert not exists(tables, id)


def test_a_table_of_several_goes_off_one_list_only(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    before = play(tables, id)
    tables.upkeep.drop(id, "ana")
    assert tables.of_player("ana") == []
    assert [summary.id for summary in tables.of_player("bo")] == [id]
    assert tables.get(id) == before
    tables.upkeep.drop(id, "bo")
    assert not exists(tables, id)


def test_a_running_game_off_the_list_goes_on(tables: Tables) -> None:
    id = begun(tables, "Ana", "Bo").id
    tables.upkeep.drop(id, "ana")
    table = tables.get(id)
    assert table.stand_ins == {0: "left"}
    assert table.owners == {"ana", "bo"}
    assert names_at(tables, id) == ["Ana", "Bo"]


def test_a_table_that_waits_off_the_list_is_left(tables: Tables) -> None:
    waiting = gathered(tables, "Ana", "Bo")
    tables.upkeep.drop(waiting.id, "ana")
    assert names_at(tables, waiting.id) == ["Bo"]
    assert lobby(tables.look(waiting.id)).is_host("bo")


def test_a_damaged_table_can_be_taken_off_the_list(
    tables: Tables, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = begun(tables, "Ana", "Bo")
    store.append(table.id, table.number, [{"type": "danced"}])
    tables.upkeep.drop(table.id, "ana")
    assert store.owners(table.id) == ["bo"]
    assert "is left as it is" in caplog.text


# Clearing


def test_what_is_finished_or_never_began_is_cleared_by_its_age(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_kinds() -> dict[str, str]:
        done, ended = begun(tables, "Ana", "Bo"), begun(tables, "Ana", seats=2, fill=True)
        play(tables, done.id)
        tables.company.propose(ended.id, "ana", "end")
        closed = gathered(tables, "Ana")
        tables.lobbies.close(closed.id, "ana")
        running = begun(tables, "Ana", "Bo")
        tables.move(running.id, 0, DRAW)
        waiting = gathered(tables, "Ana", listed=True)
        return {
            "done": done.id,
            "ended": ended.id,
            "closed": closed.id,
            "running": running.id,
            "waiting": waiting.id,
        }

    with earlier(monkeypatch, timedelta(days=30)):
        old = all_kinds()
    new = all_kinds()
    told: list[tuple[str, int]] = []
    tables.watch(lambda notice: told.append((notice.table, notice.number)))
    assert tables.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 4
    assert [kind for kind, id in old.items() if exists(tables, id)] == ["running"]
    assert all(exists(tables, id) for id in new.values())
    assert sorted(told) == sorted((id, 0) for kind, id in old.items() if kind != "running")
    assert [each.id for each in tables.lobbies.waiting()] == [new["waiting"]]
    codes = [info.id for info in store.unfinished("code")]
    assert codes == [f"code-{lobby(tables.look(new['waiting'])).code}"]
    assert play(tables, old["running"]).finished


def test_an_old_table_at_which_something_happened_lately_stays_and_its_code_too(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(days=30)):
        old = gathered(tables, "Ana", seats=3)
        orphan = gathered(tables, "Bo", seats=3)
    store.delete(orphan.id)
    state = tables.lobbies.join(old.id, "Cai", "cai")
    done = begun(tables, "Ana", "Bo").id
    play(tables, done)
    again = Tables(store, BOTS)
    assert again.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 0
    assert again.lobbies.find(old.code) == state
    assert [info.id for info in store.unfinished("code")] == [f"code-{old.code}"]
    with pytest.raises(UnknownCode):
        again.lobbies.find(orphan.code)


def test_a_damaged_table_is_not_cleared_unless_it_is_finished(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(days=30)):
        running, done = begun(tables, "Ana", "Bo"), begun(tables, "Ana", "Bo")
        for table, over in ((running, False), (done, True)):
            store.append(table.id, table.number, [{"type": "danced"}], finished=over)
    assert tables.upkeep.clear(datetime.now(UTC) - timedelta(days=7)) == 1
    assert store.info(running.id).last == 4


def test_a_service_clears_by_its_setting(
    tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier(monkeypatch, timedelta(days=30)):
        old = gathered(tables, "Ana").id
        kept = begun(tables, "Ana", "Bo").id
    with Tables(store, BOTS):
        pass
    assert exists(tables, old)
    gone = wait_until_gone(store, old)
    assert gone
    assert exists(tables, kept)


def wait_until_gone(store: Store, id: str) -> bool:
    gone = threading.Event()
    service = Tables(store, BOTS, keep=timedelta(days=7))
    service.watch(lambda notice: gone.set() if (notice.table, notice.number) == (id, 0) else None)
    with service:
        return gone.wait(10)
