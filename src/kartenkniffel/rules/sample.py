"""Full games that agree with a view: chance made up for all that its seat may not know (R15)."""

from __future__ import annotations

import random
from bisect import bisect_left
from math import inf

from kartenkniffel.rules.attribution import OPEN, Attribution, Past
from kartenkniffel.rules.cards import Cards
from kartenkniffel.rules.game import Game, seeded
from kartenkniffel.rules.position import Position
from kartenkniffel.rules.view import View

_RECENT = 60  # how many of a seat's latest slots may swap their cards
_SWAPS_PER_SLOT = 4
_NEAR = 12  # how many draws of one seat apart two slots are near each other


def sample(view: View, rng: random.Random) -> Game:
    """Give a full game that agrees with a view, near enough evenly among all that do (R15).

    A hidden card is as likely to be this as any other card not seen, as far as the public moves
    allow. The game's record is whole: replaying its names, shuffles and moves gives it again.
    Reshuffles still to come hang on ``rng`` alone. Raises ``ValueError`` where no game agrees with
    the view.

    >>> view = Game.start(["Ana", "Bo"], seeded(7)).view(0)
    >>> imagined = sample(view, random.Random(1))
    >>> imagined.view(0) == view, len(imagined.hands[1]), len(imagined.pile)
    (True, 5, 98)
    """
    attribution = Attribution(Past(view), rng)
    attribution.meet_all()
    _even_out(attribution)
    shuffles, hands, pile = _dealt_out(attribution)
    if view.seat is not None and view.hand is not None:
        hands[view.seat] = view.hand
    sheets = tuple(player.sheet for player in view.players)
    position = Position(
        hands=tuple(hands),
        sheets=sheets,
        draw_pile=Cards(pile),
        discard_pile=view.discards,
        turn=len(view.moves),
        ending=any(sheet.is_full for sheet in sheets),
        rules=view.rules,
    )
    names = tuple(player.name for player in view.players)
    return Game(names, position, pile, view.moves, shuffles, seeded(rng.getrandbits(64)))


def _dealt_out(attribution: Attribution) -> tuple[tuple[str, ...], list[Cards], str]:
    """Give all shuffles, the hands as far as no demand tells them, and the draw pile.

    What no slot gives is dealt out evenly to the slots still open and the draw pile.
    """
    past, kinds = attribution.past, attribution.kind_of
    cards = [str(kind + 1) for kind in kinds]
    hands = ["" for _ in attribution.slots]
    shuffles = []
    rest: list[str] = []
    for pile, unseen in enumerate(attribution.unseen):
        rest = list(str(Cards.from_counts(unseen)))
        attribution.rng.shuffle(rest)
        slots = past.slots_of(pile)
        for slot in slots:
            if kinds[slot] == OPEN:
                cards[slot] = rest.pop()
                hands[past.seat_of[slot]] += cards[slot]
        shuffles.append("".join((*cards[slots.start : slots.stop], *rest)))
    return tuple(shuffles), [Cards(hand) for hand in hands], "".join(rest)


def _even_out(attribution: Attribution) -> None:
    """Let cards that a seat held together swap their slots, as often as chance would have it.

    A demand is met without a thought of those to come, and this makes up for it: a Metropolis walk
    among the attributions, each as likely as the piles are to give their cards so.
    """
    past, rng = attribution.past, attribution.rng
    slots = [mine[-_RECENT:] for mine in attribution.slots]
    if min(mine[0] for mine in slots) >= past.starts[-2]:
        return  # all are from one pile, and any order of it is as likely as the next
    until = _leaving_times(attribution)
    for _ in range(_SWAPS_PER_SLOT * sum(map(len, slots))):
        mine = rng.choice(slots)
        place, other = rng.randrange(len(mine)), rng.randrange(len(mine))
        if rng.random() < 0.5:
            other = place + rng.randint(-_NEAR, _NEAR)
        if place != other and 0 <= other < len(mine):
            _swap_by_chance(attribution, until, *sorted((mine[place], mine[other])))


def _leaving_times(attribution: Attribution) -> list[float]:
    """Give for each slot the one before which its card left, at random among equal cards."""
    until = [inf for _ in attribution.kind_of]
    for given_by_kind, due_by_kind in zip(attribution.given, attribution.due, strict=True):
        for given, due in zip(given_by_kind, due_by_kind, strict=True):
            held: list[int] = []
            seen = 0
            for before in due:
                drawn = bisect_left(given, before)
                held += given[seen:drawn]
                seen = drawn
                until[held.pop(attribution.rng.randrange(len(held)))] = before
    return until


def _swap_by_chance(attribution: Attribution, until: list[float], early: int, late: int) -> None:
    if until[early] <= late:
        return  # the early card had left when the late one came
    kinds, piles = attribution.kind_of, attribution.past.pile_of
    first, second = kinds[early], kinds[late]
    attribution.put_back(first, piles[early])
    attribution.put_back(second, piles[late])
    chance = attribution.chance
    now = chance(first, piles[early]) * chance(second, piles[late])
    then = chance(second, piles[early]) * chance(first, piles[late])
    if attribution.rng.random() * now < then:
        kinds[early], kinds[late] = second, first
        until[early], until[late] = until[late], until[early]
    attribution.put_back(kinds[early], piles[early], -1)
    attribution.put_back(kinds[late], piles[late], -1)
