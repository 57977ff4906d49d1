"""The figures of a match, from games made by hand."""

from __future__ import annotations

import json
from array import array

import pytest

from kartenkniffel.arena.entrants import Entrant
from kartenkniffel.arena.play import Played, SeatResult
from kartenkniffel.arena.report import Report, make_report
from kartenkniffel.notation import Forfeit

ANA, BO, CY = Entrant("medium", "medium"), Entrant("cmd:bo", "bo"), Entrant("medium", "medium#2")


def game(
    deal: int,
    rotation: int,
    totals: tuple[int, ...],
    *,
    rounds: int = 20,
    forfeit: Forfeit | None = None,
    winners: tuple[int, ...] | None = None,
) -> Played:
    """Give a game with these totals by seat; seat 0 has bonus, penalties 4 and slow moves."""
    seats = tuple(
        SeatResult(total, 4 * (seat == 0), seat == 0, array("d", [0.5 if seat == 0 else 0.1]))
        for seat, total in enumerate(totals)
    )
    if winners is None:
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return Played(deal, rotation, rounds, winners, seats, forfeit, b"")


def report(games: list[Played], *entrants: Entrant, asked: int | None = None) -> Report:
    return make_report(entrants, games, seed=7, asked=asked or len(games), seconds_per_move=10.0)


# In rotation 1 seat 0 belongs to the second bot.
PAIRS = [
    game(0, 0, (200, 100)),
    game(0, 1, (150, 180), rounds=30),
    game(1, 0, (150, 150)),
    game(1, 1, (200, 160), rounds=30),
    game(2, 0, (210, 200)),
    game(2, 1, (100, 130), rounds=30),
]


def test_two_bots() -> None:
    found = report(PAIRS, ANA, BO)
    first, second = found.bots
    # Deal by deal the first wins both games, a half, both.
    assert (first.wins, first.ties) == (4.5, 1)
    assert (second.wins, second.ties) == (1.5, 1)
    assert first.share
    assert first.share.mean == pytest.approx(0.75)
    # Shares 1, 1/4, 1: spread √(0.1875) = 0.4330, half 4.3027 · 0.4330 / √3 = 1.0757.
    assert first.share.low == 0.0
    assert first.share.high == 1.0
    # 200, 180 - 150, 160 - 210, 130.
    assert first.points
    assert first.points.mean == pytest.approx((190 + 155 + 170) / 3)
    assert first.rounds == 25
    assert first.penalties == 2
    assert first.bonus_rate == 0.5
    assert first.mean_seconds == pytest.approx(0.3)
    assert first.percentile_99 == 0.5
    assert found.share_lead
    assert found.share_lead.mean == pytest.approx(0.5)
    # Points ahead, deal by deal: (100 + 30) / 2, (0 - 40) / 2, (10 + 30) / 2.
    assert found.points_lead
    assert found.points_lead.mean == pytest.approx((65 - 20 + 20) / 3)
    # Mean 21.667; deviations 43.333, -41.667, -1.667; spread 42.525; half 4.3027 · 24.552.
    assert found.points_lead.high == pytest.approx(21.667 + 105.638, abs=0.01)


def test_forfeits() -> None:
    games = [
        *PAIRS,
        game(3, 0, (200, 300), forfeit=Forfeit(1, "it stalls"), winners=(0,)),
        game(3, 1, (100, 100), rounds=40),
        game(4, 0, (0, 0), forfeit=Forfeit(1, "it dies"), winners=(0,)),
        game(4, 1, (0, 0), forfeit=Forfeit(0, "it stalls"), winners=(1,)),
    ]
    found = report(games, ANA, BO)
    first, second = found.bots
    assert (found.deals, found.complete_deals) == (5, 3)
    assert (first.forfeits, second.forfeits) == (0, 3)
    assert second.reasons == (("it stalls", 2), ("it dies", 1))
    assert first.wins == 4.5 + 1 + 0.5 + 2
    # All else is over the deals without a forfeit.
    assert first.points
    assert first.points.mean == pytest.approx((190 + 155 + 170) / 3)
    assert first.rounds == 25
    text = found.text()
    assert "bo forfeits 3 games:\n  2 ×  it stalls\n  1 ×  it dies\n" in text
    assert "are over the 3 deals without a forfeit" in text


def test_many_reasons_are_cut() -> None:
    games = [
        game(deal, rotation, (0, 0), forfeit=Forfeit(rotation, f"it errs {deal} {rotation}"))
        for deal in range(4)
        for rotation in range(2)
    ]
    found = report(games, BO, ANA)
    assert found.bots[0].forfeits == 8
    assert len(found.bots[0].reasons) == 5
    assert "  3 ×  other reasons" in found.text()
    assert "no points to speak of" in found.text()
    assert found.bots[0].points is None
    assert found.points_lead is None


def test_three_bots() -> None:
    games = [
        game(0, 0, (3, 2, 1)),
        game(0, 1, (2, 2, 2)),
        game(0, 2, (1, 2, 3)),
    ]
    found = report(games, ANA, BO, CY, asked=2)
    # Seat 2 of rotation 2 is bot (2 + 2) mod 3 = 1.
    assert [bot.wins for bot in found.bots] == pytest.approx([4 / 3, 4 / 3, 1 / 3])
    assert [bot.ties for bot in found.bots] == [1, 1, 1]
    assert found.share_lead is None
    assert "lead" not in found.to_json()
    text = found.text()
    assert "2 asked for, 3 played" in text
    assert "One deal alone" in text


def test_alone() -> None:
    found = report([game(0, 0, (150,)), game(1, 0, (170,))], ANA)
    assert found.bots[0].share is None
    assert found.bots[0].points
    assert found.bots[0].points.mean == 160
    assert "wins" not in found.text()
    assert "160.0" in found.text()


def test_text_says_what_matters() -> None:
    text = report(PAIRS, ANA, BO).text()
    assert text.startswith("6 games (3 deals, each played once from every seat), seed 7\n")
    assert "+50.0% of the wins" in text
    assert "+21.7 points a game (-84.0 to +127.3)" in text
    assert "With only 3 deals the intervals are wide" in text
    assert max(map(len, text.splitlines())) <= 80


def test_json() -> None:
    found = report(PAIRS, ANA, BO)
    value = json.loads(json.dumps(found.to_json()))
    assert list(value) == [
        "seed",
        "games",
        "games_asked",
        "deals",
        "complete_deals",
        "seconds_per_move",
        "bots",
        "lead",
    ]
    assert value["bots"][1]["bot"] == "cmd:bo"
    assert value["bots"][1]["wins"] == 1.5
    assert value["lead"]["points"]["mean"] == 21.666667
    with_times = found.to_json(times=True)
    assert with_times["times"][0] == {"mean": pytest.approx(0.3), "percentile_99": 0.5}
    assert {**value, "times": with_times["times"]} == with_times
