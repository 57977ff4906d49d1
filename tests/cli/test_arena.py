"""The arena command as people run it."""

from __future__ import annotations

import json

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
