"""A log that version 1 wrote is read by every later one: it holds every kind of event."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from kartenkniffel.pad import Pad, fold
from kartenkniffel.pad.events import _TYPES
from kartenkniffel.rules import Field
from kartenkniffel.store import Event

LOG = Path(__file__).parent / "logs" / "v1.json"


def kept() -> list[Event]:
    return [
        Event("p", each["number"], each["body"], None, datetime.fromisoformat(each["at"]))
        for each in json.loads(LOG.read_text("utf-8"))
    ]


def test_every_kind_of_event_is_in_it() -> None:
    assert {event.body["type"] for event in kept()} == set(_TYPES)


def test_it_says_what_it_said_then() -> None:
    pad: Pad = fold(kept())
    board = pad.games[0].board
    assert board.players == ("Anna", "Bo")
    assert (board.first, board.counting, board.ended) == (1, False, True)
    # Anna: 20 and 50, hand of six once, malus. Bo: 18 and 25, hand of ten once, malus.
    assert [board.sheet(player).total for player in (0, 1)] == [20 + 50 - 2 - 20, 18 + 25 - 10 - 20]
    assert board.winners == (0,)
    assert [board.exchanges(player) for player in (0, 1)] == [3, 1]
    written = board.written[1][Field.FULL_HOUSE]
    assert (written.cards, written.hand, written.by) == ("44444", 10, "opener")
    assert pad.games[0].questions == ()
    assert len(pad.games[0].past) == 13
    assert len(pad.games) == 2
    assert pad.people == {}
