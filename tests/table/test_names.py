import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kartenkniffel.table import (
    BOT_NAMES,
    MOST_NAME,
    MOST_VISIBLE,
    distinct_name,
    is_name,
)

ASTRONAUT = "\U0001f469\u200d\U0001f680"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
WAVE = "\U0001f44b\U0001f3fd"
FLAG = "\U0001f1e9\U0001f1ea"
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
E_ACUTE = "e\u0301"

letters = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from([*"aAbß \u200c\u200d\u0301\ufe0f\u3164\U0001f3fd\U0001f1e9", ASTRONAUT, FLAG]),
)
texts = st.lists(letters, max_size=70).map("".join)
names = texts.map(lambda text: text[:MOST_NAME]).filter(is_name)


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "x" * MOST_VISIBLE,
        E_ACUTE * MOST_VISIBLE,
        "a" + "\u0301" * (MOST_NAME - 1),
        HEBREW,
        "\u0645\u062d\u0645\u062f",
        "नमस्ते",
        FLAG * MOST_VISIBLE,
        ASTRONAUT * 21,
        WAVE * MOST_VISIBLE,
        "❤\ufe0f",
        '<b>Ana</b> & "Bo"',
        "'; DROP TABLE log; --",
        "12",
        " Ana ",
    ],
)
def test_a_name_may_be_of_any_script_and_of_pictures(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u00a0",
        "\u3164",
        "\u115f\u1160",
        "\uffa0",
        "\u2800\u2800",
        "\ufe0f",
        "\u200d\u200c",
        "\u0301",
        " \u0301 ",
        "x" * (MOST_VISIBLE + 1),
        "x\u200d" * 32,
        "a" + "\u0301" * MOST_NAME,
        FLAG * (MOST_VISIBLE + 1),
        "\u202eanA",
        "\u2067Ana\u2069",
        "A\u200bna",
        "Ana\n",
        "A\tna",
        "\0",
        "\x7f",
        "\ud800",
        "\ue000",
        "\U000e0041Ana",
    ],
)
def test_a_name_can_be_seen_and_turns_nothing_around(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("Ana", "Ana"),
        ("ana", "ANA"),
        ("Ana", " Ana  "),
        ("Ana Maria", "Ana  Maria"),
        ("Ana", "A\u200dna"),
        ("Ana\ufe0f", "Ana"),
        ("A\u034fna", "Ana"),
        ("An\u3164a", "Ana"),
        ("Ren\u00e9", "Rene\u0301"),
        ("STRASSE", "straße"),
        ("Ａｎａ", "Ana"),
        ("\u2160", "I"),
    ],
)
def test_names_that_look_alike_are_told_apart(name: str, taken: str) -> None:
    assert distinct_name(name, [taken]) == f"{name} 2"
    assert distinct_name(name, [taken, f"{taken} 2"]) == f"{name} 3"


@pytest.mark.parametrize(("name", "taken"), [("Ana", "Anna"), ("Ana", "Ana 2"), ("Ana", "Ána")])
def test_names_that_differ_stay_as_they_are(name: str, taken: str) -> None:
    assert distinct_name(name, [taken, "Bo"]) == name


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("x" * 24, "x" * 22 + " 2"),
        ("x" * 21 + " yz", "x" * 21 + " 2"),
        (E_ACUTE * 24, E_ACUTE * 22 + " 2"),
        (FLAG * 24, FLAG * 22 + " 2"),
        (ASTRONAUT * 21, ASTRONAUT * 20 + " 2"),
        ("a" + "\u0301" * 63, "a" + "\u0301" * 61 + " 2"),
    ],
    ids=["letters", "a space", "accents", "flags", "pictures", "marks"],
)
def test_long_names_are_shortened_by_what_one_sees(name: str, second: str) -> None:
    assert distinct_name(name, [name]) == second
    assert is_name(second)


def looks(name: str) -> str:
    """The name as one compares it who sees neither case nor width nor what does not show."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    hidden = "\u200c\u200d\ufe0f\u3164\u1160"
    return " ".join("".join(letter for letter in seen if letter not in hidden).split())


@given(names, st.integers(1, 12))
@example("x" * 24, 12)
@example("\u0301" * 63 + "a", 2)
@example(FLAG * 24, 11)
@example("a" + "\u200d" * 63, 3)
def test_as_many_as_like_may_have_one_name(name: str, people: int) -> None:
    taken: list[str] = []
    for _ in range(people):
        taken.append(distinct_name(name, taken))
        assert is_name(taken[-1])
    assert taken[0] == name
    assert len({looks(each) for each in taken}) == people


@given(st.lists(names, max_size=10))
def test_whoever_comes_has_a_name_of_their_own(wanted: list[str]) -> None:
    taken: list[str] = []
    for name in wanted:
        taken.append(distinct_name(name, taken))
    assert all(is_name(name) for name in taken)
    assert len({looks(name) for name in taken}) == len(wanted)


def test_the_bots_have_names() -> None:
    assert all(map(is_name, BOT_NAMES))
    assert len({name.casefold() for name in BOT_NAMES}) == 10
