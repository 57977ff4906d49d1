"""The chart's drawing: every value at its height, no label upon another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.web.pad_chart import LINE_HEIGHT, NARROW, WIDE, Size, chart

totals = st.lists(
    st.lists(st.integers(-200, 600), min_size=1, max_size=40), min_size=1, max_size=10
)


@given(totals, st.sampled_from([WIDE, NARROW]))
def test_curves_stay_within_the_drawing_and_labels_apart(
    courses: list[list[int]], size: Size
) -> None:
    drawn = chart([f"P{n}" for n in range(len(courses))], courses, size)
    assert (drawn.width, drawn.height) == (size.width, size.height)
    for curve, course in zip(drawn.curves, courses, strict=True):
        places = [tuple(map(float, pair.split(","))) for pair in curve.points.split()]
        assert len(places) == len(course)
        for x, y in places:
            assert drawn.left <= x <= drawn.right
            assert drawn.top <= y <= drawn.bottom
        assert curve.total == course[-1]
        # More points stand higher.
        order = sorted(range(len(course)), key=lambda n: course[n])
        heights = [places[n][1] for n in order]
        assert heights == sorted(heights, reverse=True)
    labels = sorted(curve.label_y for curve in drawn.curves)
    assert all(b - a >= LINE_HEIGHT - 0.2 for a, b in pairwise(labels))
    assert labels[0] >= 0
    assert labels[-1] <= drawn.height
    assert 2 <= len(drawn.values) <= 10
    assert len(drawn.rounds) <= 10


def test_long_names_are_cut() -> None:
    (curve,) = chart(["Maximiliane-Rosalinde"], [[-20, 5]]).curves
    assert curve.label == "Maximiliane-R…"
    assert curve.name == "Maximiliane-Rosalinde"
    (curve,) = chart(["Maximiliane-Rosalinde"], [[-20, 5]], NARROW).curves
    assert curve.label == "Maximili…"
