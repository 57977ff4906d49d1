"""The arena command as people run it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_replay import one_line, run


def test_a_match_as_json_is_the_same_on_any_number_of_processes() -> None:
    args = ["arena", "medium", "easy", "--games", "6", "--seed", "3", "--json"]
    one, two = (run(*args, "--workers", workers) for workers in "12")
    assert one.returncode == two.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    assert [row["bot"] for row in json.loads(one.stdout)["bots"]] == ["medium", "easy"]


def test_an_unknown_bot_is_one_sentence() -> None:
    done = run("arena", "medium", "nosuch", "--games", "2")
    assert done.returncode == 1
    assert "nosuch" in one_line(done.stderr)


def test_a_match_can_be_drawn_and_a_pool_rated(tmp_path: Path) -> None:
    drawn = run("arena", "easy", "medium", "--games", "4", "--plot", str(tmp_path / "match.svg"))
    assert drawn.returncode == 0, drawn.stderr
    assert (tmp_path / "match.svg").read_text("utf-8").startswith("<?xml")
    pool = ["arena", "easy", "medium", "easy", "--pool", "2", "--games", "4"]
    rated = run(*pool, "--json")
    assert rated.returncode == 0, rated.stderr
    ratings = json.loads(rated.stdout)
    assert [row["games"] for row in ratings] == [8, 8, 8]
    assert run(*pool).stdout.split()[:3] == [b"rating", b"unsure", b"surely"]
    refused = run(*pool, "--plot", str(tmp_path / "pool.svg"))
    assert refused.returncode == 1
    assert "--pool rates only" in one_line(refused.stderr)
