import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.rules import MOVES, HouseRules
from kartenkniffel.table import PACES, Seat, Start, UnknownEvent
from kartenkniffel.table.bodies import from_body, to_body
from kartenkniffel.table.events import (
    Answered,
    Claimed,
    Closed,
    Ended,
    Filled,
    HandedOver,
    Invited,
    Joined,
    Left,
    Moved,
    Offered,
    Opened,
    Paced,
    Proposed,
    Rematched,
    Said,
    StoodIn,
    TableEvent,
    Terms,
    TookBack,
    Undone,
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
    st.builds(Invited, names, names, names, st.builds(Terms, st.integers(2, 10))),
    st.builds(Joined, names, names),
    st.builds(Left, st.integers(1), st.booleans()),
    st.builds(HandedOver, st.integers(1)),
    st.builds(Filled, st.booleans(), names),
    st.builds(StoodIn, st.integers(0, 9), st.sampled_from(["clock", "gone", "left"])),
    st.builds(TookBack, st.integers(0, 9)),
    st.builds(Said, st.integers(0, 9), names),
    st.builds(Proposed, st.integers(0, 9), st.sampled_from(["end", "undo"])),
    st.builds(Answered, st.integers(0, 9), st.booleans()),
    st.builds(Offered, names, names, names),
    st.builds(Claimed, names, names),
    st.sampled_from([Closed(), Undone(), Ended()]),
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
        "rules_version": 1,
    }


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"type": "danced", "seat": 1}, "danced"),
        ({"type": "opened", "version": 2}, "opened of version 2"),
        ({"type": "opened", "version": 1, "rules_version": 2}, "opened by rules of version 2"),
        ({"type": "invited", "version": 2}, "invited of version 2"),
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
