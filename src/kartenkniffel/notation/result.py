"""The result of a game, finished or not, as JSON."""

from __future__ import annotations

from typing import Any

from kartenkniffel.rules import FIELDS, Game, Sheet


def fields_to_json(sheet: Sheet) -> dict[str, Any]:
    """Give the twelve fields by code: points and penalty, or ``None`` while open."""
    entries = ((field, sheet[field]) for field in FIELDS)
    return {
        field.value: None if entry is None else {"points": entry.points, "penalty": entry.penalty}
        for field, entry in entries
    }


def result_to_json(game: Game) -> dict[str, Any]:
    """Give the whole standing of a game, hands included: for finished games and for replay (R15).

    ``round`` counts from 1; ``to_move`` is a seat from 0, ``None`` when finished; ``bonus`` is as
    if the game ended now and part of ``total``.
    """
    players = zip(game.names, game.hands, game.sheets, strict=True)
    return {
        "finished": game.finished,
        "round": game.round,
        "to_move": game.to_move,
        "draw_pile": len(game.pile),
        "discard_pile": len(game.position.discard_pile),
        "players": [
            {
                "name": name,
                "hand": str(hand),
                "fields": fields_to_json(sheet),
                "upper": sheet.upper,
                "lower": sheet.lower,
                "bonus": sheet.bonus,
                "penalties": sheet.penalties,
                "total": sheet.total,
            }
            for name, hand, sheet in players
        ],
        "winners": list(game.winners),
    }
