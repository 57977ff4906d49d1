"""What a table may refuse."""

from __future__ import annotations


class TableError(ValueError):
    """A table cannot do what is asked; ``table`` is its id."""

    def __init__(self, table: str, message: str) -> None:
        super().__init__(message)
        self.table = table


class UnknownTable(TableError):
    """There is no such table."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "there is no such table; it may have been deleted")


class NotYourTurn(TableError):
    """The seat is not the one to move; ``to_move`` is, or ``None`` when the game is over."""

    def __init__(self, table: str, seat: int, to_move: int | None) -> None:
        over = to_move is None
        super().__init__(
            table,
            "the game is over; no further move can be made"
            if over
            else f"it is the turn of seat {to_move}, not of seat {seat}",
        )
        self.seat = seat
        self.to_move = to_move


class MovedOn(TableError):
    """The mover saw event ``seen``, but the table is at event ``number``."""

    def __init__(self, table: str, seen: int, number: int) -> None:
        super().__init__(
            table, "the table has moved on since this page was shown; look again, then move"
        )
        self.seen = seen
        self.number = number


class NotFinished(TableError):
    """The game is still being played (R15)."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "the game is not over; this can be had when it is")


class DamagedTable(TableError):
    """Event ``number`` of the table cannot be followed; ``reason`` tells no secret."""

    def __init__(self, table: str, number: int, reason: str) -> None:
        super().__init__(table, f"table {table} cannot be read: at event {number}, {reason}")
        self.number = number
        self.reason = reason


class Begun(TableError):
    """The game has begun, so nobody can sit down or be asked to leave any more."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "the game has begun already")


class Full(TableError):
    """Every seat is taken."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "every seat of this table is taken")


class ShutOut(TableError):
    """The host has removed this person before the start."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "the host has given this seat to others")


class NotSeated(TableError):
    """The person has no seat at this table."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "only somebody with a seat at this table may do this")


class NotHost(TableError):
    """Only the host may do this."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "only the host of this table may do this")


class TooFew(TableError):
    """A game among friends needs two players."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "a game needs two players; wait for somebody, or let bots play")


class StillHere(TableError):
    """The person is there, so no bot stands in."""

    def __init__(self, table: str) -> None:
        super().__init__(table, "this person is there; a bot stands in only for who is gone")


class NotPossible(TableError):
    """What was asked for is not to be had as the table stands; ``what`` names it."""

    def __init__(self, table: str, what: str, message: str) -> None:
        super().__init__(table, message)
        self.what = what


class UnknownEvent(ValueError):
    """The event's type, or the version of the format, is not known."""

    def __init__(self, type: str) -> None:
        super().__init__(f"the event type {type} is unknown; a newer version may have written it")
        self.type = type


class UnknownCode(ValueError):
    """No table that still waits for people has this code."""

    def __init__(self) -> None:
        super().__init__("no table with this code waits for players")


class SeatError(ValueError):
    """What was entered for a new table's seat, from 0, will not do."""

    def __init__(self, seat: int, message: str) -> None:
        super().__init__(message)
        self.seat = seat
