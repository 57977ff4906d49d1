"""Lets bots play each other: ``python tools/match.py medium easy --games 200``.

Seats are rotated, every game has its own seed, and the same command prints the same figures.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from kartenkniffel.bots import Bot, bot
from kartenkniffel.rules import Game, seeded


@dataclass(frozen=True, slots=True)
class Played:
    """One game: who sat where (as numbers of the bots), and what came of it, by seat."""

    seating: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    open_fields: tuple[int, ...]
    times: tuple[tuple[float, ...], ...]


def play(bots: Sequence[Bot], number: int, seed: int) -> Played:
    """Play the game of this number; the bots move up a seat from game to game."""
    players = len(bots)
    seating = tuple((seat + number) % players for seat in range(players))
    # A deal is played once from every seat.
    game = Game.start([f"bot {i}" for i in seating], seeded(f"{seed}-{number // players}"))
    chances = [random.Random(f"{seed}-{number}-{seat}") for seat in range(players)]
    times: list[list[float]] = [[] for _ in bots]
    while (seat := game.to_move) is not None:
        view = game.view(seat)
        begun = time.process_time()
        move = bots[seating[seat]].choose(view, chances[seat])
        times[seat].append(time.process_time() - begun)
        game = game.apply(move)
    return Played(
        seating,
        tuple(sheet.total for sheet in game.sheets),
        tuple(seating[seat] for seat in game.winners),
        game.round,
        tuple(len(sheet.open_fields) for sheet in game.sheets),
        tuple(map(tuple, times)),
    )


def _play(task: tuple[tuple[str, ...], int, int]) -> Played:
    codes, number, seed = task
    return play([bot(code) for code in codes], number, seed)


def match(codes: Sequence[str], games: int, seed: int, processes: int) -> list[Played]:
    """Play so many games between these levels, in this many processes."""
    tasks = [(tuple(codes), number, seed) for number in range(games)]
    if processes == 1:
        return list(map(_play, tasks))
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(_play, tasks, chunksize=max(1, min(20, games // processes))))


def share(games: Sequence[Played], place: int) -> float:
    """Give a bot's share of the wins, a shared win in parts."""
    return sum((place in g.winners) / len(g.winners) for g in games) / len(games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="+")
    parser.add_argument("-n", "--games", type=int, default=100)
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("-p", "--processes", type=int, default=2)
    options = parser.parse_args()
    games = match(options.bots, options.games, options.seed, options.processes)
    print(f"{len(games)} games, {sum(g.rounds for g in games) / len(games):.2f} rounds")
    for place, code in enumerate(options.bots):
        seats = [(g, g.seating.index(place)) for g in games]
        times = sorted(t for g, seat in seats for t in g.times[seat])
        won = share(games, place)
        print(
            f"{code:10}  wins {won:6.1%} ± {1.96 * (won * (1 - won) / len(games)) ** 0.5:.1%}"
            f"  total {sum(g.totals[seat] for g, seat in seats) / len(games):6.1f}"
            f"  open {sum(g.open_fields[seat] for g, seat in seats) / len(games):4.2f}"
            f"  ms a move: mean {1e3 * sum(times) / len(times):.2f}"
            f"  99 % {1e3 * times[int(len(times) * 0.99)]:.1f}  most {1e3 * times[-1]:.1f}"
        )


if __name__ == "__main__":
    main()
