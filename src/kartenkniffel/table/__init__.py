"""Tables: people gather, a game runs, bots play, clocks tick, and every event is kept.

`Tables` is the door: ``open``, ``get``, ``move``, ``rematch``, ``watch``; behind it ``lobbies``
(before the game), ``company`` (what people do besides moving) and ``upkeep`` (what is kept).
"""

from kartenkniffel.notation.names import visible_length
from kartenkniffel.table.company import EMOJI, OFFER_MINUTES, PHRASES, Company
from kartenkniffel.table.errors import (
    Begun,
    DamagedTable,
    Full,
    MovedOn,
    NotFinished,
    NotHost,
    NotPossible,
    NotSeated,
    NotYourTurn,
    SeatError,
    ShutOut,
    StillHere,
    TableError,
    TooFew,
    UnknownCode,
    UnknownEvent,
    UnknownTable,
)
from kartenkniffel.table.events import PACES, Matter, Pace, Seat, Start, Terms, Why, known_pace
from kartenkniffel.table.gathering import CLOCKS, CODE_LENGTH, CODE_LETTERS, Lobbies, plain_code
from kartenkniffel.table.journal import Notice
from kartenkniffel.table.lobby import Guest, Lobby
from kartenkniffel.table.names import (
    BOT_NAMES,
    MOST_NAME,
    MOST_VISIBLE,
    distinct_name,
    is_name,
)
from kartenkniffel.table.service import Tables, TableSummary
from kartenkniffel.table.state import Proposal, Spoken, State, Table, fold
from kartenkniffel.table.upkeep import Upkeep

__all__ = [
    "BOT_NAMES",
    "CLOCKS",
    "CODE_LENGTH",
    "CODE_LETTERS",
    "EMOJI",
    "MOST_NAME",
    "MOST_VISIBLE",
    "OFFER_MINUTES",
    "PACES",
    "PHRASES",
    "Begun",
    "Company",
    "DamagedTable",
    "Full",
    "Guest",
    "Lobbies",
    "Lobby",
    "Matter",
    "MovedOn",
    "NotFinished",
    "NotHost",
    "NotPossible",
    "NotSeated",
    "NotYourTurn",
    "Notice",
    "Pace",
    "Proposal",
    "Seat",
    "SeatError",
    "ShutOut",
    "Spoken",
    "Start",
    "State",
    "StillHere",
    "Table",
    "TableError",
    "TableSummary",
    "Tables",
    "Terms",
    "TooFew",
    "UnknownCode",
    "UnknownEvent",
    "UnknownTable",
    "Upkeep",
    "Why",
    "distinct_name",
    "fold",
    "is_name",
    "known_pace",
    "plain_code",
    "visible_length",
]
