"""A match as a picture."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from kartenkniffel.arena import ArenaError, run
from kartenkniffel.arena.plot import plot


def test_it_shows_shares_points_and_rounds_and_hangs_on_the_match_alone(tmp_path: Path) -> None:
    report = run(["medium", "easy", "easy"], 30, 4)
    for name in ("one.svg", "two.svg"):
        plot(report, tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.svg", "two.svg"))
    assert one == two
    texts = {"".join(node.itertext()) for node in ElementTree.fromstring(one).iter()}
    for text in ("medium", "easy", "easy#2", "points", "rounds", "30 games, 10 deals, seed 4"):
        assert text in texts
    plot(run(["medium", "easy", "easy"], 30, 5), tmp_path / "two.svg")
    assert (tmp_path / "two.svg").read_bytes() != one


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be written"):
        plot(run(["easy"], 1, 1), tmp_path / "missing" / "file.svg")
