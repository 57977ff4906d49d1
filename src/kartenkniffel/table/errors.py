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


class UnknownEvent(ValueError):
    """The event's type, or the version of the format, is not known."""

    def __init__(self, type: str) -> None:
        super().__init__(f"the event type {type} is unknown; a newer version may have written it")
        self.type = type


class SeatError(ValueError):
    """What was entered for a new table's seat, from 0, will not do."""

    def __init__(self, seat: int, message: str) -> None:
        super().__init__(message)
        self.seat = seat
