"""Outside programs as bots: lines of JSON on standard input and output, in any language.

`OutsideBot` is a `Bot` that asks a program. What the program is told and what it must answer is
written down in ``docs/outside-bots.md``.
"""

from __future__ import annotations

import json
import os
import random
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from kartenkniffel.bots.programs import Program, ProgramError, SilentError
from kartenkniffel.notation import (
    JsonError,
    MoveTextError,
    excerpt,
    parse_move,
    read_json,
    view_to_json,
)
from kartenkniffel.rules import Move, View

PREFIX = "cmd:"
"""What the text of an outside bot begins with, as in ``cmd:python3 my_bot.py``."""

PROTOCOL = 1
"""The version of the line protocol."""

MOST_FAILURES = 3
"""After so many failures in a row without a single move, a program is not started again."""

LONGEST_NAME = 24
"""The most characters that are used of the name a program gives itself."""


class ForfeitError(ValueError):
    """The program cannot go on with this game; the message says why, as a sentence about «it»."""


class CannotStartError(ForfeitError):
    """The system cannot start the program: it does not exist, or is no program."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take, in seconds: for a move, and to say hello after its start."""

    seconds_per_move: float = 10.0
    seconds_to_start: float = 10.0


DEFAULT_LIMITS = Limits()


class OutsideBot:
    """A bot that asks a program for its moves.

    The program is started when it is first needed and kept from game to game. One that fails is
    ended, and started anew for the next game; after `MOST_FAILURES` failures in a row without a
    move, each of which may cost a whole time limit, `ready` only repeats the last failure. Must be
    closed, or used in a ``with`` statement.
    """

    def __init__(self, command: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> None:
        files = (word for word in command[1:] if os.path.isfile(word))
        self.name = shown_name(os.path.basename(next(files, command[0])))
        """The name the program gave itself, or that of its file before it did."""
        self.gave_up: str | None = None
        """Why the program is not started any more, if it is not."""
        self._command = tuple(command)
        self._limits = limits
        self._program: Program | None = None
        self._has_moved = False
        self._failures = 0

    def ready(self) -> None:
        """See to it that the program runs and has said hello; raises `ForfeitError`."""
        if self._program:
            return
        if self.gave_up:
            raise ForfeitError(self.gave_up)
        self._has_moved = False
        try:
            self._program = Program(self._command)
        except (OSError, ValueError) as error:
            raise self._failed(
                CannotStartError(f"it cannot be started: {getattr(error, 'strerror', 0) or error}")
            ) from None
        try:
            self.name = self._hello(self._program)
        except ProgramError as error:
            self.kill()
            raise self._failed(ForfeitError(f"it did not say hello: {error}")) from None

    def choose(self, view: View, rng: random.Random) -> Move:
        """Ask for a move, which need not be legal; raises `ForfeitError`, the program is ended."""
        self.ready()
        assert self._program
        question = _line({"type": "choose", "view": view_to_json(view)})
        try:
            move = _move(self._program.ask(question, self._limits.seconds_per_move))
        except ProgramError as error:
            self.kill()
            forfeit = ForfeitError(str(error))
            if isinstance(error, SilentError) and not self._has_moved:
                raise self._failed(forfeit) from None
            raise forfeit from None
        self._has_moved = True
        self._failures = 0
        return move

    def end_game(self, result: Mapping[str, Any]) -> None:
        """Tell the program, if it still runs, how the game ended."""
        if self._program:
            self._program.say(_line({"type": "end", "result": result}))

    def kill(self) -> None:
        """End the program at once; the next game starts it anew."""
        if self._program:
            self._program.kill()
            self._program = None

    def close(self) -> None:
        """Tell the program to quit, and end it if it does not."""
        if self._program:
            self._program.quit(_line({"type": "quit"}))
            self._program = None

    def __enter__(self) -> OutsideBot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.kill()

    def _failed(self, error: ForfeitError) -> ForfeitError:
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self.gave_up = str(error)
        return error

    def _hello(self, program: Program) -> str:
        seconds = self._limits.seconds_per_move
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "seconds_per_move": int(seconds) if seconds == int(seconds) else seconds,
        }
        answer = _answer(program.ask(_line(hello), self._limits.seconds_to_start))
        if answer.get("type") != "hello":
            raise ProgramError('its first answer is not of "type" "hello"')
        name = answer.get("name")
        if not isinstance(name, str):
            raise ProgramError('its hello has no "name" that is text')
        return shown_name(name) or self.name


def parse_command(text: str) -> tuple[str, ...]:
    """Split ``cmd:PROGRAM ARGS`` as a shell would, without running one.

    Raises ``ValueError`` where there is no program or a quotation mark is not closed.

    >>> parse_command("cmd:python3 'my bot.py' --level 3")
    ('python3', 'my bot.py', '--level', '3')
    """
    try:
        command = tuple(shlex.split(text.removeprefix(PREFIX)))
    except ValueError as error:
        raise ValueError(f"{text!r} cannot be split into words: {error}") from None
    if not command or not command[0]:
        raise ValueError(f"{text!r} names no program; write {PREFIX}PROGRAM ARGS")
    return command


def shown_name(name: str) -> str:
    """Give a name that cannot steer a terminal, at most `LONGEST_NAME` characters long.

    >>> shown_name("  My\\x1b[31m bot ")
    'My[31m bot'
    """
    return "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME].strip()


def _line(message: Mapping[str, Any]) -> bytes:
    """Write a message; pure ASCII, which no program can read with the wrong encoding."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def _answer(line: bytes) -> dict[str, Any]:
    said = excerpt(line.decode("utf-8", "replace"))
    try:
        answer = read_json(line)
    except JsonError as error:
        raise ProgramError(f"it answered {said}, which is {error}") from None
    if not isinstance(answer, dict):
        raise ProgramError(f"it answered {said}, which is not a JSON object")
    return answer


def _move(line: bytes) -> Move:
    answer = _answer(line)
    if "move" not in answer:
        raise ProgramError('its answer has no "move"')
    if not isinstance(answer["move"], str):
        raise ProgramError('the "move" of its answer is not text')
    try:
        return parse_move(answer["move"])
    except MoveTextError as error:
        raise ProgramError(f"its move cannot be read: {error}") from None
