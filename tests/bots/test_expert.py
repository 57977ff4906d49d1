"""The expert level: what it knows, what it reckons, and what it does in single situations."""

from __future__ import annotations

import random
import time
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from kartenkniffel.bots import bot
from kartenkniffel.bots.expert.cards import Count
from kartenkniffel.bots.expert.knowledge import FILE, Knowledge, knowledge
from kartenkniffel.bots.expert.planning import (
    best_exchanges,
    draw_chances,
    drawn_mean,
    plays_beside,
)
from kartenkniffel.bots.expert.race import REACH, Race, Rival
from kartenkniffel.rules import FULL_DECK, Cards, Exchange, Field, Move, Score, View, moves_from
from kartenkniffel.solver import Solution, State
from kartenkniffel.solver.draws import DRAWS
from kartenkniffel.solver.hands import FIRST, HANDS, row_of
from tests.bots.positions import midgame
from tests.bots.views import sheet, view


def chosen(seen: View) -> Move:
    return bot("expert").choose(seen, random.Random(1))


def test_knowledge_is_small_and_loads_quickly() -> None:
    assert FILE.stat().st_size <= 10_000_000
    begin = time.process_time()
    Knowledge()
    assert time.process_time() - begin < 0.5


@pytest.mark.parametrize(("fields", "upper"), [("kn,ls", 50), ("3k,fh", 63), ("5,6,4k", 30)])
def test_knowledge_is_near_the_solver(fields: str, upper: int) -> None:
    known, start = knowledge(), State.read(fields, upper, "")
    solution = Solution(start, known.cost)
    fresh = known.fresh(start.mask, upper)
    assert fresh == pytest.approx(solution.value(start), abs=0.01)
    kept = known.kept(start.mask, upper)
    off = [
        kept[row] + fresh - solution.value(State(start.open_fields, upper, HANDS[row]))
        for row in range(FIRST[5], FIRST[6])
    ]
    assert np.sqrt(np.mean(np.square(off))) < 1.5
    assert np.corrcoef(kept[FIRST[5] : FIRST[6]], [kept[r] - off[r - FIRST[5]] for r in range(FIRST[5], FIRST[6])])[0, 1] > 0.98  # fmt: skip  # noqa: E501


def test_chances_of_draws_are_those_of_cards_not_put_back() -> None:
    counts = (3, 0, 2, 7, 1, 4)
    chances = draw_chances(np.array(counts, float))
    for row in range(DRAWS):
        drawn = HANDS[row].counts
        ways = prod(comb(have, take) for have, take in zip(counts, drawn, strict=True))
        assert chances[row] == pytest.approx(ways / comb(sum(counts), sum(drawn)))


def test_a_thin_pile_gives_its_cards_first_and_then_those_that_come_back() -> None:
    unseen, back = np.array([2.0, 0, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 0, 9.0])
    chances = Count(unseen, 2, back, 2).chances()
    for cards in ("1", "11", "116", "1166", "116666"):
        assert chances[row_of(Cards(cards))] == pytest.approx(1)
    mixed = Count(np.array([3.0, 1, 0, 0, 0, 0]), 1, np.array([0, 0, 1.0, 1, 0, 0]), 2).chances()
    assert mixed[row_of(Cards("13"))] == pytest.approx(3 / 8)
    assert mixed[row_of(Cards("24"))] == pytest.approx(1 / 8)
    assert mixed[row_of(Cards("134"))] == pytest.approx(3 / 4)
    empty = Count(np.zeros(6), 0, np.array([0, 0, 1.0, 3, 0, 0]), 2)
    assert empty.chances()[row_of(Cards("4"))] == pytest.approx(3 / 4)
    assert empty.later(1) == pytest.approx([0, 0, 1 / 4, 3 / 4, 0, 0])


def test_draws_that_the_cards_do_not_give_have_chances_too() -> None:
    chances = draw_chances(np.array([0, 0, 1.0, 0, 0, 0]))
    assert chances[FIRST[1] + 2] == 1
    assert chances[FIRST[6] : FIRST[7]].sum() == pytest.approx(1)


def test_the_best_exchange_is_that_of_trying_them_all() -> None:
    chance = np.random.default_rng(3)
    worth = chance.normal(size=FIRST[8])
    odds = chance.dirichlet(np.ones(6) * 5)
    best = best_exchanges(worth, odds, 7)
    for row in chance.choice(np.arange(FIRST[5], FIRST[7]), 12):
        hand = HANDS[row]
        tried = [
            _mean_by_listing(worth, hand - move.discard, move.draw, odds)
            for move in moves_from(hand, sheet(), view("11111", sheet()).rules)
            if isinstance(move, Exchange) and not move.is_pass and move.draw <= 3
        ]
        assert best[row] >= max(tried) - 1e-9
    smallest = row_of(Cards("12345"))
    only = [worth[row_of(Cards("12345") + Cards([value]))] for value in range(1, 7)]
    assert best[smallest] >= float(odds @ only) - 1e-9


def _mean_by_listing(worth: object, kept: Cards, draws: int, odds: object) -> float:
    total = 0.0
    for values in product(range(1, 7), repeat=draws):
        hand = row_of(kept + Cards(values))
        total += prod(odds[value - 1] for value in values) * worth[hand]  # type: ignore[index]
    return total


def test_means_over_draws() -> None:
    worth = np.arange(FIRST[8], dtype=float)
    chances = draw_chances(np.array([1.0, 0, 0, 0, 0, 1.0]))
    kept = row_of(Cards("1111"))
    ones, sixes = row_of(Cards("11111")), row_of(Cards("11116"))
    assert drawn_mean(worth, kept, 1, chances) == pytest.approx((ones + sixes) / 2)
    assert drawn_mean(worth, kept, 0, chances) == kept


def test_plays_are_those_of_the_rules() -> None:
    plays = plays_beside(0b100000_000001, 7)  # ones and Kniffel
    best = plays.best(plays.points, 7)
    assert best[row_of(Cards("11122"))] == 3
    assert best[row_of(Cards("555551"))] == 48
    assert best[row_of(Cards("23456"))] < -100


def test_counting_goes_by_all_that_was_seen() -> None:
    for seed in range(30):
        game = midgame(seed)
        assert game.to_move is not None
        seen = game.view(game.to_move)
        count = Count.of(seen, knowledge())
        hidden = FULL_DECK - game.position.discard_pile - game.hands[game.to_move]
        assert count.unseen.sum() == pytest.approx(len(hidden))
        assert [one > 0 for one in count.unseen] == [one > 0 for one in hidden.counts]
        # What comes back at a reshuffle is all but what is in hands.
        others = sum(p.hand_size for i, p in enumerate(seen.players) if i != seen.seat)
        assert count.back.sum() == pytest.approx(108 - others - len(game.hands[game.to_move]))
        assert count.back.min() >= 0
        assert count.later(1).sum() == pytest.approx(1)
        assert count.later(9).sum() == pytest.approx(1)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("later", [False, True])
def test_chances_of_a_race_are_chances(players: int, later: bool) -> None:
    known = knowledge()
    mask, upper = State.read("kn,ls", 50, "").mask, 50
    rivals = [Rival(5.0, known.course(mask, upper), 3.0, later) for _ in range(players - 1)]
    race = Race(rivals)
    for round_ in range(6):
        finishing = race.finishing(round_)
        assert finishing.min() >= 0
        assert finishing.max() <= 1
        assert np.all(np.diff(finishing) >= -1e-9)  # more points never hurt
        leads = np.array([-20.0, 0.0, 40.0])
        again, ended = race.waiting(round_, leads, np.zeros((3, 3)))
        assert 0 <= again <= 1
        assert np.all(ended >= -1e-9)
        assert np.all(again + ended <= 1 + 1e-6)
    assert race.finishing(0)[REACH + 150] == pytest.approx(1, abs=0.01)


def test_it_does_not_end_a_game_it_would_lose() -> None:
    own = sheet("3k")
    other = sheet("kn", {"3k": 30, "4k": 29, "6": 30, "5": 25, "4": 20})
    assert own.total + 8 < other.total <= own.total + 27
    assert isinstance(chosen(view("11123", own, other)), Exchange)
    assert isinstance(chosen(view("55566", own, other, seat=1)), Score)


def test_it_ends_a_game_it_has_won() -> None:
    own, other = sheet("3k"), sheet("3k kn 6")
    assert isinstance(chosen(view("11123", own, other, seat=1)), Score)


def test_it_plays_for_points_where_all_is_lost() -> None:
    own, other = sheet("3k", {"kn": 0, "ls": 0, "ss": 0}), sheet("kn")
    move = chosen(view("66655", own, other))
    assert move == Score(Cards("66655"), Field.THREE_OF_A_KIND)


def test_the_last_turn_takes_the_most_points() -> None:
    seen = view("33345", sheet("3k kn"), sheet(), last_round=True)
    assert chosen(seen) == Score(Cards("33345"), Field.THREE_OF_A_KIND)


def test_it_counts_cards() -> None:
    """Which pair it keeps for a Kniffel hangs on what has gone."""
    own, other = sheet("kn"), sheet("kn ls ss fh 4k 3k")
    kept = {}
    for gone in ("6" * 14, "1" * 14):
        seen = view("11166", own, other)
        seen = View(
            **{name: getattr(seen, name) for name in View.__slots__}
            | {"discards": Cards(gone), "draw_pile": seen.draw_pile - 14}
        )
        move = chosen(seen)
        assert isinstance(move, Exchange)
        kept[gone[0]] = Cards("11166") - move.discard
    assert kept["6"].count(1) == 3
    assert kept["1"].count(6) == 2
    assert kept["1"].count(1) == 0
