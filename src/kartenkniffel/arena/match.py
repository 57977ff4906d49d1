"""A match: prepared, played on any executor, summed up."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue

from kartenkniffel.arena.entrants import Entrant, find_entrants
from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.play import Played, Stint, play_each, play_stint
from kartenkniffel.arena.records import RecordFolder
from kartenkniffel.arena.report import Report, make_report
from kartenkniffel.bots.outside import DEFAULT_LIMITS, Limits

Progress = Callable[[int, int], None]
"""Is told how many games have been played, and of how many."""

DEFAULT_SECONDS_PER_MOVE = DEFAULT_LIMITS.seconds_per_move

# Stints are made by the number of deals alone, never by that of processes, on which the result
# must not depend. They are short enough to keep many processes busy and long enough for programs
# that take a while to start.
_WANTED_STINTS = 32
_LONGEST_STINT = 25
_WAKE_UP = 1.0  # seconds; some systems notice an interrupt only between two waits


@dataclass(frozen=True, slots=True)
class Match:
    """A match that can be played; made by `prepare`."""

    entrants: tuple[Entrant, ...]
    asked: int
    seed: int
    limits: Limits
    records: RecordFolder | None = None

    @property
    def deals(self) -> int:
        """How many deals are played: enough for the games asked for."""
        return math.ceil(self.asked / len(self.entrants))

    @property
    def games(self) -> int:
        """How many games are played: all rotations of all deals."""
        return self.deals * len(self.entrants)

    def stints(self) -> list[Stint]:
        """List what there is to play; the rotations of the same deals follow each other."""
        length = min(_LONGEST_STINT, math.ceil(self.deals / _WANTED_STINTS))
        return [
            Stint(
                self.entrants,
                self.seed,
                rotation,
                range(first, min(first + length, self.deals)),
                self.limits,
                self.records is not None,
            )
            for first in range(0, self.deals, length)
            for rotation in range(len(self.entrants))
        ]

    def play(self, executor: Executor | None = None, progress: Progress | None = None) -> Report:
        """Play the match, in this process if there is no executor.

        The result does not depend on the executor. Raises `ArenaError` where the executor breaks
        down or a record cannot be written.
        """
        count = _Count(self.games, progress or (lambda done, games: None))
        stints = self.stints()
        played = _here(stints, count) if executor is None else _on(executor, stints, count)
        games: list[Played] = []
        with closing(played):
            for deal in _by_deal(played, len(self.entrants)):
                if self.records:
                    self.records.write(deal)
                games.extend(deal)
        return make_report(
            self.entrants,
            games,
            seed=self.seed,
            asked=self.asked,
            seconds_per_move=self.limits.seconds_per_move,
        )


def prepare(
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    seconds_per_move: float = DEFAULT_SECONDS_PER_MOVE,
    seconds_to_start: float | None = None,
    records: Path | None = None,
) -> Match:
    """Make a match between bots, each a level's name or ``cmd:PROGRAM ARGS``.

    Outside programs are started once, and may take ``seconds_to_start`` to say hello: ten seconds,
    or the time for a move if that is longer. ``records`` names a folder for the games' records.
    Raises `ArenaError` for what cannot be played.
    """
    if games < 1:
        raise ArenaError(f"a match has at least one game, not {games}")
    seconds = (
        max(seconds_per_move, DEFAULT_LIMITS.seconds_to_start)
        if seconds_to_start is None
        else seconds_to_start
    )
    for limit in (seconds_per_move, seconds):
        if not 0 < limit <= threading.TIMEOUT_MAX:
            raise ArenaError(f"a time limit is a positive number of seconds, not {limit:g}")
    limits = Limits(seconds_per_move, seconds)
    entrants = find_entrants(bots, limits)
    folder = RecordFolder(records) if records else None
    return Match(entrants, games, seed, limits, folder)


def run(
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    executor: Executor | None = None,
    seconds_per_move: float = DEFAULT_SECONDS_PER_MOVE,
    records: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Prepare a match and play it, on any executor or in this process; raises `ArenaError`.

    >>> report = run(["medium", "easy"], games=3, seed=7)
    >>> report.games, [bot.name for bot in report.bots]
    (4, ['medium', 'easy'])
    """
    match = prepare(bots, games, seed, seconds_per_move=seconds_per_move, records=records)
    return match.play(executor, progress)


class _Count:
    """Counts games and tells it."""

    def __init__(self, games: int, progress: Progress) -> None:
        self._done, self._games, self._progress = 0, games, progress

    def add(self, games: int) -> None:
        self._done += games
        self._progress(self._done, self._games)


def _by_deal(played: Iterator[list[Played]], rotations: int) -> Iterator[tuple[Played, ...]]:
    """Give the rotations of each deal together, once all of them are played."""
    while same_deals := list(islice(played, rotations)):
        yield from zip(*same_deals, strict=True)


def _here(stints: Sequence[Stint], count: _Count) -> Generator[list[Played], None, None]:
    for stint in stints:
        games = []
        with closing(play_each(stint)) as each:
            for game in each:
                games.append(game)
                count.add(1)
        yield games


def _on(
    executor: Executor, stints: Sequence[Stint], count: _Count
) -> Generator[list[Played], None, None]:
    """Give the games of each stint in order, counting them as they come in."""
    done: SimpleQueue[Future[list[Played]]] = SimpleQueue()
    futures: list[Future[list[Played]]] = []
    try:
        for stint in stints:
            futures.append(executor.submit(play_stint, stint))
            futures[-1].add_done_callback(done.put)
        counted = 0
        for number, future in enumerate(futures, 1):
            last = number == len(futures)
            while not future.done() or (last and counted < len(futures)):
                with suppress(Empty):
                    count.add(len(done.get(timeout=_WAKE_UP).result()))
                    counted += 1
            yield future.result()
    except BrokenExecutor as error:
        # The executor gives up all futures by itself, and trips over those cancelled meanwhile.
        futures.clear()
        raise ArenaError(f"a process of the arena has died: {error}") from None
    finally:
        for future in futures:
            future.cancel()
