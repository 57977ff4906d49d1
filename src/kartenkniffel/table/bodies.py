"""Events as the JSON objects that are stored, both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

from kartenkniffel.notation import format_move, parse_move
from kartenkniffel.rules import HouseRules
from kartenkniffel.table.errors import UnknownEvent
from kartenkniffel.table.events import (
    RULES_VERSION,
    VERSION,
    Answered,
    Claimed,
    Closed,
    Ended,
    Filled,
    HandedOver,
    Invited,
    Joined,
    Left,
    Moved,
    Offered,
    Opened,
    Paced,
    Proposed,
    Rematched,
    Said,
    Seat,
    Start,
    StoodIn,
    TableEvent,
    Terms,
    TookBack,
    Undone,
    known_pace,
)

_PLAIN: Mapping[str, Callable[..., TableEvent]] = {
    "joined": Joined,
    "left": Left,
    "handed_over": HandedOver,
    "filled": Filled,
    "closed": Closed,
    "undone": Undone,
    "ended": Ended,
    "rematched": Rematched,
    "stood_in": StoodIn,
    "took_back": TookBack,
    "said": Said,
    "proposed": Proposed,
    "answered": Answered,
    "offered": Offered,
    "claimed": Claimed,
}
"""The events whose bodies are just their fields."""

_TYPES = {kind: name for name, kind in _PLAIN.items()}


def to_body(event: TableEvent) -> dict[str, Any]:
    """Give the JSON object that stands for an event.

    >>> to_body(Moved(0, parse_move("x25+3")))
    {'type': 'moved', 'seat': 0, 'move': 'x25+3'}
    """
    match event:
        case Moved():
            body: dict[str, Any] = {"type": "moved", "seat": event.seat}
            body["move"] = format_move(event.move)
            return body if event.shuffle is None else {**body, "shuffle": event.shuffle}
        case Paced():
            return {"type": "paced", "pace": event.pace}
        case Opened():
            return {"type": "opened", "version": VERSION, **asdict(event)}
        case Invited():
            return {"type": "invited", "version": VERSION, **asdict(event)}
        case _:
            return {"type": _TYPES[type(event)], **asdict(event)}


def from_body(body: Mapping[str, Any]) -> TableEvent:
    """Read an event.

    Raises `UnknownEvent` for a type or a version that is not known, and ``ValueError`` or
    ``LookupError`` or ``TypeError`` for what is no event at all.
    """
    match body["type"]:
        case "moved":
            return Moved(body["seat"], parse_move(body["move"]), body.get("shuffle"))
        case "paced":
            return Paced(known_pace(body["pace"]))
        case "opened":
            return _opened(body)
        case "invited":
            return _invited(body)
        case str(name) if name in _PLAIN:
            return _plain(_PLAIN[name], body)
        case other:
            raise UnknownEvent(str(other))


def _plain(kind: Callable[..., TableEvent], body: Mapping[str, Any]) -> TableEvent:
    values = {name: value for name, value in body.items() if name != "type"}
    for name, value in values.items():
        if not isinstance(value, str | int | bool):
            raise TypeError(f"{name} is of no kind that an event has")
    return kind(**values)


def _opened(body: Mapping[str, Any]) -> Opened:
    _check_version("opened", body["version"], VERSION)
    # Logs from before it was written are by the first version of the rules.
    rules_version = body.get("rules_version", 1)
    _check_version("opened by rules", rules_version, RULES_VERSION)
    return Opened(
        seats=tuple(Seat(**seat) for seat in body["seats"]),
        start=Start(**body["start"]),
        order=tuple(body["order"]),
        shuffle=body["shuffle"],
        rules=HouseRules(**body["rules"]),
        rematch_of=body["rematch_of"],
        settings=body["settings"],
        rules_version=rules_version,
    )


def _invited(body: Mapping[str, Any]) -> Invited:
    _check_version("invited", body["version"], VERSION)
    kept = dict(body["terms"])
    kept["rules"] = HouseRules(**kept["rules"])
    terms = Terms(**{each.name: kept[each.name] for each in fields(Terms)})
    return Invited(body["name"], body["owner"], body["code"], terms)


def _check_version(what: str, version: object, known: int) -> None:
    if version not in range(1, known + 1):
        raise UnknownEvent(f"{what} of version {version}")
