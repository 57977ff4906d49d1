"""People who come to one server with a browser each, and play as its pages let them."""

from __future__ import annotations

import hashlib
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
from starlette.testclient import TestClient

from kartenkniffel.bots import Bot
from kartenkniffel.notation import view_from_json
from kartenkniffel.rules import Cards, Exchange, Move, Score, View
from kartenkniffel.store import open_store
from kartenkniffel.table import Tables
from kartenkniffel.web.app import create_app
from kartenkniffel.web.presence import GONE_AFTER
from tests.table.helpers import SimpleBot
from tests.web.application import BOTS, hand_in, key_in, number_in

ADDRESS = "192.0.2.7"


class Friend:
    """Somebody with a browser; ``client`` speaks to the application, or over the network.

    With ``tables`` at hand the view to decide from is taken there, which is faster.
    """

    def __init__(self, client: httpx2.Client, name: str, tables: Tables | None = None) -> None:
        self.tables = tables
        self.client = client
        self.name = name

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return self.client.get(path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, path: str, **form: object) -> httpx2.Response:
        return self.client.post(path, data=form)

    def html(self, path: str) -> str:
        """Give a page that must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    # Before the game

    def opens(self, **form: object) -> str:
        """Open a table for friends and give its path, which is the link to it."""
        wanted = {"mode": "friends", "name": self.name, "seats": "4", "level": "medium"}
        form = {"key": f"k{random.randrange(10**9)}", "spectators": "1", **form}
        answer = self.post("/tables", **wanted | form)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def joins(self, link: str, name: str | None = None) -> httpx2.Response:
        return self.post(f"{link}/join", name=self.name if name is None else name)

    def starts(self, link: str, **form: object) -> str:
        """Start the game and give the path of the table."""
        answer = self.post(f"{link}/start", **form)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    # At the table

    def view(self, path: str) -> View:
        """Give what one may know; over the network as it is handed out with the own data."""
        if self.tables is not None:
            key = self.client.cookies["kk_key"]
            table = self.tables.get(path.removeprefix("/t/"))
            return table.view(table.seat_of(hashlib.sha256(key.encode()).hexdigest()))
        tables = self.get("/me/export.json").json()["tables"]
        (views,) = [each["views"] for each in tables if each["table"] == path.removeprefix("/t/")]
        return view_from_json(views[0])

    def is_to_move(self, path: str) -> bool:
        return "is-now" in self.html(path)

    def sends(self, path: str, move: Move, html: str | None = None) -> httpx2.Response:
        """Send a move with the form of a page, by default of the newest."""
        html = self.html(path) if html is None else html
        action, form = as_form(move, Cards(hand_in(html)))
        return self.post(f"{path}/{action}", number=number_in(html), key=key_in(html), **form)

    def draws(self, path: str) -> httpx2.Response:
        """Draw a card, the move that is nearly always there; pass with a full hand."""
        html = self.html(path)
        full = len(hand_in(html)) == 10
        draw = {"draw": "same", "confirm": "1"} if full else {"draw": "more"}
        return self.post(f"{path}/exchange", number=number_in(html), key=key_in(html), **draw)


def as_form(move: Move, hand: Cards) -> tuple[str, dict[str, object]]:
    """Give what a page sends for a move: the form's name and what is in it."""
    cards = move.discard if isinstance(move, Exchange) else move.cards
    free = {value: [n for n, card in enumerate(hand) if card == value] for value in range(1, 7)}
    places = [str(free[value].pop()) for value in cards]
    if isinstance(move, Score):
        return "score", {"field": move.field.value, "card": places}
    more = "more" if move.draw > len(move.discard) else "same"
    return "exchange", {"draw": more, "confirm": "1", "card": places}


class House:
    """A running application and the people who come to it."""

    def __init__(self, tables: Tables, first: TestClient) -> None:
        self.tables = tables
        self.first = first

    def friend(self, name: str, host: str = ADDRESS, base: str = "") -> Friend:
        """Somebody new, who comes from an address."""
        client = TestClient(
            self.first.app,
            base_url=base or str(self.first.base_url),
            client=(host, 50000),
            follow_redirects=False,
            headers={"accept-language": "en"},
        )
        client.portal = self.first.portal
        return Friend(client, name, self.tables)

    def friends(self, *names: str) -> list[Friend]:
        return [self.friend(name) for name in names]

    def seated(self, *names: str, **form: object) -> tuple[str, list[Friend]]:
        """Let people gather at a table of as many seats, the first one its host."""
        people = self.friends(*names)
        link = people[0].opens(**{"seats": str(max(2, len(names))), **form})
        for friend in people[1:]:
            assert friend.joins(link).status_code == 303
        return link, people

    def playing(self, *names: str, **form: object) -> tuple[str, list[Friend]]:
        """Let people begin a game; the first one starts."""
        link, people = self.seated(*names, **form)
        first = guests(people[0].html(link))[0]
        return people[0].starts(link, first="seat", who=first), people


@contextmanager
def house(
    data: Path,
    *,
    home: bool = False,
    rng: random.Random | None = None,
    pause: float = 0,
    bots: Mapping[str, Callable[[], Bot]] = BOTS,
    gone_after: float = GONE_AFTER,
    public: str | None = None,
) -> Iterator[House]:
    """Run the application as a server for people in different places."""
    store = open_store(data)
    try:
        with Tables(store, bots, rng=rng, pause=pause) as tables:
            app = create_app(tables, list(bots), home=home, gone_after=gone_after, public=public)
            with TestClient(app, base_url="http://kniffel.test") as first:
                yield House(tables, first)
    finally:
        store.close()


@contextmanager
def visitor(address: str, name: str) -> Iterator[Friend]:
    """Somebody who comes to a real server."""
    with httpx2.Client(
        base_url=address.rstrip("/"), timeout=30, headers={"accept-language": "en"}
    ) as client:
        yield Friend(client, name)


@contextmanager
def listening(here: House, friend: Friend, heard: list[bytes]) -> Iterator[None]:
    """Keep every byte of somebody's stream."""
    portal = here.first.portal
    assert portal is not None
    key = friend.client.cookies["kk_key"]
    headers = [(b"host", b"kniffel.test"), (b"cookie", f"kk_key={key}".encode())]
    opened = threading.Event()

    async def run() -> None:
        async def receive() -> dict[str, object]:
            await anyio.sleep_forever()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            heard.append(bytes(message.get("body", b"")))
            opened.set()

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/events",
            "raw_path": b"/events",
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "http_version": "1.1",
            "headers": headers,
            "client": (ADDRESS, 50000),
            "server": ("kniffel.test", 80),
            "extensions": {},
            "state": {},
        }
        await here.first.app(scope, receive, send)  # type: ignore[arg-type]

    task = portal.start_task_soon(run)
    assert opened.wait(10)
    try:
        yield
    finally:
        threading.Event().wait(0.2)
        task.cancel()


def guests(html: str) -> list[str]:
    """List the numbers of the guests that the page of a waiting table shows."""
    return re.findall(r'id="guest-(\d+)"', html)


def names_of(html: str) -> list[str]:
    """List the names of the guests, as the page has them."""
    return re.findall(r'class="guest-name"[^>]*><bdi>(.*?)</bdi>', html)


def code_of(html: str) -> str:
    """Read the code off the page."""
    found = re.search(r"\b(?:[A-Z] ){5}[A-Z]\b", html)  # as it is read out to those who cannot see
    assert found
    return found[0].replace(" ", "")


def alert_of(html: str) -> str:
    """Give what the page says went wrong, or an empty text."""
    found = re.search(r'role="alert"[^>]*>(.*?)<', html)
    return found[1] if found else ""


def path_of(answer: httpx2.Response) -> str:
    """Give where an answer leads to."""
    return urlsplit(answer.headers["location"]).path


def to_move(people: Sequence[Friend], path: str) -> Friend:
    """Give the one whose turn it is."""
    return next(friend for friend in people if friend.is_to_move(path))


def play_on(people: Sequence[Friend], path: str, moves: int = 10_000) -> int:
    """Let the people make so many moves, or play to the end; gives how many they were."""
    bot, rng = SimpleBot(), random.Random(1)
    for made in range(moves):
        htmls = [friend.html(path) for friend in people]
        if "table--over" in htmls[0]:
            return made
        for friend, html in zip(people, htmls, strict=True):
            if "is-now" in html:
                answer = friend.sends(path, bot.choose(friend.view(path), rng), html)
                assert answer.status_code == 303, answer.text
                break
    return moves


def held_by(friend: Friend) -> list[dict[str, Any]]:
    """Give what the server says it holds of somebody."""
    tables = friend.get("/me/export.json").json()["tables"]
    assert isinstance(tables, list)
    return tables
