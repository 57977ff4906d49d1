"""The start page: a new game, and the games there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from babel.dates import format_timedelta

from kartenkniffel.table import TableSummary
from kartenkniffel.web.page_words import Translator, level_name

MOST_BOTS = 4


def start_context(
    tables: Sequence[TableSummary],
    *,
    levels: Sequence[str],
    key: str,
    translator: Translator,
    now: datetime | None = None,
    name: str = "",
    bots: int = 2,
    level: str = "medium",
    start: str = "random",
    house_rule: bool = False,
    error: str | None = None,
    lan: bool = False,
) -> dict[str, object]:
    """Give what ``start.html`` shows: the form, filled as it was last, and the player's tables.

    The form sends ``key``, ``name``, ``bots``, ``level``, ``start`` (``random`` or ``me``) and, if
    checked, ``five_of_a_kind_is_full_house``. ``lan`` shows the way for other devices.
    """
    now = now or datetime.now(UTC)
    games = [_game(table, translator, now) for table in tables]
    return {
        "lan": lan,
        "key": key,
        "name": name,
        "bots": bots,
        "bot_numbers": range(1, MOST_BOTS + 1),
        "level": level if level in levels else next(iter(levels), ""),
        "levels": [(code, level_name(code, translator)) for code in levels],
        "start": start,
        "house_rule": house_rule,
        "error": error or "",
        "running": [game for game in games if not game["finished"]],
        "ended": [game for game in games if game["finished"]],
    }


def _game(table: TableSummary, translator: Translator, now: datetime) -> dict[str, object]:
    seats = range(len(table.names))
    own = table.seat
    others = [table.names[seat] for seat in seats if seat != own]
    total = None if own is None else table.totals[own]
    best = [table.names[seat] for seat in table.winners]
    if not table.finished:
        result = ""
    elif own in table.winners:
        alone = len(best) == 1
        result = translator.gettext("won") if alone else translator.gettext("shared win")
    else:
        result = translator.gettext("%(name)s won") % {"name": ", ".join(best)}
    return {
        "id": table.id,
        "others": others,
        "players": [(table.names[seat], table.totals[seat]) for seat in seats],
        "total": total,
        "round": table.round,
        "turn": own is not None and table.to_move == own,
        "finished": table.finished,
        "result": result,
        # Called by the template, which knows the language.
        "when": partial(format_timedelta, table.changed_at - now, add_direction=True),
        "changed_at": table.changed_at.isoformat(timespec="seconds"),
    }
