"""What a pad may refuse, beside what the rules forbid."""

from __future__ import annotations

from typing import ClassVar


class PadError(ValueError):
    """A pad cannot do what is asked.

    ``reason`` is a short stable name for this failure, ``clause`` the clause of the rules that
    stands behind it, if one does; ``str(error)`` is a sentence that says what would be right.
    """

    clause: ClassVar[str] = ""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class UnknownPad(PadError):
    """There is no such pad."""

    def __init__(self, pad: str) -> None:
        super().__init__("unknown_pad", "there is no such pad; it may have been deleted")
        self.pad = pad


class DamagedPad(PadError):
    """Event ``number`` of the pad cannot be followed."""

    def __init__(self, pad: str, number: int, why: str) -> None:
        super().__init__("damaged_pad", f"pad {pad} cannot be read: at event {number}, {why}")
        self.pad = pad
        self.number = number


class UnknownEvent(ValueError):
    """The event's type, or the version of the format, is not known."""

    def __init__(self, type: str) -> None:
        super().__init__(f"the event type {type} is unknown; a newer version may have written it")


class NamesError(PadError):
    """The names of the players will not do (R2)."""

    clause = "R2"


class StartError(PadError):
    """The player who is said to begin is not there (R4)."""

    clause = "R4"


class NotYours(PadError):
    """This person may not write here: everybody enters for themselves, the opener for all."""

    def __init__(self) -> None:
        super().__init__(
            "not_yours", "everybody enters for themselves; only the pad's opener enters for all"
        )


class NotOnPad(PadError):
    """There is no such game, player, field entry or question on the pad."""


class NotCounting(PadError):
    """Turns are not counted in this game, so none can pass without an entry."""

    def __init__(self) -> None:
        super().__init__(
            "not_counting", "turns are not counted in this game; switch counting on first"
        )


class MovedOn(PadError):
    """The pad has changed since the page that was looked at was shown."""

    def __init__(self, seen: int, number: int) -> None:
        super().__init__(
            "moved_on", "the pad has changed since this page was shown; look again, then choose"
        )
        self.seen = seen
        self.number = number


class NothingLeft(PadError):
    """There is nothing to take back, or nothing to do again."""


class GameRunning(PadError):
    """The game on the pad is not over, so the next one cannot begin."""

    def __init__(self) -> None:
        super().__init__("game_running", "the game is not over; finish it or end it by hand first")
