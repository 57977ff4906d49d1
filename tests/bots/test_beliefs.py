"""What the expert infers of other hands."""

from __future__ import annotations

import random
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.bots import bot
from kartenkniffel.bots.expert import beliefs
from kartenkniffel.bots.expert.beliefs import Belief, Followed, follow, hidden
from kartenkniffel.bots.expert.knowledge import Floats, knowledge
from kartenkniffel.rules import COPIES, Cards, Exchange, Game, HouseRules, View, seeded
from kartenkniffel.solver.hands import FIRST, HANDS, row_of
from kartenkniffel.solver.state import State

POOL = (18, 3, 7, 0, 11, 2)


def chance(belief: Belief, hand: str) -> float:
    return float(belief.chances[row_of(Cards(hand)) - FIRST[belief.size]])


def by_chance(size: int, pool: tuple[int, ...] = POOL) -> Belief:
    return Belief.empty().drawing(size, np.array(pool, float))


@pytest.mark.parametrize("size", [1, 5, 10])
def test_drawing_is_drawing_without_putting_back(size: int) -> None:
    belief = by_chance(size)
    for row in range(FIRST[size], FIRST[size + 1]):
        counts = HANDS[row].counts
        ways = prod(comb(have, take) for have, take in zip(POOL, counts, strict=True))
        assert belief.chances[row - FIRST[size]] == pytest.approx(ways / comb(sum(POOL), size))


def test_drawing_more_is_drawing_at_once() -> None:
    pool = np.array(POOL, float)
    assert by_chance(3).drawing(4, pool).chances == pytest.approx(by_chance(7).chances)


def test_what_leaves_a_hand_was_in_it() -> None:
    belief = by_chance(5).parting(Cards("1122"))
    assert belief.size == 1
    # Of the hands with 1122 each is as likely as it is to be drawn.
    whole = {v: chance(by_chance(5), "1122" + v) for v in "12356"}
    for value, likely in whole.items():
        assert chance(belief, value) == pytest.approx(likely / sum(whole.values()))
    assert chance(belief, "4") == 0


def worth_of(fields: str, upper: int) -> Floats:
    state = State.read(fields, upper, "")
    return knowledge().kept(state.mask, upper)


def test_who_discards_for_a_field_holds_what_it_needs() -> None:
    dealt = by_chance(5, (18,) * 6)
    for field, needed in (("6", 5), ("1", 0)):
        kept = dealt.keeping_best(Cards("235"), worth_of(field, 40))
        assert kept.size == 2
        assert kept.mean[needed] > 2 * dealt.parting(Cards("235")).mean[needed]


def test_a_pass_tells_nothing() -> None:
    dealt = Followed.dealt(2)
    passed = dealt.after(Exchange(Cards(""), 0), knowledge())
    assert passed.beliefs[0].chances == pytest.approx(dealt.beliefs[0].chances)


def watched(players: int, seed: int, moves: int) -> list[tuple[Game, View]]:
    """Play at random, rather with many exchanges, and give each position with a seat's view."""
    rng = random.Random(seed)
    game = Game.start([f"p{i}" for i in range(players)], seeded(seed))
    found = []
    for _ in range(moves):
        found.append((game, game.view(rng.randrange(players))))
        if game.finished:
            break
        legal = game.legal_moves()
        draining = [m for m in legal if isinstance(m, Exchange) and m.draw > 2]
        game = game.apply(rng.choice(draining if draining and rng.random() < 0.7 else legal))
    return found


@given(players=st.integers(2, 10), seed=st.integers(0, 999))
def test_beliefs_agree_with_all_that_is_public(players: int, seed: int) -> None:
    for game, view in watched(players, seed, 60)[::9]:
        followed = follow(view, knowledge())
        assert (followed.draw_pile, followed.discards) == (view.draw_pile, view.discards)
        assert followed.sheets == tuple(player.sheet for player in view.players)
        for belief, player, hand in zip(followed.beliefs, view.players, game.hands, strict=True):
            assert belief.size == player.hand_size
            assert belief.chances.sum() == pytest.approx(1)
            assert belief.chances[row_of(hand) - FIRST[len(hand)]] > 0


@given(players=st.integers(2, 10), seed=st.integers(0, 999))
def test_every_card_is_somewhere(players: int, seed: int) -> None:
    for _, view in watched(players, seed, 60)[::9]:
        assert view.hand is not None
        in_pile, in_hands = hidden(view, knowledge())
        seen = np.array(view.hand.counts) + np.array(view.discards.counts)
        assert in_pile + in_hands == pytest.approx(COPIES - seen, abs=1e-3)
        assert in_pile.sum() == pytest.approx(view.draw_pile)
        assert in_pile.min() >= 0 <= in_hands.min()


def test_after_the_deal_hands_are_as_chance_deals_them() -> None:
    view = Game.start(["Ana", "Bo", "Cy"], seeded(4)).view(1)
    assert view.hand is not None
    in_pile, in_hands = hidden(view, knowledge())
    unseen = COPIES - np.array(view.hand.counts)
    assert in_hands == pytest.approx(unseen * 10 / 103)
    assert in_pile == pytest.approx(unseen * 93 / 103)


def test_going_on_gives_what_beginning_anew_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = watched(3, 5, 60), watched(3, 6, 60)
    anew = []
    for _, view in one:
        beliefs._memory.clear()
        anew.append(follow(view, knowledge()))
    beliefs._memory.clear()
    begun = []
    dealt = Followed.dealt

    def counted(players: int, rules: HouseRules) -> Followed:
        begun.append(players)
        return dealt(players, rules)

    monkeypatch.setattr(Followed, "dealt", counted)
    for (_, view), (_, beside), expected in zip(one, other, anew, strict=True):
        follow(beside, knowledge())
        gone_on = follow(view, knowledge())
        assert gone_on.moves == view.moves
        for belief, same in zip(gone_on.beliefs, expected.beliefs, strict=True):
            assert (belief.chances == same.chances).all()
    assert len(begun) == 2  # one for each table


def test_a_busy_table_does_not_push_out_another() -> None:
    slow, busy = watched(2, 1, 9)[-1][1], watched(10, 2, 200)
    beliefs._memory.clear()
    kept = follow(slow, knowledge())
    for _, view in busy:
        follow(view, knowledge())
    assert len(beliefs._memory) == 2
    assert follow(slow, knowledge()).beliefs == kept.beliefs


def test_the_memory_is_bounded() -> None:
    for seed in range(80):
        follow(watched(2, seed, 3)[-1][1], knowledge())
    assert len(beliefs._memory) <= 64


@pytest.mark.parametrize(
    ("levels", "games", "at_most"),
    [(("hard", "hard"), 4, 0.85), (("medium",) * 2, 8, 0.9), (("medium",) * 8, 2, 0.85)],
)
def test_believing_is_nearer_the_truth_than_counting_alone(
    levels: tuple[str, ...], games: int, at_most: float
) -> None:
    # Players keep good cards, so hands are not as chance would have them.
    rng = random.Random(3)
    players = [bot(level) for level in levels]
    believed = evenly = 0.0
    for seed in range(games):
        game = Game.start([f"p{i}" for i in range(len(levels))], seeded(seed))
        while (seat := game.to_move) is not None:
            view = game.view(seat)
            in_pile, in_hands = hidden(view, knowledge())
            true = sum(np.array(h.counts) for i, h in enumerate(game.hands) if i != seat)
            unseen = in_pile + in_hands
            believed += ((in_hands - true) ** 2).sum()
            evenly += ((unseen * in_hands.sum() / unseen.sum() - true) ** 2).sum()
            game = game.apply(players[seat].choose(view, rng))
    assert believed < at_most * evenly


def test_an_odd_move_is_believed_too() -> None:
    # Nobody who plays well keeps four threes, a two and a five of ten cards for sixes alone.
    dealt = by_chance(10, (18,) * 6)
    kept = dealt.keeping_best(Cards("6666"), worth_of("6", 40))
    assert kept.chances.sum() == pytest.approx(1)
    assert chance(kept, "233335") > 0
