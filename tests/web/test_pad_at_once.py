"""The score pad when several people send at once, or one sends a lot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from limits import parse
from starlette.testclient import TestClient

from kartenkniffel.web.limits import PER_KEY
from tests.web.application import running
from tests.web.test_pad import Sender, key, open_pad, stranger


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with running(tmp_path, local=False) as client:
        yield client


def test_two_phones_that_tell_one_turn_count_it_once(client: TestClient) -> None:
    path = open_pad(client)
    guest = stranger(client)
    Sender(guest, path).send("claim", player="1")
    seen = guest.get(path).text
    panel = re.findall(r'id="entry".*?</form>', guest.get(f"{path}?cell=1-kn").text, re.S)[0]
    Sender(client, path).send("exchange", player="0")
    offered = [hidden_in(client.get(path).text, "exchange-1"), hidden_in(seen, "exchange-1")]
    for each, form in zip((client, guest), offered, strict=True):
        assert each.post(f"{path}/exchange", data={**form, "key": key()}).status_code == 303
    told = client.get(f"{path}/pad.json").json()["games"][0]["players"]
    assert [player["turns"] for player in told] == [[None], [None], []]
    # An entry that was begun before then is the turn that was told.
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', panel))
    assert guest.post(f"{path}/enter", data={**form, "hand": "5"}).status_code == 303
    told = client.get(f"{path}/pad.json").json()["games"][0]["players"]
    assert [player["turns"] for player in told] == [[None], ["kn"], []]


def hidden_in(page: str, form: str) -> dict[str, str]:
    """Give what a form of a page sends without being asked."""
    found = re.search(rf'id="{form}".*?</form>', page, re.S)
    assert found
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', found[0]))


def test_nobody_opens_writes_or_prints_without_end(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for what in ("open", "join", "move"):
        monkeypatch.setitem(PER_KEY, what, parse("3/minute"))
    form = {"player": ["Ana", "Bo"], "how": "chosen", "who": "0", "counting": "1"}
    guest = stranger(client)
    guest.get("/")
    paths = [guest.post("/pad", data={**form, "key": key()}) for _ in range(4)]
    assert [answer.status_code for answer in paths] == [303, 303, 303, 429]
    assert int(paths[3].headers["retry-after"]) > 0
    assert guest.get("/pad").text.count('href="/pad/') == 3
    path = str(paths[0].headers["location"])
    posts = [
        ("exchange", {"player": "0", "turns": "0"}),
        ("rename", {"player": "0", "name": "Anna"}),
        ("end", {}),
        ("next", {}),
        ("leave", {}),
        ("delete", {}),
    ]
    told = [
        guest.post(f"{path}/{action}", data={**more, "game": "1", "key": key()}).status_code
        for action, more in posts
    ]
    assert told == [303, 303, 303, 429, 429, 429]
    sheets = ["/pad/sheets.pdf?paper=a5", f"{path}/sheets.pdf?paper=a5", f"{path}/game.pdf"]
    printed = [guest.get(sheet).status_code for sheet in (*sheets, *sheets)]
    assert printed == [200, 200, 200, 429, 429, 429]
    # Looking on is free, and others are not concerned.
    assert guest.get(path).status_code == 200
    assert Sender(client, open_pad(client)).send("exchange", player="0")[0] == 303
