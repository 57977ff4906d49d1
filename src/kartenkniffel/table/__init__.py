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
from kartenkniffel.table.events import Seat, Start
from kartenkniffel.table.service import Tables, TableSummary
from kartenkniffel.table.state import Table, fold

__all__ = [
    "DamagedTable",
    "MovedOn",
    "NotFinished",
    "NotYourTurn",
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
]
