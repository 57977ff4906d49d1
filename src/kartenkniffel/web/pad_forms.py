"""Reads what the pad's forms send."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from kartenkniffel.pad import NewGame, Pad, Told
from kartenkniffel.pad.events import How
from kartenkniffel.pad.names import tidy
from kartenkniffel.rules import FIELDS, MOST_PLAYERS, Field, HouseRules
from kartenkniffel.web.forms import number_in, texts_in

_WHOLE = re.compile(r"-?[0-9]{1,6}")
HOWS: tuple[How, ...] = ("youngest", "random", "chosen")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game as typed into the form: ``rows`` are its name fields, ``who`` the row that begins."""

    rows: tuple[str, ...] = ("", "")
    how: How = "youngest"
    who: int = 0
    house_rule: bool = False
    counting: bool = True

    @classmethod
    def read(cls, form: FormData) -> Wanted:
        """Read the form."""
        how = form.get("how")
        who = str(form.get("who", "0"))
        return cls(
            rows=tuple(tidy(name) for name in texts_in(form, "player")[: 2 * MOST_PLAYERS]),
            how=next((known for known in HOWS if known == how), "youngest"),
            who=int(who) if who.isascii() and who.isdecimal() and len(who) < 4 else 0,
            house_rule=form.get("five_of_a_kind_is_full_house") == "1",
            counting=form.get("counting") == "1",
        )

    @classmethod
    def after(cls, pad: Pad) -> Wanted:
        """Give the next game with the same people: the start passes one place clockwise (R4)."""
        board = pad.game.board
        return cls(
            rows=board.players,
            how="chosen",
            who=(board.first + 1) % len(board.players),
            house_rule=board.rules.five_of_a_kind_is_full_house,
            counting=board.counting,
        )

    def game(self) -> NewGame:
        """Give the game: rows without a name are left out."""
        first: int | None = None
        if self.who < len(self.rows) and self.rows[self.who]:
            first = sum(bool(row) for row in self.rows[: self.who])
        return NewGame(
            players=[row for row in self.rows if row],
            how=self.how,
            first=None if self.how == "random" else first,
            rules=HouseRules(five_of_a_kind_is_full_house=self.house_rule),
            counting=self.counting,
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a player's sheet."""

    player: int
    field: Field

    @classmethod
    def parse(cls, text: str) -> Cell | None:
        """Read it from ``2-3k``; ``None`` for what is no cell.

        >>> Cell.parse("2-3k")
        Cell(player=2, field=<Field.THREE_OF_A_KIND: '3k'>)
        """
        player, _, code = text.partition("-")
        if not (player.isascii() and player.isdecimal() and len(player) < 3):
            return None
        return cls(int(player), Field(code)) if code in list(FIELDS) else None

    @classmethod
    def sent(cls, form: FormData) -> Cell:
        """Read it from a form's ``player`` and ``field``."""
        code = str(form.get("field"))
        if code not in list(FIELDS):
            raise HTTPException(400)
        return cls(number_in(form, "player"), Field(code))


def told_in(form: FormData) -> Told:
    """Read an entry: ``hand``, and ``points`` or ``cards`` or neither.

    Any whole number is read: what it breaks is for the rules to say.
    """
    hand = _whole(form, "hand")
    points = _whole(form, "points") if form.get("points") else None
    cards = "".join(str(form.get("cards", "")).split()) or None
    return Told(hand, points, cards)


def _whole(form: FormData, name: str) -> int:
    text = str(form.get(name, ""))
    if not _WHOLE.fullmatch(text):
        raise HTTPException(400)
    return int(text)


def passed_in(form: FormData) -> tuple[int, ...]:
    """Read whose turns shall count as exchanged: ``passed=0,2``."""
    text = str(form.get("passed", ""))
    numbers = [part for part in text.split(",") if part]
    if len(numbers) > 10_000 or not all(
        n.isascii() and n.isdecimal() and len(n) < 3 for n in numbers
    ):
        raise HTTPException(400)
    return tuple(map(int, numbers))


def maybe_number(form: FormData, name: str) -> int | None:
    """Give a number where the form sends one."""
    return number_in(form, name) if form.get(name) else None
