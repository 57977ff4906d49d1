"""The events of a table, as values and as the JSON objects that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from kartenkniffel.rules import HouseRules, Move

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
    shuffle: str
    rules: HouseRules
    rematch_of: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved; ``shuffle`` is the new draw pile where the move needed one (R14)."""

    seat: int
    move: Move
    shuffle: str | None = None


@dataclass(frozen=True, slots=True)
class Rematched:
    """The people went on to another table."""

    table: str


TableEvent: TypeAlias = Opened | Moved | Rematched


def to_body(event: TableEvent) -> dict[str, Any]:
    """Give the JSON object that stands for an event."""
    raise NotImplementedError


def from_body(body: Mapping[str, Any]) -> TableEvent:
    """Read an event; raises `UnknownEvent` for a type or a version that is not known."""
    raise NotImplementedError
