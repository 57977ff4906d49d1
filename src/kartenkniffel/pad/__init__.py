"""The score pad: for people who play with the real cards.

`Pads` is the door: ``open``, ``get``, ``enter``, ``exchange``, ``correct``, ``undo``, ``watch``.
Points and totals are those of `kartenkniffel.rules`; a pad is a fold over its log in the store.
"""

from kartenkniffel.pad.board import Board, Written
from kartenkniffel.pad.commands import NewGame
from kartenkniffel.pad.errors import (
    DamagedPad,
    GameRunning,
    MovedOn,
    NamesError,
    NotCounting,
    NothingLeft,
    NotOnPad,
    NotYours,
    PadError,
    StartError,
    UnknownPad,
)
from kartenkniffel.pad.export import as_csv, as_json
from kartenkniffel.pad.game import Line, PadGame, Question
from kartenkniffel.pad.names import MOST_NAME
from kartenkniffel.pad.service import Pads
from kartenkniffel.pad.state import Pad, fold
from kartenkniffel.pad.told import Told

__all__ = [
    "MOST_NAME",
    "Board",
    "DamagedPad",
    "GameRunning",
    "Line",
    "MovedOn",
    "NamesError",
    "NewGame",
    "NotCounting",
    "NotOnPad",
    "NotYours",
    "NothingLeft",
    "Pad",
    "PadError",
    "PadGame",
    "Pads",
    "Question",
    "StartError",
    "Told",
    "UnknownPad",
    "Written",
    "as_csv",
    "as_json",
    "fold",
]
