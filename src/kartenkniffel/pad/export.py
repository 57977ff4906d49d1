"""A pad's games as JSON and as CSV, to keep or to reckon with elsewhere.

Nothing in them tells which person wrote what: they are about the players.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from kartenkniffel.pad.game import PadGame
from kartenkniffel.pad.state import Pad
from kartenkniffel.pad.statistics import results
from kartenkniffel.rules import FIELDS

FORMAT = "kartenkniffel-pad"
VERSION = 1


def as_json(pad: Pad) -> dict[str, Any]:
    """Give the whole pad as a JSON object: every game with its sheets, turns and results.

    Times are ISO 8601 in UTC. A sheet has every field, ``null`` while it is open; ``turns`` lists
    by player the field that each turn filled, ``null`` for an exchange.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "opened": pad.opened_at.isoformat(),
        "games": [_game(game) for game in pad.games],
    }


def _game(game: PadGame) -> dict[str, Any]:
    board = game.board
    return {
        "number": game.number,
        "began": game.began_at.isoformat(),
        "changed": game.changed_at.isoformat(),
        "finished": game.finished,
        "ended_by_hand": board.ended,
        "first": board.first,
        "turns_counted": board.counting,
        "rules": {
            "five_of_a_kind_is_full_house": board.rules.five_of_a_kind_is_full_house,
        },
        "winners": list(board.winners),
        "players": [_player(game, player) for player in range(len(board.players))],
    }


def _player(game: PadGame, player: int) -> dict[str, Any]:
    board, sheet = game.board, game.board.sheet(player)
    fields: dict[str, Any] = {}
    for field in FIELDS:
        written = board.written[player].get(field)
        fields[field.value] = written and {
            "points": written.points,
            "penalty": written.entry.penalty,
            "hand": written.hand,
            "cards": written.cards,
        }
    return {
        "name": board.players[player],
        "upper": sheet.upper,
        "lower": sheet.lower,
        "bonus": sheet.bonus,
        "penalties": sheet.penalties,
        "total": sheet.total,
        "fields": fields,
        "turns": [None if turn is None else turn.value for turn in board.turns[player]],
    }


HEAD = [
    "game",
    "began",
    "finished",
    "player",
    "place",
    *(f"{field}{what}" for field in FIELDS for what in ("", " penalty")),
    "upper",
    "bonus",
    "lower",
    "penalties",
    "total",
]
"""The columns of the CSV: a line for each game and player; an open field is empty."""


def as_csv(pad: Pad) -> str:
    """Give the whole pad as CSV with the columns `HEAD`, lines ended as RFC 4180 has it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    for game in pad.games:
        for result in results(game):
            sheet = result.sheet
            cells: list[int | str] = []
            for entry in sheet.entries:
                cells += ["", ""] if entry is None else [entry.points, entry.penalty]
            writer.writerow(
                [
                    game.number,
                    game.began_at.isoformat(timespec="seconds"),
                    "yes" if game.finished else "no",
                    _harmless(result.name),
                    result.place,
                    *cells,
                    sheet.upper,
                    sheet.bonus,
                    sheet.lower,
                    sheet.penalties,
                    sheet.total,
                ]
            )
    return out.getvalue()


def _harmless(text: str) -> str:
    """Give a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
