"""A state of the game for one player, and which states there are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kartenkniffel.rules import (
    BONUS_FROM,
    FIELDS,
    HAND_LIMIT,
    HAND_START,
    NO_HOUSE_RULES,
    UPPER_FIELDS,
    Cards,
    Field,
    plays,
)

LEAST_COST = 0.01
MOST_COST = 100.0


class StateError(ValueError):
    """The state cannot be, or the turn cost has no answer; the text says why in one sentence."""


@dataclass(frozen=True, slots=True)
class State:
    """What one player has before them: open fields, upper points (63 means 63 or more), hand.

    The hand is the one at the start of a turn, or no cards: then five are about to be dealt.

    >>> state = State.read("kn,ls", 50, "21121")
    >>> [field.value for field in state.open_fields], state.hand
    (['ls', 'kn'], Cards('11122'))
    """

    open_fields: tuple[Field, ...]
    upper: int
    hand: Cards

    @classmethod
    def of(cls, open_fields: Iterable[Field], upper: int, hand: Cards) -> State:
        """Give a state that can be; raises `StateError` for one that cannot."""
        listed = list(open_fields)
        for field in listed:
            if listed.count(field) > 1:
                raise StateError(f"field {field} is named twice; name each open field once")
        fields = tuple(sorted(listed, key=lambda field: field.place))
        _check_upper(fields, upper)
        if len(hand) > HAND_LIMIT or 0 < len(hand) < HAND_START:
            raise StateError(
                f"a hand at the start of a turn has {HAND_START} to {HAND_LIMIT} cards, "
                f"or none before the deal; not {len(hand)}"
            )
        return cls(fields, min(upper, BONUS_FROM), hand)

    @classmethod
    def read(cls, open_fields: str, upper: int, hand: str) -> State:
        """Read a state from text: field codes with commas between, and the hand's digits."""
        codes = [code.strip() for code in open_fields.split(",")] if open_fields.strip() else []
        known = set(FIELDS)
        for code in codes:
            if code not in known:
                raise StateError(
                    f"{code[:20]!a} is not a field; the fields are {', '.join(FIELDS)}"
                )
        if set(hand) - set("123456"):
            raise StateError(f"a hand is written with the digits 1 to 6; not {hand[:20]!a}")
        return cls.of(map(Field, codes), upper, Cards(hand))

    @property
    def mask(self) -> int:
        """The open fields as bits, field 1 lowest."""
        return mask_of(self.open_fields)


def check_cost(cost: float) -> float:
    """Give the turn cost back; raises `StateError` for one that the solver has no answer for."""
    if not math.isfinite(cost):
        raise StateError("the turn cost is a number of points, such as 12 or 8.5")
    if cost <= 0:
        raise StateError(
            "the turn cost must be more than 0: where turns cost nothing, "
            "one waits for perfect cards for ever"
        )
    if not LEAST_COST <= cost <= MOST_COST:
        raise StateError(
            f"the turn cost must lie between {LEAST_COST} and {MOST_COST:.0f}, "
            f"where the solver can vouch for three decimals; not {cost:g}"
        )
    return cost


def mask_of(fields: Iterable[Field]) -> int:
    """Give a set of fields as bits, field 1 lowest."""
    return sum(1 << field.place for field in set(fields))


def uppers_after(start: int, closed: Iterable[Field]) -> frozenset[int]:
    """Give all upper points to which filling these fields can lead from ``start``, not capped."""
    sums = frozenset([start])
    for field in closed:
        if field.is_upper:
            points = plays(NO_HOUSE_RULES)[field].values()
            sums = frozenset(upper + more for upper in sums for more in points)
    return sums


def capped(uppers: Iterable[int]) -> tuple[int, ...]:
    """Give upper points in order, with 63 for all that earn the bonus."""
    return tuple(sorted({min(upper, BONUS_FROM) for upper in uppers}))


def _check_upper(open_fields: tuple[Field, ...], upper: int) -> None:
    closed = [field for field in UPPER_FIELDS if field not in open_fields]
    possible = uppers_after(0, closed)
    if upper in possible or (upper == BONUS_FROM and max(possible) > BONUS_FROM):
        return
    if not closed:
        raise StateError(f"while all upper fields are open the upper points are 0, not {upper}")
    names = ", ".join(closed)
    if upper < min(possible) or upper > max(possible):
        reason = f"lie between {min(possible)} and {max(possible)}, not at {upper}"
    else:
        near = [max(u for u in possible if u < upper), min(u for u in possible if u > upper)]
        reason = f"cannot be {upper}; {near[0]} and {near[1]} can"
    raise StateError(
        f"with {'field' if len(closed) == 1 else 'the fields'} {names} filled "
        f"the upper points {reason}"
    )
