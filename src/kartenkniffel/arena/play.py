"""Playing the games: each deal once from every seat.

A *deal* is a first shuffle with all reshuffles to come. It is played in as many games as there are
bots, its *rotations*; in rotation r seat s belongs to bot (s + r) modulo their number, so every bot
meets the same cards on every seat.

Games are played in *stints*: some deals, one after the other, all in the same rotation. Outside
programs are started for a stint and end with it. So no program ever sees a deal twice (it would
know the order of the cards), and what a program remembers from game to game is the same wherever
and in whatever order stints are played.
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from kartenkniffel.arena.entrants import Entrant
from kartenkniffel.bots import Bot
from kartenkniffel.bots.outside import ForfeitError, Limits, OutsideBot
from kartenkniffel.bots.programs import all_ended
from kartenkniffel.notation import Forfeit, Record, dump_record, format_move, result_to_json
from kartenkniffel.rules import BONUS, Game, Move, RuleError, seeded

_LONGEST_MOVE = 24  # characters of an illegal move that a sentence shows


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What came of one seat; ``seconds`` are the times its moves took."""

    total: int
    penalties: int
    bonus: bool
    seconds: array[float]


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: which, and what came of it, seat by seat.

    ``winners`` are seats; after a forfeit those with the best total among the others. ``record`` is
    empty unless records are kept.
    """

    deal: int
    rotation: int
    rounds: int
    winners: tuple[int, ...]
    seats: tuple[SeatResult, ...]
    forfeit: Forfeit | None
    record: bytes

    def seat_of(self, bot: int) -> int:
        """Give the seat of the bot of this number."""
        return (bot - self.rotation) % len(self.seats)


@dataclass(frozen=True, slots=True)
class Stint:
    """Some deals to be played in one rotation."""

    entrants: tuple[Entrant, ...]
    seed: int
    rotation: int
    deals: range
    limits: Limits
    keep_records: bool = False


class StoppedError(Exception):
    """This process has been told to play no more."""


def play_stint(stint: Stint) -> list[Played]:
    """Play all games of a stint."""
    return list(play_each(stint))


def play_each(stint: Stint) -> Generator[Played, None, None]:
    """Play the games of a stint one by one; close the iterator to end outside programs."""
    players = len(stint.entrants)
    seating = [stint.entrants[(seat + stint.rotation) % players] for seat in range(players)]
    with ExitStack() as open_bots:
        bots = []
        for entrant in seating:
            bot = entrant.bot(stint.limits)
            bots.append(open_bots.enter_context(bot) if isinstance(bot, OutsideBot) else bot)
        for deal in stint.deals:
            yield _play(bots, [entrant.name for entrant in seating], stint, deal)


def _play(bots: Sequence[Bot], names: Sequence[str], stint: Stint, deal: int) -> Played:
    game = Game.start(names, seeded(f"{stint.seed}:{deal}"))
    chances = [
        random.Random(f"{stint.seed}:{deal}:{stint.rotation}:{seat}") for seat in range(len(bots))
    ]
    seconds = [array("d") for _ in bots]
    forfeit = _missing(bots)
    while (seat := game.to_move) is not None and not forfeit:
        view = game.view(seat)
        begun = time.perf_counter()
        try:
            move = bots[seat].choose(view, chances[seat])
        except ForfeitError as error:
            forfeit = Forfeit(seat, str(error))
        else:
            seconds[seat].append(time.perf_counter() - begun)
            try:
                game = game.apply(move)
            except RuleError as error:
                forfeit = Forfeit(seat, _breach(move, error))
        if all_ended():
            raise StoppedError
    _tell(bots, game, forfeit)
    return Played(
        deal=deal,
        rotation=stint.rotation,
        rounds=game.round,
        winners=_best_others(game, forfeit.seat) if forfeit else game.winners,
        seats=tuple(
            SeatResult(sheet.total, sheet.penalties, sheet.bonus == BONUS, times)
            for sheet, times in zip(game.sheets, seconds, strict=True)
        ),
        forfeit=forfeit,
        record=dump_record(Record.of(game, forfeit)) if stint.keep_records else b"",
    )


def _breach(move: Move, error: RuleError) -> str:
    text = format_move(move)
    shown = text if len(text) <= _LONGEST_MOVE else f"{text[:_LONGEST_MOVE]}…"
    return f"its move {shown} breaks {error.clause}: {error.message}"


def _missing(bots: Sequence[Bot]) -> Forfeit | None:
    """Start programs that do not run; the first that cannot is the one that forfeits."""
    for seat, bot in enumerate(bots):
        if isinstance(bot, OutsideBot):
            try:
                bot.ready()
            except ForfeitError as error:
                return Forfeit(seat, str(error))
    return None


def _best_others(game: Game, seat: int) -> tuple[int, ...]:
    totals = {other: sheet.total for other, sheet in enumerate(game.sheets) if other != seat}
    return tuple(other for other, total in totals.items() if total == max(totals.values()))


def _tell(bots: Sequence[Bot], game: Game, forfeit: Forfeit | None) -> None:
    """End the program that forfeits, and tell the others how the game ended."""
    result = result_to_json(game)
    if forfeit:
        result["forfeit"] = {"seat": forfeit.seat, "reason": forfeit.reason}
    for seat, bot in enumerate(bots):
        if isinstance(bot, OutsideBot):
            if forfeit and forfeit.seat == seat:
                bot.kill()
            else:
                bot.end_game(result)
