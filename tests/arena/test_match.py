"""Matches: deals and seats, the same result everywhere, and bots that misbehave."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kartenkniffel.arena import ArenaError, prepare, run, run_command
from kartenkniffel.bots import LEVELS
from kartenkniffel.notation import Record, load_record
from kartenkniffel.rules import Cards, seeded
from tests.bots.outside_scripts import (
    DRAW_THEN_SCORE,
    all_gone,
    answering,
    cmd,
    heard,
    script,
    starts,
)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() <= before


def load(folder: Path) -> dict[str, Record]:
    return {path.name: load_record(path.read_bytes()) for path in sorted(folder.iterdir())}


def test_every_deal_is_played_from_every_seat(tmp_path: Path) -> None:
    report = run(["medium", "easy", "easy"], 4, 11, records=tmp_path / "new" / "records")
    assert (report.asked, report.games, report.deals) == (4, 6, 2)
    records = load(tmp_path / "new" / "records")
    assert list(records) == [
        f"deal-00000{deal}-rotation-0{rotation}.json" for deal in (1, 2) for rotation in (1, 2, 3)
    ]
    games = list(records.values())
    assert [record.names for record in games] == [
        ("medium", "easy", "easy#2"),
        ("easy", "easy#2", "medium"),
        ("easy#2", "medium", "easy"),
    ] * 2
    first, second = ({record.shuffles[0] for record in games[i : i + 3]} for i in (0, 3))
    assert len(first) == len(second) == 1
    assert first != second
    for number, record in enumerate(games):
        assert record.replay().finished
        source = seeded(f"11:{number // 3}")
        for i, pile in enumerate(record.shuffles):
            assert pile == source(Cards(pile), i)
    wins = [record.replay() for record in games]
    medium = sum(
        ("medium" in [game.names[seat] for seat in game.winners]) / len(game.winners)
        for game in wins
    )
    assert report.bots[0].wins == pytest.approx(medium)


def test_equal_bots_are_exactly_equal() -> None:
    report = run(["medium", "medium"], 6, 3)
    assert [bot.name for bot in report.bots] == ["medium", "medium#2"]
    assert report.bots[0].wins == report.bots[1].wins == 3
    assert report.points_lead
    assert report.points_lead.mean == 0


def test_other_seed_other_games() -> None:
    first, again, other = (run(["easy"], 2, seed).to_json() for seed in (1, 1, 2))
    assert first == again
    assert first["bots"] != other["bots"]


def test_alone() -> None:
    report = run(["medium"], 3, 1)
    assert report.games == report.deals == 3
    assert report.bots[0].points
    assert report.bots[0].share is None


# It counts its moves for as long as it lives, and does not survive the 40th.
FORGETFUL = """
moves = 0
def on_choose(view):
    global moves
    moves += 1
    if moves == 40:
        1 / 0
    hand = view["hand"]
    fields = view["players"][view["seat"]]["fields"]
    upper = [value for value in hand if fields[value] is None]
    tell({"move": upper[0] + "@" + upper[0] if upper else f"x{hand[:5]}+5"})
"""


@pytest.fixture
def _long_stints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few games make stints of several deals."""
    monkeypatch.setattr("kartenkniffel.arena.match._WANTED_STINTS", 3)


@pytest.mark.usefixtures("_long_stints")
def test_same_result_however_many_processes(tmp_path: Path) -> None:
    path = script(tmp_path, FORGETFUL)
    bots = ["medium", cmd(path), "easy"]
    told = []
    for workers in (1, 2):
        progress: list[tuple[int, int]] = []
        folder = tmp_path / str(workers)
        report = run_command(
            bots,
            23,
            5,
            workers=workers,
            records=folder,
            progress=lambda done, games, seen=progress: seen.append((done, games)),  # type: ignore[misc]
        )
        told.append((json.dumps(report.to_json()), load(folder)))
        assert progress == sorted(set(progress))
        assert progress[-1] == (24, 24)
    with ThreadPoolExecutor(3) as threads:
        report = run(bots, 23, 5, executor=threads, records=tmp_path / "threads")
    told.append((json.dumps(report.to_json()), load(tmp_path / "threads")))
    assert told[0] == told[1] == told[2]
    assert report.bots[1].forfeits > 3
    assert all_gone(path)


@pytest.mark.usefixtures("_long_stints")
def test_no_program_sees_a_deal_twice(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE)
    run(["easy", cmd(path)], 14, 1)
    stints: list[list[str]] = []
    for line in heard(path):
        message = json.loads(line)
        if message["type"] == "hello":
            stints.append([])
        if message["type"] == "choose" and not message["view"]["moves"][2:]:
            view = message["view"]
            stints[-1].append(f"seat {view['seat']}")
    # The first is only asked for its name.
    assert stints.pop(0) == []
    assert sum(map(len, stints)) >= 14
    assert max(map(len, stints)) > 2
    assert all(len(set(stint)) == 1 for stint in stints)


def test_two_players_the_other_wins(tmp_path: Path) -> None:
    other = script(tmp_path, DRAW_THEN_SCORE, name="other")
    bad = answering(tmp_path, '{"move": "x+2"}\n', name="bad")
    report = run([cmd(other), cmd(bad)], 4, 1, records=tmp_path / "records")
    assert [bot.wins for bot in report.bots] == [4, 0]
    assert [bot.forfeits for bot in report.bots] == [0, 4]
    reason = "its move x+2 breaks R5: after discarding 0 draw 0 or 1, not 2"
    assert report.bots[1].reasons == ((reason, 4),)
    ends = [json.loads(line)["result"] for line in heard(other) if '"end"' in line]
    assert [end["forfeit"] for end in ends] == [
        {"seat": seat, "reason": reason} for seat in (1, 0, 1, 0)
    ]
    for record, seat in zip(load(tmp_path / "records").values(), (1, 0, 1, 0), strict=True):
        assert record.forfeit
        assert (record.forfeit.seat, record.forfeit.reason) == (seat, reason)
        assert len(record.replay().moves) == seat
    assert all_gone(bad)
    assert all_gone(other)


@pytest.mark.usefixtures("_long_stints")
def test_only_the_program_that_forfeits_is_started_anew(tmp_path: Path) -> None:
    other = script(tmp_path, DRAW_THEN_SCORE, name="other")
    bad = answering(tmp_path, "?\n", name="bad")
    run([cmd(other), cmd(bad)], 12, 1)
    assert starts(bad) == 1 + 12
    # Once for each of six stints of two games.
    assert starts(other) == 1 + 6


def test_more_players_the_best_of_the_others_wins(tmp_path: Path) -> None:
    bad = script(
        tmp_path,
        """
        def on_choose(view):
            # Ahead of all when it breaks down.
            if view["round"] > 20:
                tell({"move": "11111@6"})
            value = view["hand"][0]
            tell({"move": "x+0"})
        """,
    )
    report = run(["medium", "easy", cmd(bad)], 3, 8, records=tmp_path / "records")
    assert report.bots[2].forfeits == 3
    assert report.bots[2].wins == 0
    assert "breaks R8" in report.bots[2].reasons[0][0]
    wins = dict.fromkeys(["medium", "easy"], 0.0)
    for record in load(tmp_path / "records").values():
        game = record.replay()
        totals = {name: sheet.total for name, sheet in zip(game.names, game.sheets, strict=True)}
        del totals["bot"]
        best = [name for name, total in totals.items() if total == max(totals.values())]
        for name in best:
            wins[name] += 1 / len(best)
    assert [bot.wins for bot in report.bots[:2]] == pytest.approx(list(wins.values()))


ILLEGAL = {
    "x66666+5": "R5",
    "x+2": "R5",
    "x123456+6": "R5",
    "66666@kn": "R6",
    "12345@fh": "R9",
    "12@1": "R8",
    "x+" + "9" * 5000: "R5",
    "6" * 5000 + "@6": "R8",
}


@pytest.mark.parametrize("move", ILLEGAL)
def test_cheats(tmp_path: Path, move: str) -> None:
    bad = answering(tmp_path, json.dumps({"move": move}) + "\n")
    report = run(["easy", cmd(bad)], 2, 1)
    assert report.bots[1].forfeits == 2
    assert all(f" breaks {ILLEGAL[move]}: " in reason for reason, _ in report.bots[1].reasons)
    assert max(map(len, report.text().splitlines())) < 250


def test_field_filled_twice(tmp_path: Path) -> None:
    bad = script(
        tmp_path,
        """
        def on_choose(view):
            value = view["hand"][0]
            tell({"move": f"{value}@{value}"})
        """,
    )
    report = run(["easy", cmd(bad)], 2, 1)
    assert report.bots[1].forfeits == 2
    assert all(" breaks R10: field " in reason for reason, _ in report.bots[1].reasons)


MISBEHAVING = {
    "crash": ("def on_choose(view): sys.exit(1)", "it ended with exit code 1"),
    "stall": ("def on_choose(view): time.sleep(60)", "it gave no answer within 0.4 seconds"),
    "nonsense": ("def on_choose(view): write('?\\n')", r"it answered '\?', which is not JSON: .*"),
}


@pytest.mark.parametrize("kind", MISBEHAVING)
def test_arena_goes_on(tmp_path: Path, kind: str) -> None:
    text, sentence = MISBEHAVING[kind]
    bad = script(tmp_path, text)
    seconds = 0.4 if kind == "stall" else 10
    report = run([cmd(bad), "easy", "medium"], 3, 1, seconds_per_move=seconds)
    assert [bot.forfeits for bot in report.bots] == [3, 0, 0]
    ((reason, games),) = report.bots[0].reasons
    assert games == 3
    assert re.fullmatch(sentence, reason)
    assert all_gone(bad)


def test_stall_at_hello_costs_three_time_limits(tmp_path: Path) -> None:
    bad = script(tmp_path, DRAW_THEN_SCORE, hello="time.sleep(60)")
    match = prepare(["easy", cmd(bad)], 100, 1, seconds_to_start=0.3)
    report = match.play()
    assert starts(bad) <= 3
    assert report.bots[1].name == "bot.py"
    assert report.bots[1].reasons == (
        ("it did not say hello: it gave no answer within 0.3 seconds", 100),
    )
    assert report.bots[0].wins == 100


def test_names(tmp_path: Path) -> None:
    path = script(tmp_path, DRAW_THEN_SCORE, name="medium")
    match = prepare([cmd(path), "medium", cmd(path)], 1, 1)
    assert [entrant.name for entrant in match.entrants] == ["medium", "medium#2", "medium#3"]
    assert starts(path) == 1
    assert all_gone(path)


def test_stints_cover_every_game_once() -> None:
    for games in (1, 2, 3, 64, 65, 1000, 5001):
        match = prepare(["easy", "easy"], games, 1)
        played = [(stint.rotation, deal) for stint in match.stints() for deal in stint.deals]
        assert len(played) == match.games
        assert set(played) == {(r, deal) for r in (0, 1) for deal in range(match.deals)}


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (
            ["medium", "godlike"],
            f"no bot is called 'godlike'; the levels are {', '.join(LEVELS)}, ",
        ),
        ([], "a match is between 1 and 10 bots, not 0"),
        (["easy"] * 11, "a match is between 1 and 10 bots, not 11"),
        (["easy", "cmd:"], "'cmd:' names no program"),
        (["easy", "cmd:a 'b"], "cannot be split into words"),
        (
            ["easy", "cmd:no-such-program -v"],
            "cmd:no-such-program -v cannot be started: No such file or directory",
        ),
    ],
)
def test_bots_that_cannot_play(bots: list[str], sentence: str) -> None:
    with pytest.raises(ArenaError, match=re.escape(sentence)):
        run(bots, 1, 1)


def test_figures_that_make_no_match() -> None:
    with pytest.raises(ArenaError, match="at least one game, not 0"):
        run(["easy"], 0, 1)
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ArenaError, match="a time limit is a positive number of seconds"):
            run(["easy"], 1, 1, seconds_per_move=seconds)
    with pytest.raises(ArenaError, match="at least one process, not 0"):
        run_command(["easy"], 1, 1, workers=0)


def test_folder_that_holds_records(tmp_path: Path) -> None:
    run(["easy"], 1, 1, records=tmp_path)
    with pytest.raises(ArenaError, match=r"holds records already, such as deal-000001-rotation-01"):
        run(["easy"], 1, 1, records=tmp_path)


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArenaError, match=r"file cannot be used: (File exists|Not a directory)"):
        run(["easy"], 1, 1, records=tmp_path / "file")


def test_error_in_a_bot_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "broken"

        def choose(self, view: object, rng: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr("kartenkniffel.arena.entrants.bot", lambda code: Broken())
    with ThreadPoolExecutor(2) as threads, pytest.raises(ZeroDivisionError):
        run(["easy", "medium"], 100, 1, executor=threads)
