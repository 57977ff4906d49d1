"""A match as a picture: shares of wins, totals and rounds; needs the extra ``plot``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.report import Report

_WIDTH, _HEIGHT = 9.0, 3.0  # inches, of one part
_BINS = 40
_COLOURS = ("#1f5f8b", "#c8553d", "#588157", "#8e6c8a", "#b08900")


def plot(report: Report, path: Path) -> None:
    """Write the match to a file as SVG, the same picture for the same match.

    Raises `ArenaError` where matplotlib is missing or the file cannot be written.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ArenaError("a plot needs matplotlib: pip install 'kartenkniffel[plot]'") from None
    # Texts stay texts, and nothing in the file hangs on chance or on the day.
    settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "kartenkniffel"}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(_WIDTH, 3 * _HEIGHT), layout="constrained")
        shares, totals, rounds = figure.subplots(3, 1)
        _shares(shares, report)
        _totals(totals, report)
        _rounds(rounds, report)
        figure.suptitle(f"{report.games} games, {report.deals} deals, seed {report.seed}")
        try:
            figure.savefig(path, format="svg", metadata={"Date": None})
        except OSError as error:
            raise ArenaError(f"{path} cannot be written: {error.strerror}") from None


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _shares(axes: Any, report: Report) -> None:
    """Draw each bot's part of all wins with its interval, and what would be fair."""
    names = [bot.name for bot in report.bots]
    for number, bot in enumerate(report.bots):
        share = bot.share
        if share is None:
            continue
        low = share.mean if share.low is None else share.low
        high = share.mean if share.high is None else share.high
        axes.errorbar(
            [100 * share.mean],
            [number],
            xerr=[[100 * (share.mean - low)], [100 * (high - share.mean)]],
            fmt="o",
            capsize=4,
            color=_colour(number),
        )
    axes.axvline(100 / len(names), color="#999999", linewidth=1, linestyle="--")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("part of all wins in percent, with 95 % interval")


def _totals(axes: Any, report: Report) -> None:
    """Draw how totals are spread, bot by bot."""
    totals = [
        [game.seats[game.seat_of(number)].total for game in report.played if not game.forfeit]
        for number in range(len(report.bots))
    ]
    every = [total for one in totals for total in one]
    span = (min(every), max(every) + 1) if every else (0, 1)
    for number, (bot, one) in enumerate(zip(report.bots, totals, strict=True)):
        axes.hist(
            one, bins=_BINS, range=span, histtype="step", color=_colour(number), label=bot.name
        )
    axes.legend(frameon=False)
    axes.set_xlabel("points")
    axes.set_ylabel("games")


def _rounds(axes: Any, report: Report) -> None:
    """Draw how long games took."""
    counts = Counter(game.rounds for game in report.played if not game.forfeit)
    axes.bar(list(counts), list(counts.values()), color="#777777")
    axes.set_xlabel("rounds")
    axes.set_ylabel("games")
