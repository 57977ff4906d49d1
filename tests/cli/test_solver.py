"""The commands value and solve."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kartenkniffel.cli import app
from kartenkniffel.cli import solver as commands_module
from kartenkniffel.cli.progress import Progress


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_value_of_the_example() -> None:
    result = run(
        *("value", "--open", "kn,ls", "--upper", "50", "--hand", "11122", "--turn-cost", "12"),
        "--json",
    )
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert list(answer) == ["value", "best", "moves"]
    assert answer["value"] == pytest.approx(-14.2727, abs=1e-3)
    assert answer["best"] == "x22+3"
    assert len(answer["moves"]) == 5
    assert answer["moves"][0] == {"move": "x22+3", "value": answer["value"]}


def test_value_as_text() -> None:
    result = run("value", "--open", "kn", "--upper", "63", "--hand", "66666")
    assert result.stdout.splitlines()[:3] == [
        "value 73.000: points still to come, less penalties and 12 for each turn",
        "best moves         value",
        "66666@kn          73.000",
    ]
    over = run("value", "--open", "", "--upper", "42", "--turn-cost", "7.5")
    assert over.stdout == (
        "value -20.000: points still to come, less penalties and 7.5 for each turn\n"
    )


def test_value_before_the_deal_and_after_the_end() -> None:
    answer = json.loads(run("value", "--open", "1", "--upper", "20", "--hand", "", "--json").stdout)
    assert (answer["best"], answer["moves"]) == (None, [])
    answer = json.loads(run("value", "--open", "", "--upper", "42", "--json").stdout)
    assert answer == {"value": -20.0, "best": None, "moves": []}


def test_turn_costs_may_be_fractions() -> None:
    values = [
        json.loads(
            run("value", "--open", "fh", "--upper", "50", "--turn-cost", cost, "--json").stdout
        )
        for cost in ("7", "7.25", "7.5")
    ]
    assert values[0]["value"] > values[1]["value"] > values[2]["value"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--open", "kn,zz"], "'zz' is not a field"),
        (["--open", "kn", "--upper", "7"], "upper points lie between 21 and 105"),
        (["--open", "kn", "--upper", "50", "--hand", "11"], "5 to 10 cards"),
        (["--open", "kn", "--upper", "50", "--hand", "11127"], "digits 1 to 6"),
        (["--open", "kn", "--upper", "50", "--turn-cost", "0"], "must be more than 0"),
        (["--open", "kn", "--upper", "50", "--turn-cost", "-3"], "must be more than 0"),
        (["--open", "kn", "--upper", "50", "--table", "no-such-file"], "cannot be read"),
    ],
)
def test_refusals_give_a_reason(arguments: list[str], reason: str) -> None:
    result = run("value", *arguments, "--json")
    assert result.exit_code == 2
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout) == {"exit": 2, "message": result.stderr.strip()}


def test_solve_makes_a_table_that_value_reads(tmp_path: Path) -> None:
    out = str(tmp_path / "end.table")
    arguments = ["solve", "--open", "6,kn", "--upper", "40", "--turn-cost", "9.5", "--out", out]
    result = run(*arguments)
    assert result.exit_code == 0
    assert "of memory" in result.stderr
    assert "of disk" in result.stderr
    position = ["value", "--open", "kn", "--upper", "52", "--hand", "112345", "--json"]
    looked_up = json.loads(run(*position, "--table", out).stdout)
    solved = json.loads(run(*position, "--turn-cost", "9.5").stdout)
    assert looked_up["value"] == pytest.approx(solved["value"], abs=1e-3)
    assert looked_up["best"] == solved["best"]
    assert "less penalties and 9.5 for each turn" in run(*position[:-1], "--table", out).stdout
    again = json.loads(run(*arguments, "--json").stdout)
    assert f"value {again['value']:.3f} before the deal" in result.stdout
    assert (
        "is for turn cost 9.5, not 12" in run(*position, "--table", out, "--turn-cost", "12").stderr
    )
    other = run("solve", "--open", "6,kn", "--upper", "40", "--turn-cost", "9", "--out", out)
    assert (other.exit_code, "holds another table" in other.stderr) == (2, True)


@pytest.mark.parametrize("command", [["value"], ["solve", "--out", "x"]])
def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(commands_module, "find_spec", lambda name: None)
    result = run(*command)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "make solver" in result.stderr


def test_progress_shows_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("kartenkniffel.cli.progress.time.monotonic", lambda: now[0])
    with Progress("Solving") as progress:
        progress.tell(1, 100)
        assert capsys.readouterr().err == ""
        now[0] = 10.0
        progress.tell(25, 100)
        progress.tell(26, 100)
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert " 25%, 30 s left" in shown
