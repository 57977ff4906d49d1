"""Table players: the solver's move, with even odds or with those of the cards not seen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kartenkniffel.arena import ArenaError, prepare
from kartenkniffel.bots.tabled import TablePlayer
from kartenkniffel.rules import Cards, Exchange, Sheet, View
from kartenkniffel.solver import State, Table, TableError
from kartenkniffel.solver.build import Build
from kartenkniffel.solver.hands import HANDS
from tests.bots.views import sheet, view


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "end.table"
    Build(path, State.read("6,fh,kn", 30, ""), 12).run()
    return path


def late() -> Sheet:
    """Give a sheet of 30 points above on which the table's fields are open."""
    return sheet("6 fh kn", {"1": 3, "2": 4, "3": 6, "4": 8, "5": 9})


def test_it_makes_the_moves_of_the_table(table_file: Path) -> None:
    player, chance = TablePlayer(f"table:{table_file}"), random.Random(1)
    with Table(table_file) as table:
        for row in chance.sample(range(210, 8008), 150):
            hand = HANDS[row]
            move = player.choose(view(str(hand), late(), sheet()), chance)
            ranked = table.moves(State.read("6,fh,kn", 30, str(hand)))
            value = {one.move: one.value for one in ranked}[move]
            assert value == pytest.approx(ranked[0].value, abs=1e-3)


def test_counting_goes_by_the_cards_not_seen(table_file: Path) -> None:
    seen = view("11166", late(), sheet())
    seen = View(
        **{name: getattr(seen, name) for name in View.__slots__}
        | {"discards": Cards("1" * 15 + "6" * 2), "draw_pile": 81}
    )
    own = sheet("kn", {"1": 3, "2": 4, "3": 6, "4": 8, "5": 9, "6": 6})
    even, counting = (TablePlayer(f"{kind}:{table_file}") for kind in ("table", "counting"))
    seen_by_one = View(
        **{name: getattr(seen, name) for name in View.__slots__}
        | {"players": view("11166", own, sheet()).players}
    )
    kept = {}
    for name, player in (("even", even), ("counting", counting)):
        move = player.choose(seen_by_one, random.Random(1))
        assert isinstance(move, Exchange)
        kept[name] = Cards("11166") - move.discard
    assert kept["even"] == Cards("111")
    assert kept["counting"].count(6) == 2


def test_it_is_named_by_its_turn_cost(table_file: Path) -> None:
    match = prepare([f"table:{table_file}", f"counting:{table_file}", "easy"], 1, 1)
    assert [entrant.name for entrant in match.entrants] == ["table:12", "counting:12", "easy"]


def test_no_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no table")
    with pytest.raises(TableError, match="not a table"):
        TablePlayer(f"table:{tmp_path / 'file'}")
    with pytest.raises(ArenaError, match="not a table"):
        prepare([f"counting:{tmp_path / 'file'}"], 1, 1)
    with pytest.raises(ArenaError, match="cannot be read"):
        prepare(["table:missing"], 1, 1)
