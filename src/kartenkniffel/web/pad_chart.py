"""The chart of totals over the rounds, as places in a drawing; the template draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TOP, BOTTOM = 12, 28
LINE_HEIGHT = 17
MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Size:
    """How large a chart is drawn: ``left`` and ``right`` of it stand values, totals and names.

    Of a name, ``shown_name`` characters are shown.
    """

    name: str
    width: int
    height: int
    left: int
    right: int
    shown_name: int


WIDE = Size("wide", 640, 320, 44, 156, 14)
NARROW = Size("narrow", 348, 280, 38, 116, 9)


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's totals: ``points`` as a polyline has them, the end's place, the label's height.

    ``look``, from 0, tells curves apart by colour, dashes and mark.
    """

    name: str
    label: str
    total: int
    look: int
    points: str
    marks: tuple[tuple[float, float], ...]
    end: tuple[float, float]
    label_y: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: where it is, and what it says."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn, in a field of ``width`` by ``height``."""

    size: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    curves: tuple[Curve, ...]
    rounds: tuple[Tick, ...]
    values: tuple[Tick, ...]


def chart(names: Sequence[str], totals: Sequence[Sequence[int]], size: Size = WIDE) -> Chart:
    """Lay out the totals of each player after each round, from none on."""
    most_rounds = max(1, *(len(each) - 1 for each in totals))
    flat = [total for each in totals for total in each]
    step = _step(max(flat) - min(flat), MOST_TICKS)
    low = step * (min(flat) // step)
    high = max(low + step, step * -(-max(flat) // step))
    left, right, bottom = size.left, size.width - size.right, size.height - BOTTOM

    def x(turn: int) -> float:
        return round(left + (right - left) * turn / most_rounds, 1)

    def y(total: int) -> float:
        return round(bottom - (bottom - TOP) * (total - low) / (high - low), 1)

    places = [[(x(turn), y(total)) for turn, total in enumerate(each)] for each in totals]
    heights = _apart([each[-1][1] for each in places], TOP + 4, bottom)
    mark_every = _step(most_rounds, 10)
    curves = tuple(
        Curve(
            name=name,
            label=_cut(name, size.shown_name),
            total=totals[look][-1],
            look=look,
            points=" ".join(f"{a},{b}" for a, b in place),
            marks=tuple(place[mark_every::mark_every]),
            end=place[-1],
            label_y=heights[look],
        )
        for look, (name, place) in enumerate(zip(names, places, strict=True))
    )
    every = _step(most_rounds, MOST_TICKS)
    return Chart(
        size.name,
        size.width,
        size.height,
        left,
        right,
        TOP,
        bottom,
        curves,
        tuple(Tick(x(turn), turn) for turn in range(0, most_rounds + 1, every)),
        tuple(Tick(y(value), value) for value in range(low, high + 1, step)),
    )


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _step(span: int, most: int) -> int:
    """Give the smallest round step that parts a span into so many at most.

    >>> _step(12, 8), _step(300, 8), _step(3, 8)
    (2, 50, 1)
    """
    step, factors = 1, (1, 2, 5)
    while True:
        for factor in factors:
            if span <= most * step * factor:
                return step * factor
        step *= 10


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Move labels so far apart that none lies on another, in their order, within the drawing."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    placed = list(heights)
    above = top - LINE_HEIGHT
    for n in order:
        placed[n] = above = max(placed[n], above + LINE_HEIGHT)
    below = bottom + LINE_HEIGHT
    for n in reversed(order):
        placed[n] = below = min(placed[n], below - LINE_HEIGHT)
    return [round(height, 1) for height in placed]
