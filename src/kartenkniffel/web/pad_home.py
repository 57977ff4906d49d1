"""The contexts of the page that lists pads, and of the form that begins a game on one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from babel.dates import format_date

from kartenkniffel.pad import Pad
from kartenkniffel.pad.statistics import results
from kartenkniffel.rules import MOST_PLAYERS
from kartenkniffel.web.pad_forms import Wanted


def home_context(
    pads: Sequence[Pad], person: str, *, wanted: Wanted | None, key: str
) -> dict[str, object]:
    """Give what ``pad_home.html`` shows: a person's pads, and the form for a new one.

    Unless the form was sent and refused, it holds the names of the last time.
    """
    if wanted is None:
        own = [pad for pad in pads if pad.owner == person]
        wanted = Wanted.after(own[0]) if own else Wanted()
    return {
        "key": key,
        "pads": [_pad(pad, person) for pad in pads],
        **names_context(wanted),
    }


def names_context(wanted: Wanted) -> dict[str, object]:
    """Give what the fields for a game show: ten rows, and how the start is found."""
    filled = max((n for n, row in enumerate(wanted.rows, 1) if row), default=0)
    rows = [*wanted.rows, *[""] * max(0, MOST_PLAYERS - len(wanted.rows))]
    return {
        "name_rows": [(row, number > max(2, filled)) for number, row in enumerate(rows, 1)],
        "how": wanted.how,
        "who": wanted.who,
        "house_rule": wanted.house_rule,
        "count_turns": wanted.counting,
    }


def _pad(pad: Pad, person: str) -> dict[str, object]:
    game = pad.game
    return {
        "id": pad.id,
        "owner": pad.owner == person,
        "names": ", ".join(game.board.players),
        "games": len(pad.games),
        "finished": game.finished,
        "round": game.board.round,
        "counting": game.board.counting,
        "results": [(each.name, each.sheet.total) for each in results(game)],
        "at": pad.changed_at.isoformat(timespec="seconds"),
        "on": partial(format_date, pad.changed_at.astimezone(), "medium"),
    }
