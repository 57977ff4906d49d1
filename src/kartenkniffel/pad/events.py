"""The events of a pad, as values and as the JSON objects that are stored.

Every event says in ``by`` which person made it; ``game`` counts the pad's games from 1 and
``player`` the players of a game from 0, in seat order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from kartenkniffel.pad.errors import UnknownEvent
from kartenkniffel.rules import Field, HouseRules

VERSION = 1
"""The version of the event format, stored with each pad's first event."""

How: TypeAlias = Literal["youngest", "random", "chosen"]
"""How the player who begins was found (R4)."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The pad was opened by the person whose pad it is."""

    by: str


@dataclass(frozen=True, slots=True)
class Began:
    """A game began: names clockwise in seat order, and the seat of the player who begins (R4)."""

    by: str
    players: tuple[str, ...]
    first: int
    how: How
    rules: HouseRules
    counting: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """A player wrote points into a field, having had ``hand`` cards before playing (R6, R7).

    ``cards`` are those played, where they were told; ``passed`` are the players whose turns
    before this one count as exchanges, once for each turn. ``turn`` is the place among the
    player's turns, from 0, of an exchange that was none but this entry; else the entry is a new
    turn.
    """

    by: str
    game: int
    player: int
    field: Field
    points: int
    hand: int
    cards: str | None = None
    passed: tuple[int, ...] = ()
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A player's turn went by without an entry (R5)."""

    by: str
    game: int
    player: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """What stands in a field is replaced, or taken out where there are no points."""

    by: str
    game: int
    player: int
    field: Field
    points: int | None = None
    hand: int = 5
    cards: str | None = None


@dataclass(frozen=True, slots=True)
class Recounted:
    """A player has had so many turns without an entry."""

    by: str
    game: int
    player: int
    exchanges: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player's name was written differently."""

    by: str
    game: int
    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Counting:
    """Turn counting was switched on or off."""

    by: str
    game: int
    on: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The game was ended by hand and stands as it is."""

    by: str
    game: int


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry came for a field that had been filled meanwhile; the people are asked."""

    by: str
    game: int
    player: int
    field: Field
    points: int
    hand: int
    cards: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """Question ``question`` (its event's number) was answered: take the later entry, or not."""

    by: str
    game: int
    question: int
    take: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """The latest change of a game that counts was taken back."""

    by: str
    game: int


@dataclass(frozen=True, slots=True)
class Redone:
    """The change that was taken back last was made again."""

    by: str
    game: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A person said which player they are; no name: a mere spectator."""

    by: str
    name: str | None


Change: TypeAlias = Entered | Exchanged | Corrected | Recounted | Renamed | Counting | Ended
"""What changes a game and can be taken back."""

GameEvent: TypeAlias = Change | Asked | Answered | Undone | Redone
PadEvent: TypeAlias = Opened | Began | Claimed | GameEvent

_TYPES: Mapping[str, type[PadEvent]] = {
    "opened": Opened,
    "began": Began,
    "entered": Entered,
    "exchanged": Exchanged,
    "corrected": Corrected,
    "recounted": Recounted,
    "renamed": Renamed,
    "counting": Counting,
    "ended": Ended,
    "asked": Asked,
    "answered": Answered,
    "undone": Undone,
    "redone": Redone,
    "claimed": Claimed,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def to_body(event: PadEvent) -> dict[str, Any]:
    """Give the JSON object that stands for an event.

    >>> to_body(Exchanged("me", 1, 0))
    {'type': 'exchanged', 'by': 'me', 'game': 1, 'player': 0}
    """
    body = {"type": _NAMES[type(event)], **asdict(event)}
    return {**body, "version": VERSION} if isinstance(event, Opened) else body


def from_body(body: Mapping[str, Any]) -> PadEvent:
    """Read an event.

    Raises `UnknownEvent` for a type or a version that is not known, and ``ValueError`` or
    ``LookupError`` or ``TypeError`` for what is no event at all.
    """
    values = dict(body)
    kind = _TYPES.get(str(values.pop("type")))
    if kind is None or (kind is Opened and values.pop("version") != VERSION):
        raise UnknownEvent(str(body["type"]))
    if "field" in values:
        values["field"] = Field(values["field"])
    if "rules" in values:
        values["rules"] = HouseRules(**values["rules"])
    for name in ("players", "passed"):
        if name in values:
            values[name] = tuple(values[name])
    return kind(**values)
