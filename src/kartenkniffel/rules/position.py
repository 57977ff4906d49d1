"""The pure transition: what a move does, given the cards that are drawn (R5 to R14).

A `Position` knows how many cards of each value lie in the piles but not their order; chance is what
its caller hands in. Replay, table, solver and rollouts all stand on this one step.
"""

from __future__ import annotations

from dataclasses import dataclass

from kartenkniffel.rules.cards import (
    FULL_DECK,
    HAND_LIMIT,
    HAND_START,
    NO_CARDS,
    Cards,
    shown,
)
from kartenkniffel.rules.errors import (
    CardsNotHeldError,
    ExchangeError,
    GameOverError,
    PlayersError,
    RuleError,
)
from kartenkniffel.rules.fields import NO_HOUSE_RULES, HouseRules, plays, points_for
from kartenkniffel.rules.moves import EXCHANGES, MOST_DISCARDED, SCORES, Exchange, Move, Score
from kartenkniffel.rules.sheet import Sheet, penalty_for

MOST_PLAYERS = 10
"""The most players a game may have (R2)."""

MOST_ROUNDS = 1000
"""The rounds after which a game ends as it stands (R12)."""

# The exchanges with the size of the discards, so that listing need not ask each for it.
_SIZED_EXCHANGES = tuple((len(e.discard), e.discard, e.draw - len(e.discard), e) for e in EXCHANGES)


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two moves, without the order of the draw pile.

    ``hands`` and ``sheets`` are by seat; ``turn`` counts the moves made so far; ``ending`` tells
    whether some sheet is full, so that the round being played is the last.
    """

    hands: tuple[Cards, ...]
    sheets: tuple[Sheet, ...]
    draw_pile: Cards
    discard_pile: Cards
    turn: int = 0
    ending: bool = False
    rules: HouseRules = NO_HOUSE_RULES

    @classmethod
    def dealt(cls, hands: tuple[Cards, ...], rules: HouseRules | None = None) -> Position:
        """Give the position after the deal of these hands (R3); raises `PlayersError` (R2)."""
        check_players(len(hands))
        pile = FULL_DECK
        for hand in hands:
            pile -= hand
        return cls(hands, (Sheet(),) * len(hands), pile, NO_CARDS, rules=rules or NO_HOUSE_RULES)

    @property
    def finished(self) -> bool:
        """Whether the game is over (R12)."""
        players = len(self.hands)
        if self.turn % players:
            return False
        return self.ending or self.turn >= MOST_ROUNDS * players

    @property
    def round(self) -> int:
        """The round of the player to move, from 1, or the last one played when finished."""
        played = self.turn // len(self.hands)
        return played if self.finished else played + 1

    @property
    def last_round(self) -> bool:
        """Whether the round being played, or played last, is the last (R12)."""
        return self.ending or self.round == MOST_ROUNDS

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or ``None`` when finished."""
        return None if self.finished else self.turn % len(self.hands)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total, ascending; empty until finished (R13)."""
        if not self.finished:
            return ()
        totals = [sheet.total for sheet in self.sheets]
        return tuple(seat for seat, total in enumerate(totals) if total == max(totals))

    def check(self, move: Move) -> None:
        """Raise the `RuleError` that says why the player to move may not do this."""
        if self.finished:
            raise GameOverError("game_over", "the game is over; no further move can be made")
        seat = self.turn % len(self.hands)
        hand = self.hands[seat]
        if isinstance(move, Exchange):
            _check_exchange(hand, move)
            return
        self.sheets[seat].check_open(move.field)
        points_for(move.cards, move.field, self.rules)
        if not move.cards <= hand:
            raise CardsNotHeldError(
                "play_not_held",
                f"the cards {shown(move.cards)} are not all in the hand {hand}; "
                "play cards that are",
                cards=shown(move.cards),
                hand=str(hand),
            )

    def is_legal(self, move: Move) -> bool:
        """Tell whether the player to move may do this."""
        try:
            self.check(move)
        except RuleError:
            return False
        return True

    def legal_moves(self) -> list[Move]:
        """List all that the player to move may do, in canonical order; empty when finished."""
        seat = self.to_move
        if seat is None:
            return []
        return moves_from(self.hands[seat], self.sheets[seat], self.rules)

    def draws(self, move: Move) -> int:
        """How many cards a legal move draws (R5, R6)."""
        if isinstance(move, Exchange):
            return move.draw
        held = len(self.hands[self.turn % len(self.hands)])
        return max(0, HAND_START - held + len(move.cards))

    def apply(self, move: Move, drawn: Cards) -> Position:
        """Give the position after this move when these cards are drawn.

        Where they are more than the draw pile holds, the discard pile, with the cards of this very
        move, becomes the draw pile in between (R14). Raises a `RuleError` for a move that is not
        legal and ``ValueError`` for cards that cannot be drawn.
        """
        self.check(move)
        if len(drawn) != self.draws(move):
            raise ValueError(f"{self.draws(move)} cards are drawn, not {len(drawn)}")
        return self.after(move, drawn)

    def after(self, move: Move, drawn: Cards) -> Position:
        """Do as `apply` does, for a move known to be legal and as many cards as it draws."""
        hands, sheets, ending = self.hands, self.sheets, self.ending
        seat = self.turn % len(hands)
        hand = hands[seat]
        gone = move.leaving
        if isinstance(move, Score):
            points = plays(self.rules)[move.field][gone]
            sheet = sheets[seat].write(move.field, points, penalty_for(len(hand)))
            sheets = (*sheets[:seat], sheet, *sheets[seat + 1 :])
            ending = ending or sheet.is_full
        draw_pile, discard_pile = self.draw_pile, self.discard_pile + gone
        if len(drawn) > len(draw_pile):
            later = drawn - draw_pile
            draw_pile, discard_pile = discard_pile - later, NO_CARDS
        else:
            draw_pile -= drawn
        hands = (*hands[:seat], hand - gone + drawn, *hands[seat + 1 :])
        return Position(hands, sheets, draw_pile, discard_pile, self.turn + 1, ending, self.rules)


def check_players(players: int) -> None:
    """Raise `PlayersError` unless 1 to 10 play (R2)."""
    if not 1 <= players <= MOST_PLAYERS:
        raise PlayersError(
            "players", f"a game has 1 to {MOST_PLAYERS} players, not {players}", players=players
        )


def moves_from(hand: Cards, sheet: Sheet, rules: HouseRules) -> list[Move]:
    """List the moves that this hand and this sheet allow, in canonical order (R5 to R10)."""
    room = HAND_LIMIT - len(hand)
    moves: list[Move] = [
        exchange
        for _, discard, extra, exchange in _SIZED_EXCHANGES
        if extra <= room and discard <= hand
    ]
    playable = plays(rules)
    still_open = frozenset(sheet.open_fields)
    moves.extend(
        score
        for score in SCORES
        if score.field in still_open
        and score.cards <= hand
        and score.cards in playable[score.field]
    )
    return moves


def _check_exchange(hand: Cards, move: Exchange) -> None:
    discard, draw = move.discard, move.draw
    size = len(discard)
    if size > MOST_DISCARDED:
        raise ExchangeError(
            "discards_too_many",
            f"at most {MOST_DISCARDED} cards may be discarded, not {size}",
            discarded=size,
        )
    if not discard <= hand:
        raise ExchangeError(
            "discard_not_held",
            f"the cards {discard} are not all in the hand {hand}; discard cards that are",
            cards=str(discard),
            hand=str(hand),
        )
    if draw < size or draw > size + 1:
        reason = "draws_too_few" if draw < size else "draws_too_many"
        raise ExchangeError(
            reason,
            f"after discarding {size} draw {size} or {size + 1}, not {_count(draw)}",
            discarded=size,
            drawn=min(draw, 1000),
        )
    if len(hand) - size + draw > HAND_LIMIT:
        raise ExchangeError(
            "hand_too_large",
            f"a hand holds at most {HAND_LIMIT} cards; with {len(hand)} in hand "
            "draw as many as are discarded",
            hand_size=len(hand),
        )


def _count(number: int) -> str:
    return str(number) if number < 1000 else "so many"
