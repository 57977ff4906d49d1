"""A running game: who sits where, what happened, and the bots' turns.

`Tables` is the door: ``open``, ``get``, ``move``, ``rematch``, ``watch``.
"""

from kartenkniffel.table.errors import (
    DamagedTable,
    MovedOn,
    NotFinished,
    NotYourTurn,
    SeatError,
    TableError,
    UnknownEvent,
    UnknownTable,
)
from kartenkniffel.table.events import PACES, Pace, Seat, Start, known_pace
from kartenkniffel.table.seating import MOST_NAME, MOST_VISIBLE, visible_length
from kartenkniffel.table.service import Tables, TableSummary
from kartenkniffel.table.state import Table, fold

__all__ = [
    "MOST_NAME",
    "MOST_VISIBLE",
    "PACES",
    "DamagedTable",
    "MovedOn",
    "NotFinished",
    "NotYourTurn",
    "Pace",
    "Seat",
    "SeatError",
    "Start",
    "Table",
    "TableError",
    "TableSummary",
    "Tables",
    "UnknownEvent",
    "UnknownTable",
    "fold",
    "known_pace",
    "visible_length",
]
