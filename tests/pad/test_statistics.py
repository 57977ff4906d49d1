"""Evenings, their tables and everybody's statistics, from games at chosen hours."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from kartenkniffel.pad import Pad, as_csv, as_json, fold
from kartenkniffel.pad.events import Began, Ended, Entered, Opened, PadEvent, to_body
from kartenkniffel.pad.statistics import course, evenings, results, statistics, table
from kartenkniffel.rules import Field, HouseRules
from kartenkniffel.store import Event

ME = "person-7"
START = datetime(2026, 1, 9, 20, 0, tzinfo=UTC)


class Log:
    """Writes a pad's log at hours of its own choice."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.games = 0
        self.at = START
        self.add(Opened(ME))

    def add(self, event: PadEvent) -> None:
        self.events.append(Event("p", len(self.events) + 1, to_body(event), None, self.at))

    def game(
        self, hours: float, names: Sequence[str], sheets: Sequence[Mapping[str, tuple[int, int]]]
    ) -> None:
        """Play a game so many hours after the start; a sheet tells points and hand by field."""
        self.at, self.games = START + timedelta(hours=hours), self.games + 1
        self.add(Began(ME, tuple(names), 0, "chosen", HouseRules(), False))
        for player, sheet in enumerate(sheets):
            for code, (points, hand) in sheet.items():
                self.add(Entered(ME, self.games, player, Field(code), points, hand))

    def end(self) -> None:
        self.add(Ended(ME, self.games))

    def pad(self) -> Pad:
        return fold(self.events)


UPPER = {"6": (30, 5), "5": (25, 5), "4": (8, 5)}
"""Just the bonus: 63 points and 35 more."""


@pytest.fixture
def pad() -> Pad:
    log = Log()
    log.game(0, ["Ana", "Bo"], [UPPER, {"kn": (50, 10)}])  # 98 : 20
    log.end()
    log.game(7.9, ["Bo", "ANA"], [{"kn": (50, 5)}, {"kn": (50, 5)}])  # 30 : 30
    log.end()
    log.game(15.9, ["Ana", "Cy"], [{"fh": (25, 5)}, {"6": (30, 5), "5": (15, 5)}])  # 5 : 45
    log.end()
    log.game(16, ["Ana", "Cy"], [{}, {}])
    log.end()
    log.game(17, ["Ana", "Cy"], [{"kn": (50, 5)}, {}])
    return log.pad()


def test_games_within_eight_hours_are_an_evening(pad: Pad) -> None:
    nights = [[game.number for game in night] for night in evenings(pad.games)]
    # Neither the game without an entry nor the one that still runs.
    assert nights == [[1, 2], [3]]


def test_R13_an_evenings_table_ranks_by_points_then_by_wins(pad: Pad) -> None:
    first, second = evenings(pad.games)
    told = [(s.place, s.name, s.totals, s.wins, s.sum) for s in table(first)]
    assert told == [(1, "ANA", (98, 30), 2, 128), (2, "Bo", (20, 30), 1, 50)]
    told = [(s.place, s.name, s.totals, s.wins, s.sum) for s in table([*first, *second])]
    assert told == [
        (1, "Ana", (98, 30, 5), 2, 133),
        (2, "Bo", (20, 30, None), 1, 50),
        (3, "Cy", (None, None, 45), 1, 45),
    ]


def test_R13_equal_totals_share_a_place(pad: Pad) -> None:
    ranked = results(pad.games[1])
    assert [(r.name, r.place, r.won) for r in ranked] == [("Bo", 1, True), ("ANA", 1, True)]


def test_R11_statistics_tell_bonus_and_malus_by_game(pad: Pad) -> None:
    ana, cy, bo = sorted(statistics(pad.games), key=lambda each: each.name != "Ana")[0:3]
    assert ana.name == "Ana"
    assert (ana.games, ana.wins, ana.best, ana.worst) == (3, 2, 98, 5)
    assert ana.average == pytest.approx(133 / 3)
    assert (ana.bonus_rate, ana.malus_rate) == pytest.approx((1 / 3, 2 / 3))
    assert (bo.name, bo.penalties, bo.bonus_rate, bo.malus_rate) == ("Bo", 5, 0, 1)
    assert (cy.name, cy.malus_rate, cy.bonus_rate, cy.average) == ("Cy", 0, 0, 45)


def test_a_course_goes_entry_by_entry(pad: Pad) -> None:
    assert course(pad.games[0]) == [[-20, 10, 55, 98], [-20, 20]]


def test_files_hold_every_game_and_nobody_who_wrote(pad: Pad) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(pad))))
    assert [(r["game"], r["player"], r["place"], r["total"]) for r in rows[:2]] == [
        ("1", "Ana", "1", "98"),
        ("1", "Bo", "2", "20"),
    ]
    assert (rows[1]["kn"], rows[1]["kn penalty"], rows[1]["1"]) == ("50", "10", "")
    assert [r["finished"] for r in rows] == ["yes"] * 8 + ["no"] * 2
    told = as_json(pad)
    assert [game["finished"] for game in told["games"]] == [True] * 4 + [False]
    assert told["games"][0]["players"][0]["fields"]["6"] == {
        "points": 30,
        "penalty": 0,
        "hand": 5,
        "cards": None,
    }
    assert told["games"][0]["players"][0]["fields"]["1"] is None
    assert ME not in as_csv(pad)
    assert ME not in str(told)
