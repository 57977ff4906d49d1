import pytest
from hypothesis import given

from kartenkniffel.notation.names import is_visible, looks, visible_length
from tests.table.test_names import ASTRONAUT, E_ACUTE, FAMILY, FLAG, HEBREW, WAVE, texts

SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("Ana", 3),
        (E_ACUTE * 3, 3),
        ("\u0301", 0),
        (ASTRONAUT, 1),
        (FAMILY, 1),
        (WAVE, 1),
        ("❤\ufe0f", 1),
        (FLAG, 1),
        (FLAG * 2, 2),
        (FLAG[0], 1),
        (HEBREW, 4),
        ("a\u200db", 2),
        ("a\u200cb", 2),
        ("\u3164\u2800", 0),
        ("a b", 3),
        (SCOTLAND * 2, 2),
        ("\U0001fae8", 1),  # shaking face, of 2022
    ],
)
def test_one_counts_what_one_sees(text: str, length: int) -> None:
    assert visible_length(text) == length


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x\U000e0067",
        SCOTLAND[:-1],
        "\u0301",
        "\u3164",
        "\u2800",
        "\ufe0f",
        "\U000e0101",
        "\u200d",
        "A\nna",
        "\u202eanA",
    ],
)
def test_what_shows_nothing_or_steers_the_line_is_not_visible(text: str) -> None:
    assert not is_visible(text)


@pytest.mark.parametrize(
    "text", ["x" * 100, HEBREW, FAMILY, "❤\ufe0f", "an\u200da", SCOTLAND, "\U0001fae8"]
)
def test_what_shows_something_is_visible_however_long(text: str) -> None:
    assert is_visible(text)


@pytest.mark.parametrize("text", ["ANA", " Ana ", "A\u200dna", "Ａｎａ", "Ana\ufe0f", "A\u034fna"])
def test_the_eye_takes_them_for_one(text: str) -> None:
    assert looks(text) == looks("Ana")


@pytest.mark.parametrize("text", ["Anna", "Ána", "Ana 2"])
def test_the_eye_tells_them_apart(text: str) -> None:
    assert looks(text) != looks("Ana")


@given(texts, texts)
def test_one_sees_no_more_than_there_is(one: str, other: str) -> None:
    assert 0 <= visible_length(one) <= len(one)
    assert visible_length(one + other) <= visible_length(one) + visible_length(other)
