"""What one seat, or a spectator, may know of a game (R15)."""

from __future__ import annotations

from dataclasses import dataclass

from kartenkniffel.rules.cards import Cards
from kartenkniffel.rules.fields import HouseRules
from kartenkniffel.rules.moves import Move
from kartenkniffel.rules.position import moves_from
from kartenkniffel.rules.sheet import Sheet


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everyone may know of one player: the name, the size of the hand, the sheet."""

    name: str
    hand_size: int
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat may see it; for a spectator ``seat`` and ``hand`` are ``None``.

    ``draw_pile`` is a number of cards, ``discards`` the cards of the discard pile, ``moves`` every
    move so far: move k (from 0) was made by seat k mod the number of players.
    """

    seat: int | None
    hand: Cards | None
    round: int
    to_move: int | None
    last_round: bool
    finished: bool
    winners: tuple[int, ...]
    rules: HouseRules
    draw_pile: int
    discards: Cards
    moves: tuple[Move, ...]
    players: tuple[PlayerView, ...]

    @property
    def own(self) -> PlayerView:
        """The viewer's own player; raises ``ValueError`` for a spectator."""
        if self.seat is None:
            raise ValueError("a spectator has no seat")
        return self.players[self.seat]

    def legal_moves(self) -> list[Move]:
        """List all that the viewer may do now, in canonical order; empty when not to move."""
        if self.seat is None or self.hand is None or self.seat != self.to_move:
            return []
        return moves_from(self.hand, self.own.sheet, self.rules)
