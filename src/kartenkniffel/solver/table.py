"""The whole game in one file: every state's value for one turn cost.

The file begins with a page of JSON, the *head*, and goes on with the tables of all sets of open
fields, smaller sets first, as little-endian float32: 8,008 rows (see `hands`), one column for each
number of upper points that can stand beside the set.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from kartenkniffel.rules import BONUS_FROM, Field, bonus_for
from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.moves import Column, RankedMove, ranked_moves, state_value
from kartenkniffel.solver.outline import BYTES, Outline
from kartenkniffel.solver.plays import play_groups
from kartenkniffel.solver.state import State, mask_of

FORMAT = "kartenkniffel-table"
VERSION = 1
"""Version of the file format."""

SOLVER_VERSION = 1
"""Goes up whenever the solver would give other values."""

HEAD_BYTES = 4096


class TableError(ValueError):
    """A file is no table that can be used; the text says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a table file says about itself.

    The table has all that can come after the open fields ``start`` and the points ``upper``. So
    many ``layers`` of it are done, and ``error`` bounds how far their values are off.
    """

    turn_cost: float
    start: str
    upper: int
    rules: str
    error: float = 0.0
    layers: int = 0
    format: str = FORMAT
    version: int = VERSION
    solver: int = SOLVER_VERSION

    @classmethod
    def of(cls, start: State, turn_cost: float) -> Head:
        """Give the head of a table that this program would begin."""
        return cls(float(turn_cost), ",".join(start.open_fields), start.upper, rules_hash())

    def __str__(self) -> str:
        """Say which table it is."""
        return (
            f"that of turn cost {self.turn_cost:g}, open fields {self.start} "
            f"and upper points {self.upper}"
        )

    @classmethod
    def read(cls, text: bytes, name: str) -> Head:
        """Read a head; raises `TableError` for what is no table, or a stale one."""
        try:
            found: dict[str, Any] = json.loads(text)
            version = found["version"] if found["format"] == FORMAT else None
            head = cls(**found) if version == VERSION else None
        except (ValueError, KeyError, TypeError, RecursionError):
            version = head = None
        if head is None and version is not None:
            raise TableError(
                f"{name} has version {version!r} of the format, and this program reads {VERSION}"
            )
        if head is None:
            raise TableError(f"{name} is not a table of the solver")
        if head.rules != rules_hash():
            raise TableError(f"{name} was made for other rules; solve anew")
        if head.solver != SOLVER_VERSION:
            raise TableError(f"{name} was made by version {head.solver} of the solver; solve anew")
        return head

    def dump(self) -> bytes:
        """Write the head as it stands in the file."""
        return json.dumps(asdict(self)).encode().ljust(HEAD_BYTES)

    def outline(self) -> Outline:
        """Give what the table spans."""
        state = State.read(self.start, self.upper, "")
        return Outline(state.mask, state.upper)


@cache
def rules_hash() -> str:
    """Give a hash of all that the values depend on: plays, points, penalties, bonus."""
    digest = hashlib.sha256(bytes(bonus_for(upper) + 128 for upper in range(BONUS_FROM + 1)))
    for group in play_groups():
        digest.update(f"{group.field} {group.upper}".encode())
        for column in (group.hands, group.kept, group.points):
            digest.update(column.astype("<i4").tobytes())
    return digest.hexdigest()[:16]


class Places:
    """Where the table of each set stands in the file."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.begin: dict[int, int] = {}
        place = HEAD_BYTES
        for layer in outline.layers:
            for mask in layer:
                self.begin[mask] = place
                place += ROWS * outline.width(mask) * BYTES
        self.end = place


class Table:
    """A table file, open for reading; ``head`` says what it holds.

    No value is further than ``head.error`` from the exact one.
    """

    def __init__(self, path: Path) -> None:
        """Open a file; raises `TableError` where it is no whole table of these rules."""
        try:
            with path.open("rb") as stream:
                head = Head.read(stream.read(HEAD_BYTES), path.name)
            size = path.stat().st_size
        except OSError as error:
            raise TableError(f"{path.name} cannot be read: {error.strerror}") from None
        self.head = head
        self._outline = head.outline()
        self._places = Places(self._outline)
        if head.layers != len(self._outline.layers) or size != self._places.end:
            raise TableError(f"{path.name} is not whole; solve anew")
        self._values = np.memmap(path, "<f4", "r", HEAD_BYTES)

    def value(self, state: State) -> float:
        """Give what the game is still worth; raises `TableError` for what it does not hold."""
        return state_value(state, self.head.turn_cost, self.column)

    def moves(self, state: State) -> list[RankedMove]:
        """Give all legal moves, the best first; none before the deal and after the end."""
        return ranked_moves(state, self.head.turn_cost, self.column)

    def close(self) -> None:
        """Let go of the file."""
        del self._values

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def column(self, open_fields: tuple[Field, ...], upper: int) -> Column:
        """Give the values of all 8,008 hands (see `hands`) beside these fields and points."""
        mask = mask_of(open_fields)
        if mask not in self._places.begin or upper not in self._outline.uppers(mask):
            raise TableError(f"the table is {self.head}; this state does not come after them")
        return self.columns(mask)[:, self._outline.column(mask, upper)]

    def columns(self, mask: int) -> Column:
        """Give the table of a set of open fields: rows of hands, columns of upper points."""
        begin = (self._places.begin[mask] - HEAD_BYTES) // BYTES
        width = self._outline.width(mask)
        return self._values[begin : begin + ROWS * width].reshape(ROWS, width)
