"""Outside programs as bots: the conversation, and every way a program can break it."""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from kartenkniffel.bots.outside import (
    CannotStartError,
    ForfeitError,
    Limits,
    OutsideBot,
    parse_command,
    shown_name,
)
from kartenkniffel.notation import parse_move, result_to_json, view_to_json
from kartenkniffel.rules import Game, Move, seeded
from tests.bots.outside_scripts import (
    DRAW_THEN_SCORE,
    all_gone,
    answering,
    command,
    heard,
    script,
    starts,
)

GAME = Game.start(["Ana", "Bo"], seeded(7))
PATIENT = Limits()
HASTY = Limits(seconds_per_move=0.5, seconds_to_start=10)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def ask(bot: OutsideBot, game: Game = GAME) -> Move:
    return bot.choose(game.view(game.to_move), random.Random(1))


def reason(path: Path, limits: Limits = PATIENT, moves: int = 1) -> str:
    """Give the sentence with which the program forfeits after so many good moves less one."""
    with OutsideBot(command(path), limits) as bot:
        bot.ready()
        for _ in range(moves - 1):
            ask(bot)
        with pytest.raises(ForfeitError) as caught:
            ask(bot)
        assert all_gone(path)
    return str(caught.value)


def test_conversation(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE)
    result = result_to_json(GAME)
    with OutsideBot(command(path), Limits(seconds_per_move=2.5)) as bot:
        move = ask(bot)
        assert GAME.is_legal(move)
        bot.end_game(result)
        assert ask(bot) == move
    assert bot.name == "bot"
    assert starts(path) == 1
    assert all_gone(path)
    choose = {"type": "choose", "view": view_to_json(GAME.view(0))}
    assert [json.loads(line) for line in heard(path)] == [
        {"type": "hello", "protocol": 1, "seconds_per_move": 2.5},
        choose,
        {"type": "end", "result": result},
        choose,
        {"type": "quit"},
    ]


def test_whole_seconds_are_told_as_such(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE)
    with OutsideBot(command(path)) as bot:
        bot.ready()
    assert heard(path)[0] == '{"type":"hello","protocol":1,"seconds_per_move":10}'


def test_a_program_is_told_nothing_but_its_view(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE)
    with OutsideBot(command(path)) as bot:
        ask(bot)
    (line,) = [line for line in heard(path) if "choose" in line]
    message = json.loads(line)
    assert set(message) == {"type", "view"}
    secrets = [GAME.pile, GAME.shuffles[0], str(GAME.hands[1])]
    assert not [secret for secret in secrets if secret in line]


def test_answer_may_have_more_keys_and_cards_in_any_order(tmp_path: Path) -> None:
    path = answering(tmp_path, '{"comment": "hm", "move": "x52+3", "sure": 0.5}\r\n')
    with OutsideBot(command(path)) as bot:
        assert ask(bot) == parse_move("x25+3")


BAD_ANSWERS = {
    "nonsense": ("I pass\n", r"it answered 'I pass', which is not JSON: .*"),
    "an empty line": ("\n", r"it answered '', which is not JSON: .*"),
    "no object": ('["x+1"]\n', r"""it answered '\["x\+1"\]', which is not a JSON object"""),
    "no move": ('{"type": "move"}\n', 'its answer has no "move"'),
    "a number": ('{"move": 7}\n', 'the "move" of its answer is not text'),
    "null": ('{"move": null}\n', 'the "move" of its answer is not text'),
    "no grammar": (
        '{"move": "666@chance"}\n',
        r"its move cannot be read: '666@chance' is not a move; .*",
    ),
    "twice": ('{"move": "x+1", "move": "x+0"}\n', r"it answered .*: the key 'move' is given twice"),
    "two objects": ('{"move": "x+1"} {"move": "x+1"}\n', r"it answered .* not JSON: Extra data.*"),
    "deep": ("[" * 200_000 + "\n", r"it answered .*nested too deeply"),
    "long": (" " * 1_000_001 + "\n", "it wrote a line longer than 1 MB"),
    "long without end": ("x" * 1_200_000, "it wrote a line longer than 1 MB"),
}


@pytest.mark.parametrize("kind", BAD_ANSWERS)
def test_bad_answer(tmp_path: Path, kind: str) -> None:
    answer, sentence = BAD_ANSWERS[kind]
    # Longer than a command or a source line should be: the program reads its answer from a file.
    (tmp_path / "answer").write_text(answer, encoding="utf-8", newline="")
    text = f"def on_choose(view): write(open({str(tmp_path / 'answer')!r}, newline='').read())"
    found = reason(script(tmp_path, text))
    assert_sentence(found, sentence)


def assert_sentence(found: str, wanted: str) -> None:
    assert re.fullmatch(wanted, found), found
    assert len(found) < 250
    assert found.isprintable()


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        r"""
        def on_choose(view):
            sys.stdout.buffer.write(b'{"move": "\xff\xfe\x1b[31m"}\n')
            sys.stdout.buffer.flush()
        """,
    )
    assert_sentence(reason(path), r"it answered .*, which is not UTF-8 text \(byte 10\)")


def test_largest_line_is_read(tmp_path: Path) -> None:
    text = """def on_choose(view): write('{"move": "x+1"}'.ljust(1_000_000) + "\\n")"""
    with OutsideBot(command(script(tmp_path, text))) as bot:
        assert ask(bot) == parse_move("x+1")


def test_nothing_in_time(tmp_path: Path) -> None:
    path = script(tmp_path, "def on_choose(view): time.sleep(60)")
    begun = time.monotonic()
    assert reason(path, HASTY) == "it gave no answer within 0.5 seconds"
    assert time.monotonic() - begun < 5


def test_line_without_end(tmp_path: Path) -> None:
    path = answering(tmp_path, '{"move": "x+1"}')
    wanted = "it gave no answer within 0.5 seconds, only the beginning of a line"
    assert reason(path, HASTY) == wanted


ENDS = {
    "sys.exit(3)": "it ended with exit code 3",
    "sys.exit()": "it ended with exit code 0",
    "write('{\"mo'); sys.exit(4)": "it ended with exit code 4",
    "os.kill(os.getpid(), 9)": "it ended by signal SIGKILL",
    "1 / 0": "it ended with exit code 1; the last it said on standard error: "
    "'ZeroDivisionError: division by zero'",
    "os.close(1); time.sleep(60)": "it closed its standard output",
}


@pytest.mark.parametrize("statement", ENDS)
def test_end_of_the_program(tmp_path: Path, statement: str) -> None:
    path = script(tmp_path, f"def on_choose(view): {statement}")
    assert reason(path) == ENDS[statement]


def test_end_between_two_moves(tmp_path: Path) -> None:
    path = script(tmp_path, "def on_choose(view): tell({'move': 'x+1'}); sys.exit(5)")
    assert reason(path, moves=2) == "it ended with exit code 5"


def test_closed_input(tmp_path: Path) -> None:
    text = "def on_choose(view): os.close(0); tell({'move': 'x+1'}); time.sleep(60)"
    path = script(tmp_path, text)
    with OutsideBot(command(path)) as bot:
        ask(bot)
        with pytest.raises(ForfeitError, match="it closed its standard input"):
            ask(bot)
    assert all_gone(path)


def test_answer_before_the_question(tmp_path: Path) -> None:
    answer = '{"move": "x+1"}\n'
    found = reason(answering(tmp_path, answer + answer), moves=2)
    assert found == f"it spoke without being asked: {answer.strip()!r}"


def test_flood_is_not_kept(tmp_path: Path) -> None:
    text = """
    def on_choose(view):
        while True:
            write("nonsense " * 7000 + "\\n")
    """
    path = script(tmp_path, text)
    tracemalloc.start()
    try:
        assert "which is not JSON" in reason(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10_000_000


def test_flood_after_a_good_move(tmp_path: Path) -> None:
    text = """
    def on_choose(view):
        tell({"move": "x+1"})
        while True:
            write("nonsense\\n" * 1000)
    """
    path = script(tmp_path, text)
    with OutsideBot(command(path)) as bot:
        ask(bot)
        time.sleep(0.3)
        with pytest.raises(ForfeitError, match="it spoke without being asked: 'nonsense'"):
            ask(bot)
    assert all_gone(path)


def test_noise_on_standard_error_does_no_harm(tmp_path: Path) -> None:
    text = "def on_choose(view): sys.stderr.write('noise ' * 500_000); tell({'move': 'x+1'})"
    with OutsideBot(command(script(tmp_path, text))) as bot:
        for _ in range(3):
            assert ask(bot) == parse_move("x+1")


def test_program_that_never_reads_does_not_hold_us_up(tmp_path: Path) -> None:
    text = "def on_choose(view): tell({'move': 'x+1'}); time.sleep(60)"
    path = script(tmp_path, text)
    with OutsideBot(command(path), Limits(seconds_per_move=1.5)) as bot:
        ask(bot)
        begun = time.monotonic()
        for _ in range(3):
            bot.end_game({"text": "x" * 1_000_000})
        assert time.monotonic() - begun < 1
        with pytest.raises(ForfeitError, match="no answer within"):
            ask(bot)
    assert all_gone(path)


@pytest.mark.parametrize(
    ("hello", "sentence"),
    [
        ("write('Welcome!\\n')", r"it answered 'Welcome!', which is not JSON: .*"),
        ("tell({'type': 'ready'})", r'its first answer is not of "type" "hello"'),
        ("tell({'type': 'hello'})", r'its hello has no "name" that is text'),
        ("tell({'type': 'hello', 'name': 5})", r'its hello has no "name" that is text'),
        ("sys.exit(6)", r"it ended with exit code 6"),
        ("time.sleep(60)", r"it gave no answer within 0.8 seconds"),
    ],
)
def test_no_hello(tmp_path: Path, hello: str, sentence: str) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE, hello=hello)
    # A busy machine must have time for all that is to come in time.
    seconds = 0.8 if "sleep" in hello else 30
    with OutsideBot(command(path), Limits(seconds_to_start=seconds)) as bot:
        with pytest.raises(ForfeitError) as caught:
            bot.ready()
        assert_sentence(str(caught.value), f"it did not say hello: {sentence}")
    assert all_gone(path)


def test_program_that_does_not_exist() -> None:
    with (
        OutsideBot(["no-such-program"]) as bot,
        pytest.raises(CannotStartError, match="it cannot be started: No such file or directory"),
    ):
        bot.ready()


def test_file_that_is_no_program(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("text", encoding="utf-8")
    with (
        OutsideBot([str(path)]) as bot,
        pytest.raises(CannotStartError, match="it cannot be started: Permission denied"),
    ):
        bot.ready()


def test_started_anew_after_a_failure(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        def on_choose(view):
            tell({"move": "x+1"} if asked < 2 else {"move": "rubbish"})
        """,
    )
    with OutsideBot(command(path)) as bot:
        for _ in range(5):
            assert ask(bot) == parse_move("x+1")
            with pytest.raises(ForfeitError, match="cannot be read"):
                ask(bot)
    assert starts(path) == 5
    assert all_gone(path)


@pytest.mark.parametrize("stalls", ["at hello", "at the first move"])
def test_given_up_after_three_failures(tmp_path: Path, stalls: str) -> None:
    limits = Limits(seconds_per_move=0.3, seconds_to_start=0.3 if stalls == "at hello" else 10)
    if stalls == "at hello":
        path = script(tmp_path, DRAW_THEN_SCORE, hello="time.sleep(60)")
    else:
        path = script(tmp_path, "def on_choose(view): time.sleep(60)")
    with OutsideBot(command(path), limits) as bot:
        sentences = set()
        for _ in range(10):
            with pytest.raises(ForfeitError) as caught:
                ask(bot)
            sentences.add(str(caught.value))
        assert len(sentences) == 1
        assert bot.gave_up in sentences
    assert starts(path) <= 3


def test_slow_now_and_then_is_not_given_up(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        def on_choose(view):
            if asked == 2:
                time.sleep(60)
            tell({"move": "x+1"})
        """,
    )
    with OutsideBot(command(path), Limits(seconds_per_move=1)) as bot:
        for _ in range(3):
            assert ask(bot) == parse_move("x+1")
            with pytest.raises(ForfeitError):
                ask(bot)
        assert not bot.gave_up


def test_program_that_does_not_quit_is_ended(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        def on_choose(view):
            tell({"move": "x+1"})
            time.sleep(60)
        """,
    )
    begun = time.monotonic()
    with OutsideBot(command(path)) as bot:
        ask(bot)
    assert all_gone(path)
    assert time.monotonic() - begun < 8


def test_what_the_program_has_started_ends_with_it(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import subprocess
        child = subprocess.Popen([sys.executable, "-ISc", "import time; time.sleep(60)"])
        with open(__file__ + ".pids", "a") as log:
            print(child.pid, file=log)
        def on_choose(view):
            tell({"move": "x+1"})
            if asked == 2:
                os._exit(7)
        """,
    )
    with OutsideBot(command(path)) as bot:
        ask(bot)
        ask(bot)
        with pytest.raises(ForfeitError, match="it ended with exit code 7"):
            ask(bot)
    assert all_gone(path)


def test_error_in_the_block_ends_the_program(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE)
    bot = OutsideBot(command(path))
    bot.ready()
    with pytest.raises(KeyError), bot:
        raise KeyError
    assert all_gone(path)


def test_name_before_hello_is_that_of_the_file(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE, name="clever")
    assert OutsideBot(command(path)).name == "clever.py"
    assert OutsideBot(["/usr/bin/bot", "--deep"]).name == "bot"


def test_name_that_would_steer_the_terminal() -> None:
    assert shown_name("\x1b[2J\u202egood\n bot" + "!" * 50) == "[2Jgood bot!!!!!!!!!!!!!"


def test_command_is_split_without_a_shell() -> None:
    assert parse_command("cmd:a 'b c' $HOME ; rm") == ("a", "b c", "$HOME", ";", "rm")
    for text in ("cmd:", "cmd:  ", "cmd:''"):
        with pytest.raises(ValueError, match="names no program"):
            parse_command(text)
    with pytest.raises(ValueError, match=r"cannot be split into words: No closing quotation"):
        parse_command("cmd:'a")


EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "first_legal.py"


@pytest.mark.parametrize("players", [1, 3])
def test_example_plays_a_whole_game(players: int) -> None:
    game = Game.start([f"P{seat}" for seat in range(players)], seeded(players))
    with OutsideBot([sys.executable, "-IS", str(EXAMPLE)]) as bot:
        while not game.finished:
            game = game.apply(ask(bot, game))
        assert bot.name == "first legal"
    assert any(sheet.is_full for sheet in game.sheets)
    assert game.round < 300
