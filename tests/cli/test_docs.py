"""What the README and the pages of the docs say: commands that are there, and examples that run."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from kartenkniffel.cli import app, main
from tests.pad.printing.pages import read

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
HOME = ".venv/bin/"
SHORT = ". .venv/bin/activate"
"""What makes the short names of commands known to a shell."""


def examples(page: Path) -> list[str]:
    """Give what stands in code on a page: in backticks, in fences or indented."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    fenced = re.findall(r"^```\n(.*?)^```", text, re.M | re.S)
    spans = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    indented = re.findall(r"^ {4}(.+)", text, re.M)
    lines = [line for block in fenced for line in block.splitlines()]
    return [re.sub(r"\s+", " ", code).strip() for code in (*lines, *spans, *indented)]


def commands(page: Path) -> list[list[str]]:
    """Give the words of the project's commands on a page, without their comments."""
    start = rf"({re.escape(HOME)})?(kartenkniffel|python) \S"
    return [shlex.split(code, comments=True) for code in examples(page) if re.match(start, code)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_where_its_commands_live(page: Path) -> None:
    bare = [words for words in commands(page) if not words[0].startswith(HOME)]
    if bare:
        text = page.read_text("utf-8")
        assert page.name != "README.md", bare
        assert f"`{SHORT}`" in text, bare
        for program in {words[0] for words in bare}:
            assert f"`{HOME}{program}`" in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_option_is_there(page: Path) -> None:
    for words in commands(page):
        if words[0].removeprefix(HOME) != "kartenkniffel":
            continue
        command = get_command(app)
        rest = words[1:]
        while rest and rest[0] in getattr(command, "commands", {}):
            command = vars(command)["commands"][rest.pop(0)]
        assert not hasattr(command, "commands"), words
        known = {name for option in command.params for name in option.opts}
        assert {word for word in rest if word.startswith("--")} <= known, words


def called(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command in this process and give its exit code."""
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_examples_of_printing_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    lines = [words for words in commands(ROOT / "docs" / "printing.md") if "--out" in words]
    for words in lines:
        assert called(words, monkeypatch) == 0, (words, capsys.readouterr().err)
    made = sorted(tmp_path.glob("*.pdf"))
    assert len(made) == len(lines) >= 5
    assert all(read(file.read_bytes()) for file in made)


def test_the_readme_replays_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    replays = [words for words in commands(ROOT / "README.md") if words[1] == "replay"]
    assert replays
    for words in replays:
        assert called(words, monkeypatch) == 0
        assert "wins" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "docs/printing.md"])
def test_the_python_of_a_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(block, {})


def test_the_exit_codes_of_printing_are_told_alike(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = re.sub(r"\s+", " ", (ROOT / "docs" / "printing.md").read_text("utf-8"))
    told = re.search(r"Exit code 1: [^.]+\.", page)
    assert told
    assert called(["kartenkniffel", "pad", "print", "--help"], monkeypatch) == 0
    assert told[0] in re.sub(r"\s+", " ", capsys.readouterr().out)


def test_the_example_bot_is_as_long_as_is_said() -> None:
    page = (ROOT / "docs" / "outside-bots.md").read_text("utf-8")
    said = re.search(r"a whole bot in some (\d+) lines", page)
    assert said
    lines = (ROOT / "examples" / "bots" / "first_legal.py").read_text("utf-8").count("\n")
    assert abs(lines - int(said[1])) <= 5
