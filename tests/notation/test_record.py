"""Game records: the cases, the order of failures, any bytes at all, and the way there and back."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartenkniffel.notation import (
    MOST_BYTES,
    Forfeit,
    Record,
    UnreadableError,
    dump_record,
    load_record,
    result_to_json,
)
from kartenkniffel.rules import Game, HouseRules, ReplayError, seeded

CASES = Path(__file__).parent.parent / "cases"
GOOD = sorted(path for path in CASES.glob("game-*.json") if ".result" not in path.name)
BAD = sorted(path for path in CASES.glob("bad-*.json") if ".expect" not in path.name)


def verdict(data: bytes) -> dict[str, Any]:
    try:
        load_record(data).replay()
    except UnreadableError as error:
        return {"exit": 2} | ({} if error.move is None else {"move": error.move})
    except ReplayError as error:
        found = {"exit": 1, "clause": error.error.clause}
        return found | ({} if error.move is None else {"move": error.move})
    return {"exit": 0}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_case_has_its_result(path: Path) -> None:
    expected = json.loads(path.with_suffix("").with_suffix(".result.json").read_bytes())
    record = load_record(path.read_bytes())
    assert result_to_json(record.replay()) == expected
    assert load_record(dump_record(record)) == record


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_wrong_case_is_refused_as_expected(path: Path) -> None:
    expected = json.loads(path.with_suffix("").with_suffix(".expect.json").read_bytes())
    assert verdict(path.read_bytes()) == expected


def test_all_cases_are_seen() -> None:
    assert len(GOOD) == 25
    assert len(BAD) == 28


def good() -> dict[str, Any]:
    value = json.loads((CASES / "game-upper-63.json").read_bytes())
    assert isinstance(value, dict)
    return value


def edited(**changes: Any) -> bytes:
    return json.dumps(good() | changes).encode()


def without(key: str) -> bytes:
    return json.dumps({k: v for k, v in good().items() if k != key}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"1", b'"text"', b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"NaN",
        json.dumps(good()).encode("utf-16"),
        b"[" * 200_000, b'{"a":' * 200_000, b"9" * 100_000,
        b'{"format": "kartenkniffel", "format": "kartenkniffel"}',
        *(without(key) for key in ("format", "version", "rules", "players", "shuffles", "moves")),
        edited(version="1"), edited(version=True), edited(version=1.0), edited(format=None),
        edited(rules=[]), edited(players={}), edited(players=["Ana"]), edited(players=[{}]),
        edited(shuffles="123"), edited(shuffles=[1]), edited(moves=[1]), edited(moves={}),
        edited(rules={"five_of_a_kind_is_full_house": 1}), edited(rules={"jokers": False}),
        edited(forfeit=None), edited(forfeit={"seat": 0}),
        edited(forfeit={"seat": "0", "reason": ""}),
        edited(forfeit={"seat": 1, "reason": "x"}), edited(forfeit={"seat": True, "reason": "x"}),
        edited(players=[{"name": "\ud800"}]), edited(note=float("inf")),
        edited().replace(b'"format"', b'"big": 1e999, "format"'),
    ],
)  # fmt: skip
def test_what_is_no_record_is_unreadable(data: bytes) -> None:
    assert verdict(data)["exit"] == 2


def test_a_record_over_8_MB_is_unreadable_and_one_of_8_MB_is_not() -> None:
    data = edited()
    assert verdict(data + b" " * (MOST_BYTES - len(data))) == {"exit": 0}
    assert verdict(data + b" " * (MOST_BYTES + 1 - len(data))) == {"exit": 2}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # Unreadable before anything else, however late it stands.
        ({"players": [], "moves": ["x+1", "?"]}, {"exit": 2, "move": 2}),
        ({"rules": {"jokers": 1}, "moves": ["?"]}, {"exit": 2}),
        # Then R2 before R1 before the moves.
        ({"players": [], "shuffles": []}, {"exit": 1, "clause": "R2"}),
        ({"shuffles": [], "moves": ["x111111+1"]}, {"exit": 1, "clause": "R1"}),
        ({"shuffles": ["x" * 108]}, {"exit": 1, "clause": "R1"}),
        # A move's own faults before the shuffles left over.
        ({"moves": ["x+3"], "shuffles": [good()["shuffles"][0], ""]},
         {"exit": 1, "move": 1, "clause": "R5"}),
        ({"shuffles": [good()["shuffles"][0], "abc"]}, {"exit": 1, "clause": "R14"}),
        # Wrong cards for the field before cards not held.
        ({"moves": ["66665@kn"]}, {"exit": 1, "move": 1, "clause": "R9"}),
        ({"moves": ["x" + "1" * 500_000 + "+1"]}, {"exit": 1, "move": 1, "clause": "R5"}),
        ({"moves": ["x+" + "9" * 500_000]}, {"exit": 1, "move": 1, "clause": "R5"}),
        ({"moves": ["1" * 500_000 + "@1"]}, {"exit": 1, "move": 1, "clause": "R8"}),
    ],
)  # fmt: skip
def test_the_first_failure_of_the_order_is_told(
    changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert verdict(edited(**changes)) == expected


def test_a_filled_field_comes_before_wrong_cards() -> None:
    record = load_record(edited())
    first = next(i for i, text in enumerate(good()["moves"]) if text.endswith("@1"))
    moves = [*good()["moves"][: first + 1], "66@1"]
    data = edited(moves=moves)
    assert record.names == ("Ana",)
    assert verdict(data) == {"exit": 1, "move": first + 2, "clause": "R10"}


@given(st.binary(max_size=300))
def test_any_bytes_give_a_verdict(data: bytes) -> None:
    assert verdict(data)["exit"] == 2


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_record_gives_a_verdict(data: st.DataObject) -> None:
    text = bytearray((CASES / "game-upper-62.json").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text) - 1))
        text[start : start + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    assert verdict(bytes(text))["exit"] in (0, 1, 2)


def random_game(seed: int, players: int, moves: int) -> Game:
    rng = random.Random(seed)
    rules = HouseRules(five_of_a_kind_is_full_house=rng.random() < 0.5)
    game = Game.start([f"Spieler {n} 🎲" for n in range(players)], seeded(seed), rules)
    for _ in range(moves):
        if game.finished:
            break
        game = game.apply(rng.choice(game.legal_moves()))
    return game


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(0, 120))
def test_a_game_survives_its_record(seed: int, players: int, moves: int) -> None:
    game = random_game(seed, players, moves)
    record = Record.of(game)
    again = load_record(dump_record(record))
    assert again == record
    assert again.replay() == game


def test_unknown_keys_and_a_forfeit_survive() -> None:
    data = edited(
        event={"place": "Brașov"},
        players=[{"name": "Ana", "age": 9}],
        forfeit={"seat": 0, "reason": "went home", "at": 3},
    )
    record = load_record(data)
    assert record.forfeit == Forfeit(0, "went home")
    value = json.loads(dump_record(record))
    assert value == json.loads(data)


def test_a_missing_house_rule_is_off() -> None:
    assert load_record(edited(rules={})).rules == HouseRules(False)


def test_a_million_moves_take_a_few_seconds_and_break_R12() -> None:
    first = good()["shuffles"]
    moves = ["x+0"] * 1_000_000
    data = json.dumps(good() | {"shuffles": first, "moves": moves}, separators=(",", ":")).encode()
    assert len(data) < MOST_BYTES
    assert verdict(data) == {"exit": 1, "move": 1001, "clause": "R12"}
