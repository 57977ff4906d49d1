"""The events of a table, as values. `bodies` has the JSON objects that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from kartenkniffel.rules import NO_HOUSE_RULES, HouseRules, Move

VERSION = 1
"""The version of the event format, stored with each table's first event."""

RULES_VERSION = 1
"""The version of the rules that a game is played by, stored with its deal."""


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


# Before the game: people gather


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table is to be like: ``seats`` 2 to 10, the first person to move found as in R4.

    ``clock`` is the seconds a person has for a turn; ``listed`` tables are shown to everybody;
    ``fill`` says that bots of the ``level`` take the seats left free.
    """

    seats: int = 2
    start: Literal["random", "youngest", "seat"] = "random"
    listed: bool = False
    clock: int | None = None
    level: str = "medium"
    fill: bool = False
    spectators: bool = True
    rules: HouseRules = NO_HOUSE_RULES
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody opened a table and invites others; ``code`` is the one to be read aloud."""

    name: str
    owner: str
    code: str
    terms: Terms


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody sat down."""

    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Left:
    """The guest of this number left before the start; ``removed`` if the host wanted it so."""

    guest: int
    removed: bool = False


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The guest of this number is the host now."""

    guest: int


@dataclass(frozen=True, slots=True)
class Filled:
    """The host chose whether bots, and of which level, take the free seats."""

    fill: bool
    level: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The table was given up before the start."""


# The game


@dataclass(frozen=True, slots=True)
class Opened:
    """The game began: the cards are dealt from ``shuffle``.

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
    rules_version: int = RULES_VERSION


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved; ``shuffle`` is the new draw pile where the move needed one (R14)."""

    seat: int
    move: Move
    shuffle: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Undone:
    """The latest move was taken back, by consent."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game was ended as it stood, by agreement."""


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


Why: TypeAlias = Literal["clock", "gone", "left"]
"""Why a bot stands in: the turn's time was over, the person was gone, or left."""


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A bot plays for this seat until its owner takes it back."""

    seat: int
    why: Why


@dataclass(frozen=True, slots=True)
class TookBack:
    """The owner of the seat plays again."""

    seat: int


# Among people


@dataclass(frozen=True, slots=True)
class Said:
    """The player of a seat said one of the phrases."""

    seat: int
    phrase: str


Matter: TypeAlias = Literal["end", "undo"]
"""What all must agree to: to end the game as it stands, or to take back the latest move."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """The player of a seat asked the others for something."""

    seat: int
    matter: Matter


@dataclass(frozen=True, slots=True)
class Answered:
    """The player of a seat agreed to what was proposed, or not, or took the proposal back."""

    seat: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """A person made a link to take the place to another device.

    Only the ``token``'s hash is kept; it may be used once, ``until`` a time (ISO 8601, UTC).
    """

    owner: str
    token: str
    until: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """Another device, so another ``owner``, took the place that was offered with the ``token``."""

    owner: str
    token: str


TableEvent: TypeAlias = (
    Invited
    | Joined
    | Left
    | HandedOver
    | Filled
    | Closed
    | Opened
    | Moved
    | Undone
    | Ended
    | Rematched
    | Paced
    | StoodIn
    | TookBack
    | Said
    | Proposed
    | Answered
    | Offered
    | Claimed
)


def known_pace(pace: object) -> Pace:
    """Give a pace that there is; raises ``ValueError`` for another."""
    for known in PACES:
        if pace == known:
            return known
    raise ValueError(f"a pace is one of {', '.join(PACES)}")
