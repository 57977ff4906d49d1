from collections.abc import Callable

import pytest

from kartenkniffel.store import Store, UnknownLog
from kartenkniffel.table import (
    CODE_LENGTH,
    CODE_LETTERS,
    Start,
    Tables,
    UnknownCode,
)
from tests.table.helpers import (
    gathered,
)


def test_a_code_can_be_read_aloud(tables: Tables) -> None:
    assert len(set(CODE_LETTERS)) == 24
    assert not set("IO") & set(CODE_LETTERS)
    for _ in range(10):
        code = gathered(tables, "Ana").code
        assert len(code) == CODE_LENGTH == 6
        assert set(code) <= set(CODE_LETTERS)


@pytest.mark.parametrize(
    "write",
    [
        lambda code: code,
        lambda code: code.lower(),
        lambda code: f" {code[:3]} {code[3:]}\n",
        lambda code: "-".join(code).swapcase(),
        lambda code: f"{code[:2]}.{code[2:4]}\u2013{code[4:]}",
    ],
    ids=["capitals", "small", "spaces", "dashes", "other signs"],
)
def test_a_code_leads_to_its_table_however_it_is_typed(
    tables: Tables, write: Callable[[str], str]
) -> None:
    one, other = gathered(tables, "Ana"), gathered(tables, "Bo")
    assert tables.lobbies.find(write(one.code)) == one
    assert tables.lobbies.find(write(other.code)) == other


@pytest.mark.parametrize(
    "code", ["", "ABC", "ABCDEFG", "ABCDE1", "ABCDEI", "äöüäöü", "../../", "A" * 10_000, "\ud800"]
)
def test_what_is_no_code_leads_nowhere(tables: Tables, code: str) -> None:
    gathered(tables, "Ana")
    with pytest.raises(UnknownCode, match="no table with this code waits"):
        tables.lobbies.find(code)


def test_a_code_of_no_table_leads_nowhere(tables: Tables) -> None:
    code = gathered(tables, "Ana").code
    other = code[:-1] + ("A" if code[-1] != "A" else "B")
    with pytest.raises(UnknownCode):
        tables.lobbies.find(other)


def start_it(tables: Tables, id: str) -> None:
    tables.lobbies.start(id, "ana", Start())


def leave_it(tables: Tables, id: str) -> None:
    tables.lobbies.leave(id, "bo")
    tables.lobbies.leave(id, "ana")


@pytest.mark.parametrize(
    "end",
    [
        start_it,
        leave_it,
        lambda tables, id: tables.lobbies.close(id, "ana"),
        lambda tables, id: tables.delete(id),
    ],
    ids=["started", "left by all", "closed", "deleted"],
)
def test_a_code_is_dead_and_free_once_nobody_can_sit_down(
    tables: Tables, store: Store, end: Callable[[Tables, str], object]
) -> None:
    waiting = gathered(tables, "Ana", "Bo", listed=True, seats=3)
    assert [each.id for each in tables.lobbies.waiting()] == [waiting.id]
    end(tables, waiting.id)
    with pytest.raises(UnknownCode):
        tables.lobbies.find(waiting.code)
    with pytest.raises(UnknownLog):
        store.info(f"code-{waiting.code}")
    assert tables.lobbies.waiting() == tables.lobbies.all_open() == []
    assert tables.lobbies.of_player("ana") == []
