"""``pad print`` as people run it: a real process, its files, its output and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kartenkniffel.cli import main
from tests.pad.printing.pages import read

CASES = Path(__file__).parent.parent / "cases"


def run(
    *args: str, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from kartenkniffel.cli import main; main()", "pad", "print"]
    return subprocess.run(
        [*command, *args], input=stdin, capture_output=True, timeout=60, cwd=cwd, env=os.environ
    )


def one_line(text: bytes) -> str:
    line = text.decode()
    assert line.count("\n") == 1
    assert line.endswith("\n")
    return line.strip()


def test_sheets_for_four_in_german_unless_told(tmp_path: Path) -> None:
    done = run("--out", "sheets.pdf", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    pages = read((tmp_path / "sheets.pdf").read_bytes())
    assert len(pages) == 1
    assert pages[0].text.count("Große Straße") == 4


def test_all_options(tmp_path: Path) -> None:
    options = ["--paper", "large", "--players", "3", "--name", "Ana", "--name", "#Bo"]
    done = run("--out", "-", *options, "--language", "ro", "--pages", "6")
    assert done.returncode == 0
    pages = read(done.stdout)
    assert len(pages) == 6
    assert [page.text.count("#Bo") for page in pages] == [0, 1, 0, 0, 1, 0]
    assert all("Chintă mare" in page.text for page in pages)


def test_as_many_players_as_are_named() -> None:
    done = run("--out", "-", "--together", "--name", "Ana", "--name", "Bo", "--paper", "a5")
    page = read(done.stdout)[0]
    assert len(page.blue) == 2 * 13 + 5


def test_a_finished_game(tmp_path: Path) -> None:
    record = (CASES / "game-000.json").read_bytes()
    done = run("--out", "-", "--record", "-", "--language", "en", stdin=record)
    assert done.returncode == 0
    assert "Călin wins" in read(done.stdout)[0].text
    again = run("--out", "-", "--record", str(CASES / "game-000.json"), "--language", "en")
    assert read(again.stdout)[0].text == read(done.stdout)[0].text


def test_a_file_that_exists_is_kept_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "mine.pdf"
    file.write_bytes(b"mine")
    done = run("--out", "mine.pdf", cwd=tmp_path)
    assert done.returncode == 1
    assert one_line(done.stderr) == "'mine.pdf' exists already; --force replaces it"
    assert file.read_bytes() == b"mine"
    assert run("--out", "mine.pdf", "--force", cwd=tmp_path).returncode == 0
    assert file.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("evening/score sheets of Călin.pdf", "evening/score sheets of Călin.pdf"),
        ("a/" * 70 + "sheets.pdf", f"{'a/' * 29}a…/{'a/' * 24}sheets.pdf"),
        ("sheets\x1b[2J.pdf", "sheets�[2J.pdf"),
    ],
)
def test_a_sentence_has_the_whole_name_of_a_file(name: str, shown: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"mine")
    done = run("--out", name, cwd=tmp_path)
    assert one_line(done.stderr) == f"'{shown}' exists already; --force replaces it"
    done = run("--out", "-", "--record", f"{name}.json", cwd=tmp_path)
    assert one_line(done.stderr).endswith("' cannot be read: No such file or directory")


@pytest.mark.parametrize(
    ("args", "code", "start"),
    [
        (["--out", "-", "--players", "11"], 1, "a game has 1 to 10 players, not 11"),
        (["--out", "-", "--players", "0"], 1, "a game has 1 to 10 players, not 0"),
        (["--out", "-", "--players", "1", "--name", "a", "--name", "b"], 1, "there are 2 names"),
        (["--out", "-", "--pages", "0"], 1, "a document has 1 to 50 pages, not 0"),
        (["--out", "-", "--paper", "a3"], 2, "Invalid value for '--paper'"),
        (["--out", "-", "--language", "fr"], 2, "Invalid value for '--language'"),
        ([], 2, "Missing option '--out'"),
        (["--out", "no/such/x.pdf"], 2, "'no/such/x.pdf' cannot be written: "),
        (["--out", "."], 1, "--out needs the name of a file"),
        (["--out", ""], 1, "--out needs the name of a file"),
        (["--out", "-", "--record", "missing.json"], 2, "'missing.json' cannot be read: "),
        (
            ["--out", "-", "--record", str(CASES / "game-000.json"), "--players", "2"],
            1,
            "a finished game has its own players and pages",
        ),
        (
            ["--out", "-", "--record", str(CASES / "bad-000-discard-not-held.json")],
            1,
            "move 134: R5: ",
        ),
        (
            ["--out", "-", "--record", str(CASES / "bad-format-other.json")],
            2,
            "record: unreadable: ",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(
    args: list[str],
    code: int,
    start: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    # In this process, since there are many; that a real one says the same, another test shows.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["kartenkniffel", "pad", "print", *args])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    out, err = capfdbinary.readouterr()
    assert one_line(err).startswith(start)
    assert out == b""
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_not_over_is_not_printed(tmp_path: Path) -> None:
    from kartenkniffel.notation import Forfeit, Record, dump_record
    from kartenkniffel.rules import Game, seeded

    game = Game.start(["Ana", "Bo"], seeded(1))
    done = run("--out", "-", "--record", "-", stdin=dump_record(Record.of(game)))
    assert done.returncode == 1
    assert one_line(done.stderr) == (
        "the game is still in round 1; only finished games are printed"
    )
    given_up = dump_record(Record.of(game, Forfeit(0, "gone")))
    done = run("--out", "-", "--record", "-", stdin=given_up)
    assert one_line(done.stderr) == (
        "the game was given up in round 1; only finished games are printed"
    )


def test_a_full_disk_is_told() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = run("--out", "/dev/full", "--force")
    assert done.returncode == 2
    assert "cannot be written" in one_line(done.stderr)


def test_help_tells_every_option() -> None:
    text = run("--help").stdout.decode()
    for option in ("out", "paper", "players", "name", "language", "pages", "together", "record"):
        assert f"--{option} " in text
