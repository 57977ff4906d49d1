"""A whole game: a position, the order of the piles and all moves so far (R3, R14)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kartenkniffel.rules.cards import FULL_DECK, HAND_START, VALUES, Cards
from kartenkniffel.rules.errors import MaterialError, ReshuffleError, RuleError
from kartenkniffel.rules.fields import HouseRules
from kartenkniffel.rules.moves import Move
from kartenkniffel.rules.position import Position, check_players
from kartenkniffel.rules.sheet import Sheet
from kartenkniffel.rules.view import PlayerView, View


class Shuffler(Protocol):
    """Gives the cards as an ordered pile, top card first, for the game's shuffle of this number.

    Number 0 is the first shuffle of all 108 cards, each later one a reshuffle at R14.
    """

    def __call__(self, cards: Cards, number: int) -> str:
        """Give the pile."""


def shuffled(cards: Cards, rng: random.Random) -> str:
    """Give the cards as a pile in random order."""
    pile = list(str(cards))
    rng.shuffle(pile)
    return "".join(pile)


def seeded(seed: int | str) -> Shuffler:
    """Give the shuffler that a seed stands for: the same cards and number, the same pile."""
    return _Seeded(seed)


def recorded(shuffles: Sequence[str]) -> Shuffler:
    """Give the shuffler of recorded piles; it raises `ReshuffleError` when they run out."""
    return _Recorded(tuple(shuffles))


# Classes, not closures, so that a game can be pickled and cross to another process.


@dataclass(frozen=True, slots=True)
class _Seeded:
    seed: int | str

    def __call__(self, cards: Cards, number: int) -> str:
        return shuffled(cards, random.Random(f"{self.seed}:{number}"))


@dataclass(frozen=True, slots=True)
class _Recorded:
    shuffles: tuple[str, ...]

    def __call__(self, cards: Cards, number: int) -> str:
        if number < len(self.shuffles):
            return self.shuffles[number]
        if number == 0:
            raise MaterialError("deck", _deck_fault(""))
        raise ReshuffleError(
            "reshuffle_missing",
            "the draw pile is empty; the discard pile reshuffled is needed and missing",
        )


@dataclass(frozen=True, slots=True)
class Game:
    """A game with everything in it, secrets included; what a seat may know is its `view`.

    >>> game = Game.start(["Ana", "Bo"], seeded(7))
    >>> game.to_move, len(game.legal_moves())
    (0, 41)
    >>> game = game.apply(game.legal_moves()[1])
    >>> game.to_move, len(game.hands[0])
    (1, 6)

    ``pile`` is the draw pile in order, top card first; ``shuffles`` are the piles shuffled so far,
    the first deal included. Two games are equal when these and all else but the shuffler are.
    """

    names: tuple[str, ...]
    position: Position
    pile: str
    moves: tuple[Move, ...]
    shuffles: tuple[str, ...]
    shuffler: Shuffler = field(compare=False, repr=False)

    @classmethod
    def start(
        cls, names: Sequence[str], shuffler: Shuffler, rules: HouseRules | None = None
    ) -> Game:
        """Deal a new game, seat 0 to start (R3, R4).

        Raises `PlayersError` (R2), or `MaterialError` where the shuffler's first pile is not the
        108 cards (R1).
        """
        check_players(len(names))
        deck = shuffler(FULL_DECK, 0)
        if not _is_pile_of(deck, FULL_DECK):
            raise MaterialError("deck", _deck_fault(deck))
        dealt = HAND_START * len(names)
        hands = tuple(Cards(deck[seat : dealt : len(names)]) for seat in range(len(names)))
        position = Position.dealt(hands, rules)
        return cls(tuple(names), position, deck[dealt:], (), (deck,), shuffler)

    @property
    def rules(self) -> HouseRules:
        """The house rules of this game."""
        return self.position.rules

    @property
    def hands(self) -> tuple[Cards, ...]:
        """All hands by seat: a secret (R15)."""
        return self.position.hands

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """All sheets by seat."""
        return self.position.sheets

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or ``None`` when finished."""
        return self.position.to_move

    @property
    def round(self) -> int:
        """The round of the player to move, from 1, or the last one played when finished."""
        return self.position.round

    @property
    def finished(self) -> bool:
        """Whether the game is over (R12)."""
        return self.position.finished

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win, ascending; empty until finished (R13)."""
        return self.position.winners

    def check(self, move: Move) -> None:
        """Raise the `RuleError` that says why the player to move may not do this."""
        self.position.check(move)

    def is_legal(self, move: Move) -> bool:
        """Tell whether the player to move may do this."""
        return self.position.is_legal(move)

    def legal_moves(self) -> list[Move]:
        """List all that the player to move may do, in canonical order; empty when finished."""
        return self.position.legal_moves()

    def apply(self, move: Move) -> Game:
        """Give the game after this move of the player to move.

        The shuffler is asked when a card must be drawn and the draw pile is empty (R14). Raises a
        `RuleError` for a move that is not legal or a reshuffle that is missing or wrong.
        """
        position = self.position
        position.check(move)
        pile, shuffles = self.pile, self.shuffles
        needed = position.draws(move)
        drawn = pile[:needed]
        if needed > len(pile):
            pile = self._reshuffle(position.discard_pile + move.leaving)
            shuffles = (*shuffles, pile)
            needed -= len(drawn)
            drawn += pile[:needed]
        return Game(
            self.names,
            position.after(move, Cards(drawn)),
            pile[needed:],
            (*self.moves, move),
            shuffles,
            self.shuffler,
        )

    def _reshuffle(self, cards: Cards) -> str:
        pile = self.shuffler(cards, len(self.shuffles))
        if not _is_pile_of(pile, cards):
            raise ReshuffleError(
                "reshuffle_wrong",
                f"the reshuffled draw pile must be the {len(cards)} cards of the discard pile",
                cards=len(cards),
            )
        return pile

    def view(self, seat: int | None) -> View:
        """Give what this seat may know, or a spectator for ``None`` (R15).

        Raises ``ValueError`` for a seat that is not in the game.
        """
        position = self.position
        if seat is not None and not 0 <= seat < len(self.names):
            raise ValueError(f"seats are 0 to {len(self.names) - 1}, not {seat}")
        rows = zip(self.names, position.hands, position.sheets, strict=True)
        return View(
            seat=seat,
            hand=None if seat is None else position.hands[seat],
            round=position.round,
            to_move=position.to_move,
            last_round=position.last_round,
            finished=position.finished,
            winners=position.winners,
            rules=position.rules,
            draw_pile=len(self.pile),
            discards=position.discard_pile,
            moves=self.moves,
            players=tuple(PlayerView(name, len(hand), sheet) for name, hand, sheet in rows),
        )


def replay(
    names: Sequence[str],
    shuffles: Sequence[str],
    moves: Sequence[Move],
    rules: HouseRules | None = None,
) -> Game:
    """Play recorded moves from recorded shuffles and give the game they lead to.

    Raises the first `RuleError` met, in a `ReplayError` that tells the move; shuffles left over are
    one too (R14).
    """
    number = 0
    try:
        game = Game.start(names, recorded(shuffles), rules)
        for number, move in enumerate(moves, 1):  # noqa: B007 - told when a move fails
            game = game.apply(move)
        number = 0
        if len(shuffles) > len(game.shuffles):
            raise ReshuffleError(
                "reshuffle_surplus",
                f"{len(shuffles)} shuffles are recorded, but only {len(game.shuffles)} happened",
            )
    except RuleError as error:
        raise ReplayError(error, number or None) from error
    return game


class ReplayError(ValueError):
    """A record breaks a rule: ``error`` says which, ``move`` at which move (from 1), if at one."""

    def __init__(self, error: RuleError, move: int | None) -> None:
        place = "record" if move is None else f"move {move}"
        super().__init__(f"{place}: {error.clause}: {error.message}")
        self.error = error
        self.move = move

    def __reduce__(self) -> tuple[object, ...]:
        return ReplayError, (self.error, self.move)


def _is_pile_of(pile: str, cards: Cards) -> bool:
    return len(pile) == len(cards) and all(
        pile.count(str(value)) == count for value, count in zip(VALUES, cards.counts, strict=True)
    )


def _deck_fault(deck: str) -> str:
    wanted = "the first shuffle must be 108 cards, 18 each of 1 to 6"
    if len(deck) != len(FULL_DECK):
        return f"{wanted}; it has {len(deck)}"
    for value in VALUES:
        if deck.count(str(value)) != FULL_DECK.count(value):
            return f"{wanted}; it has {deck.count(str(value))} cards of value {value}"
    return wanted
