"""The events of a table, as values and as the JSON objects that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from kartenkniffel.notation import format_move, parse_move
from kartenkniffel.rules import HouseRules, Move
from kartenkniffel.table.errors import UnknownEvent

VERSION = 1
"""The version of the event format, stored with each table's first event."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a place: a bot of some level, or the person whose player id is ``owner``.

    Several seats may belong to one owner, as when people share a device.
    """

    name: str
    bot: str | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """How the starting player is found (R4).

    ``random`` needs no seat; for ``youngest`` and ``seat`` it is the one who starts, counted from 0
    in the order entered.
    """

    how: Literal["random", "youngest", "seat"] = "random"
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The table was opened and the cards dealt from ``shuffle``.

    ``seats`` are clockwise as entered; ``order`` lists them as the game numbers them: the entered
    seat ``order[0]`` is the game's seat 0 and starts (R4).
    """

    seats: tuple[Seat, ...]
    start: Start
    order: tuple[int, ...]
    shuffle: str = field(repr=False)
    rules: HouseRules
    rematch_of: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved; ``shuffle`` is the new draw pile where the move needed one (R14)."""

    seat: int
    move: Move
    shuffle: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rematched:
    """The people went on to another table."""

    table: str


Pace: TypeAlias = Literal["none", "normal", "slow"]
"""How long bots wait before they move, against the pause of the whole service."""

PACES: Mapping[Pace, float] = {"none": 0.0, "normal": 1.0, "slow": 2.5}
"""Every pace with what it makes of the pause."""


@dataclass(frozen=True, slots=True)
class Paced:
    """Somebody at the table chose another pace for the bots."""

    pace: Pace


TableEvent: TypeAlias = Opened | Moved | Rematched | Paced


def to_body(event: TableEvent) -> dict[str, Any]:
    """Give the JSON object that stands for an event.

    >>> to_body(Moved(0, parse_move("x25+3")))
    {'type': 'moved', 'seat': 0, 'move': 'x25+3'}
    """
    if isinstance(event, Moved):
        body: dict[str, Any] = {"type": "moved", "seat": event.seat}
        body["move"] = format_move(event.move)
        return body if event.shuffle is None else {**body, "shuffle": event.shuffle}
    if isinstance(event, Rematched):
        return {"type": "rematched", "table": event.table}
    if isinstance(event, Paced):
        return {"type": "paced", "pace": event.pace}
    return {"type": "opened", "version": VERSION, **asdict(event)}


def from_body(body: Mapping[str, Any]) -> TableEvent:
    """Read an event.

    Raises `UnknownEvent` for a type or a version that is not known, and ``ValueError`` or
    ``LookupError`` or ``TypeError`` for what is no event at all.
    """
    match body["type"]:
        case "moved":
            return Moved(body["seat"], parse_move(body["move"]), body.get("shuffle"))
        case "rematched":
            return Rematched(body["table"])
        case "paced":
            return Paced(known_pace(body["pace"]))
        case "opened":
            return _opened(body)
        case other:
            raise UnknownEvent(str(other))


def known_pace(pace: object) -> Pace:
    """Give a pace that there is; raises ``ValueError`` for another."""
    for known in PACES:
        if pace == known:
            return known
    raise ValueError(f"a pace is one of {', '.join(PACES)}")


def _opened(body: Mapping[str, Any]) -> Opened:
    if body["version"] != VERSION:
        raise UnknownEvent(f"opened of version {body['version']}")
    return Opened(
        seats=tuple(Seat(**seat) for seat in body["seats"]),
        start=Start(**body["start"]),
        order=tuple(body["order"]),
        shuffle=body["shuffle"],
        rules=HouseRules(**body["rules"]),
        rematch_of=body["rematch_of"],
        settings=body["settings"],
    )
