"""What came of a match: figures bot by bot, as JSON and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from kartenkniffel.arena.entrants import Entrant
from kartenkniffel.arena.estimate import Estimate, estimate, estimate_share
from kartenkniffel.arena.play import Played, SeatResult
from kartenkniffel.arena.report_text import report_text

MOST_REASONS = 5
"""The most different reasons for forfeits that a report gives for one bot."""


@dataclass(frozen=True, slots=True)
class BotReport:
    """The figures of one bot.

    ``wins`` counts a shared win in parts, ``ties`` the games in which a win was shared. ``share``
    is its part of all wins (``None`` in a match of one). ``points``, ``rounds``, ``penalties`` and
    ``bonus_rate`` are over complete deals, ``None`` where there are none. ``reasons`` are the first
    different reasons for its forfeits with their numbers. ``mean_seconds`` and ``percentile_99``
    are the time a move took on average, and the time that one move in a hundred exceeded.
    """

    text: str
    name: str
    wins: float
    ties: int
    share: Estimate | None
    forfeits: int
    reasons: tuple[tuple[str, int], ...]
    points: Estimate | None
    rounds: float | None
    penalties: float | None
    bonus_rate: float | None
    mean_seconds: float | None
    percentile_99: float | None

    def to_json(self) -> dict[str, Any]:
        """Give all but the times as a JSON object."""
        return {
            "bot": self.text,
            "name": self.name,
            "wins": round(self.wins, 6),
            "ties": self.ties,
            "share": _json(self.share),
            "forfeits": self.forfeits,
            "reasons": [{"reason": reason, "games": games} for reason, games in self.reasons],
            "points": _json(self.points),
            "rounds": _rounded(self.rounds),
            "penalties": _rounded(self.penalties),
            "bonus_rate": _rounded(self.bonus_rate),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a match.

    ``games`` are those played, ``asked`` those asked for. A deal is *complete* when all its games
    were played to their end, without a forfeit. Where two bots played, ``share_lead`` and
    ``points_lead`` say by how much the first is ahead of the second. ``played`` are all games, deal
    by deal.
    """

    seed: int
    asked: int
    games: int
    deals: int
    complete_deals: int
    seconds_per_move: float
    bots: tuple[BotReport, ...]
    share_lead: Estimate | None
    points_lead: Estimate | None
    played: tuple[Played, ...] = field(repr=False)

    def to_json(self, *, times: bool = False) -> dict[str, Any]:
        """Give the report as a JSON object.

        The same match gives the same object however many processes play it. ``times`` adds a key
        ``times``, for which that is not so.
        """
        value: dict[str, Any] = {
            "seed": self.seed,
            "games": self.games,
            "games_asked": self.asked,
            "deals": self.deals,
            "complete_deals": self.complete_deals,
            "seconds_per_move": self.seconds_per_move,
            "bots": [bot.to_json() for bot in self.bots],
        }
        if len(self.bots) == 2:
            value["lead"] = {"share": _json(self.share_lead), "points": _json(self.points_lead)}
        if times:
            value["times"] = [
                {
                    "mean": _rounded(bot.mean_seconds),
                    "percentile_99": _rounded(bot.percentile_99),
                }
                for bot in self.bots
            ]
        return value

    def text(self) -> str:
        """Give the report as text for a terminal."""
        return report_text(self)


def make_report(
    entrants: Sequence[Entrant],
    games: Sequence[Played],
    *,
    seed: int,
    asked: int,
    seconds_per_move: float,
) -> Report:
    """Sum up the games of a match; all rotations of a deal must follow each other."""
    rotations = len(entrants)
    deals = [games[i : i + rotations] for i in range(0, len(games), rotations)]
    complete = [deal for deal in deals if not any(game.forfeit for game in deal)]
    share_lead = points_lead = None
    if rotations == 2:
        share = estimate_share([_mean(part_of_win(game, 0) for game in deal) for deal in deals])
        share_lead = _stretched(share)
        points_lead = estimate(
            [_mean(_points(game, 0) - _points(game, 1) for game in deal) for deal in complete]
        )
    return Report(
        seed=seed,
        asked=asked,
        games=len(games),
        deals=len(deals),
        complete_deals=len(complete),
        seconds_per_move=seconds_per_move,
        bots=tuple(
            _bot_report(entrant, number, deals, complete) for number, entrant in enumerate(entrants)
        ),
        share_lead=share_lead,
        points_lead=points_lead,
        played=tuple(games),
    )


def _bot_report(
    entrant: Entrant,
    number: int,
    deals: Sequence[Sequence[Played]],
    complete: Sequence[Sequence[Played]],
) -> BotReport:
    games = [game for deal in deals for game in deal]
    wins = [game for game in games if game.seat_of(number) in game.winners]
    reasons = Counter(
        game.forfeit.reason
        for game in games
        if game.forfeit and game.forfeit.seat == game.seat_of(number)
    )
    finished = [game for deal in complete for game in deal]

    def mean(figure: Callable[[SeatResult], float]) -> float | None:
        return _mean(figure(_seat(game, number)) for game in finished) if finished else None

    times = sorted(second for game in games for second in _seat(game, number).seconds)
    return BotReport(
        text=entrant.text,
        name=entrant.name,
        wins=fsum(part_of_win(game, number) for game in wins),
        ties=sum(len(game.winners) > 1 for game in wins),
        share=None
        if len(games[0].seats) == 1
        else estimate_share([_mean(part_of_win(game, number) for game in deal) for deal in deals]),
        forfeits=reasons.total(),
        reasons=tuple(reasons.items())[:MOST_REASONS],
        points=estimate([_mean(_points(game, number) for game in deal) for deal in complete]),
        rounds=_mean(game.rounds for game in finished) if finished else None,
        penalties=mean(lambda seat: seat.penalties),
        bonus_rate=mean(lambda seat: seat.bonus),
        mean_seconds=_mean(times) if times else None,
        percentile_99=times[min(len(times) - 1, len(times) * 99 // 100)] if times else None,
    )


def _seat(game: Played, number: int) -> SeatResult:
    return game.seats[game.seat_of(number)]


def _points(game: Played, number: int) -> int:
    return _seat(game, number).total


def part_of_win(game: Played, number: int) -> float:
    """Give the part of a win that the bot of this number has in a game."""
    return 1 / len(game.winners) if game.seat_of(number) in game.winners else 0.0


def _mean(values: Sequence[float] | Iterator[float]) -> float:
    listed = list(values)
    return fsum(listed) / len(listed)


def _stretched(share: Estimate | None) -> Estimate | None:
    """Give the lead that a share of two means: both shares make 1."""
    if share is None or share.low is None or share.high is None:
        return None
    return Estimate(2 * share.mean - 1, 2 * share.low - 1, 2 * share.high - 1)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _json(value: Estimate | None) -> dict[str, float | None] | None:
    return None if value is None else value.to_json()
