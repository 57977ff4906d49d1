"""Ratings over a pool: all bots play all others in small games; needs the extra ``ratings``."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kartenkniffel.arena.entrants import Entrant
from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.match import Match, Progress
from kartenkniffel.arena.play import Played
from kartenkniffel.arena.report import part_of_win


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's strength by openskill: a mean and how unsure it is, and its part of all wins."""

    name: str
    mean: float
    unsure: float
    games: int
    share: float

    @property
    def surely(self) -> float:
        """What the strength is at least, nearly surely: three times unsure below the mean."""
        return self.mean - 3 * self.unsure

    def to_json(self) -> dict[str, Any]:
        """Give the rating as a JSON object."""
        return {
            "name": self.name,
            "mean": round(self.mean, 4),
            "unsure": round(self.unsure, 4),
            "surely": round(self.surely, 4),
            "games": self.games,
            "share": round(self.share, 6),
        }


def rate_pool(
    match: Match,
    players: int,
    executor: Executor | None = None,
    progress: Progress = lambda done, games: None,
) -> list[Rating]:
    """Let every choice of so many bots play the games asked for, and rate all, the best first.

    Each choice plays the same deals. Raises `ArenaError` where games would be too small or large,
    and where openskill is missing.
    """
    if not 2 <= players <= len(match.entrants):
        raise ArenaError(
            f"a game of the pool is between 2 and {len(match.entrants)} bots, not {players}"
        )
    choices = list(combinations(match.entrants, players))
    smaller = [
        Match(choice, match.asked, match.seed, match.limits, match.records) for choice in choices
    ]
    games = sum(one.games for one in smaller)
    reports = []
    for number, one in enumerate(smaller):
        before = sum(other.games for other in smaller[:number])
        reports.append(
            one.play(executor, lambda done, _, before=before: progress(before + done, games))  # type: ignore[misc]
        )
    return _rated(match.entrants, choices, [report.played for report in reports])


def _rated(
    entrants: Sequence[Entrant],
    choices: Sequence[tuple[Entrant, ...]],
    played: Sequence[Sequence[Played]],
) -> list[Rating]:
    """Rate by the games in turn: the first of each choice, then the second, and so on."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise ArenaError("ratings need openskill: pip install 'kartenkniffel[ratings]'") from None
    model = PlackettLuce()
    known = {one.name: model.rating(name=one.name) for one in entrants}
    wins = dict.fromkeys(known, 0.0)
    counted = dict.fromkeys(known, 0)
    for games in zip(*played, strict=True):
        for choice, game in zip(choices, games, strict=True):
            scores = [_score(game, number) for number in range(len(choice))]
            rated = model.rate([[known[one.name]] for one in choice], scores=scores)
            for number, (one, (rating,)) in enumerate(zip(choice, rated, strict=True)):
                known[one.name] = rating
                counted[one.name] += 1
                wins[one.name] += part_of_win(game, number)
    ratings = [
        Rating(name, rating.mu, rating.sigma, counted[name], wins[name] / counted[name])
        for name, rating in known.items()
    ]
    return sorted(ratings, key=lambda rating: -rating.mean)


def _score(game: Played, number: int) -> float:
    """Give a total; who forfeits comes behind all others."""
    seat = game.seat_of(number)
    if game.forfeit and game.forfeit.seat == seat:
        return -(10.0**6)
    return float(game.seats[seat].total)


def ratings_text(ratings: Sequence[Rating]) -> str:
    """Give ratings as a table for a terminal."""
    width = max(len(rating.name) for rating in ratings)
    lines = [f"{'':{width}}  rating  unsure  surely   games   of all wins"]
    lines += [
        f"{rating.name:{width}}  {rating.mean:6.2f}  {rating.unsure:6.2f}  {rating.surely:6.2f}"
        f"  {rating.games:6}  {rating.share:12.1%}"
        for rating in ratings
    ]
    return "\n".join(lines)
