"""The replay command as people run it: a real process, its output and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parent.parent / "cases"


def run(
    *args: str, stdin: bytes = b"", seconds: float = 60, **env: str
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from kartenkniffel.cli import main; main()", *args]
    return subprocess.run(
        command, input=stdin, capture_output=True, timeout=seconds, env={**os.environ, **env}
    )


def one_line(text: bytes) -> str:
    line = text.decode()
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert len(line) < 300
    return line.strip()


def test_a_result_as_json() -> None:
    done = run("replay", str(CASES / "game-001.json"), "--json")
    assert done.returncode == 0
    assert done.stderr == b""
    assert json.loads(done.stdout) == json.loads((CASES / "game-001.result.json").read_bytes())


def test_a_result_as_text_from_standard_input() -> None:
    done = run("replay", "-", stdin=(CASES / "game-000.json").read_bytes())
    assert done.returncode == 0
    assert "Călin wins" in done.stdout.decode()
    assert "185" in done.stdout.decode().splitlines()[-2]


@pytest.mark.parametrize(
    ("case", "code", "line", "found"),
    [
        ("bad-000-discard-not-held", 1, "move 134: R5: ", {"move": 134, "clause": "R5"}),
        ("bad-011-first-shuffle-short", 1, "record: R1: ", {"clause": "R1"}),
        ("bad-unreadable-move", 2, "move 2: unreadable: ", {"move": 2}),
        ("bad-format-other", 2, "record: unreadable: ", {}),
    ],
)
def test_a_wrong_record_is_one_line_and_an_exit_code(
    case: str, code: int, line: str, found: dict[str, object]
) -> None:
    done = run("replay", str(CASES / f"{case}.json"), "--json")
    assert done.returncode == code
    said = one_line(done.stderr)
    assert said.startswith(line)
    value = json.loads(done.stdout)
    assert said == line + value.pop("message")
    assert value == {"exit": code} | found


def test_a_file_that_is_not_there() -> None:
    done = run("replay", "no-such-file.json")
    assert done.returncode == 2
    assert "no-such-file.json" in one_line(done.stderr)


def test_names_reach_a_terminal_without_unicode() -> None:
    done = run("replay", str(CASES / "game-000.json"), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"lin wins" in done.stdout


def test_a_huge_input_is_refused_without_an_echo(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    file.write_bytes(b'"' + b"A" * 20_000_000)
    done = run("replay", str(file))
    assert done.returncode == 2
    assert "8 MB" in one_line(done.stderr)


def test_a_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    record = json.loads((CASES / "game-upper-63.json").read_bytes())
    record["players"][0]["name"] = "\x1b[2J" + "x" * 5000
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    done = run("replay", str(file))
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert len(done.stdout) < 3000


def test_the_reader_may_go_away() -> None:
    path = CASES / "game-thousand-rounds.json"
    script = (
        f"{sys.executable} -c 'from kartenkniffel.cli import main; main()' replay {path} --json"
    )
    done = subprocess.run(["sh", "-c", f"{script} | head -1"], capture_output=True, timeout=60)
    assert done.stderr == b""


@pytest.mark.slow
def test_bench_gives_its_figures() -> None:
    done = run("bench", "--json", seconds=300)  # a thousand people come, whatever the machine
    assert done.returncode == 0
    figures = json.loads(done.stdout)
    assert figures["apply"]["per_second"] > 0
    assert figures["legal_moves"]["per_second"] > 0
    assert figures["batch_simple"]["per_second"] > 0
    assert 10_000 < figures["table_page"]["bytes"] < 60_000
    assert figures["first_response"]["ms"] > 0
    assert figures["move_answer"]["ms"] > 0
    assert 0 < figures["whole_median"]["ms"] <= figures["whole_99"]["ms"]
    assert figures["whole_median"]["counted"] > 1000
    assert figures["wrong_moves"]["count"] == 0
    assert figures["durable_moves"]["per_second"] > 0
    assert all(figure.get("ms", 1) > 0 for figure in figures.values())
    assert "1000 streams are open; 20 seconds of moves" in done.stderr.decode().splitlines()


def test_bench_wants_a_table_of_the_whole_game() -> None:
    for words in (["--table", "README.md"], ["--table", "nosuch.table", "--json"]):
        done = run("bench", *words)
        assert done.returncode == 2
        assert "table" in one_line(done.stderr)


def test_the_version() -> None:
    from kartenkniffel import __version__

    assert run("--version").stdout.decode().strip() == __version__


def test_words_that_make_no_command_are_one_sentence() -> None:
    for words in (["replay"], ["nosuch"], ["play", "--port", "abc"], ["play", "--nope"]):
        done = run(*words)
        assert done.returncode == 2
        assert "--help" in one_line(done.stderr)
    assert run().stderr.decode().startswith("Usage:")


def test_output_that_finds_no_room_is_one_sentence() -> None:
    program = f"{sys.executable} -c 'from kartenkniffel.cli import main; main()'"
    command = ["sh", "-c", f"{program} replay {CASES / 'game-000.json'} > /dev/full"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 3
    assert "cannot be written" in one_line(done.stderr)
