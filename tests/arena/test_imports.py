"""What importing costs: heavy libraries come only with what needs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "numba", "dask", "distributed", "openskill", "matplotlib"}


@pytest.mark.parametrize("room", ["arena", "bots", "rules", "table", "web.app", "cli"])
def test_heavy_libraries_stay_away_until_asked_for(room: str) -> None:
    code = (
        f"import sys, kartenkniffel.{room}\n"
        f"found = {HEAVY!r} & set(sys.modules)\n"
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
