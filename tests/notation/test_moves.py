"""Moves as text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.notation import MoveTextError, format_move, parse_move
from kartenkniffel.rules import MOVES, Cards, Exchange, Field, Score


def test_the_examples_of_the_contract() -> None:
    assert parse_move("x25+3") == Exchange(Cards("25"), 3)
    assert parse_move("x+1") == Exchange(Cards(""), 1)
    assert parse_move("x+0") == Exchange(Cards(""), 0)
    assert parse_move("33345@3k") == Score(Cards("33345"), Field.THREE_OF_A_KIND)
    assert parse_move("666@6") == Score(Cards("666"), Field.SIXES)


def test_every_canonical_move_survives() -> None:
    texts = [format_move(move) for move in MOVES]
    assert [parse_move(text) for text in texts] == list(MOVES)
    assert len(set(texts)) == len(MOVES)


@given(st.from_regex(r"x[1-6]{0,30}\+(0|[1-9][0-9]{0,30})", fullmatch=True))
def test_any_exchange_is_read_and_written_sorted(text: str) -> None:
    cards, draw = text[1:].split("+")
    assert format_move(parse_move(text)) == f"x{''.join(sorted(cards))}+{draw}"


@given(
    st.text("123456", min_size=1, max_size=40),
    st.sampled_from(["1", "2", "3", "4", "5", "6", "3k", "4k", "fh", "ss", "ls", "kn"]),
)
def test_any_score_is_read_and_written_sorted(cards: str, field: str) -> None:
    assert format_move(parse_move(f"{cards}@{field}")) == f"{''.join(sorted(cards))}@{field}"


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "x+", "x25", "x25+", "x25+03", "x25+-1", "x27+2", "x0+1", "X25+3", " x25+3",
        "x25+3 ", "x25+3\n", "x25 +3", "x2٣+2", "x25+３", "@3", "666@7", "666@", "666@3K", "666@ch",
        "66 6@6", "666@6\n", "hello", "x25+3+1", "33345@3kk",
    ],
)  # fmt: skip
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(MoveTextError):
        parse_move(text)


def test_a_huge_text_is_not_echoed() -> None:
    with pytest.raises(MoveTextError) as caught:
        parse_move("q" * 1_000_000)
    assert len(str(caught.value)) < 120


def test_a_huge_number_is_read_in_no_time() -> None:
    move = parse_move("x1+" + "9" * 1_000_000)
    assert isinstance(move, Exchange)
    assert parse_move(format_move(move)) == move
