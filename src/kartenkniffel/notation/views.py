"""Views as JSON: all that a bot, a page or another client gets of a running game (R15)."""

from __future__ import annotations

from typing import Any

from kartenkniffel.notation.moves import format_move, parse_move
from kartenkniffel.notation.result import fields_to_json
from kartenkniffel.rules import FIELDS, Cards, Entry, HouseRules, PlayerView, Sheet, View

VIEW_VERSION = 1


def view_to_json(view: View) -> dict[str, Any]:
    """Give a view as JSON; a spectator's has ``seat`` null and no ``hand``."""
    value: dict[str, Any] = {"version": VIEW_VERSION, "seat": view.seat}
    if view.hand is not None:
        value["hand"] = str(view.hand)
    return value | {
        "round": view.round,
        "to_move": view.to_move,
        "last_round": view.last_round,
        "finished": view.finished,
        "winners": list(view.winners),
        "rules": {"five_of_a_kind_is_full_house": view.rules.five_of_a_kind_is_full_house},
        "draw_pile": view.draw_pile,
        "discards": list(view.discards.counts),
        "moves": [format_move(move) for move in view.moves],
        "players": [_player_to_json(player) for player in view.players],
    }


def view_from_json(value: dict[str, Any]) -> View:
    """Read what `view_to_json` wrote; raises ``KeyError``, ``TypeError`` or ``ValueError``."""
    if value["version"] != VIEW_VERSION:
        raise ValueError(f"this is a view of version {value['version']!r}, not {VIEW_VERSION}")
    return View(
        seat=value["seat"],
        hand=Cards(value["hand"]) if "hand" in value else None,
        round=value["round"],
        to_move=value["to_move"],
        last_round=value["last_round"],
        finished=value["finished"],
        winners=tuple(value["winners"]),
        rules=HouseRules(**value["rules"]),
        draw_pile=value["draw_pile"],
        discards=Cards.from_counts(value["discards"]),
        moves=tuple(parse_move(text) for text in value["moves"]),
        players=tuple(_player_from_json(player) for player in value["players"]),
    )


def _player_to_json(player: PlayerView) -> dict[str, Any]:
    sheet = player.sheet
    return {
        "name": player.name,
        "hand_size": player.hand_size,
        "upper": sheet.upper,
        "bonus": sheet.bonus,
        "penalties": sheet.penalties,
        "total": sheet.total,
        "fields": fields_to_json(sheet),
    }


def _player_from_json(value: dict[str, Any]) -> PlayerView:
    entries = (value["fields"][field.value] for field in FIELDS)
    sheet = Sheet(
        tuple(
            None if entry is None else Entry(entry["points"], entry["penalty"]) for entry in entries
        )
    )
    return PlayerView(value["name"], value["hand_size"], sheet)
