"""Which draw gave each card that was seen: the search behind `sample`.

Every card ever drawn is a *slot*. The public moves tell of each slot who drew it, when, and from
which pile: pile 0 is the first shuffle, every reshuffle (R14) begins another. They also tell what
each pile held, and they make *demands*: whoever discards or plays a card drew it before that, and
the viewer drew the own hand. A game that agrees with a view is a card for every slot, such that
each pile gives out what it held and each demand finds a slot of its own.

Demands are met one after the other at random, a pile being chosen as often as it would have given
that card. Where no slot is left for one, cards given earlier are moved; where that fails, the last
demands are taken back and met anew. So every attribution there is can come out.
"""

from __future__ import annotations

import random
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, islice
from typing import NamedTuple

from kartenkniffel.rules.cards import FULL_DECK, HAND_START, VALUES, Cards
from kartenkniffel.rules.moves import Exchange, Move
from kartenkniffel.rules.view import View

OPEN = -1
"""The kind of a slot that meets no demand; a card's kind is its value less one."""

_KINDS = range(len(VALUES))
_LOOKS = 300  # how many wants are looked at when cards have to move
_REACH = 40  # how far back a seat's slots are looked at, counted in slots
_SHAKES = 60  # how many cards move at random before a second try
_BACK = 32  # how many demands are taken back at first when that fails too
_PATIENCE = 80  # how often they may be at one place; every second time, twice as many are

_NO_GAME = "no game agrees with this view"


class _Want(NamedTuple):
    """A seat wants a card of a kind, since that slot no longer gives one."""

    seat: int
    kind: int
    slot: int


class _Step(NamedTuple):
    """Give a card of this kind from this slot, having cleared others for it.

    An easy one is a slot whose card has another place at once; at most one is hard.
    """

    slot: int
    kind: int
    easy: tuple[_Want, ...]
    hard: tuple[_Want, ...]


class Past:
    """What a view tells of all draws so far.

    ``seat_of`` and ``pile_of`` are by slot, in the order of drawing; ``starts`` is each pile's
    first slot, ``held`` how many cards of each kind it held. A demand is a seat, a kind, and the
    slot before which that card was drawn; those that the fewest slots can meet come first. Raises
    ``ValueError`` where the moves do not lead to what the view shows.
    """

    def __init__(self, view: View) -> None:
        seats = range(len(view.players))
        self.seat_of: list[int] = []
        self.pile_of: list[int] = []
        self.starts: list[int] = []
        self.held: list[list[int]] = []
        self.demands: list[tuple[int, int, int]] = []
        self._discards = list(FULL_DECK.counts)
        self._left = 0
        self._sizes = [0 for _ in seats]
        self._drawn = [0 for _ in seats]  # by seat: the slot after its latest
        for _ in range(HAND_START):
            for seat in seats:
                self._draw(seat)
        for turn, move in enumerate(view.moves):
            self._follow(turn % len(seats), move)
        if view.seat is not None and view.hand is not None:
            self._demand(view.seat, view.hand)
        self.starts.append(len(self.seat_of))
        self.demands.sort(key=lambda demand: demand[2])
        told = ([player.hand_size for player in view.players], view.draw_pile, view.discards)
        if told != (self._sizes, self._left, Cards.from_counts(self._discards)):
            raise ValueError(_NO_GAME)

    def _follow(self, seat: int, move: Move) -> None:
        self._demand(seat, move.leaving)
        self._sizes[seat] -= len(move.leaving)
        for card in move.leaving:
            self._discards[card - 1] += 1
        refill = max(0, HAND_START - self._sizes[seat])
        for _ in range(move.draw if isinstance(move, Exchange) else refill):
            self._draw(seat)

    def _demand(self, seat: int, cards: Cards) -> None:
        self.demands.extend((seat, card - 1, self._drawn[seat]) for card in cards)

    def _draw(self, seat: int) -> None:
        if not self._left:
            self.starts.append(len(self.seat_of))
            self.held.append(self._discards)
            self._left = sum(self._discards)
            self._discards = [0 for _ in _KINDS]
        self._left -= 1
        self._sizes[seat] += 1
        self.seat_of.append(seat)
        self.pile_of.append(len(self.held) - 1)
        self._drawn[seat] = len(self.seat_of)

    def slots_of(self, pile: int) -> range:
        """Give the slots drawn from a pile."""
        return range(self.starts[pile], self.starts[pile + 1])


class Attribution:
    """Which slots give the cards that are demanded.

    ``kind_of`` is by slot; ``open`` holds, by seat, the slots that give none. ``given`` and ``due``
    are by seat and kind: the slots that give such a card, and the slots before which one must be
    given, both ascending, so that all is well where each of the first is less than its fellow among
    the second. ``unseen`` and ``left`` are by pile: the cards of each kind that no slot gives.
    """

    def __init__(self, past: Past, rng: random.Random) -> None:
        self.past, self.rng = past, rng
        self.slots: list[list[int]] = [[] for _ in range(max(past.seat_of) + 1)]
        for slot, seat in enumerate(past.seat_of):
            self.slots[seat].append(slot)
        self.kind_of = [OPEN for _ in past.seat_of]
        self.open: list[list[int]] = [[] for _ in self.slots]
        self.given: list[list[list[int]]] = [[[] for _ in _KINDS] for _ in self.slots]
        self.due: list[list[list[int]]] = [[[] for _ in _KINDS] for _ in self.slots]
        self.unseen = [list(held) for held in past.held]
        self.left = [sum(held) for held in past.held]
        self._dealt = 0
        self._log: list[tuple[int, int]] = []

    def meet_all(self) -> None:
        """Meet every demand; raises ``ValueError`` where that seems impossible."""
        demands = self.past.demands
        met = furthest = failures = 0
        while met < len(demands):
            if self._meet(*demands[met]):
                met += 1
                continue
            failures = failures + 1 if met <= furthest else 1
            furthest = max(met, furthest)
            if failures > _PATIENCE:
                raise ValueError(_NO_GAME)
            again = max(0, furthest - _BACK * 2 ** (failures // 2))
            for seat, kind, _ in demands[again:met]:
                self._take_back(seat, kind)
            met = min(met, again)
        self._deal(len(self.kind_of))

    def _meet(self, seat: int, kind: int, before: int) -> bool:
        self._deal(before)
        for shakes in (_SHAKES, 0):
            self._log.clear()
            self.due[seat][kind].append(before)
            if self._place(seat, kind, before) or self._find(_Want(seat, kind, before)):
                return True
            self.due[seat][kind].pop()
            for _ in range(shakes):
                self._shake()
        return False

    def chance(self, kind: int, pile: int) -> float:
        """Give how likely the pile is to give a card of this kind from what no slot gives."""
        return 1.0 if kind == OPEN else self.unseen[pile][kind] / self.left[pile]

    def put_back(self, kind: int, pile: int, count: int = 1) -> None:
        """Count a card among those of its pile that no slot gives, or for −1 no longer."""
        if kind != OPEN:
            self.unseen[pile][kind] += count
            self.left[pile] += count

    def _take_back(self, seat: int, kind: int) -> None:
        self.due[seat][kind].pop()
        self._clear(self.given[seat][kind][-1])

    def _deal(self, before: int) -> None:
        for slot in range(self._dealt, before):
            self.open[self.past.seat_of[slot]].append(slot)
        self._dealt = max(self._dealt, before)

    def _give(self, slot: int, kind: int) -> None:
        seat, pile = self.past.seat_of[slot], self.past.pile_of[slot]
        self.kind_of[slot] = kind
        self.open[seat].remove(slot)
        insort(self.given[seat][kind], slot)
        self.put_back(kind, pile, -1)
        self._log.append((slot, OPEN))

    def _clear(self, slot: int) -> None:
        seat, pile, kind = self.past.seat_of[slot], self.past.pile_of[slot], self.kind_of[slot]
        self.kind_of[slot] = OPEN
        self.open[seat].append(slot)
        given = self.given[seat][kind]
        del given[bisect_left(given, slot)]
        self.put_back(kind, pile)
        self._log.append((slot, kind))

    def _find(self, want: _Want) -> bool:
        """Give a wanted card, moving others one for another until one finds an open slot."""
        reached: set[int] = set()
        queue: deque[tuple[_Want, tuple[_Step, ...]]] = deque([(want, ())])
        for _ in range(_LOOKS):
            if not queue:
                break
            want, steps = queue.popleft()
            wants = [want, *(want for step in steps for want in (*step.easy, *step.hard))]
            mark = len(self._log)
            if self._go(*steps):
                if self._settle(wants):
                    return True
                for step in self._steps(want):
                    here = len(self._log)
                    if not step.hard:
                        if self._go(step) and self._settle(wants):
                            return True
                        self._undo(here)
                    elif step.hard[0].slot not in reached:
                        reached.add(step.hard[0].slot)
                        queue.append((step.hard[0], (*steps, step)))
            self._undo(mark)
        return False

    def _steps(self, want: _Want, still_given: int = 0) -> list[_Step]:
        """List what gives a card that is wanted, the easiest first and no more than one hard."""
        is_easy = cache(self._has_other_place)
        kind, deadline = want.kind, self._missing(want, still_given)
        steps: list[_Step] = []
        for slot in self._within_reach(want.seat, kind, deadline) if deadline else ():
            own = () if self.kind_of[slot] == OPEN else (slot,)
            pile = self.past.pile_of[slot]
            none_left = not self.unseen[pile][kind]
            for other in self._slots_giving(kind, pile) if none_left else [()]:
                cleared = own + other
                hard = [slot for slot in cleared if not is_easy(slot)]
                if len(hard) < 2:
                    easy = [slot for slot in cleared if slot not in hard]
                    steps.append(_Step(slot, kind, self._wants(easy), self._wants(hard)))
        self.rng.shuffle(steps)
        return sorted(steps, key=lambda step: 2 * len(step.hard) + len(step.easy))

    def _within_reach(self, seat: int, kind: int, deadline: int) -> list[int]:
        """List the seat's latest slots that could give a card of this kind but do not."""
        mine, held, pile_of = self.slots[seat], self.past.held, self.past.pile_of
        before = (mine[place] for place in range(bisect_left(mine, deadline) - 1, -1, -1))
        able = (s for s in before if held[pile_of[s]][kind] and self.kind_of[s] != kind)
        return list(islice(able, _REACH))

    def _slots_giving(self, kind: int, pile: int) -> list[tuple[int]]:
        return [(slot,) for slot in self.past.slots_of(pile) if self.kind_of[slot] == kind]

    def _has_other_place(self, slot: int) -> bool:
        seat, kind = self.past.seat_of[slot], self.kind_of[slot]
        deadline = self._missing(_Want(seat, kind, slot), 1)
        return deadline is None or any(
            s < deadline and self.unseen[self.past.pile_of[s]][kind] for s in self.open[seat]
        )

    def _wants(self, slots: list[int]) -> tuple[_Want, ...]:
        seat_of, kind_of = self.past.seat_of, self.kind_of
        return tuple(_Want(seat_of[slot], kind_of[slot], slot) for slot in slots)

    def _missing(self, want: _Want, still_given: int = 0) -> int | None:
        """Give the slot before which a card is missing once that of the want is gone, if one is."""
        seat, kind, slot = want
        given, due = self.given[seat][kind], self.due[seat][kind]
        for index in range(bisect_left(given, slot), len(due)):
            fellow = index + still_given
            if fellow >= len(given) or given[fellow] >= due[index]:
                return due[index]
        return None

    def _place(self, seat: int, kind: int, deadline: int) -> bool:
        """Let an open slot give this card, each as likely as its pile would have given it."""
        pile_of, unseen, left = self.past.pile_of, self.unseen, self.left
        slots = [s for s in self.open[seat] if s < deadline and unseen[pile_of[s]][kind]]
        if not slots:
            return False
        weights = accumulate(unseen[pile_of[s]][kind] / left[pile_of[s]] for s in slots)
        self._give(self.rng.choices(slots, cum_weights=list(weights))[0], kind)
        return True

    def _go(self, *steps: _Step) -> bool:
        """Take these steps, the card of a hard slot being left to the step that comes next."""
        for slot, kind, easy, hard in steps:
            for want in (*easy, *hard):
                if self.kind_of[want.slot] != want.kind:
                    return False
                self._clear(want.slot)
            if self.kind_of[slot] != OPEN or not self.unseen[self.past.pile_of[slot]][kind]:
                return False
            self._give(slot, kind)
            if not self._settle(easy):
                return False
        return True

    def _settle(self, wants: Iterable[_Want]) -> bool:
        """Give what is missing of all these from open slots, if that can be."""
        for want in wants:
            while deadline := self._missing(want):
                if not self._place(want.seat, want.kind, deadline):
                    return False
        return True

    def _undo(self, mark: int) -> None:
        for slot, kind in reversed(self._log[mark:]):
            if kind == OPEN:
                self._clear(slot)
            else:
                self._give(slot, kind)
        del self._log[mark:]

    def _shake(self) -> None:
        """Move a card given of late to some other slot, if it can go there at once."""
        window = min(self._dealt, int(_BACK * 2 ** (6 * self.rng.random())))
        slot = self._dealt - 1 - self.rng.randrange(window)
        if self.kind_of[slot] != OPEN:
            (want,) = self._wants([slot])
            steps = [step for step in self._steps(want, 1) if not step.hard]
            if steps:
                step, mark = self.rng.choice(steps), len(self._log)
                if not self._go(step._replace(easy=(want, *step.easy))):
                    self._undo(mark)
