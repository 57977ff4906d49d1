"""The application in this process, on a real store, with bots that the test chooses."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from kartenkniffel.bots import LEVELS, Bot, bot
from kartenkniffel.pad import Pads
from kartenkniffel.rules import Cards, Exchange, Move, View
from kartenkniffel.store import open_store
from kartenkniffel.table import Seat, Tables
from kartenkniffel.web.app import create_app
from kartenkniffel.web.people import THIS_MACHINE
from kartenkniffel.web.server import LOCAL_HOSTS


class Drawer:
    """A bot whose moves depend on nothing secret: it draws until its hand is full, then passes."""

    name = "drawer"

    def choose(self, view: View, rng: random.Random) -> Move:
        return Exchange(Cards(), int(view.own.hand_size < 10))


BOTS: Mapping[str, Callable[[], Bot]] = {"medium": Drawer}


class Gated(Drawer):
    """A drawer that moves only when the test has let it."""

    may_move = threading.Semaphore(0)

    def choose(self, view: View, rng: random.Random) -> Move:
        assert self.may_move.acquire(timeout=30)
        return super().choose(view, rng)


class Stacked(random.Random):
    """Chance that puts the cards where the test wants them; all else is as seed 0 has it."""

    def __init__(self, deck: str) -> None:
        super().__init__(0)
        self.deck = deck

    def shuffle(self, cards: list[str]) -> None:  # type: ignore[override]
        if len(cards) == len(self.deck):
            cards[:] = self.deck
        else:
            super().shuffle(cards)


@contextmanager
def running(
    data: Path,
    *,
    local: bool = True,
    rng: random.Random | None = None,
    pause: float = 0,
    bots: Mapping[str, Callable[[], Bot]] = BOTS,
) -> Iterator[TestClient]:
    """Run the application and give a browser's side of it, in English."""
    store = open_store(data)
    base = "http://localhost" if local else "http://kniffel.test"
    hosts = LOCAL_HOSTS if local else ["*"]
    try:
        with (
            Tables(store, bots, rng=rng, pause=pause) as tables,
            TestClient(
                create_app(tables, ["medium"], hosts=hosts, pads=Pads(store)),
                base_url=base,
                client=("127.0.0.1" if local else "192.0.2.7", 50000),
                follow_redirects=False,
                headers={"accept-language": "en"},
            ) as client,
        ):
            yield client
    finally:
        store.close()


def nearly_over(data: Path, *names: str) -> str:
    """Keep a game of the first one against bots in which a sheet has one open field; its path."""
    store = open_store(data)
    try:
        tables = Tables(store, LEVELS, rng=random.Random(5))  # never begun: its bots wait
        seats = [
            Seat(names[0], owner=THIS_MACHINE),
            *(Seat(name, bot="easy") for name in names[1:]),
        ]
        table = tables.open(seats)
        player, rng = bot("medium"), random.Random(5)
        while min(len(each.sheet.open_fields) for each in table.view(None).players) > 1:
            seat = table.to_move
            assert seat is not None
            table = tables.move(table.id, seat, player.choose(table.view(seat), rng))
        return f"/t/{table.id}"
    finally:
        store.close()


def open_table(client: TestClient, **form: str) -> str:
    """Open a table with one bot, the person to start, and give its path."""
    wanted = {"name": "Ana", "bots": "1", "level": "medium", "start": "me", "key": "open-1"}
    answer = client.post("/tables", data=wanted | form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def number_in(html: str) -> int:
    found = re.search(r'data-number="(\d+)"', html)
    assert found
    return int(found[1])


def key_in(html: str) -> str:
    found = re.search(r'name="key" value="([^"]+)"', html)
    assert found
    return found[1]


def hand_in(html: str) -> str:
    return "".join(re.findall(r'class="pick-box"[^>]*data-value="(\d)"', html))


def settled(client: TestClient, path: str) -> str:
    """Ask for the page until it is one's turn or the game is over."""
    for _ in range(500):
        html = client.get(path).text
        if "is-now" in html or "table--over" in html:
            return html
    raise AssertionError("the bot does not move")
