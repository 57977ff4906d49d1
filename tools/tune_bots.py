"""Finds the numbers of the hard level's outlook and writes them to ``bots/fitted.py``.

The outlook says what open fields and kept cards are worth, and the bot looks a few exchanges ahead
of it. So the worth of a position as the bot sees it, which knows one field more than the outlook,
is what the outlook should have said. Each pass lets the bot play alone, with some moves at random,
asks it for the worth of the positions it came through, and fits the formulas to that. What is
learnt about few open fields reaches many open fields in twelve passes at most; beginning with the
numbers in use, a few will do.

    PYTHONPATH=src python tools/tune_bots.py --passes 4
"""

from __future__ import annotations

import argparse
import dataclasses
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import log, sqrt
from operator import mul
from pathlib import Path
from typing import TypeAlias

from kartenkniffel.bots import fitted, hard
from kartenkniffel.bots.hands import Counts, hands_up_to
from kartenkniffel.bots.outlook import OpenFields, Outlook, held
from kartenkniffel.rules import HAND_START, Game, HouseRules, Score, seeded

EVEN = [1 / 6] * 6
CURIOSITY = 0.15
"""How often a play is picked at random, so that odd sheets are seen too."""

EXCHANGES_AHEAD = 8
"""How far the bot looks for a worth to learn from."""

LARGEST = 9
"""The largest hand it looks at for that."""

AHEAD = (
    "base",
    "square",
    "cube",
    "field",
    "crowd",
    "usual",
    "spread",
    "bonus_price",
    "malus_price",
)

Vector: TypeAlias = list[float]


@dataclasses.dataclass(frozen=True)
class Lesson:
    """What a sheet is worth with no cards drawn yet, and what keeping some cards adds."""

    open_fields: OpenFields
    upper: int
    ahead: float
    kept: tuple[tuple[Counts, float], ...]


def lessons(outlook: Outlook, seed: int) -> list[Lesson]:
    """Play one game alone and give what is to be learnt from it."""
    rng = random.Random(seed)
    player = hard.Hard(outlook)
    game = Game.start(["Ana"], seeded(seed))
    learnt = []
    while not game.finished:
        view = game.view(0)
        move = player.choose(view, rng)
        scores = [move for move in view.legal_moves() if isinstance(move, Score)]
        if scores and rng.random() < CURIOSITY:
            move = rng.choice(scores)
        left = (game.hands[0] - move.leaving).counts
        game = game.apply(move)
        sheet = game.sheets[0]
        if isinstance(move, Score) and not sheet.is_full:
            kept = {left, _some_cards(rng)} - {(0,) * 6}
            learnt.append(lesson(outlook, sheet.open_fields, sheet.upper, sorted(kept)))
    return learnt


def _some_cards(rng: random.Random) -> Counts:
    """Give a few cards, equal ones more often than chance has it."""
    values: list[int] = []
    for _ in range(rng.choice((1, 2, 3, 3, 4, 4, 5, 6, 7))):
        values.append(rng.choice((rng.randrange(6), rng.randrange(6), *values[:1])))
    return tuple(values.count(value) for value in range(6))


def lesson(outlook: Outlook, open_fields: OpenFields, upper: int, kept: Sequence[Counts]) -> Lesson:
    """Give what the bot sees when it looks at this sheet."""
    hands = hands_up_to(LARGEST)
    worth = hard.hand_worth(
        outlook, open_fields, upper, HouseRules(), LARGEST, EVEN, exchanges=EXCHANGES_AHEAD
    )
    drawn = hands.before_drawing(worth[HAND_START], HAND_START, HAND_START, EVEN)
    ahead = drawn[HAND_START][0]
    adds = []
    for counts in kept:
        size = sum(counts)
        layer = worth[size] if size > HAND_START else drawn[HAND_START - size]
        adds.append((counts, layer[hands.place(counts)] - ahead))
    return Lesson(open_fields, upper, ahead, tuple(adds))


def ahead_errors(learnt: Sequence[Lesson], outlook: Outlook) -> Vector:
    return [outlook.ahead(told.open_fields, told.upper) - told.ahead for told in learnt]


class CardErrors:
    """How far the outlook is off what kept cards add; what never changes is looked up once."""

    def __init__(self, learnt: Sequence[Lesson]) -> None:
        self.cases = [
            (tuple((field, held(field, cards)) for field in told.open_fields), sum(cards), adds)
            for told in learnt
            for cards, adds in told.kept
        ]

    def __call__(self, outlook: Outlook) -> Vector:
        masses = outlook.masses
        empty = {field: mass[0] for field, mass in masses.items()}
        keeping = [outlook.keeping(size) for size in range(LARGEST + 1)]
        errors = []
        for fields, size, adds in self.cases:
            growth = sum(masses[field][number] for field, number in fields)
            growth /= sum(empty[field] for field, _ in fields)
            errors.append(outlook.softness * log(growth) + keeping[size] - adds)
        return errors


def flat(outlook: Outlook, names: Sequence[str]) -> Vector:
    """Give these numbers of an outlook in a row."""
    row: Vector = []
    for name in names:
        value = getattr(outlook, name)
        row.extend(value if isinstance(value, tuple) else (value,))
    return row


def with_numbers(outlook: Outlook, names: Sequence[str], row: Vector) -> Outlook:
    """Give the outlook with these numbers replaced by a row."""
    changes: dict[str, float | tuple[float, ...]] = {}
    rest = iter(row)
    for name in names:
        value = getattr(outlook, name)
        one = isinstance(value, float)
        changes[name] = next(rest) if one else tuple(next(rest) for _ in value)
    return dataclasses.replace(outlook, **changes)  # type: ignore[arg-type]


def fit(
    outlook: Outlook, names: Sequence[str], errors_of: Callable[[Outlook], Vector], steps: int
) -> Outlook:
    """Fit some numbers of an outlook by least squares (the method of Levenberg and Marquardt)."""
    row = flat(outlook, names)
    errors = errors_of(outlook)
    damping = 1.0
    for _ in range(steps):
        slopes = []
        for place in range(len(row)):
            nudged = [*row[:place], row[place] + 0.01, *row[place + 1 :]]
            moved = errors_of(with_numbers(outlook, names, nudged))
            slopes.append([(new - old) * 100 for new, old in zip(moved, errors, strict=True)])
        squares = [[sum(map(mul, one, other)) for other in slopes] for one in slopes]
        pull = [-sum(map(mul, slope, errors)) for slope in slopes]
        while damping < 1e6:
            damped = [
                [value + damping * (0.01 * value + 1) * (i == j) for j, value in enumerate(line)]
                for i, line in enumerate(squares)
            ]
            tried = [old + step for old, step in zip(row, solve(damped, pull), strict=True)]
            candidate = with_numbers(outlook, names, tried)
            after = errors_of(candidate)
            if sum(map(mul, after, after)) < sum(map(mul, errors, errors)):
                row, errors, outlook = tried, after, candidate
                damping /= 5
                break
            damping *= 5
    return outlook


def solve(matrix: list[Vector], right: Vector) -> Vector:
    """Solve linear equations by elimination."""
    lines = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(lines)
    for place in range(size):
        pivot = max(range(place, size), key=lambda other: abs(lines[other][place]))
        lines[place], lines[pivot] = lines[pivot], lines[place]
        for below in range(place + 1, size):
            factor = lines[below][place] / lines[place][place]
            if factor:
                lines[below] = [
                    value - factor * above
                    for value, above in zip(lines[below], lines[place], strict=True)
                ]
    found = [0.0] * size
    for place in reversed(range(size)):
        known = sum(map(mul, lines[place][place + 1 : size], found[place + 1 :]))
        found[place] = (lines[place][size] - known) / lines[place][place]
    return found


def spread_of(errors: Vector) -> float:
    return sqrt(sum(map(mul, errors, errors)) / len(errors))


def rounded(outlook: Outlook) -> Outlook:
    names = [field.name for field in dataclasses.fields(outlook)]
    return with_numbers(outlook, names, [round(value, 3) + 0.0 for value in flat(outlook, names)])


def source(outlook: Outlook) -> str:
    """Give the module that holds these numbers."""
    lines = ['"""The numbers of the outlook, as ``tools/tune_bots.py`` found them."""', ""]
    lines += ["from kartenkniffel.bots.outlook import Outlook", "", "FITTED = Outlook("]
    for field in dataclasses.fields(outlook):
        value = getattr(outlook, field.name)
        if isinstance(value, tuple) and len(value) > 8:
            lines += [f"    {field.name}=(", *(f"        {one}," for one in value), "    ),"]
        else:
            lines.append(f"    {field.name}={value},")
    return "\n".join([*lines, ")", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--games", type=int, default=150, help="games a pass learns from")
    parser.add_argument("--steps", type=int, default=4, help="steps of each fit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(str(fitted.__file__)))
    options = parser.parse_args()
    outlook = fitted.FITTED
    cards = [f.name for f in dataclasses.fields(outlook) if f.name not in AHEAD]
    with ProcessPoolExecutor(2) as pool:
        for number in range(options.passes):
            seeds = range(
                options.seed + number * 10**6, options.seed + number * 10**6 + options.games
            )
            told = [one for game in pool.map(partial(lessons, outlook), seeds) for one in game]

            tests, learnt = told[: len(told) // 5], told[len(told) // 5 :]
            outlook = fit(outlook, AHEAD, partial(ahead_errors, learnt), options.steps)
            outlook = fit(outlook, cards, CardErrors(learnt), options.steps)
            outlook = rounded(outlook)
            print(
                f"pass {number + 1}: {len(told)} sheets, off by"
                f" {spread_of(ahead_errors(tests, outlook)):.2f} ahead,"
                f" {spread_of(CardErrors(tests)(outlook)):.2f} for cards",
                flush=True,
            )
            options.out.write_text(source(outlook), encoding="utf-8")


if __name__ == "__main__":
    main()
