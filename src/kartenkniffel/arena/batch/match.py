"""A batch: many deals, each played from every seat, on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from kartenkniffel.arena.batch.kernel import BRAINS, COUNTING, TABLE
from kartenkniffel.arena.batch.players import BatchPlayer, PlayerError
from kartenkniffel.arena.batch.policy import policy_of, values_of
from kartenkniffel.arena.batch.tables import HAND_ROWS, rules_tables
from kartenkniffel.arena.estimate import Estimate, estimate, estimate_share
from kartenkniffel.rules import FIELDS, MOST_PLAYERS, MOST_ROUNDS
from kartenkniffel.rules.cards import FULL_DECK
from kartenkniffel.solver import Table
from kartenkniffel.solver.compiled import Kernel, compiling
from kartenkniffel.solver.hands import ROWS
from kartenkniffel.solver.machine import usable_cores
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.pairs import pair_tables

_Number = TypeVar("_Number", bound=np.generic)
Integers: TypeAlias = npt.NDArray[np.int64]

_CHUNK = 256  # deals that a thread plays at once
_MOST_SHUFFLES = 500  # of a game that is traced


_ROOMS = Path(__file__).parents[2]
BATCH = Kernel(
    "games",
    "kartenkniffel.arena.batch.kernel",
    ("play_games",),
    tuple(
        source
        for room in ("rules", "solver", "arena/batch")
        for source in sorted((_ROOMS / room).glob("*.py"))
    ),
)
"""The loops that play; whatever stands in these rooms may go into them."""


class Trace(NamedTuple):
    """All of one game: its moves, and what stands after each; its piles as they were shuffled."""

    moves: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int16]
    totals: npt.NDArray[np.int64]
    piles_left: npt.NDArray[np.int16]
    shuffles: npt.NDArray[np.int8]

    @classmethod
    def of_length(cls, moves: int) -> Trace:
        """Make room for so many moves, or for none."""
        return cls(
            np.full(moves, -1, np.int16),
            np.zeros(moves, np.int16),
            np.zeros(moves, np.int64),
            np.zeros(moves, np.int16),
            np.zeros((_MOST_SHUFFLES if moves else 0, len(FULL_DECK)), np.int8),
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of a batch: ``totals[deal, rotation, player]`` and ``rounds[deal, rotation]``."""

    totals: Integers
    rounds: Integers

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.rounds.size

    def shares(self) -> list[Estimate | None]:
        """Give each player's part of all wins, a shared win in parts, with its 95 % interval."""
        best = self.totals == self.totals.max(axis=2, keepdims=True)
        parts = (best / best.sum(axis=2, keepdims=True)).mean(axis=1)
        return [estimate_share(column) for column in parts.T.tolist()]

    def points(self) -> list[Estimate | None]:
        """Give each player's mean total with its 95 % interval."""
        return [estimate(column) for column in self.totals.mean(axis=1).T.tolist()]


class Prepared:
    """Players with their files open, ready to play any number of deals."""

    def __init__(
        self, players: Sequence[BatchPlayer], announce: Callable[[str], None] = lambda line: None
    ) -> None:
        if not 1 <= len(players) <= MOST_PLAYERS:
            raise PlayerError(f"a game has 1 to {MOST_PLAYERS} players, not {len(players)}")
        files = list(dict.fromkeys(one.file for one in players if one.file))
        if len(files) > BRAINS:
            raise PlayerError(f"at most {BRAINS} different tables can play, not {len(files)}")
        self.players = len(players)
        self._kinds = np.array([one.kind for one in players])
        self._brains = np.array([files.index(one.file) if one.file else 0 for one in players])
        kinds = {(one.file, one.kind) for one in players}
        policies, values, costs = [], [], []
        for file in files:
            costs.append(cost_of_whole_game(file))
            policies.append(_policy(file if (file, TABLE) in kinds else None))
            values.append(_values(file if (file, COUNTING) in kinds else None))
        missing = BRAINS - len(files)
        self._costs = np.array(costs + [0.0] * missing)
        self._policies = tuple(policies + [_policy(None)] * missing)
        self._values = tuple(values + [_values(None)] * missing)
        with compiling(BATCH, announce) as self._kernel:
            self.play(0, range(0))

    def play(self, seed: int, deals: range, trace: Trace | None = None) -> Batch:
        """Play these deals from every seat, in this thread."""
        numbers = np.arange(deals.start, deals.stop)
        totals = np.zeros((len(numbers), self.players, self.players), np.int64)
        rounds = np.zeros((len(numbers), self.players), np.int64)
        self._kernel.play_games(
            self._kinds,
            self._brains,
            self._costs,
            self._policies,
            self._values,
            rules_tables(),
            pair_tables(),
            np.uint64(seed),
            numbers,
            totals,
            rounds,
            trace or Trace.of_length(0),
        )
        return Batch(totals, rounds)


def run_batch(
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda done, deals: None,
    announce: Callable[[str], None] = lambda line: None,
) -> Batch:
    """Play at least so many games, on all cores unless told; the result hangs on the seed alone.

    ``announce`` is told where the first call has to compile, for some seconds.
    Raises `PlayerError` for players there are not, and `TableError` for files that are no tables.
    """
    prepared = Prepared([BatchPlayer.read(text) for text in players], announce)
    deals = -(-games // prepared.players)
    chunks = [range(first, min(first + _CHUNK, deals)) for first in range(0, deals, _CHUNK)]
    batches = []
    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        for batch in pool.map(lambda chunk: prepared.play(seed, chunk), chunks):
            batches.append(batch)
            progress(sum(len(one.rounds) for one in batches), deals)
    return Batch(
        np.concatenate([batch.totals for batch in batches]),
        np.concatenate([batch.rounds for batch in batches]),
    )


def longest(players: int) -> int:
    """Give the most moves a game can have (R12)."""
    return MOST_ROUNDS * players


def cost_of_whole_game(file: Path) -> float:
    """Give a table's turn cost; raises `TableError`, or `PlayerError` for a part of the game."""
    with Table(file) as table:
        if table.head.start != ",".join(FIELDS) or table.head.upper:
            raise PlayerError(f"{file.name} is not a table of the whole game")
        return table.head.turn_cost


def _pairs() -> int:
    outline = Outline()
    return sum(map(outline.pairs, range(len(outline.layers))))


def _policy(file: Path | None) -> npt.NDArray[np.int16]:
    if file is None:
        return _none(np.int16, HAND_ROWS)
    shape = (_pairs(), HAND_ROWS)
    return np.asarray(np.memmap(policy_of(file), np.int16, "r", shape=shape))


def _values(file: Path | None) -> npt.NDArray[np.float32]:
    if file is None:
        return _none(np.float32, ROWS)
    shape = (_pairs(), ROWS)
    return np.asarray(np.memmap(values_of(file), np.float32, "r", shape=shape))


def _none(kind: type[_Number], width: int) -> npt.NDArray[_Number]:
    """Give a file of no pairs, as unwritable as the others are: compiled code asks for one kind."""
    array = np.zeros((0, width), kind)
    array.setflags(write=False)
    return array
