"""What tests of the rules share: cards, whole games at random, and points reckoned afresh."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from kartenkniffel.rules import (
    FIELDS,
    Cards,
    Exchange,
    Field,
    Game,
    HouseRules,
    Move,
    Score,
    Sheet,
    seeded,
)

HOUSE_RULE = HouseRules(five_of_a_kind_is_full_house=True)

digits = st.text("123456", max_size=30)
"""Any cards as digits, more than a hand may hold too."""


def hands(min_size: int = 5, max_size: int = 10) -> st.SearchStrategy[Cards]:
    """Give hands of these sizes."""
    return st.text("123456", min_size=min_size, max_size=max_size).map(Cards)


def reckoned(cards: str, code: str, house: bool = False) -> int | None:
    """Reckon the points of these cards on this field, ``None`` where they do not fit (R8, R9).

    Written down from the rules once more, so that it shares no table with the code under test.
    """
    total = sum(int(card) for card in cards)
    size = len(cards)
    alike = sorted(Counter(cards).values())
    in_a_row = "".join(sorted(cards)) in "123456"
    if code in list("123456"):
        return total if 1 <= size <= 5 and cards == code * size else None
    if code == "ss":
        return 30 if size == 4 and in_a_row else None
    if size != 5:
        return None
    if code == "ls":
        return 40 if in_a_row else None
    if code == "3k":
        return total if alike[-1] in (3, 4, 5) else None
    if code == "4k":
        return total if alike[-1] in (4, 5) else None
    if code == "fh":
        return 25 if alike == [2, 3] or (house and alike == [5]) else None
    assert code == "kn"
    return 50 if alike == [5] else None


def sheet_of(**points: int) -> Sheet:
    """Give a sheet with these points; the keys are field codes after an underscore (``_3k=20``)."""
    sheet = Sheet()
    for key, value in points.items():
        sheet = sheet.write(Field(key[1:]), value)
    return sheet


def sheet_with_open(*fields: Field, points: int = 10) -> Sheet:
    """Give a sheet on which only these fields are open and each other one has these points."""
    sheet = Sheet()
    for field in FIELDS:
        if field not in fields:
            sheet = sheet.write(field, points)
    return sheet


@dataclass(frozen=True)
class Plan:
    """A game to be played at random: who plays, by which house rule, and with which habits.

    ``hoards`` tells by seat whether the player fills the hand to ten before playing anything, so
    that the draw pile runs out often; ``whim`` is the share of moves that are any legal move.
    """

    seed: int
    hoards: tuple[bool, ...]
    whim: float = 0.1
    house: bool = False

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return [f"P{seat}" for seat in range(len(self.hoards))]

    @property
    def rules(self) -> HouseRules:
        """The house rules of the game."""
        return HouseRules(five_of_a_kind_is_full_house=self.house)

    def play(self, most: int = 2000) -> Iterator[Game]:
        """Give the game at the deal and after each move, to its end or for so many moves."""
        rng = random.Random(self.seed)
        orders = [rng.sample(FIELDS, len(FIELDS)) for _ in self.hoards]
        patient = [rng.random() < 0.5 for _ in self.hoards]
        game = Game.start(self.names, seeded(self.seed), self.rules)
        yield game
        for _ in range(most):
            seat = game.to_move
            if seat is None:
                return
            game = game.apply(self._chosen(game, seat, orders[seat], patient[seat], rng))
            yield game

    def _chosen(
        self, game: Game, seat: int, order: list[Field], patient: bool, rng: random.Random
    ) -> Move:
        """Choose for a player who fills the fields in an order of its own.

        The patient wait for what their next field takes, four cards above, so that they can come
        to a bonus; the others also play whatever they can.
        """
        if rng.random() < self.whim:
            return rng.choice(game.legal_moves())
        hand, sheet = game.hands[seat], game.sheets[seat]
        goal = next(field for field in order if sheet[field] is None)
        if len(hand) == 10 or not self.hoards[seat]:
            scores = [move for move in game.legal_moves() if isinstance(move, Score)]
            wanted = [move for move in scores if move.field is goal]
            if patient:
                wanted = [move for move in wanted if len(move.cards) >= 4]
            else:
                wanted = wanted or scores
            if wanted:
                return rng.choice(wanted)
        kept = _useful(hand, goal)
        loose = list(str(hand - kept))
        rng.shuffle(loose)
        if self.hoards[seat] and len(hand) < 10:
            loose = loose[:1]
        discard = Cards("".join(loose[:5]))
        return Exchange(discard, len(discard) + (len(hand) < 10))


def _useful(hand: Cards, goal: Field) -> Cards:
    """Give the cards of the hand that help to fill this field."""
    if goal.is_upper:
        return Cards([goal.number] * hand.count(goal.number))
    if goal in (Field.SMALL_STRAIGHT, Field.LARGE_STRAIGHT):
        return Cards(sorted(set(hand)))
    common = Counter(hand).most_common(2 if goal is Field.FULL_HOUSE else 1)
    return Cards([value for value, count in common for _ in range(count)])


def plans(min_players: int = 1, max_players: int = 10) -> st.SearchStrategy[Plan]:
    """Give plans for whole games of so many players."""
    return st.builds(
        Plan,
        seed=st.integers(0, 10**9),
        hoards=st.lists(st.booleans(), min_size=min_players, max_size=max_players).map(tuple),
        whim=st.sampled_from([0.0, 0.1, 0.5]),
        house=st.booleans(),
    )
