"""Games that were begun under an older version can be finished under this one.

`logs` holds what stores kept, as it was: ``v1-bots`` is from before the version of the rules was
written down. Each has what was known of the table then as its ``state``. These files stay as they
are; a version that writes other events adds files of its own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from kartenkniffel.notation import Record, view_to_json
from kartenkniffel.store import Store
from kartenkniffel.table import Lobby, Start, Table, Tables, fold
from kartenkniffel.table.bodies import from_body, to_body
from kartenkniffel.table.events import VERSION
from tests.table.helpers import SimpleBot, finished, lobby, play, wait_for

LOGS = sorted(Path(__file__).with_name("logs").glob("*.json"))
GAMES = ("v1-bots", "v1-friends")
BOTS = dict.fromkeys(("easy", "medium"), SimpleBot)


def load(store: Store, name: str) -> dict[str, Any]:
    """Put a log into the store as it was in another, and give what else its file holds."""
    text = Path(__file__).with_name("logs").joinpath(f"{name}.json").read_text("utf-8")
    kept: dict[str, Any] = json.loads(text)
    over = bool(kept["state"].get("finished"))
    store.create("old", "table", kept["owners"], kept["events"], finished=over)
    return kept


def test_there_are_logs_of_this_version_with_all_that_may_happen() -> None:
    mine = [path for path in LOGS if path.name.startswith(f"v{VERSION}-")]
    assert mine
    kinds = {body["type"] for path in mine for body in json.loads(path.read_text())["events"]}
    missing = {"invited", "joined", "left", "handed_over", "filled", "closed", "opened", "moved"}
    missing |= {"undone", "ended", "rematched", "paced", "stood_in", "took_back", "said"}
    missing |= {"proposed", "answered", "offered", "claimed"}
    assert missing <= kinds


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.stem))
def test_what_was_known_of_the_table_is_known_still(store: Store, path: Path) -> None:
    known = load(store, path.stem)["state"]
    state = fold(store.read("old"))
    assert state.number == known["number"]
    if isinstance(state, Lobby):
        assert [guest.name for guest in state.guests] == known["waiting"]
        assert (state.host, state.code) == (known["host"], known["code"])
        return
    assert [view_to_json(state.view(seat)) for seat in range(len(state.seats))] == known["views"]
    assert [[seat.name, seat.bot, seat.owner] for seat in state.seats] == known["seats"]
    for name in ("to_move", "finished", "next_table", "pace", "clock"):
        assert getattr(state, name) == known[name]
    assert {str(seat): why for seat, why in state.stand_ins.items()} == known["stand_ins"]
    assert [[spoken.seat, spoken.phrase] for spoken in state.talk] == known["talk"]
    asked = state.proposal
    assert known["proposal"] == (
        asked and {"matter": asked.matter, "seat": asked.seat, "agreed": sorted(asked.agreed)}
    )


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_to_its_end_by_its_people(store: Store, name: str) -> None:
    kept = load(store, name)
    tables = Tables(store, BOTS)
    before = tables.get("old")
    assert not before.finished
    table = play(tables, "old")
    assert table.game.finished
    assert table.game.moves[: len(before.game.moves)] == before.game.moves
    assert tables.record("old").replay() == table.game
    assert [event.body for event in store.read("old")][: before.number] == kept["events"]
    assert fold(store.read("old")) == table
    assert tables.rematch("old").rematch_of == "old"


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_to_its_end_by_bots(store: Store, name: str) -> None:
    owners = load(store, name)["owners"]
    with Tables(store, BOTS, pause=0) as tables:
        assert [summary.id for summary in tables.of_player(owners[0])] == ["old"]
        for owner in owners:
            tables.company.leave("old", owner)
        table = wait_for(tables, "old", finished)
    assert Record.of(table.game).replay() == table.game


def test_a_game_in_which_the_discards_were_shuffled_is_among_them(store: Store) -> None:
    load(store, "v1-friends")
    table = fold(store.read("old"))
    assert isinstance(table, Table)
    assert len(table.game.shuffles) == 2


def test_from_before_the_rules_had_a_version_they_are_of_the_first(store: Store) -> None:
    opened = load(store, "v1-bots")["events"][0]
    assert "rules_version" not in opened
    assert to_body(from_body(opened))["rules_version"] == 1


def test_a_table_that_waited_is_joined_and_started(store: Store) -> None:
    owners = load(store, "v1-waiting")["owners"]
    with Tables(store, BOTS, pause=0) as tables:
        waiting = lobby(tables.look("old"))
        (host,) = [guest for guest in waiting.guests if guest.number == waiting.host]
        assert host.owner in owners
        tables.lobbies.join("old", "New", "new")
        table = tables.lobbies.start("old", host.owner, Start("seat"), host.number)
        assert [seat.name for seat in table.seats][-1] == "New"
        for player in table.owners:
            tables.company.leave("old", player)
        assert wait_for(tables, "old", finished).game.finished


def test_somebody_is_forgotten_in_an_old_game(store: Store) -> None:
    owners = load(store, "v1-friends")["owners"]
    tables = Tables(store, BOTS)
    assert [tables.upkeep.forget(owner) for owner in owners[1:]] == [1] * (len(owners) - 1)
    assert tables.get("old").owners == {owners[0]}
    assert fold(store.read("old")) == tables.get("old")
