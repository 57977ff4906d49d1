"""The oracle itself, against brute force that draws card by card."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.solver.oracle import Hand, Oracle, Variant, multisets, without

SMALL = Variant(
    values=3,
    start=2,
    limit=4,
    most_discarded=2,
    plays={
        "1": {(1,): 1, (1, 1): 2},
        "3": {(3,): 3, (3, 3): 6},
        "pair": {(v, v): 8 for v in (1, 2, 3)},
        "run": {(1, 2, 3): 12},
    },
    penalty=1,
    bonus=lambda upper: 5 if upper >= 7 else -2 if upper < 5 else 0,
    cap=7,
)


class BruteForce:
    """Tries every order of every draw, turn by turn, until the game is as good as over."""

    def __init__(self, variant: Variant, cost: float) -> None:
        self.variant, self.cost = variant, cost
        self.hands = [
            h
            for size in range(variant.start, variant.limit + 1)
            for h in multisets(variant.values, size)
        ]
        self.solved: dict[tuple[frozenset[str], int], dict[Hand, float]] = {}

    def values(self, fields: frozenset[str], upper: int) -> dict[Hand, float]:
        upper = min(upper, self.variant.cap)
        if (fields, upper) not in self.solved:
            found = dict.fromkeys(self.hands, -50.0 if fields else self.variant.bonus(upper))
            change = 1.0 if fields else 0.0
            while change > 1e-9:
                new = {hand: self._best(hand, fields, upper, found) for hand in self.hands}
                change = max(abs(new[hand] - found[hand]) for hand in self.hands)
                found = new
            self.solved[fields, upper] = found
        return self.solved[fields, upper]

    def _best(
        self, hand: Hand, fields: frozenset[str], upper: int, values: dict[Hand, float]
    ) -> float:
        v, options = self.variant, []
        for count in range(v.most_discarded + 1):
            for gone in set(combinations(hand, count)):
                left = without(hand, gone)
                assert left is not None
                for drawn in (count, count + 1):
                    if len(left) + drawn <= v.limit:
                        options.append(self._drawn(left, drawn, values))
        for code in fields:
            for cards, points in v.plays[code].items():
                left = without(hand, cards)
                if left is not None:
                    after = self.values(fields - {code}, upper + points * code.isdigit())
                    worth = self._drawn(left, max(0, v.start - len(left)), after)
                    options.append(points - v.penalty * (len(hand) - v.start) + worth)
        return max(options) - self.cost

    def _drawn(self, left: Hand, drawn: int, values: dict[Hand, float]) -> float:
        draws = list(product(range(1, self.variant.values + 1), repeat=drawn))
        return sum(values[tuple(sorted(left + draw))] for draw in draws) / len(draws)


@pytest.mark.parametrize("fields", ["run", "1,pair", "1,3,pair,run"])
def test_oracle_is_right_on_a_small_game(fields: str) -> None:
    names = frozenset(fields.split(","))
    brute = BruteForce(SMALL, 1.5).values(names, 0)
    oracle = Oracle(SMALL, 1.5)
    column = oracle.column(names, 0)
    for hand, worth in brute.items():
        assert column[oracle.row[hand]] == pytest.approx(worth, abs=1e-7)


def test_a_penalty_less_never_hurts() -> None:
    fields = frozenset(SMALL.plays)
    dear, cheap = (
        Oracle(Variant(3, 2, 4, 2, SMALL.plays, penalty, SMALL.bonus, SMALL.cap), 1.5).column(
            fields, 0
        )
        for penalty in (1, 0.5)
    )
    assert (cheap >= dear - 1e-7).all()
    assert (cheap > dear + 0.01).any()
