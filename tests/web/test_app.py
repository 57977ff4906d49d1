"""The routes: what they accept, what they refuse, and what they say then."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.application import (
    hand_in,
    key_in,
    number_in,
    open_table,
    running,
    settled,
)


def form_of(html: str, **more: object) -> dict[str, object]:
    return {"number": str(number_in(html)), "key": key_in(html), **more}


def draw_one(client: TestClient, path: str) -> None:
    html = settled(client, path)
    answer = client.post(f"{path}/exchange", data=form_of(html, draw="more"))
    assert answer.status_code == 303, answer.text


def test_every_page_has_its_headers(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        for url in ("/", "/help", "/offline", path, f"{path}?part=1", "/nowhere"):
            answer = client.get(url)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert " style=" not in answer.text
            assert "<script>" not in answer.text
            assert not re.search(r'\son\w+="', answer.text)


@pytest.mark.parametrize("language", ["de", "ro", "en"])
def test_every_page_in_every_language(tmp_path: Path, language: str) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        answer = client.post("/settings", data={"language": language, "next": path})
        assert answer.headers["location"] == path
        for url in ("/", "/help", path, "/nowhere"):
            answer = client.get(url)
            assert f'<html lang="{language}"' in answer.text
            assert answer.headers["content-language"] == language


@pytest.mark.parametrize(
    "path", ["//evil.test/", "/\\evil.test", "https://evil.test/", "", "x", "/a\nb"]
)
def test_settings_lead_nowhere_else(tmp_path: Path, path: str) -> None:
    with running(tmp_path) as client:
        answer = client.post("/settings", data={"theme": "dark", "next": path})
        assert answer.headers["location"] == "/"


def test_a_repeated_open_makes_one_table(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert open_table(client) == open_table(client)
        assert client.get("/").text.count('class="game paper"') == 1


def test_a_repeated_move_is_made_once(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client)
        html = client.get(path).text
        form = form_of(html, draw="more")
        first = client.post(f"{path}/exchange", data=form)
        again = client.post(f"{path}/exchange", data=form)
        assert first.status_code == again.status_code == 303
        assert number_in(client.get(path).text) == number_in(html) + 1
        assert len(hand_in(client.get(path).text)) == 6


def test_a_repeat_is_accepted_though_the_hand_has_shrunk(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        for _ in range(3):
            draw_one(client, path)
        html = settled(client, path)
        hand = hand_in(html)
        value = max(hand, key=hand.count)
        places = [str(i) for i, digit in enumerate(hand) if digit == value][-5:]
        form = form_of(html, field=value, card=places)
        assert client.post(f"{path}/score", data=form).status_code == 303
        settled(client, path)
        assert client.post(f"{path}/score", data=form).status_code == 303


def test_a_stale_page_is_told_so(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        old = client.get(path).text
        draw_one(client, path)
        settled(client, path)
        stale = form_of(old, draw="more", key="another")
        answer = client.post(f"{path}/exchange", data=stale, headers={"X-Part": "1"})
        assert answer.status_code == 409
        assert "had moved on" in answer.text
        assert answer.text.lstrip().startswith("<main")


def test_a_pass_asks_back(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client)
        html = client.get(path).text
        answer = client.post(f"{path}/exchange", data=form_of(html, draw="same"))
        assert answer.status_code == 200
        assert 'name="confirm"' in answer.text
        assert number_in(client.get(path).text) == number_in(html)
        form = form_of(answer.text, draw="same", confirm="1")
        assert client.post(f"{path}/exchange", data=form).status_code == 303
        assert number_in(client.get(path).text) == number_in(html) + 1


def test_what_breaks_a_rule_is_said_in_words(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client)
        html = client.get(path).text
        form = form_of(html, field="kn", card=["0", "1"])
        answer = client.post(f"{path}/score", data=form)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
        assert "five equal cards" in answer.text


@pytest.mark.parametrize(
    ("action", "form", "status"),
    [
        ("exchange", {"draw": "more", "card": "9"}, 400),
        ("exchange", {"draw": "more", "card": ["0", "0"]}, 400),
        ("exchange", {"draw": "more", "card": "-1"}, 400),
        ("exchange", {"draw": "more", "number": "x"}, 400),
        ("exchange", {"draw": "more", "number": ""}, 400),
        ("exchange", {"draw": "more", "number": "9" * 30}, 400),
        ("exchange", {"draw": "more", "number": "999"}, 409),
        ("exchange", {"draw": "more", "key": ""}, 400),
        ("exchange", {"draw": "more", "key": "a b"}, 400),
        ("exchange", {"draw": "more", "key": "x" * 100}, 400),
        ("exchange", {"draw": "nonsense"}, 400),
        ("exchange", {}, 400),
        ("score", {"field": "zz", "card": "0"}, 400),
        ("score", {"card": "0"}, 400),
        ("score", {"field": "1"}, 422),
    ],
)
def test_bad_forms_change_nothing(
    tmp_path: Path, action: str, form: dict[str, object], status: int
) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client)
        html = client.get(path).text
        answer = client.post(f"{path}/{action}", data=form_of(html) | form)
        assert answer.status_code == status
        assert "Traceback" not in answer.text
        assert number_in(client.get(path).text) == number_in(html)


@pytest.mark.parametrize("name", ["x" * 25, "\u0301" * 70, "a\x00b", "\u202e", "   "])
def test_names_that_will_not_do(tmp_path: Path, name: str) -> None:
    with running(tmp_path) as client:
        form = {"name": name, "bots": "1", "key": "k"}
        answer = client.post("/tables", data=form)
        assert answer.status_code in (303, 422)
        if answer.status_code == 422:
            assert "1 to 24" in answer.text


def test_html_in_a_name_is_text(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client, name="<b>&\"'")
        assert "<b>&" not in client.get(path).text
        assert "&lt;b&gt;" in client.get(path).text


def test_a_running_games_record_reaches_nobody(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        assert client.get(f"{path}/record.json").status_code == 409
        assert client.post(f"{path}/again", data={"key": "k"}).status_code == 409


def test_a_deleted_table_is_gone(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        assert client.post(f"{path}/delete").headers["location"] == "/"
        answer = client.get(path)
        assert answer.status_code == 404
        assert "may have been deleted" in answer.text
        assert 'href="/"' in answer.text


def test_methods_and_addresses_that_do_not_exist(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        assert client.get(f"{path}/again").status_code == 405
        assert client.post(path).status_code == 405
        assert client.get("/t/../../etc/passwd").status_code == 404
        assert client.get("/static/../app.py").status_code == 404
        assert client.get("/t/" + "x" * 3000).status_code == 404
        assert client.get("/t/%00").status_code == 404


def test_posts_from_other_sites_are_refused(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_table(client)
        for headers in (
            {"origin": "http://evil.test"},
            {"origin": "null"},
            {"origin": "http://["},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ):
            answer = client.post(f"{path}/delete", headers=headers)
            assert answer.status_code == 403
        assert client.get(path).status_code == 200
        same = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
        assert client.post(f"{path}/delete", headers=same).status_code == 303


def test_large_bodies_are_refused(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert client.post("/tables", content=b"x" * 40_000).status_code == 413
        form = "application/x-www-form-urlencoded"
        pieces = (b"name=" + b"x" * 1000 for _ in range(100))
        answer = client.post("/tables", content=pieces, headers={"content-type": form})
        assert answer.status_code == 413


def test_a_local_server_answers_to_local_names_only(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert client.get("/", headers={"host": "evil.test"}).status_code == 400
        assert client.get("/", headers={"host": "127.0.0.1:8126"}).status_code == 200


def test_strangers_find_nothing(tmp_path: Path) -> None:
    with running(tmp_path, local=False) as client:
        client.get("/")
        path = open_table(client)
        assert client.get(path).status_code == 200
        own = dict(client.cookies)
        client.cookies.clear()
        nothing = client.get("/t/nothing").text
        assert client.get(path).status_code == 404
        assert client.get(path).text == nothing.replace("/t/nothing", path)
        assert client.post(f"{path}/delete").status_code == 404
        assert client.post(f"{path}/exchange", data={"number": "1"}).status_code == 404
        assert client.get(f"{path}/record.json").status_code == 404
        client.cookies.clear()
        client.cookies.update(own)
        assert client.get(path).status_code == 200


def test_a_key_is_http_only_and_not_in_the_store(tmp_path: Path) -> None:
    with running(tmp_path, local=False) as client:
        answer = client.get("/")
        cookie = next(c for c in answer.headers.get_list("set-cookie") if "kk_key" in c)
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        open_table(client)
        key = client.cookies["kk_key"]
    stored = b"".join(f.read_bytes() for f in tmp_path.iterdir() if f.is_file())
    assert len(key) == 43
    assert key.encode() not in stored


def test_a_damaged_game_costs_one_game(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        path, other = open_table(client), open_table(client, key="open-2")
    for file in tmp_path.glob("*.sqlite3"):
        database = sqlite3.connect(file)
        database.execute(
            "UPDATE event SET body = 'not json' WHERE log = ?", [path.removeprefix("/t/")]
        )
        database.commit()
        database.close()
    with running(tmp_path, pause=30) as client:
        assert client.get("/").status_code == 200
        assert client.get(other).status_code == 200
        answer = client.get(path)
        assert answer.status_code == 410
        assert "cannot be read" in answer.text
        assert client.post(f"{path}/delete").status_code == 303
        assert client.get(path).status_code == 404


def test_a_cookie_with_half_a_character_is_forgotten(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        client.cookies.set("kk_wishes", "%7B%22name%22%3A%22%5Cud800%22%7D")
        assert client.get("/").status_code == 200


def test_a_name_that_shows_nothing_is_no_name(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client, name="\u3164\u2800")
        assert "Player 1" in client.get(path).text
