"""What can be wrong with a move or a game, named by clause of the rules."""

from __future__ import annotations

from typing import ClassVar


class RuleError(ValueError):
    """Something that a clause of the rules forbids.

    ``clause`` is the clause (``"R5"``); ``reason`` is a short stable name for this very failure,
    for programs and translations; ``details`` are the values its sentence speaks of.
    ``str(error)`` is the sentence, which says what would be right.
    """

    clause: ClassVar[str] = ""

    def __init__(self, reason: str, message: str, **details: int | str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.reason, self.message, self.details)


def _rebuild(
    kind: type[RuleError], reason: str, message: str, details: dict[str, int | str]
) -> RuleError:
    return kind(reason, message, **details)


class MaterialError(RuleError):
    """The deck is not the 108 cards of the game (R1)."""

    clause = "R1"


class PlayersError(RuleError):
    """The number of players is not 1 to 10 (R2)."""

    clause = "R2"


class ExchangeError(RuleError):
    """The exchange is not allowed (R5)."""

    clause = "R5"


class CardsNotHeldError(RuleError):
    """The cards played are not in the hand (R6)."""

    clause = "R6"


class HandSizeError(RuleError):
    """No hand has so many cards before playing (R5 to R7)."""

    clause = "R7"


class UpperFieldError(RuleError):
    """The cards do not fit an upper field (R8)."""

    clause = "R8"


class LowerFieldError(RuleError):
    """The cards do not fit a lower field (R9)."""

    clause = "R9"


class FieldFilledError(RuleError):
    """The field is filled already (R10)."""

    clause = "R10"


class GameOverError(RuleError):
    """The game is over (R12)."""

    clause = "R12"


class ReshuffleError(RuleError):
    """The new draw pile is missing or is not the discard pile (R14)."""

    clause = "R14"
