"""All sheets of one game on a pad at one moment, and whose turn it is.

The cards are real and on the table, so the pad sees only what is told: entries, and turns without
one. People tell late and in any order; what counts is how many turns each player has had. The turn
is that of whoever has had the fewest, the earliest in the round first, and the game is over when
all have had as many as the round in which a sheet was filled (R12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from kartenkniffel.pad.errors import NotCounting, NotOnPad
from kartenkniffel.rules import (
    FIELDS,
    MOST_ROUNDS,
    Entry,
    Field,
    GameOverError,
    HouseRules,
    Sheet,
    penalty_for,
)

Turn: TypeAlias = Field | None
"""A turn as the pad knows it: the field that was filled, or nothing for an exchange."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written into a field: ``number`` is the event that wrote it, ``by`` whose hand."""

    points: int
    hand: int
    cards: str | None
    number: int
    by: str

    @property
    def entry(self) -> Entry:
        """The points and the penalty beside them (R7)."""
        return Entry(self.points, penalty_for(self.hand))


@dataclass(frozen=True, slots=True)
class Board:
    """The state of a game; ``written`` and ``turns`` are by player, in seat order."""

    players: tuple[str, ...]
    first: int
    rules: HouseRules
    counting: bool
    written: tuple[Mapping[Field, Written], ...]
    turns: tuple[tuple[Turn, ...], ...]
    ended: bool = False

    @classmethod
    def blank(
        cls, players: tuple[str, ...], first: int, rules: HouseRules, counting: bool
    ) -> Board:
        """Give the board before the first turn."""
        empty: tuple[Mapping[Field, Written], ...] = tuple({} for _ in players)
        return cls(players, first, rules, counting, empty, tuple(() for _ in players))

    # What is to be read off

    def sheet(self, player: int) -> Sheet:
        """Give a player's sheet, the rules' own."""
        return self.sheet_after(player, len(self.turns[player]))

    def sheet_after(self, player: int, turns: int) -> Sheet:
        """Give a player's sheet as it was after so many of the player's turns."""
        by_then = set(self.turns[player][:turns])
        written = self.written[player]
        return Sheet(tuple(written[field].entry if field in by_then else None for field in FIELDS))

    @property
    def order(self) -> tuple[int, ...]:
        """The players in the order of their turns (R4)."""
        count = len(self.players)
        return tuple((self.first + step) % count for step in range(count))

    @property
    def last_round(self) -> int | None:
        """The number of the last round once a sheet is full (R12), where turns are counted."""
        if not self.counting:
            return None
        most = max(map(len, self.turns))
        full = any(len(written) == len(FIELDS) for written in self.written)
        return most if full or most == MOST_ROUNDS else None

    @property
    def finished(self) -> bool:
        """Whether the game is over: by hand, by R12, or since there is nothing left to fill."""
        if self.ended or all(len(written) == len(FIELDS) for written in self.written):
            return True
        return self.counting and all(len(turns) == self.last_round for turns in self.turns)

    @property
    def to_move(self) -> int | None:
        """The player whose turn it is; ``None`` when over, or where turns are not counted."""
        if self.finished or not self.counting:
            return None
        return min(self.order, key=lambda player: len(self.turns[player]))

    @property
    def round(self) -> int:
        """The round being played, from 1, or the last one where the game is over."""
        fewest, most = min(map(len, self.turns)), max(map(len, self.turns))
        if not self.counting or self.finished:
            return max(1, most)
        return fewest + 1

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the most points (R13); empty until the game is over."""
        if not self.finished:
            return ()
        totals = [self.sheet(player).total for player in range(len(self.players))]
        return tuple(n for n, total in enumerate(totals) if total == max(totals))

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands on any sheet."""
        return not any(self.written)

    def exchanges(self, player: int) -> int:
        """Count a player's turns without an entry."""
        return self.turns[player].count(None)

    def missing(self, player: int, had: int | None = None) -> tuple[int, ...]:
        """List whose turns are not told yet before it can be this player's turn, in order.

        Someone who lags by two turns is named twice. ``had`` is how many turns the player has had
        before; by default as many as are told.
        """
        if not self.counting:
            return ()
        place = self.order.index(player)
        had = len(self.turns[player]) if had is None else had
        found = []
        for other_place, other in enumerate(self.order):
            due = had + (other_place < place)
            found += [other] * max(0, due - len(self.turns[other]))
        return tuple(found)

    def told_as_exchange(self, player: int, turn: int | None) -> bool:
        """Tell whether this turn of a player, from 0, is told already, as one without an entry."""
        turns = self.turns[player]
        return self.counting and turn is not None and turn < len(turns) and turns[turn] is None

    # What may be done

    def check_player(self, player: int) -> None:
        """Raise `NotOnPad` where there is no such player."""
        if not 0 <= player < len(self.players):
            raise NotOnPad("no_player", "there is no such player in this game")

    def check_turn(self, player: int) -> None:
        """Raise `GameOverError` where this player has no turn left (R12)."""
        if self.finished:
            raise GameOverError("game_over", "the game is over; correct an entry instead")
        if self.counting and len(self.turns[player]) == self.last_round:
            raise GameOverError(
                "no_turn_left",
                "the last round is being played and this player's turn in it is over",
            )

    def check_not_ended(self) -> None:
        """Raise `GameOverError` where the game was ended by hand."""
        if self.ended:
            raise GameOverError("game_over", "the game is over; correct an entry instead")

    def check_exchange(self, player: int) -> None:
        """Raise what stands against a turn without an entry of this player."""
        self.check_player(player)
        if not self.counting:
            raise NotCounting
        self.check_turn(player)

    # What changes it

    def exchanged(self, player: int) -> Board:
        """Give the board after a turn without an entry."""
        return self._with_turns(player, (*self.turns[player], None))

    def filled(self, player: int, field: Field, written: Written, turn: int | None = None) -> Board:
        """Give the board with this in a field; filling an open one is a turn (R6).

        It is a new turn, or it takes the place of ``turn``, from 0.
        """
        board = self._with_sheet(player, {**self.written[player], field: written})
        turns = self.turns[player]
        if field in turns:
            return board
        at = len(turns) if turn is None else turn
        return board._with_turns(player, (*turns[:at], field, *turns[at + 1 :]))

    def emptied(self, player: int, field: Field) -> Board:
        """Give the board with a field open again; the turn is to be had again."""
        sheet = {each: what for each, what in self.written[player].items() if each is not field}
        turns = tuple(turn for turn in self.turns[player] if turn is not field)
        return self._with_sheet(player, sheet)._with_turns(player, turns)

    def recounted(self, player: int, exchanges: int) -> Board:
        """Give the board with so many exchanges of a player: the latest ones go, new ones come."""
        turns = list(self.turns[player])
        while turns.count(None) > exchanges:
            turns.pop(len(turns) - 1 - turns[::-1].index(None))
        turns += [None] * (exchanges - turns.count(None))
        return self._with_turns(player, tuple(turns))

    def renamed(self, player: int, name: str) -> Board:
        """Give the board with another name."""
        names = (*self.players[:player], name, *self.players[player + 1 :])
        return replace(self, players=names)

    def counted(self, on: bool) -> Board:
        """Give the board with turn counting on or off.

        Switched on again, all have had as many turns as whoever has filled the most fields.
        """
        most = max(map(len, self.turns))
        level = tuple((*turns, *[None] * (most - len(turns))) for turns in self.turns)
        return replace(self, counting=on, turns=level if on else self.turns)

    def _with_turns(self, player: int, turns: tuple[Turn, ...]) -> Board:
        return replace(self, turns=(*self.turns[:player], turns, *self.turns[player + 1 :]))

    def _with_sheet(self, player: int, sheet: Mapping[Field, Written]) -> Board:
        return replace(self, written=(*self.written[:player], sheet, *self.written[player + 1 :]))
