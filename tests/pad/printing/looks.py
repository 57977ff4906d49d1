"""What must be true of every printed page, whatever is on it."""

from __future__ import annotations

import numpy as np

from tests.pad.printing.pages import MM, SCALE, Page, overlapping

MARGIN = 10 * MM
SIZES = {"a4": (210, 297), "a5": (148, 210), "large": (210, 297)}
SMALLEST = {"a4": 5.4, "a5": 5.9, "large": 16}
"""The smallest letters in points."""

LIGHT = 200
"""Grey that a pencil shows upon."""

DARK = 140
"""Grey that shows as a line."""


def assert_well_made(page: Page, paper: str, cut: tuple[int, int] = (1, 1), gap: float = 0) -> None:
    """Check a page; ``cut`` is its grid; across the ``gap`` in mm go lines to cut along."""
    width, height = SIZES[paper]
    assert abs(page.width - width * MM) < 1
    assert abs(page.height - height * MM) < 1
    assert_margins_white(page, cut, gap)
    assert page.sizes.min() >= SMALLEST[paper]
    assert_nothing_overlaps(page)
    assert_boxes_show_without_colour(page)


def assert_margins_white(page: Page, cut: tuple[int, int], gap: float) -> None:
    inked = page.grey < 250
    across, down = cut
    # The lines to cut along go from edge to edge, midway between the sheets, and nothing else does.
    for number in range(1, across):
        _blank_out(inked, 1, _middle(page.width, across, number, gap))
    for number in range(1, down):
        _blank_out(inked, 0, _middle(page.height, down, number, gap))
    edge = int((MARGIN - 1) * SCALE)
    assert inked.any()
    for side in (inked[:edge], inked[-edge:], inked[:, :edge], inked[:, -edge:]):
        assert not side.any()
    for number in range(1, across):
        assert not _band(inked, 1, _middle(page.width, across, number, gap), gap).any()
    for number in range(1, down):
        assert not _band(inked, 0, _middle(page.height, down, number, gap), gap).any()


def _middle(length: float, parts: int, number: int, gap: float) -> float:
    size = (length - 2 * MARGIN - (parts - 1) * gap * MM) / parts
    return MARGIN + number * (size + gap * MM) - gap * MM / 2


def _blank_out(inked: np.ndarray, axis: int, at: float) -> None:
    lines = np.moveaxis(inked, axis, 0)
    here = lines[int((at - 1) * SCALE) : int((at + 1) * SCALE) + 1]
    assert here.any()
    here[:] = False


def _band(inked: np.ndarray, axis: int, at: float, gap: float) -> np.ndarray:
    half = gap * MM / 2 - 1.5  # the thickest line is a point wide
    return np.moveaxis(inked, axis, 0)[int((at - half) * SCALE) : int((at + half) * SCALE)]


def assert_nothing_overlaps(page: Page) -> None:
    letters = overlapping(page.places, page.places, 0.6)
    letters = letters[letters[:, 0] < letters[:, 1]]
    # The letters of a ligature share its place.
    apart = (page.places[letters[:, 0]] != page.places[letters[:, 1]]).any(axis=1)
    assert [(page.letters[a], page.letters[b]) for a, b in letters[apart]] == []
    crossed = overlapping(page.places, page.rules, 0.3)
    assert [page.letters[a] for a, _ in crossed] == []
    touching = overlapping(page.places, page.blue, 0.1)
    inside, around = page.places[touching[:, 0]], page.blue[touching[:, 1]]
    assert (inside[:, :2] >= around[:, :2]).all()
    assert (inside[:, 2:] <= around[:, 2:]).all()
    shared = overlapping(page.blue, page.blue, 0)
    assert (shared[:, 0] == shared[:, 1]).all()


def assert_boxes_show_without_colour(page: Page) -> None:
    for left, top, right, bottom in page.blue:
        assert page.grey_at(left, (top + bottom) / 2) < DARK
        assert page.grey_at(right, (top + bottom) / 2) < DARK
        assert page.grey_at((left + right) / 2, top) < DARK
        assert page.grey_at((left + right) / 2, bottom) < DARK
        corner = page.grey[int((top + 1.6) * SCALE), int((left + 1.6) * SCALE)]
        assert LIGHT < corner < 250
