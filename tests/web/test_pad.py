"""The score pad's pages without scripts: forms, refusals, several people, what comes after."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
from collections.abc import Iterator
from itertools import combinations_with_replacement, count
from pathlib import Path

import pytest
from pypdf import PdfReader
from starlette.testclient import TestClient

from tests.pad.reckoning import CODES, Column, possible
from tests.strategies import reckoned
from tests.web.application import running

_keys = count()
NAMES = ["Ana", "Bo", "Cy"]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with running(tmp_path, local=False) as client:
        yield client


def stranger(client: TestClient) -> TestClient:
    """Give another phone: the same server, no cookies yet."""
    return TestClient(
        client.app,
        base_url="http://kniffel.test",
        client=("192.0.2.8", 50000),
        follow_redirects=False,
        headers={"accept-language": "en"},
    )


def key() -> str:
    return f"k{next(_keys)}"


def open_pad(client: TestClient, names: list[str] | None = None, **form: str) -> str:
    data = {"key": key(), "player": names or NAMES, "how": "chosen", "who": "0", "counting": "1"}
    answer = client.post("/pad", data={**data, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def number(client: TestClient, path: str) -> str:
    found = re.search(r'data-number="(\d+)"', client.get(path).text)
    assert found
    return found[1]


class Sender:
    """Sends what the pad's forms send."""

    def __init__(self, client: TestClient, path: str) -> None:
        self.client, self.path = client, path

    def send(self, action: str, **form: str) -> tuple[int, str]:
        data = {"key": key(), "game": "1", "number": number(self.client, self.path), **form}
        answer = self.client.post(f"{self.path}/{action}", data=data)
        return answer.status_code, html.unescape(answer.text)

    def enter(self, player: int, code: str, hand: int, points: int | None, **form: str) -> int:
        told = {} if points is None else {"points": str(points)}
        status, _ = self.send(
            "enter", player=str(player), field=code, hand=str(hand), **told, **form
        )
        return status


def totals(page: str) -> list[int]:
    row = re.search(r'<tr class="grand">.*?</tr>', page, re.S)
    assert row
    return [int(t.replace("−", "-")) for t in re.findall(r'"points">([−\d]+)<', row[0])]


def test_a_pad_is_opened_and_its_names_are_remembered(client: TestClient) -> None:
    assert '<a href="/pad">' in client.get("/").text
    path = open_pad(client, ["Ana", "", "Bo"])
    page = client.get(path).text
    assert "Ana’s turn" in page
    home = client.get("/pad").text
    assert f'href="{path}"' in home
    assert re.findall(r'name="player" value="([^"]*)"', home)[:3] == ["Ana", "Bo", ""]
    assert 'option value="1" data-player="Player 2" selected>Bo<' in home
    assert 'href="/pad/' not in stranger(client).get("/pad").text


@pytest.mark.parametrize(
    ("names", "form", "said"),
    [
        ([""], {}, "one to ten players"),
        ([f"P{n}" for n in range(11)], {}, "one to ten players"),
        (["Ana", "ANA"], {}, "same name"),
        (["x" * 41], {}, "1 to 40 characters"),
        (["Ana", "Bo"], {"who": "2"}, "who starts"),
        (["Ana", "Bo"], {"who": "5"}, "who starts"),
    ],
)
def test_what_was_typed_is_kept_and_the_mistake_told(
    client: TestClient, names: list[str], form: dict[str, str], said: str
) -> None:
    data = {"key": key(), "player": names, "how": "youngest", "who": "0", **form}
    answer = client.post("/pad", data=data)
    assert answer.status_code == 422
    assert said in answer.text
    assert names[0] in answer.text


def test_R13_an_evening_by_forms_alone(client: TestClient) -> None:
    """Two games from the forms that the page itself shows, against a reckoning of their own."""
    path = open_pad(client)
    sums = [0, 0, 0]
    for game in (1, 2):
        columns = [Column() for _ in NAMES]
        for round_number, code in enumerate(CODES):
            for step in range(3):
                player = (step + game - 1) % 3
                panel = client.get(f"{path}?cell={player}-{code}").text
                hand = 5 + (round_number + player) % 6
                points = possible(code)[(round_number * 7 + player) % len(possible(code))]
                offered = re.findall(r'id="entry".*?</form>', panel, re.S)[0]
                form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', offered))
                on_offer = [int(p) for p in re.findall(r'name="points" value="(\d+)"', offered)]
                assert on_offer == (possible(code) if len(possible(code)) > 1 else [])
                assert "Counts as exchanged before:</span>" not in offered
                if on_offer:
                    form["points"] = str(points)
                answer = client.post(f"{path}/enter", data={**form, "hand": str(hand)})
                assert answer.status_code == 303, answer.text
                columns[player].write(code, points, hand)
            page = client.get(path).text
            assert totals(page) == [column.total for column in columns]
        sums = [before + column.total for before, column in zip(sums, columns, strict=True)]
        best = max(column.total for column in columns)
        assert f'class="rank-total">{best}<' in page
        assert "has the first turn" in page
        if game == 1:
            form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
            answer = client.post(
                f"{path}/next", data={"key": form["key"], "game": "1", "number": form["number"]}
            )
            assert answer.headers["location"] == path
    evening = re.findall(r"<td><b>(\d+)</b></td>", client.get(path).text)
    assert sorted(map(int, evening)) == sorted(sums)
    check_what_comes_after(client, path, sums)
    check_names_that_cannot_be(client, path)


def check_names_that_cannot_be(client: TestClient, path: str) -> None:
    """The form for other people stays open, and the page comes up at what is wrong there."""
    form = {"key": key(), "number": number(client, path), "player": ["Ana", "Ana"]}
    answer = client.post(f"{path}/next", data={**form, "game": "2", "how": "chosen", "who": "0"})
    assert answer.status_code == 422
    below = answer.text.partition('id="other-people" open>')[2].partition("</details>")[0]
    assert re.search(r'id="alert"[^>]* autofocus>[^<]*name', below)
    assert answer.text.count('id="alert"') == 1


def check_what_comes_after(client: TestClient, path: str, sums: list[int]) -> None:
    games = client.get(f"{path}/games").text
    averages = re.findall(r"<td>(\d+\.\d)</td>", games)
    assert f"{max(sums) / 2:.1f}" in averages
    rows = list(csv.DictReader(io.StringIO(client.get(f"{path}/pad.csv").text.lstrip("\ufeff"))))
    assert len(rows) == 6
    by_name = {name: sum(int(r["total"]) for r in rows if r["player"] == name) for name in NAMES}
    assert list(by_name.values()) == sums
    told = json.loads(client.get(f"{path}/pad.json").text)
    assert [len(game["players"]) for game in told["games"]] == [3, 3]
    assert "this-machine" not in json.dumps(told)
    first = client.get(f"{path}?game=1").text
    assert "To the latest game" in first
    assert client.get(f"{path}?game=3").status_code == 404
    pdf = client.get(f"{path}/game.pdf?game=1&paper=a5")
    assert pdf.headers["content-type"] == "application/pdf"
    printed = text_of(pdf.content)
    for row in rows[:3]:
        assert row["player"] in printed
        assert row["total"] in printed
    assert set(NAMES) <= set(text_of(client.get(f"{path}/sheets.pdf?paper=a5").content).split())


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_blank_sheets_come_from_the_list_of_pads(client: TestClient) -> None:
    assert client.get("/pad/sheets.pdf?players=3&paper=a4").content.startswith(b"%PDF-")
    for wrong in ("players=11", "players=x", "paper=a3", "players=0"):
        assert client.get(f"/pad/sheets.pdf?{wrong}").status_code == 400
    assert client.get(f"{open_pad(client)}/game.pdf").status_code == 409


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"field": "6", "points": "13"}, "Sixes cannot hold 13. Possible: 6, 12, 18, 24, 30."),
        ({"field": "6", "points": "36"}, "Sixes cannot hold 36"),
        ({"field": "fh", "points": "24"}, "Full house cannot hold 24. Possible: 25."),
        ({"field": "3k", "points": "31"}, "Possible: 5–30"),
        ({"field": "3k", "cards": "12345"}, "at least three of them equal"),
        ({"field": "3k", "cards": "x"}, "at least three of them equal"),
        ({"field": "3k", "cards": "33345", "points": "19"}, "bring 18 points"),
        ({"field": "3k"}, "choose what was played"),
        ({"field": "kn", "hand": "4"}, "five to ten cards"),
        ({"field": "kn", "hand": "11"}, "five to ten cards"),
        ({"field": "kn", "hand": "-5"}, "five to ten cards"),
        ({"field": "1", "points": "-1"}, "Ones cannot hold -1"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    client: TestClient, form: dict[str, str], said: str
) -> None:
    sender = Sender(client, open_pad(client))
    before = number(client, sender.path)
    status, page = sender.send("enter", **{"player": "0", "hand": "5", **form})
    assert status == 422
    alert = re.search(r'id="alert">([^<]*)<', page)
    assert alert
    assert said in alert[1]
    # The same panel is open again, with what was told.
    panel = re.findall(r'id="entry".*?</form>', page, re.S)[0]
    if form.get("cards"):
        assert f'value="{form["cards"]}"' in panel
    if form.get("points") == "19":
        assert 'value="19" checked' in panel
    assert number(client, sender.path) == before


@pytest.mark.parametrize("code", ["3k", "4k"])
def test_R9_the_cards_on_offer_are_all_that_fit_with_their_sums(
    client: TestClient, code: str
) -> None:
    page = client.get(f"{open_pad(client)}?cell=0-{code}").text
    panel = re.findall(r'id="entry".*?</form>', page, re.S)[0]
    offered = {cards: int(total) for cards, total in re.findall(r'"(\d{5})">(\d+)</opt', panel)}
    wanted = {}
    for cards in map("".join, combinations_with_replacement("123456", 5)):
        if (total := reckoned(cards, code)) is not None:
            wanted[cards] = total
    assert offered == wanted


def test_what_is_no_form_of_the_pad_is_a_bad_request(client: TestClient) -> None:
    sender = Sender(client, open_pad(client))
    for form in (
        {"player": "0", "field": "7", "hand": "5"},
        {"player": "0", "field": "kn"},
        {"player": "0", "field": "kn", "hand": "5.5"},
        {"player": "0", "field": "6", "hand": "5", "points": "six"},
        {"player": "x", "field": "kn", "hand": "5"},
        {"player": "0", "field": "kn", "hand": "5", "passed": "x"},
        {"player": "0", "field": "kn", "hand": "5", "key": ""},
        {"player": "0", "field": "kn", "hand": "5", "game": ""},
    ):
        assert sender.send("enter", **form)[0] == 400, form
    assert sender.send("enter", player="3", field="kn", hand="5")[0] == 409
    assert sender.send("enter", player="0", field="kn", hand="5", game="2")[0] == 404
    assert client.get("/pad/nowhere").status_code == 404
    assert client.get(f"{sender.path}?cell=9-zz").status_code == 200
    assert client.get(f"{sender.path}?cell=9-kn").status_code == 200


def test_R10_R12_filled_fields_and_finished_games(client: TestClient) -> None:
    sender = Sender(client, open_pad(client, ["Ana"]))
    assert sender.enter(0, "kn", 5, None) == 303
    assert sender.enter(0, "kn", 6, None) == 422
    for code in CODES[:-1]:
        assert sender.enter(0, code, 5, possible(code)[0]) == 303
    page = client.get(sender.path).text
    assert "The game is over" in page
    status, page = sender.send("exchange", player="0")
    assert status == 422
    assert "The game is over" in page


def test_a_correction_is_seen_and_taken_back(client: TestClient) -> None:
    path = open_pad(client)
    sender = Sender(client, path)
    sender.enter(0, "6", 5, 18)
    panel = client.get(f"{path}?cell=0-6").text
    shown = re.findall(r'id="entry".*?</form>', panel, re.S)[0]
    assert 'value="18" required checked' in shown
    assert f'action="{path}/correct"' in shown
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    client.post(f"{path}/correct", data={**form, "points": "24", "hand": "8"})
    page = client.get(path).text
    assert totals(page)[0] == 24 - 20 - 6
    assert "Ana, Sixes: corrected from 18 points to 24 points, penalty 6" in page
    line = re.search(r'action="[^"]*/undo".*?name="line" value="(\d+)"', page, re.S)
    assert line
    assert sender.send("undo", line=line[1])[0] == 303
    page = client.get(path).text
    assert totals(page)[0] == -2
    assert "(taken back)" in page
    line = re.search(r'action="[^"]*/redo".*?name="line" value="(\d+)"', page, re.S)
    assert line
    assert sender.send("redo", line=line[1])[0] == 303
    assert totals(client.get(path).text)[0] == -2
    assert sender.send("redo", line=line[1])[0] == 409
    form = {**form, "key": key(), "standing": str(int(line[1]))}
    assert client.post(f"{path}/correct", data={**form, "empty": "1"}).status_code == 303
    assert totals(client.get(path).text)[0] == -20


def test_the_pad_knows_whose_turn_it_is_until_told_otherwise(client: TestClient) -> None:
    path = open_pad(client)
    sender = Sender(client, path)
    assert sender.send("exchange", player="0")[0] == 303
    assert "Bo’s turn" in client.get(path).text
    panel = client.get(f"{path}?cell=2-kn").text
    assert 'name="passed" value="1" checked' in re.findall(r'id="entry".*', panel, re.S)[0]
    assert sender.enter(2, "kn", 5, None, passed="1") == 303
    page = client.get(path).text
    assert "Ana’s turn" in page
    assert "counted as exchanged: Bo" in page
    assert sender.send("counting", on="0")[0] == 303
    page = client.get(path).text
    assert "Turns are not counted" in page
    assert f"{path}/exchange" not in page
    assert sender.send("exchange", player="0")[0] == 409
    assert sender.send("end")[0] == 303
    assert "Cy wins" in client.get(path).text


def test_names_and_turns_can_be_mended(client: TestClient) -> None:
    path = open_pad(client)
    sender = Sender(client, path)
    assert sender.send("rename", player="0", name=" Anna ")[0] == 303
    assert sender.send("rename", player="0", name="bo")[0] == 422
    assert sender.send("recount", player="0", exchanges="3")[0] == 303
    page = client.get(path).text
    assert "Anna" in page
    assert "turns without an entry set to 3" in page
    assert sender.send("rename", player="1", name="<b>&amp;")[0] == 303
    page = client.get(path).text
    assert "<b>&amp;" not in page
    assert "&lt;b&gt;&amp;amp;" in page


def test_R12_a_forgotten_entry_gets_in_as_the_refusal_says(client: TestClient) -> None:
    path = open_pad(client, ["Ana", "Bo"])
    sender = Sender(client, path)
    for code in CODES:
        if code != CODES[-1]:
            sender.enter(1, code, 5, possible(code)[0])
        sender.enter(0, code, 5, possible(code)[0])
    sender.send("exchange", player="1")
    told = {"player": "1", "field": CODES[-1], "hand": "5", "points": str(possible(CODES[-1])[0])}
    status, page = sender.send("enter", **told)
    assert status == 422
    assert "lower the turns exchanged under “Names and turns”" in page
    assert sender.send("recount", player="1", exchanges="0")[0] == 303
    assert sender.send("enter", **told)[0] == 303
    assert "Shared win: Ana, Bo" in client.get(path).text


def test_everybody_writes_for_themselves(client: TestClient) -> None:
    path = open_pad(client)
    guest = stranger(client)
    page = guest.get(path).text
    assert "Who are you?" in page
    assert 'class="cell"' not in page
    bos = Sender(guest, path)
    assert bos.enter(1, "kn", 5, None) == 403
    assert bos.send("claim", player="1")[0] == 303
    page = guest.get(path).text
    assert hashlib.sha256(guest.cookies["kk_key"].encode()).hexdigest() not in page
    assert 'id="claim"' not in page
    assert set(re.findall(r'data-cell="(\d)-', page)) == {"1"}
    assert bos.enter(1, "kn", 6, None) == 303
    assert bos.enter(0, "kn", 5, None) == 403
    assert bos.send("end")[0] == 403
    assert f'href="{path}"' in guest.get("/pad").text
    page = client.get(path).text
    assert "Bo, Kniffel: 50 points, penalty 2" in page
    assert '<span class="change-who">Bo</span>' in page
    assert set(re.findall(r'data-cell="(\d)-', page)) == {"0", "1", "2"}
    assert guest.post(f"{path}/delete").status_code == 403
    assert guest.post(f"{path}/leave").status_code == 303
    assert f'href="{path}"' not in guest.get("/pad").text
    assert bos.enter(1, "1", 5, 1) == 403


def test_two_entries_for_one_field_become_a_question(client: TestClient) -> None:
    path = open_pad(client)
    guest = stranger(client)
    bos = Sender(guest, path)
    bos.send("claim", player="1")
    seen = number(client, path)
    one = {"player": "1", "field": "6", "game": "1", "number": seen, "hand": "5"}
    assert (
        client.post(f"{path}/enter", data={**one, "key": key(), "points": "18"}).status_code == 303
    )
    late = {**one, "key": key(), "points": "24", "hand": "7"}
    answer = guest.post(f"{path}/enter", data=late)
    assert answer.status_code == 409
    assert 'id="alert"' not in answer.text
    page = html.unescape(answer.text)
    assert "There stands 18 points, from the scorekeeper." in page
    assert "Also came: 24 points, penalty 4, from Bo." in page
    # Sent again it is the same question, not a second one.
    assert guest.post(f"{path}/enter", data=late).status_code == 303
    assert guest.get(path).text.count('class="question paper"') == 1
    question, standing = re.findall(r'name="(?:question|standing)" value="(\d+)"', page)[:2]
    status, _ = bos.send("answer", question=question, standing=standing, take="1")
    assert status == 303
    page = client.get(path).text
    assert totals(page)[1] == 24 - 20 - 4
    assert 'class="question paper"' not in page


def test_a_command_is_done_once_however_often_it_comes(client: TestClient) -> None:
    path = open_pad(client)
    data = {"key": "once", "game": "1", "player": "0", "number": "2"}
    for _ in range(3):
        answer = client.post(f"{path}/exchange", data=data, headers={"X-Part": "1"})
        assert answer.status_code == 200
        assert answer.text.startswith("<main")
    assert number(client, path) == "3"
    form = {"key": "open", "player": ["Ana"], "how": "chosen", "who": "0"}
    first = client.post("/pad", data=form).headers["location"]
    assert client.post("/pad", data=form).headers["location"] == first


def test_a_browser_that_comes_for_the_first_time_is_who_it_stays(client: TestClient) -> None:
    path = open_pad(client)
    guest = stranger(client)
    assert Sender(guest, path).send("claim", player="1")[0] == 303
    assert 'id="claim"' not in guest.get(path).text
    other = stranger(client)
    data = {"key": key(), "game": "1", "number": "2", "player": "2"}
    assert other.post(f"{path}/claim", data=data, headers={"X-Part": "1"}).status_code == 200
    assert 'id="claim"' not in other.get(path).text


def test_the_link_and_its_code_lead_to_the_pad(client: TestClient) -> None:
    path = open_pad(client)
    page = client.get(f"{path}/share").text
    assert f"http://kniffel.test{path}" in page
    code = client.get(f"{path}/code.svg")
    assert code.headers["content-type"] == "image/svg+xml"


def test_at_home_without_a_network_the_way_in_is_told(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        page = client.get(f"{open_pad(client)}/share").text
        for command in ("make play ARGS=--lan", "kartenkniffel play --lan"):
            assert f"<code>{command}</code>" in page
        assert "code.svg" not in page


def test_all_is_gone_when_the_opener_deletes_it(client: TestClient) -> None:
    path = open_pad(client)
    guest = stranger(client)
    guest.get(path)
    Sender(guest, path).send("claim", player="1")
    assert client.post(f"{path}/delete").headers["location"] == "/pad"
    for each in (client, guest):
        assert each.get(path).status_code == 404
        assert f'href="{path}"' not in each.get("/pad").text


def test_names_in_a_spreadsheet_are_no_formulas(client: TestClient) -> None:
    path = open_pad(client, ["=1+1", "Ana"])
    text = client.get(f"{path}/pad.csv").text
    assert "'=1+1" in text


def test_a_chart_says_in_words_what_it_draws(client: TestClient) -> None:
    path = open_pad(client, ["Ana", "Bo"])
    sender = Sender(client, path)
    sender.enter(0, "kn", 5, None)
    sender.enter(1, "fh", 10, None)
    sender.send("end")
    page = client.get(path).text
    assert re.search(r'<desc id="chart-wide-desc">Ana: 30, Bo: −5</desc>', page)
    assert page.count("<polyline") == 2 * page.count('<svg class="chart ')
    numbers = re.findall(r'<th scope="row">1</th><td>(.*?)</td><td>(.*?)</td>', page)
    assert numbers == [("30", "−5")]


@pytest.mark.parametrize("language", ["de", "ro", "en"])
def test_every_page_speaks_every_language(client: TestClient, language: str) -> None:
    path = open_pad(client)
    sender = Sender(client, path)
    sender.enter(0, "kn", 5, None)
    sender.send("end")
    for page in ("/pad", path, f"{path}/games", f"{path}/share", f"{path}?cell=0-kn"):
        answer = client.get(page, headers={"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}"' in answer.text


def test_what_is_held_under_a_key_holds_the_pads_and_can_be_deleted(
    client: TestClient, tmp_path: Path
) -> None:
    client.get("/")
    own, other = open_pad(client), stranger(client)
    other.get(own)
    other.post(f"{own}/claim", data={"key": key(), "game": "1", "player": "1"})
    exported = client.get("/me/export.json").json()["pads"]
    assert [[each["name"] for each in pad["games"][0]["players"]] for pad in exported] == [NAMES]
    assert len(other.get("/me/export.json").json()["pads"]) == 1
    gone = hashlib.sha256(other.cookies["kk_key"].encode()).hexdigest()
    other.post("/me/delete", data={"sure": "1"})
    assert client.get(own).status_code == 200
    # Neither who wrote nor the keys of what was sent tell of them any more.
    assert all(gone.encode() not in file.read_bytes() for file in tmp_path.glob("*.sqlite3*"))
    client.post("/me/delete", data={"sure": "1"})
    assert client.get(own).status_code == 404
