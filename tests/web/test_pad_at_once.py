"""The score pad when several people send at once, or one sends a lot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

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
