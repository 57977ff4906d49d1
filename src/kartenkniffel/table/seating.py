"""Who sits where at a new table, and who starts (R4)."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from kartenkniffel.rules.position import check_players
from kartenkniffel.table.errors import SeatError
from kartenkniffel.table.events import Seat, Start
from kartenkniffel.table.names import MOST_VISIBLE, is_name


def check_name(name: str, seat: int = 0) -> None:
    """Raise `SeatError` unless a player may be called this."""
    if not is_name(name):
        raise SeatError(seat, f"a name has 1 to {MOST_VISIBLE} characters, all of them visible")


def check_seats(seats: Sequence[Seat], levels: Collection[str]) -> None:
    """Raise `PlayersError` (R2) or `SeatError` unless people and bots can sit down like this."""
    check_players(len(seats))
    for number, seat in enumerate(seats):
        check_name(seat.name, number)
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
