"""Moves as text: ``x25+3`` discards a 2 and a 5 and draws three; ``666@6`` scores."""

from __future__ import annotations

import re
from functools import lru_cache

from kartenkniffel.rules import FIELDS, Cards, Exchange, Field, Move, Score

_EXCHANGE = re.compile(r"x([1-6]*)\+(0|[1-9][0-9]*)")
_SCORE = re.compile(rf"([1-6]+)@({'|'.join(FIELDS)})")
_LONGEST_NUMBER = 4000  # digits; Python refuses to read numbers much longer than this


class MoveTextError(ValueError):
    """The text is not a move; ``text`` holds its beginning."""

    def __init__(self, text: str) -> None:
        self.text = text[:20]
        shown = ascii(self.text) + ("…" if len(text) > 20 else "")
        super().__init__(f"{shown} is not a move; moves look like x25+3 or 33345@3k")


def parse_move(text: str) -> Move:
    """Read a move, its cards in any order; raises `MoveTextError` for any other text.

    Whether the move is legal is not asked. Of a number only the first 4,000 digits are read.

    >>> parse_move("x52+3")
    Exchange(discard=Cards('25'), draw=3)
    >>> parse_move("666@6")
    Score(cards=Cards('666'), field=<Field.SIXES: '6'>)
    """
    return _parse_short(text) if len(text) <= 16 else _parse(text)


def _parse(text: str) -> Move:
    if found := _EXCHANGE.fullmatch(text):
        return Exchange(Cards(found[1]), int(found[2][:_LONGEST_NUMBER]))
    if found := _SCORE.fullmatch(text):
        return Score(Cards(found[1]), Field(found[2]))
    raise MoveTextError(text)


_parse_short = lru_cache(maxsize=8192)(_parse)


def format_move(move: Move) -> str:
    """Write a move with its cards sorted.

    >>> format_move(Exchange(Cards("52"), 3))
    'x25+3'
    """
    if isinstance(move, Exchange):
        return f"x{move.discard}+{move.draw}"
    return f"{move.cards}@{move.field}"
