"""How a game came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kartenkniffel.rules import View
from kartenkniffel.web.translator import Translator


def ranking(players: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rank players by their ``total``, the highest first; equal totals share a place (R13).

    >>> [(row["place"], row["total"]) for row in ranking([{"total": t} for t in (7, 9, 9)])]
    [(1, 9), (1, 9), (3, 7)]
    """
    totals = [player["total"] for player in players]
    ranked = sorted(players, key=lambda player: -int(player["total"]))
    return [
        {**player, "place": 1 + sum(total > player["total"] for total in totals)}
        for player in ranked
    ]


def ending(view: View, translator: Translator) -> str:
    """Say in a few words who has won; empty while the game runs."""
    gettext = translator.gettext
    if not view.finished:
        return ""
    names = [view.players[seat].name for seat in view.winners]
    if not names:
        return gettext("The game was ended by agreement")
    if len(view.players) == 1:
        return gettext("The game is over")
    if view.seat in view.winners:
        if len(names) == 1:
            return gettext("You win")
        others = [view.players[seat].name for seat in view.winners if seat != view.seat]
        return gettext("You share the win with %(names)s") % {"names": ", ".join(others)}
    if len(names) == 1:
        return gettext("%(name)s wins") % {"name": names[0]}
    return gettext("Shared win: %(names)s") % {"names": ", ".join(names)}
