"""Every event survives being kept, and what is none is told apart."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartenkniffel.pad import DamagedPad, fold
from kartenkniffel.pad.errors import UnknownEvent
from kartenkniffel.pad.events import (
    Answered,
    Asked,
    Began,
    Claimed,
    Corrected,
    Counting,
    Ended,
    Entered,
    Exchanged,
    Opened,
    PadEvent,
    Recounted,
    Redone,
    Renamed,
    Undone,
    from_body,
    to_body,
)
from kartenkniffel.store import Event

KINDS = (
    Opened,
    Began,
    Entered,
    Exchanged,
    Corrected,
    Recounted,
    Renamed,
    Counting,
    Ended,
    Asked,
    Answered,
    Undone,
    Redone,
    Claimed,
)


@given(st.one_of([st.from_type(kind) for kind in KINDS]))
def test_events_survive_as_json(event: PadEvent) -> None:
    assert from_body(json.loads(json.dumps(to_body(event)))) == event


def stored(*bodies: dict[str, Any]) -> list[Event]:
    now = datetime.now(UTC)
    return [Event("log", number, body, None, now) for number, body in enumerate(bodies, 1)]


OPENED = {"type": "opened", "version": 1, "by": "me"}
BEGAN = {
    "type": "began",
    "by": "me",
    "players": ["Ana"],
    "first": 0,
    "how": "random",
    "rules": {},
    "counting": True,
}


def test_what_is_no_event_is_told_by_its_number() -> None:
    with pytest.raises(UnknownEvent):
        from_body({"type": "sung", "by": "me"})
    with pytest.raises(UnknownEvent):
        from_body({**OPENED, "version": 2})
    cases: list[tuple[list[dict[str, Any]], int]] = [
        ([BEGAN], 1),
        ([{}], 1),
        ([OPENED, OPENED], 2),
        ([OPENED, BEGAN, {"type": "undone", "by": "me", "game": 1}], 3),
        ([OPENED, BEGAN, {"type": "exchanged", "by": "me", "game": 2, "player": 0}], 3),
        ([OPENED, BEGAN, {"type": "exchanged", "by": "me", "game": 1, "player": 5}], 3),
        ([OPENED, BEGAN, {"type": "exchanged"}], 3),
        ([OPENED, {**BEGAN, "rules": {"x": True}}], 2),
        ([OPENED, BEGAN, {"type": "answered", "by": "me", "game": 1, "question": 9, "take": 1}], 3),
    ]
    for bodies, number in cases:
        with pytest.raises(DamagedPad) as damage:
            fold(stored(*bodies))
        assert damage.value.number == number
    events = stored(OPENED, BEGAN)
    with pytest.raises(DamagedPad):
        fold([events[0], Event("log", 3, BEGAN, None, events[0].at)])
