"""The start page: a new game, and the games there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from babel.dates import format_timedelta

from kartenkniffel.table import CLOCKS, TableSummary
from kartenkniffel.web.page_friends import clock_words
from kartenkniffel.web.page_words import level_character, level_name
from kartenkniffel.web.translator import Translator

MOST_BOTS = 4
MOST_PLAYERS = 10
PERSON = "person"
"""What stands in the form where a player is no bot."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player on one device as typed into the form: ``kind`` is a person or a bot's level."""

    name: str = ""
    kind: str = PERSON

    @property
    def is_empty(self) -> bool:
        """Whether nobody plays here: a person has a name, a bot needs none."""
        return not self.name and self.kind == PERSON


def start_context(
    tables: Sequence[TableSummary],
    *,
    levels: Sequence[str],
    key: str,
    translator: Translator,
    friends: object,
    now: datetime | None = None,
    name: str = "",
    mode: str = "bots",
    bots: int = 2,
    level: str = "medium",
    start: str = "random",
    rows: Sequence[Row] = (Row(), Row()),
    first: str = "random",
    who: int = 0,
    house_rule: bool = False,
    error: str | None = None,
    lan: bool = False,
    gathering: Sequence[Mapping[str, object]] = (),
    open_tables: Sequence[Mapping[str, object]] = (),
) -> dict[str, object]:
    """Give what ``start.html`` shows: the form, filled as it was last, and the player's tables.

    The form sends ``key``, ``mode`` and, if checked, ``five_of_a_kind_is_full_house``; against bots
    ``name``, ``bots``, ``level`` and ``start`` (``random`` or ``me``); on one device ten times
    ``player`` and ``kind``, and ``first`` (``random``, ``youngest``, ``seat``) with ``who``.
    ``friends`` is what a table for friends is to be like. ``lan`` shows the way for other devices.
    """
    now = now or datetime.now(UTC)
    games = [_game(table, translator, now) for table in tables]
    return {
        "lan": lan,
        "friends": friends,
        "clocks": [(clock or "", clock_words(clock, translator)) for clock in CLOCKS],
        "seat_numbers": list(range(2, MOST_PLAYERS + 1)),
        "gathering": gathering,
        "open_tables": open_tables,
        "key": key,
        "name": name,
        "bots": bots,
        "bot_numbers": [*range(1, MOST_BOTS + 1), 0],
        "mode": mode,
        "rows": _form_rows(rows),
        "kinds": [(code, level_name(code, translator)) for code in levels],
        "person": PERSON,
        "first": first,
        "who": who,
        "level": level if level in levels else next(iter(levels), ""),
        "levels": [
            (code, level_name(code, translator), level_character(code, translator))
            for code in levels
        ],
        "start": start,
        "house_rule": house_rule,
        "error": error or "",
        "running": [game for game in games if not game["finished"]],
        "ended": [game for game in games if game["finished"]],
    }


def _form_rows(rows: Sequence[Row]) -> list[tuple[Row, bool]]:
    """List ten rows, or as many as were sent, each with whether it is spare: not needed yet."""
    spare = max(0, MOST_PLAYERS - len(rows))
    filled = max((n for n, row in enumerate(rows, 1) if not row.is_empty), default=0)
    return [(row, n >= max(2, filled)) for n, row in enumerate([*rows, *[Row()] * spare])]


def _game(table: TableSummary, translator: Translator, now: datetime) -> dict[str, object]:
    seats = range(len(table.names))
    own = table.seat
    shared = len(table.own) > 1
    others = [table.names[seat] for seat in seats if seat != own]
    total = None if own is None or shared else table.totals[own]
    best = [table.names[seat] for seat in table.winners]
    if not table.finished:
        result = ""
    elif own in table.winners and not shared:
        alone = len(best) == 1
        result = translator.gettext("won") if alone else translator.gettext("shared win")
    else:
        result = translator.gettext("Won by %(names)s") % {"names": ", ".join(best)}
    return {
        "id": table.id,
        "others": others,
        "names": list(table.names) if shared else [],
        "players": [(table.names[seat], table.totals[seat]) for seat in seats],
        "total": total,
        "round": table.round,
        "turn": own is not None and table.to_move == own and not shared,
        "mover": table.names[table.to_move] if shared and table.to_move in table.own else "",
        "finished": table.finished,
        "shared": table.shared,
        "result": result,
        # Called by the template, which knows the language.
        "when": partial(format_timedelta, table.changed_at - now, add_direction=True),
        "changed_at": table.changed_at.isoformat(timespec="seconds"),
    }
