import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.rules import MOVES, HouseRules
from kartenkniffel.table import PACES, Seat, Start, UnknownEvent
from kartenkniffel.table.events import (
    Moved,
    Opened,
    Paced,
    Rematched,
    TableEvent,
    from_body,
    to_body,
)

piles = st.text("123456", max_size=108)
names = st.text(min_size=1, max_size=20)
seats = st.one_of(
    st.builds(Seat, names, bot=names), st.builds(Seat, names, owner=names), st.builds(Seat, names)
)
starts = st.builds(
    Start, st.sampled_from(["random", "youngest", "seat"]), st.none() | st.integers()
)
events: st.SearchStrategy[TableEvent] = st.one_of(
    st.builds(
        Opened,
        st.lists(seats, min_size=1, max_size=10).map(tuple),
        starts,
        st.permutations(range(4)).map(tuple),
        piles,
        st.builds(HouseRules, st.booleans()),
        st.none() | names,
        st.dictionaries(names, st.none() | st.booleans() | st.integers() | names),
    ),
    st.builds(Moved, st.integers(0, 9), st.sampled_from(MOVES), st.none() | piles),
    st.builds(Rematched, names),
    st.builds(Paced, st.sampled_from(list(PACES))),
)


@given(events)
def test_an_event_is_read_as_it_was_written(event: TableEvent) -> None:
    assert from_body(json.loads(json.dumps(to_body(event)))) == event


def test_an_opened_table_is_written_with_its_version_and_all_it_needs() -> None:
    opened = Opened((Seat("Ana", owner="a"),), Start(), (0,), "123", HouseRules())
    assert to_body(opened) == {
        "type": "opened",
        "version": 1,
        "seats": ({"name": "Ana", "bot": None, "owner": "a"},),
        "start": {"how": "random", "seat": None},
        "order": (0,),
        "shuffle": "123",
        "rules": {"five_of_a_kind_is_full_house": False},
        "rematch_of": None,
        "settings": {},
    }


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"type": "joined", "seat": 1}, "joined"),
        ({"type": "opened", "version": 2}, "opened of version 2"),
    ],
)
def test_what_a_newer_version_wrote_is_named(body: dict[str, object], named: str) -> None:
    with pytest.raises(UnknownEvent, match=f"the event type {named} is unknown") as caught:
        from_body(body)
    assert caught.value.type == named


def test_the_shuffle_is_not_shown_with_the_event() -> None:
    opened = Opened((Seat("Ana"),), Start(), (0,), "123456", HouseRules())
    moved = Moved(0, MOVES[0], "123456")
    assert "123456" not in repr(opened) + repr(moved)
