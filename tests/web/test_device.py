"""One device that people share: the form, the curtain, and what is refused."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.application import Stacked, hand_in, key_in, number_in, running
from tests.web.test_secrets import plain

PART = {"X-Part": "1"}


def device(*names: str, kinds: dict[int, str] | None = None, **more: object) -> dict[str, object]:
    kinds = kinds or {}
    return {
        "mode": "device",
        "player": list(names),
        "kind": [kinds.get(seat, "person") for seat in range(len(names))],
        "first": "seat",
        "who": "0",
        "key": "open",
        **more,
    }


def open_device(client: TestClient, *names: str, **more: object) -> str:
    answer = client.post("/tables", data=device(*names, **more))  # type: ignore[arg-type]
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def form_of(html: str, seat: int, **more: object) -> dict[str, object]:
    return {"number": number_in(html), "key": key_in(html), "seat": seat, **more}


def names_in(html: str) -> list[str]:
    return re.findall(r'class="col-name" title="([^"]+)"', html)


def reveal(client: TestClient, path: str, seat: int) -> str:
    answer = client.post(f"{path}/reveal", data=form_of(client.get(path).text, seat))
    assert answer.status_code == 200
    return answer.text


def shows_a_hand(html: str) -> bool:
    return "pick-box" in html or "data-offer" in html or '"plays": {"' in html


# The form


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (device(*"ABCDEFGHIJK"), "one to ten players"),
        (device("", " ", ""), "at least one person"),
        (device("", "", kinds={0: "medium"}), "at least one person"),
        (device("Ana", "Bo", kinds={1: "genius"}), "no such bot"),
        (device("Ana", "x" * 25), "1 to 24"),
        (device("Ana", "x" + "\u0323" * 64), "1 to 24"),
        (device("Ana", "a\x00b"), "1 to 24"),
        (device("Ana", "", who="1"), "who starts"),
        (device("Ana", "Bo", who="7", first="youngest"), "who starts"),
    ],
)
def test_what_will_not_do_is_said_and_stays_typed(
    tmp_path: Path, form: dict[str, object], said: str
) -> None:
    with running(tmp_path) as client:
        answer = client.post("/tables", data=form)
        assert answer.status_code == 422
        assert said in re.sub(r".*role=\"alert\"[^>]*>", "", answer.text, flags=re.S)[:200]
        for name in form["player"]:  # type: ignore[attr-defined]
            assert f'value="{name.strip()}"' in answer.text
        assert 'class="game paper"' not in client.get("/").text


def test_empty_rows_are_left_out_and_equal_names_told_apart(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(
            client, "Ana", "", " ana ", "", "Mara", "Ana 2", kinds={3: "medium"}, who="2"
        )
        names = names_in(client.get(path).text)
        assert names == ["ana 3", "Emil", "Mara", "Ana 2", "Ana"]


@pytest.mark.parametrize("first", ["youngest", "seat"])
def test_R4_who_starts_can_be_chosen(tmp_path: Path, first: str) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo", "Cy", first=first, who="2")
        assert "Cy’s turn" in client.get(path).text


def test_R2_ten_people_and_one_alone(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert len(names_in(client.get(open_device(client, *"ABCDEFGHIJ")).text)) == 10
        alone = client.get(open_device(client, "Ana", key="two")).text
        assert "Your turn" in alone
        assert len(hand_in(alone)) == 5
        form = {"mode": "bots", "bots": "0", "name": "Ana", "key": "three"}
        practice = client.get(client.post("/tables", data=form).headers["location"]).text
        assert names_in(practice) == ["Ana"]


def test_names_are_remembered(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        open_device(client, "Ána", "Bø", "千代", kinds={1: "medium"})
        html = client.get("/").text
        assert [name for name in ("Ána", "Bø", "千代") if f'value="{name}"' in html] == [
            "Ána",
            "Bø",
            "千代",
        ]
        assert html.count("player-row is-spare") == 7


@pytest.mark.parametrize("cookie", ["", "x", "%7B%7D", "[]", "%7B%22rows%22%3A%5B1%5D%7D", "null"])
def test_a_cookie_that_is_nonsense_is_no_harm(tmp_path: Path, cookie: str) -> None:
    with running(tmp_path) as client:
        assert client.get("/", headers={"cookie": f"kk_wishes={cookie}"}).status_code == 200


def test_very_long_names_do_not_break_the_cookie(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        answer = client.post(
            "/tables", data=device(*["e" + "\u0323" * 60 + d for d in "123456789"])
        )
        assert answer.status_code == 303
        assert all(len(kept) < 4096 for kept in answer.headers.get_list("set-cookie"))


# The curtain


def test_a_get_never_shows_a_hand(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo", "Cy")
        for query in ("", "?part=1", "?field=1", "?cards=123456", "?pass=1", "?seat=0"):
            answer = client.get(path + query)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "no-store"
            assert "Show my cards" in answer.text
            assert not shows_a_hand(answer.text)
        assert not shows_a_hand(client.get(path, headers={"X-Seat": "0"}).text)


def test_the_player_to_move_reveals_moves_and_passes_on(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo")
        html = reveal(client, path, 0)
        assert len(hand_in(html)) == 5
        moved = client.post(f"{path}/exchange", data=form_of(html, 0, draw="more"))
        assert moved.status_code == 200
        assert len(hand_in(moved.text)) == 6
        assert "Drawn:" in moved.text
        assert "Hide and pass on to Bo" in moved.text
        html = client.get(path).text
        assert "Bo’s turn" in html
        assert "Ana: draws a card." in html
        assert "Drawn" not in html
        assert not shows_a_hand(html)


@pytest.mark.parametrize("headers", [{}, PART])
@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"seat": 1}, 409),
        ({"seat": 2}, 403),
        ({"seat": 7}, 403),
        ({"seat": ""}, 400),
        ({"seat": "-1"}, 400),
        ({"number": 9}, 409),
        ({"key": ""}, 400),
    ],
)
def test_nobody_else_can_reveal(
    tmp_path: Path, headers: dict[str, str], form: dict[str, object], status: int
) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo", "Mara", kinds={2: "medium"})
        data = form_of(client.get(path).text, 0) | form
        answer = client.post(f"{path}/reveal", data=data, headers=headers)
        assert answer.status_code == status
        assert not shows_a_hand(answer.text)


def test_only_the_hand_that_may_be_seen_comes_with_a_part(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo", "Cy")

        def seen() -> list[int]:
            parts = {s: client.get(path, headers={**PART, "X-Seat": str(s)}) for s in range(5)}
            return [seat for seat, part in parts.items() if shows_a_hand(part.text)]

        assert seen() == [0]
        html = reveal(client, path, 0)
        client.post(f"{path}/exchange", data=form_of(html, 0, draw="more"))
        looking = client.get(path, headers={**PART, "X-Seat": "0"}).text
        assert len(hand_in(looking)) == 6
        assert "data-offer" not in looking
        assert seen() == [0, 1]


def test_a_form_that_is_sent_again_shows_no_hand(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo")
        first = form_of(client.get(path).text, 0)
        html = client.post(f"{path}/reveal", data=first).text
        again = client.post(f"{path}/reveal", data=first)
        assert again.status_code == 409
        assert not shows_a_hand(again.text)
        move = form_of(html, 0, draw="more")
        assert shows_a_hand(client.post(f"{path}/exchange", data=move).text)
        again = client.post(f"{path}/exchange", data=move)
        assert again.status_code == 200
        assert not shows_a_hand(again.text)
        # The page's own script repeats a request whose answer was lost.
        again = client.post(f"{path}/exchange", data=move, headers=PART)
        assert len(hand_in(again.text)) == 6


def test_moves_that_are_refused_show_the_hand_to_its_player_only(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo")
        html = reveal(client, path, 0)
        bad = client.post(f"{path}/score", data=form_of(html, 0, field="kn", card="0"))
        assert bad.status_code == 422
        assert shows_a_hand(bad.text)
        for form, status in (
            (form_of(html, 1, key="a", draw="more"), 409),
            (form_of(html, 0, key="b", draw="more", number="9"), 409),
            (form_of(html, 5, key="c", draw="more"), 403),
        ):
            answer = client.post(f"{path}/exchange", data=form)
            assert answer.status_code == status
            assert not shows_a_hand(answer.text)


def test_proposals_and_passes_go_by_forms(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        path = open_device(client, "Ana", "Bo")
        html = reveal(client, path, 0)
        hand = hand_in(html)
        field = hand[0]
        html = client.post(f"{path}/reveal", data=form_of(html, 0, field=field)).text
        assert f'value="{field}" formaction' in html
        html = client.post(f"{path}/reveal", data=form_of(html, 0, play=f"{field}@{field}")).text
        assert len(re.findall(r'class="pick-box"[^>]* checked', html)) == 1
        ask = client.post(f"{path}/exchange", data=form_of(html, 0, draw="same"))
        assert 'name="confirm"' in ask.text
        done = form_of(ask.text, 0, draw="same", confirm="1")
        assert "Hide and pass on to Bo" in client.post(f"{path}/exchange", data=done).text


# R15 at the curtain


def everything_seen(client: TestClient) -> list[str]:
    """Pass the device around, and keep every byte but those that a player reveals."""
    seen: list[str] = []
    path = open_device(client, "Ana", "Bo", "Mara", kinds={2: "medium"})
    for turn in range(8):
        while "Show my cards" not in (html := client.get(path).text):
            pass
        seat = turn % 2
        for url, headers in (
            (path, {}),
            (f"{path}?part=1", {}),
            (f"{path}?field=3&cards=33", {}),
            (path, {**PART, "X-Seat": "7"}),
            (path, {**PART, "X-Seat": "2"}),
            ("/", {}),
        ):
            answer = client.get(url, headers=headers)
            assert not shows_a_hand(answer.text)
            seen.append(plain(answer.text, path))
        for form in (form_of(html, 1 - seat), form_of(html, seat, number=77)):
            refused = client.post(f"{path}/reveal", data=form)
            assert refused.status_code == 409
            seen.append(plain(refused.text, path))
        html = reveal(client, path, seat)
        client.post(f"{path}/exchange", data=form_of(html, seat, draw="more"))
    return seen


def test_R15_the_curtain_is_the_same_whatever_the_hands(tmp_path: Path) -> None:
    deck = "".join(random.Random(5).sample("123456" * 18, 108))
    other = "".join(random.Random(6).sample("123456" * 18, 108))
    assert deck != other
    with running(tmp_path / "one", rng=Stacked(deck)) as client:
        one = everything_seen(client)
    with running(tmp_path / "two", rng=Stacked(other)) as client:
        two = everything_seen(client)
    assert len(one) == 64
    for first, second in zip(one, two, strict=True):
        assert first == second


# Pauses


def test_skipping_and_the_pace(tmp_path: Path) -> None:
    with running(tmp_path, pause=30) as client:
        client.post("/settings", data={"pace": "slow", "next": "/"})
        path = open_device(client, "Ana", "Mara", "Otto", kinds={1: "medium", 2: "medium"})
        html = client.get(path).text
        assert 'name="pace" value="slow" aria-pressed="true"' in html
        client.post(f"{path}/exchange", data=form_of(html, 0, draw="more"))
        assert 'id="skip"' in client.get(path).text
        assert client.post(f"{path}/skip").status_code == 303
        for _ in range(200):
            if "is-now" in (html := client.get(path).text):
                break
        assert number_in(html) == 4
        answer = client.post("/settings", data={"pace": "none", "next": path})
        assert answer.headers["location"] == path
        html = client.get(path).text
        assert number_in(html) == 5
        client.post(f"{path}/exchange", data=form_of(html, 0, draw="more"))
        for _ in range(200):
            if "is-now" in (html := client.get(path).text):
                break
        assert number_in(html) == 8
        assert 'id="skip"' not in html


def test_a_pace_for_a_strange_table_is_not_taken(tmp_path: Path) -> None:
    with running(tmp_path, local=False) as client:
        client.get("/")
        path = open_device(client, "Ana")
        own = dict(client.cookies)
        client.cookies.clear()
        client.get("/")
        answer = client.post("/settings", data={"pace": "none", "next": path})
        assert answer.status_code == 303
        assert client.post(f"{path}/skip").status_code == 404
        assert client.post(f"{path}/reveal", data={"seat": "0"}).status_code == 404
        client.cookies.clear()
        client.cookies.update(own)
        assert number_in(client.get(path).text) == 1
        client.post("/settings", data={"pace": "fast", "next": "/t/nothing"})
        client.post("/settings", data={"pace": "slow", "next": "/t/nothing"})
        assert number_in(client.get(path).text) == 1
