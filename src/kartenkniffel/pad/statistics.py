"""What the games on a pad come to: evenings, and how its players have done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from kartenkniffel.pad.game import PadGame
from kartenkniffel.pad.names import same
from kartenkniffel.rules import BONUS, MALUS, Sheet

EVENING_GAP = timedelta(hours=8)
"""A game that begins so long after the one before belongs to another evening."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a player came out of a game; ``place`` counts from 1, equal totals share one (R13)."""

    name: str
    player: int
    sheet: Sheet
    place: int

    @property
    def won(self) -> bool:
        """Whether nobody had more points."""
        return self.place == 1


def results(game: PadGame) -> list[Result]:
    """Rank the players of a game as it stands, the highest total first."""
    board = game.board
    sheets = [board.sheet(player) for player in range(len(board.players))]
    totals = [sheet.total for sheet in sheets]
    found = [
        Result(name, player, sheets[player], 1 + sum(other > totals[player] for other in totals))
        for player, name in enumerate(board.players)
    ]
    return sorted(found, key=lambda result: (result.place, result.player))


def counts(game: PadGame) -> bool:
    """Tell whether a game goes into statistics: it is over, and something was written."""
    return game.finished and not game.board.is_blank


def evenings(games: Sequence[PadGame]) -> list[tuple[PadGame, ...]]:
    """Part the games of a pad into evenings, in order; games that do not count are left out."""
    found: list[list[PadGame]] = []
    for game in filter(counts, games):
        if found and game.began_at - found[-1][-1].began_at < EVENING_GAP:
            found[-1].append(game)
        else:
            found.append([game])
    return [tuple(evening) for evening in found]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player over several games: the total of each (``None`` where not there), sum and wins."""

    name: str
    totals: tuple[int | None, ...]
    wins: int
    place: int

    @property
    def sum(self) -> int:
        """All totals together."""
        return sum(total for total in self.totals if total is not None)


def table(games: Sequence[PadGame]) -> list[Standing]:
    """Rank the players of several games by the sum of their totals, then by their wins."""
    ranked = [results(game) for game in games]
    found = []
    for key, name in _names(games):
        own = [next((r for r in ranking if same(r.name) == key), None) for ranking in ranked]
        totals = tuple(None if r is None else r.sheet.total for r in own)
        wins = sum(r.won for r in own if r is not None)
        found.append(Standing(name, totals, wins, 0))
    scores = [(each.sum, each.wins) for each in found]
    placed = [
        Standing(
            each.name, each.totals, each.wins, 1 + sum(s > (each.sum, each.wins) for s in scores)
        )
        for each in found
    ]
    return sorted(placed, key=lambda each: each.place)


@dataclass(frozen=True, slots=True)
class Statistics:
    """How a player has done in ``games`` games that count.

    Averages and rates are over those games: ``penalties`` are penalty points, ``bonus_rate`` and
    ``malus_rate`` the shares from 0 to 1 of games that ended with the one or the other (R11).
    """

    name: str
    games: int
    wins: int
    best: int
    worst: int
    average: float
    penalties: float
    bonus_rate: float
    malus_rate: float


def statistics(games: Sequence[PadGame]) -> list[Statistics]:
    """Give the statistics of everybody who has played, the best average first."""
    played = [game for game in games if counts(game)]
    ranked = [result for game in played for result in results(game)]
    found = []
    for key, name in _names(played):
        own = [result for result in ranked if same(result.name) == key]
        totals = [result.sheet.total for result in own]
        number = len(own)
        found.append(
            Statistics(
                name=name,
                games=number,
                wins=sum(result.won for result in own),
                best=max(totals),
                worst=min(totals),
                average=sum(totals) / number,
                penalties=sum(result.sheet.penalties for result in own) / number,
                bonus_rate=sum(result.sheet.bonus == BONUS for result in own) / number,
                malus_rate=sum(result.sheet.bonus == MALUS for result in own) / number,
            )
        )
    return sorted(found, key=lambda each: -each.average)


def course(game: PadGame) -> list[list[int]]:
    """Give, by player, the total after each turn from none on, as the pad was told them (R13)."""
    board = game.board
    return [
        [board.sheet_after(player, turns).total for turns in range(len(board.turns[player]) + 1)]
        for player in range(len(board.players))
    ]


def _names(games: Sequence[PadGame]) -> list[tuple[str, str]]:
    """List everybody who played, each as `names.same` has it and as it was written last."""
    written = {same(name): name for game in games for name in game.board.players}
    return list(written.items())
