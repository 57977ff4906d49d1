"""Who sits where at a new table, and who starts (R4)."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Collection, Sequence

from kartenkniffel.rules.position import check_players
from kartenkniffel.table.errors import SeatError
from kartenkniffel.table.events import Seat, Start

MOST_NAME = 64
"""The most code points of a name."""

MOST_VISIBLE = 24
"""The most characters of a name as one sees and counts them."""

_JOINERS = "\u200c\u200d"


def visible_length(text: str) -> int:
    """Count the characters that one sees: marks, and what is joined to one before, do not count.

    >>> visible_length("Zoe\N{COMBINING DIAERESIS}"), visible_length("a\u200db")
    (3, 1)
    """
    count, joined = 0, False
    for letter in text:
        mark = unicodedata.category(letter)[0] == "M" or "\U0001f3fb" <= letter <= "\U0001f3ff"
        if not (mark or joined or letter in _JOINERS):
            count += 1
        joined = letter == "\u200d"
    return count


def is_name(text: str) -> bool:
    """Tell whether a player may be called this."""
    plain = "".join(letter for letter in text if letter not in _JOINERS)
    return (
        plain.strip() != ""
        and plain.isprintable()
        and len(text) <= MOST_NAME
        and 0 < visible_length(text.strip()) <= MOST_VISIBLE
    )


def check_seats(seats: Sequence[Seat], levels: Collection[str]) -> None:
    """Raise `PlayersError` (R2) or `SeatError` unless people and bots can sit down like this."""
    check_players(len(seats))
    for number, seat in enumerate(seats):
        if not is_name(seat.name):
            raise SeatError(
                number, f"a name has 1 to {MOST_VISIBLE} characters, all of them visible"
            )
        if seat.bot is not None and seat.bot not in levels:
            raise SeatError(number, f"the bots are {', '.join(levels)}; there is no other")
        if seat.bot is not None and seat.owner is not None:
            raise SeatError(number, "a seat is a bot's or a person's, not both")


def order_of(seats: int, start: Start, rng: random.Random) -> tuple[int, ...]:
    """List the seats clockwise from the one that starts (R4).

    >>> order_of(4, Start("seat", 2), random.Random())
    (2, 3, 0, 1)
    """
    if start.how == "random":
        first = rng.randrange(seats)
    elif start.seat is not None and 0 <= start.seat < seats:
        first = start.seat
    else:
        raise SeatError(start.seat or 0, f"the seat that starts is 0 to {seats - 1}")
    return tuple((first + place) % seats for place in range(seats))
