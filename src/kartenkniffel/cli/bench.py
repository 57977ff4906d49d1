"""The project's own speed figures: counts per second of one process, and the web's weight."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from kartenkniffel.cli.bench_batch import can_compile, measure_batches
from kartenkniffel.cli.bench_friends import AT_ONCE, TABLES, measure_friends
from kartenkniffel.cli.bench_web import LOOKS, TURNS, measure_web
from kartenkniffel.notation import format_move, parse_move
from kartenkniffel.rules import Cards, Game, HouseRules, Move, Sheet, moves_from, seeded

_SEED = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its name, its value in a unit, what it tells, and how many were counted."""

    name: str
    what: str
    value: float
    counted: int
    unit: str = "per_second"

    def text(self) -> str:
        """Give the figure as a line."""
        value = f"{self.value:,.1f}" if self.unit == "ms" else f"{self.value:,.0f}"
        unit = {"per_second": "a second", "bytes": "bytes", "ms": "ms", "count": ""}[self.unit]
        return f"{self.name:<20} {value:>12} {unit:<9} {self.what}"

    def to_json(self) -> dict[str, float | int | str]:
        """Give the figure as a JSON object."""
        return {"what": self.what, self.unit: round(self.value, 1), "counted": self.counted}


def figures(table: Path | None = None) -> Iterator[Figure]:
    """Measure one figure after the other; with the solver's table its players' games too.

    Compiled games are left out where the extra ``solver`` is missing.
    """
    games = [_played(seed) for seed in range(_SEED, _SEED + 60)]
    yield _apply(games)
    yield _legal_moves()
    yield _parse(games)
    if can_compile():
        yield from _batches(table)
    yield from _web()
    yield from _friends()


def _played(seed: int) -> Game:
    """Play a game of 1 to 5 players with random moves that score when they can."""
    rng = random.Random(seed)
    game = Game.start([f"P{n}" for n in range(1 + seed % 5)], seeded(seed))
    while not game.finished and len(game.moves) < 400:
        moves = game.legal_moves()
        scores = [move for move in moves if hasattr(move, "field")]
        game = game.apply(rng.choice(scores if scores and rng.random() < 0.5 else moves))
    return game


def _apply(games: list[Game]) -> Figure:
    """Replay whole games: every move is checked, and every card drawn from a real pile."""
    starts = [Game.start(game.names, game.shuffler) for game in games]
    count = sum(len(game.moves) for game in games)
    best = 0.0
    for _ in range(3):  # the best of three, since other programs share the machine
        begin = time.perf_counter()
        for start, played in zip(starts, games, strict=True):
            game = start
            for move in played.moves:
                game = game.apply(move)
        best = max(best, count / _since(begin))
    return Figure("apply", "moves applied to a game, best of three runs", best, count)


def _legal_moves() -> Figure:
    """List the moves of positions whose hands are all different."""
    rng = random.Random(_SEED)
    hands = {
        Cards.from_counts(counts)
        for counts in (tuple(rng.randrange(4) for _ in range(6)) for _ in range(20_000))
        if 5 <= sum(counts) <= 10
    }
    sheet, rules = Sheet(), HouseRules()
    begin = time.perf_counter()
    for hand in hands:
        moves_from(hand, sheet, rules)
    what = "lists of legal moves, each of a hand never seen before"
    return Figure("legal_moves", what, len(hands) / _since(begin), len(hands))


def _parse(games: list[Game]) -> Figure:
    texts = [format_move(move) for game in games for move in game.moves]
    begin = time.perf_counter()
    moves: list[Move] = [parse_move(text) for text in texts]
    return Figure("parse_move", "moves read from text", len(moves) / _since(begin), len(moves))


def _batches(table: Path | None) -> Iterator[Figure]:
    for match in measure_batches(table):
        what = f"compiled games of {match.who}, all cores"
        yield Figure(match.name, what, match.games_per_second, match.games)


def _web() -> Iterator[Figure]:
    web = measure_web()
    weight = web.page_bytes + web.files_bytes
    yield Figure("table_page", "table page with all it loads, compressed", weight, 1, "bytes")
    first = "first response, median of many, idle server"
    yield Figure("first_response", first, web.first_response_ms, LOOKS, "ms")
    tap = "from a move sent to the page's new part, on disk, median of many"
    yield Figure("move_answer", tap, web.move_ms, TURNS, "ms")


def _friends() -> Iterator[Figure]:
    """Measure a server with many people on it; what is wrong is said as a figure too."""
    many = measure_friends(tell=lambda line: typer.echo(line, err=True))
    streams = f"{many.streams} streams at {TABLES} tables"
    whole = "from a move sent to its event at the last seat"
    median = f"{whole}, median; {streams}"
    yield Figure("whole_median", median, many.whole_median_ms, many.moves, "ms")
    yield Figure("whole_99", f"{whole}, 99 of 100 are sooner", many.whole_late_ms, many.moves, "ms")
    yield Figure("wrong_moves", "moves lost or made twice", many.wrong, many.moves, "count")
    memory = "memory above the idle server with all these streams"
    yield Figure("streams_memory", memory, many.memory_bytes, many.streams, "bytes")
    kept = f"moves accepted and on disk, {AT_ONCE} tables at full speed"
    yield Figure("durable_moves", kept, many.moves_per_second, many.moves_kept)


def _since(begin: float) -> float:
    return max(time.perf_counter() - begin, 1e-9)
