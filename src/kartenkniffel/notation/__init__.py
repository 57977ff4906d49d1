"""Moves as text, and records, results and views as JSON, both ways."""

from kartenkniffel.notation.json_text import JsonError, excerpt, read_json
from kartenkniffel.notation.moves import MoveTextError, format_move, parse_move
from kartenkniffel.notation.record import (
    FORMAT,
    MOST_BYTES,
    VERSION,
    Forfeit,
    Record,
    UnreadableError,
    dump_record,
    load_record,
)
from kartenkniffel.notation.result import fields_to_json, result_to_json
from kartenkniffel.notation.views import VIEW_VERSION, view_from_json, view_to_json

__all__ = [
    "FORMAT",
    "MOST_BYTES",
    "VERSION",
    "VIEW_VERSION",
    "Forfeit",
    "JsonError",
    "MoveTextError",
    "Record",
    "UnreadableError",
    "dump_record",
    "excerpt",
    "fields_to_json",
    "format_move",
    "load_record",
    "parse_move",
    "read_json",
    "result_to_json",
    "view_from_json",
    "view_to_json",
]
