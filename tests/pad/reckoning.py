"""A game reckoned by hand: plain lists and sums, sharing nothing with the code under test."""

from __future__ import annotations

from dataclasses import dataclass, field

FIXED = {"fh": 25, "ss": 30, "ls": 40, "kn": 50}
CODES = ("1", "2", "3", "4", "5", "6", "3k", "4k", "fh", "ss", "ls", "kn")


def possible(code: str) -> list[int]:
    """List what may stand in a field, from the rules' text once more (R8, R9)."""
    if code in "123456":
        return [int(code) * cards for cards in (1, 2, 3, 4, 5)]
    if code in FIXED:
        return [FIXED[code]]
    equal = 3 if code == "3k" else 4
    others = 5 - equal
    sums = set()
    for value in range(1, 7):
        rests = [[]] if others == 0 else [[a] for a in range(1, 7)]
        if others == 2:
            rests = [[a, b] for a in range(1, 7) for b in range(1, 7)]
        sums |= {equal * value + sum(rest) for rest in rests}
    return sorted(sums)


@dataclass
class Column:
    """A player's column: points and penalties as one writes them with a pencil."""

    points: dict[str, int] = field(default_factory=dict)
    fines: dict[str, int] = field(default_factory=dict)
    turns: int = 0

    def write(self, code: str, points: int, hand: int) -> None:
        self.points[code] = points
        self.fines[code] = 2 * (hand - 5)

    @property
    def total(self) -> int:
        top = sum(self.points.get(code, 0) for code in "123456")
        extra = 35 if top >= 63 else -20 if top < 43 else 0
        return sum(self.points.values()) + extra - sum(self.fines.values())
