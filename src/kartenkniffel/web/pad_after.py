"""The contexts of what comes after a game: ranking, chart, evening, history and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

from kartenkniffel.pad import Pad, PadGame
from kartenkniffel.pad.statistics import (
    Standing,
    Statistics,
    course,
    evenings,
    results,
    statistics,
    table,
)
from kartenkniffel.web.pad_chart import NARROW, WIDE, chart
from kartenkniffel.web.translator import Translator


def ending_context(pad: Pad, game: PadGame) -> dict[str, object]:
    """Give what a finished game shows: who won and how, the chart, the evening so far."""
    evening = next((night for night in evenings(pad.games) if game in night), ())
    return {
        "ranking": [
            {
                "place": result.place,
                "name": result.name,
                "winner": result.won,
                "upper": result.sheet.upper,
                "lower": result.sheet.lower,
                "bonus": result.sheet.bonus,
                "penalties": result.sheet.penalties,
                "total": result.sheet.total,
            }
            for result in results(game)
        ],
        "charts": [chart(game.board.players, course(game), size) for size in (WIDE, NARROW)],
        "course": list(zip(game.board.players, course(game), strict=True)),
        "evening": _evening(evening) if len(evening) > 1 else None,
        "ended_at": game.changed_at.isoformat(timespec="seconds"),
        "ended_on": partial(format_date, game.changed_at.astimezone(), "long"),
    }


def history_context(pad: Pad, translator: Translator, *, owner: bool) -> dict[str, object]:
    """Give what ``pad_games.html`` shows: all games, every evening, everybody's statistics."""
    return {
        "id": pad.id,
        "owner": owner,
        "games": [_game(game) for game in reversed(pad.games)],
        "evenings": [_evening(night) for night in reversed(evenings(pad.games)) if len(night) > 1],
        "statistics": [_statistics(each) for each in statistics(pad.games)],
    }


def _game(game: PadGame) -> dict[str, object]:
    ranked = results(game)
    return {
        "number": game.number,
        "at": game.began_at.isoformat(timespec="seconds"),
        "on": partial(format_date, game.began_at.astimezone(), "medium"),
        "finished": game.finished,
        "results": [(each.name, each.sheet.total, each.won and game.finished) for each in ranked],
    }


def _evening(night: Sequence[PadGame]) -> dict[str, object]:
    standings: list[Standing] = table(night)
    return {
        "at": night[0].began_at.isoformat(timespec="seconds"),
        "on": partial(format_date, night[0].began_at.astimezone(), "long"),
        "games": [game.number for game in night],
        "rows": standings,
    }


def _statistics(each: Statistics) -> dict[str, object]:
    # Rounded figures are written by the template, which knows the language.
    return {
        "name": each.name,
        "games": each.games,
        "wins": each.wins,
        "best": each.best,
        "average": partial(format_decimal, each.average, "#,##0.0"),
        "penalties": partial(format_decimal, each.penalties, "#,##0.0"),
        "bonus_rate": partial(format_percent, each.bonus_rate),
        "malus_rate": partial(format_percent, each.malus_rate),
    }
