"""Measures how well the expert infers other hands.

``python -m tools.expert_beliefs hard expert --games 100`` lets bots play and looks, after every
move, at what everyone may believe of the hand that came of it: as a Belief has it, and as if chance
alone had dealt it. It prints how many bits the true hand takes on average, and by how much the
numbers of its cards are off, squared and summed over the values, for somebody who counts cards.
``--points-off`` tries another number than the one fitted.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from math import log2
from typing import NamedTuple

import numpy as np

from kartenkniffel.bots import bot
from kartenkniffel.bots.expert import beliefs
from kartenkniffel.bots.expert.beliefs import Belief, Followed, hidden
from kartenkniffel.bots.expert.knowledge import Floats, knowledge
from kartenkniffel.bots.tabled import TablePlayer
from kartenkniffel.rules import COPIES, Game, seeded
from kartenkniffel.solver.hands import FIRST, row_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="+", help="levels, or counting:FILE")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points-off", type=float, default=beliefs.POINTS_OFF)
    options = parser.parse_args()
    beliefs.POINTS_OFF = options.points_off
    rows = []
    for game in range(options.games):
        rows += watched(options.bots, options.seed + game)
    for when, late in (("before", False), ("after", True)):
        these = [row[:4] for row in rows if row.reshuffled is late]
        if these:
            bits, chance_bits, off, chance_off = np.mean(these, axis=0)
            print(
                f"{len(these):6} hands {when:6} the first reshuffle: {bits:6.3f} bits instead of "
                f"{chance_bits:6.3f}, cards off by {off:6.3f} instead of {chance_off:6.3f}"
            )


class Row(NamedTuple):
    """One hand: as believed and by chance alone."""

    bits: float
    chance_bits: float
    off: float
    chance_off: float
    reshuffled: bool


def watched(names: Sequence[str], seed: int) -> list[Row]:
    """Play a game and give bits and errors after every move, by chance alone and as believed."""
    players = [TablePlayer(name) if ":" in name else bot(name) for name in names]
    chance = random.Random(seed)
    game = Game.start(names, seeded(seed))
    followed = Followed.dealt(len(names))
    found: list[Row] = []
    shuffles = len(game.shuffles)
    while (seat := game.to_move) is not None:
        move = players[seat].choose(game.view(seat), chance)
        game, followed = game.apply(move), followed.after(move, knowledge())
        if game.finished:
            break
        hand, belief = game.hands[seat], followed.beliefs[seat]
        place = row_of(hand) - FIRST[len(hand)]
        pool = COPIES - np.array(followed.discards.counts, float)
        by_chance = Belief.empty().drawing(len(hand), pool)
        evenly, off = _off(game, (seat + 1) % len(names))
        found.append(
            Row(
                -log2(belief.chances[place]),
                -log2(by_chance.chances[place]),
                off,
                evenly,
                len(game.shuffles) > shuffles,
            )
        )
    return found


def _off(game: Game, viewer: int) -> tuple[float, float]:
    """Give how far off a viewer is about other hands: spread evenly, and as believed."""
    view = game.view(viewer)
    hands = [hand for seat, hand in enumerate(game.hands) if seat != viewer]
    true: Floats = np.sum([hand.counts for hand in hands], axis=0).astype(float)
    in_pile, in_hands = hidden(view, knowledge())
    unseen = in_pile + in_hands
    evenly = unseen * true.sum() / unseen.sum()
    return float(((evenly - true) ** 2).sum()), float(((in_hands - true) ** 2).sum())


if __name__ == "__main__":
    main()
