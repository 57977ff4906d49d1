"""Who plays: built-in levels and outside programs, each under a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.bots import LEVELS, Bot, bot
from kartenkniffel.bots.outside import (
    PREFIX,
    CannotStartError,
    ForfeitError,
    Limits,
    OutsideBot,
    parse_command,
)
from kartenkniffel.rules import MOST_PLAYERS

BY_TABLE = ("table:", "counting:")
"""What the text for a player by the solver's table begins with; its file follows."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a match: the text that asks for it, its name there, and what it cannot do.

    ``gave_up`` is why it forfeits every game, for a program that did not come to say hello.
    """

    text: str
    name: str
    gave_up: str | None = None

    def bot(self, limits: Limits) -> Bot:
        """Make the bot; one that is an `OutsideBot` must be closed."""
        if self.text.startswith(BY_TABLE):
            return _table_player(self.text)
        if not self.text.startswith(PREFIX):
            return bot(self.text)
        outside = OutsideBot(parse_command(self.text), limits)
        outside.gave_up = self.gave_up
        return outside


def find_entrants(texts: Sequence[str], limits: Limits) -> tuple[Entrant, ...]:
    """Give the bots that these texts ask for, outside programs by the name they say.

    Each program is started once. Raises `ArenaError` for too many or too few bots, a level there is
    not and a program that the system cannot start.
    """
    if not 1 <= len(texts) <= MOST_PLAYERS:
        raise ArenaError(f"a match is between 1 and {MOST_PLAYERS} bots, not {len(texts)}")
    for text in texts:
        _check(text)
    found = {text: _introduced(text, limits) for text in dict.fromkeys(texts)}
    names: list[str] = []
    for text in texts:
        names.append(_free_name(found[text].name, names))
    return tuple(
        Entrant(text, name, found[text].gave_up) for text, name in zip(texts, names, strict=True)
    )


def _check(text: str) -> None:
    if text.startswith(PREFIX):
        try:
            parse_command(text)
        except ValueError as error:
            raise ArenaError(str(error)) from None
    elif text.startswith(BY_TABLE):
        _table_player(text)
    elif text not in LEVELS:
        raise ArenaError(
            f"no bot is called {text!r}; the levels are {', '.join(LEVELS)}, "
            f"an outside program is {PREFIX}PROGRAM ARGS, a table player {BY_TABLE[0]}FILE"
        )


def _table_player(text: str) -> Bot:
    """Make a table player; raises `ArenaError` where its file is no table."""
    from kartenkniffel.bots.tabled import TablePlayer

    try:
        return TablePlayer(text)
    except ValueError as error:
        raise ArenaError(str(error)) from None


def _introduced(text: str, limits: Limits) -> Entrant:
    """Let a program say its name; one that never does will forfeit, and is asked no more."""
    if text.startswith(BY_TABLE):
        return Entrant(text, _table_player(text).name)
    if not text.startswith(PREFIX):
        return Entrant(text, text)
    with OutsideBot(parse_command(text), limits) as outside:
        while not outside.gave_up:
            try:
                outside.ready()
            except CannotStartError as error:
                reason = str(error).removeprefix("it ")
                raise ArenaError(f"{text} {reason}") from None
            except ForfeitError:
                continue
            break
        return Entrant(text, outside.name, outside.gave_up)


def _free_name(name: str, taken: Sequence[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}#{number}" in taken:
        number += 1
    return f"{name}#{number}"
