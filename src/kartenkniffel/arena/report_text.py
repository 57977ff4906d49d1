"""The report of a match as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kartenkniffel.arena.estimate import Estimate

if TYPE_CHECKING:
    from kartenkniffel.arena.report import BotReport, Report

FEW_DEALS = 30
"""With fewer deals than this a report says that its intervals are wide."""

_UNKNOWN = "–"


def report_text(report: Report) -> str:
    """Give a headline, tables with one row to a bot, and what must be said besides."""
    tables = (_play, _times) if len(report.bots) == 1 else (_wins, _play, _times)
    lines = [_headline(report)]
    for table in tables:
        lines += ["", *_table(table(report))]
    return "\n".join([*lines, *_remarks(report)])


def _headline(report: Report) -> str:
    deals = _counted(report.deals, "deal")
    each = "" if len(report.bots) == 1 else ", each played once from every seat"
    return f"{_counted(report.games, 'game')} ({deals}{each}), seed {report.seed}"


def _wins(report: Report) -> Iterator[list[str]]:
    yield ["", "wins", "of all", "95 %", "ties", "forfeits"]
    for bot in report.bots:
        share = bot.share
        yield [
            bot.name,
            _number(bot.wins),
            _percent(share.mean if share else None),
            _interval(share, 100),
            str(bot.ties),
            str(bot.forfeits),
        ]


def _play(report: Report) -> Iterator[list[str]]:
    yield ["", "points", "95 %", "rounds", "penalties", "bonus"]
    for bot in report.bots:
        yield [
            bot.name,
            _number(bot.points.mean if bot.points else None),
            _interval(bot.points),
            _number(bot.rounds),
            _number(bot.penalties),
            _percent(bot.bonus_rate),
        ]


def _times(report: Report) -> Iterator[list[str]]:
    yield ["", "ms a move", "one in 100 above"]
    for bot in report.bots:
        yield [bot.name, _milliseconds(bot.mean_seconds), _milliseconds(bot.percentile_99)]


def _table(rows: Iterator[list[str]]) -> Iterator[str]:
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        yield "  ".join(_aligned(row, widths)).rstrip()


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    yield row[0].ljust(widths[0])
    for cell, width in zip(row[1:], widths[1:], strict=True):
        yield cell.rjust(width)


def _remarks(report: Report) -> Iterator[str]:
    if len(report.bots) == 2:
        first, second = report.bots
        yield ""
        yield f"{first.name} ahead of {second.name} by"
        if report.share_lead:
            lead = report.share_lead
            yield f"  {lead.mean:+.1%} of the wins ({_interval(lead, 100, '+')})"
        if report.points_lead:
            lead = report.points_lead
            yield f"  {lead.mean:+.1f} points a game ({_interval(lead, 1, '+')})"
    for bot in report.bots:
        if bot.forfeits:
            yield ""
            yield from _forfeits(bot)
    notes = list(_notes(report))
    if notes:
        yield ""
        yield from notes


def _forfeits(bot: BotReport) -> Iterator[str]:
    yield f"{bot.name} forfeits {_counted(bot.forfeits, 'game')}:"
    for reason, games in bot.reasons:
        yield f"  {games} ×  {reason}"
    rest = bot.forfeits - sum(games for _, games in bot.reasons)
    if rest:
        yield f"  {rest} ×  other reasons"


def _notes(report: Report) -> Iterator[str]:
    if report.games != report.asked:
        yield (
            f"{report.asked} asked for, {report.games} played: "
            "every deal is played once from every seat."
        )
    if report.complete_deals == 0:
        yield "No deal was played without a forfeit, so there are no points to speak of."
    elif report.complete_deals < report.deals:
        yield (
            "Points, rounds, penalties and bonus are over the "
            f"{_counted(report.complete_deals, 'deal')} without a forfeit."
        )
    if report.deals == 1:
        yield "One deal alone says nothing about other deals; play more."
    elif report.deals < FEW_DEALS:
        yield f"With only {report.deals} deals the intervals are wide; play more."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _number(value: float | None, form: str = ".1f") -> str:
    return _UNKNOWN if value is None else format(value, form)


def _percent(value: float | None) -> str:
    return _number(value, ".1%")


def _milliseconds(seconds: float | None) -> str:
    return _number(None if seconds is None else seconds * 1000)


def _interval(value: Estimate | None, factor: float = 1, sign: str = "") -> str:
    if value is None or value.low is None or value.high is None:
        return _UNKNOWN
    return f"{value.low * factor:{sign}.1f} to {value.high * factor:{sign}.1f}"
