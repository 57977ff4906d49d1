"""A storm of moves at many tables, while the server is killed and started again.

Its clients do what a page does: they send a move with the key of the page they saw, and send the
same again when no answer comes. What was acknowledged must be in the log once, nothing twice.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from kartenkniffel.notation import Record, format_move
from kartenkniffel.rules import Cards, Exchange, Field, Move, Score
from kartenkniffel.store import open_store
from kartenkniffel.table import Table, fold
from tests.serving import Server
from tests.web.application import hand_in, key_in, number_in
from tests.web.company import as_form, guests

TABLES = 6
CLOCK_SECONDS = 30
"""The shortest clock on offer."""


class Line:
    """A person's connection to the server, which breaks when that is killed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""
        self._connection: http.client.HTTPConnection | None = None

    def send(
        self, method: str, path: str, form: dict[str, object] | None = None
    ) -> tuple[int, str, str]:
        """Give status, place that it leads to and text; raises ``OSError`` on a broken line."""
        headers = {"X-Part": "1", "Accept-Language": "en", "Cookie": self._cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = None if form is None else urlencode(form, doseq=True)
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
            self._connection.request(method, path, body, headers)
            with self._connection.getresponse() as answer:
                text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise OSError("the line broke") from error
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            if cookie.startswith("kk_key="):
                self._cookie = cookie.split(";")[0]
        return answer.status, answer.headers.get("Location") or "", text

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Player:
    """Somebody who moves whenever it is the own turn, and goes on to the rematch."""

    def __init__(self, port: int, name: str, seed: int) -> None:
        self.line = Line(port)
        self.name = name
        self.path = ""
        self.paths: list[str] = []
        self.acknowledged: dict[str, Move] = {}
        self.sent: set[str] = set()
        self.problems: list[str] = []
        self._rng = random.Random(seed)

    def goes_to(self, path: str) -> None:
        self.path = path
        self.paths.append(path)

    def plays(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                if not self._turn():
                    stop.wait(0.05)
            except OSError:
                stop.wait(0.1)
            except Exception as error:
                self.problems.append(f"{self.name}: {error!r}")
                raise
        self.line.close()

    def _turn(self) -> bool:
        status, _, html = self.line.send("GET", f"{self.path}?part=1")
        assert status == 200, (status, html)
        if "table--over" in html:
            status, place, _ = self.line.send("POST", f"{self.path}/again", {"key": "k"})
            assert status == 303, status
            self.goes_to(place)
            return True
        if "is-now" not in html:
            return False
        hand, key = Cards(hand_in(html)), key_in(html)
        move = self._chosen(hand, html)
        action, form = as_form(move, hand)
        form |= {"number": number_in(html), "key": key}
        self.sent.add(key)
        while True:
            try:
                status, _, text = self.line.send("POST", f"{self.path}/{action}", form)
            except OSError:
                if self._rng.random() < 0.25:
                    raise  # the tab is closed; whether the move was made shows the next one
                time.sleep(0.1)
                continue
            assert status in (200, 409), (status, text)
            if status == 200:
                self.acknowledged[key] = move
            return True

    def _chosen(self, hand: Cards, html: str) -> Move:
        found = re.search(r'id="table-data">(.*?)</script>', html, re.DOTALL)
        assert found
        plays = [(f, cards) for f, all in json.loads(found[1])["plays"].items() for cards in all]
        if plays and self._rng.random() < 0.4:
            field, (cards, *_) = self._rng.choice(plays)
            return Score(Cards(cards), Field(field))
        discard = Cards(self._rng.sample(list(hand), self._rng.randrange(4)))
        more = len(hand) < 10 and self._rng.random() < 0.3
        return Exchange(discard, len(discard) + more)


def gathered(port: int, names: list[str], **terms: str) -> list[Player]:
    """Let people begin a game, with bots on the seats that are left of three."""
    people = [Player(port, name, seed) for seed, name in enumerate(names)]
    form: dict[str, object] = {"mode": "friends", "name": names[0], "level": "easy", "key": "k"}
    form |= {"seats": "3", "fill": "1", **terms}
    _, link, _ = people[0].line.send("POST", "/tables", form)
    for player in people[1:]:
        player.line.send("POST", f"{link}/join", {"name": player.name})
    _, _, html = people[0].line.send("GET", link)
    assert len(guests(html)) == len(names)
    status, path, _ = people[0].line.send("POST", f"{link}/start", {"first": "random"})
    assert status == 303
    for player in people:
        player.goes_to(path)
    return people


def until(holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def storm(data: Path, kills: int) -> None:
    server = Server(data, pause=0.02, command="serve")
    stop = threading.Event()
    rng = random.Random(kills)
    with server:
        sleepy = gathered(server.port, ["Ute", "Ulf"], clock=str(CLOCK_SECONDS))
        began = time.monotonic()
        tables = [gathered(server.port, [f"Ana {n}", f"Bo {n}"]) for n in range(TABLES)]
        people = [player for table in tables for player in table]
        threads = [threading.Thread(target=player.plays, args=(stop,)) for player in people]
        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                all_go_on(people)
                time.sleep(rng.random() / 2)
                server.kill()
                server.start()
            all_go_on(people)
            # At one table nobody moves: when the time is over, a bot stands in.
            until(
                lambda: any("Your time ran out" in seen(player) for player in sleepy),
                "the clocks do not go on",
                CLOCK_SECONDS * 3,
            )
            assert time.monotonic() - began >= CLOCK_SECONDS - 1
        finally:
            stop.set()
            for thread in threads:
                thread.join(30)
            for player in sleepy:
                player.line.close()
        assert [problem for player in people for problem in player.problems] == []
        assert server.interrupt() == 0
        assert not [line for line in server.output if "rror" in line or "Traceback" in line]
    check_log(data, people)


def all_go_on(people: list[Player]) -> None:
    """Wait until everybody has moved twice more, so that the bots between them have moved too."""
    goal = {player.name: len(player.acknowledged) + 2 for player in people}

    def reached() -> bool:
        assert [problem for player in people for problem in player.problems] == []
        return all(len(player.acknowledged) >= goal[player.name] for player in people)

    until(reached, "a table does not go on")


def seen(player: Player) -> str:
    try:
        return player.line.send("GET", player.path)[2]
    except OSError:
        return ""


def check_log(data: Path, people: list[Player]) -> None:
    """Each acknowledged move is in the log once, and no key that was sent stands there twice."""
    store = open_store(data)
    found: Counter[str] = Counter()
    moves: dict[str, str] = {}
    bots = 0
    try:
        for path in {path for player in people for path in player.paths}:
            events = store.read(path.removeprefix("/t/"))
            table = fold(events)
            assert isinstance(table, Table)
            assert Record.of(table.game).replay() == table.game
            for event in events:
                if event.body["type"] == "moved" and event.key is not None:
                    seat, _, key = event.key.partition(":")
                    bots += seat == "bot"
                    found[key] += seat != "bot"
                    moves[key] = event.body["move"]
    finally:
        store.close()
    acknowledged = {key: move for player in people for key, move in player.acknowledged.items()}
    sent = {key for player in people for key in player.sent}
    assert len(acknowledged) >= 2 * len(people)
    assert bots > 0
    assert {key: found[key] for key in acknowledged} == dict.fromkeys(acknowledged, 1)
    assert {key: moves[key] for key in acknowledged} == {
        key: format_move(move) for key, move in acknowledged.items()
    }
    assert [key for key, count in found.items() if count > 1] == []
    assert {key for key, count in found.items() if count} <= sent


def test_three_kills_lose_and_repeat_no_move(tmp_path: Path) -> None:
    storm(tmp_path, 3)


@pytest.mark.slow
def test_twenty_kills_lose_and_repeat_no_move(tmp_path: Path) -> None:
    storm(tmp_path, 20)
