"""What guards a server that everybody can reach: limits, names, headers, cookies, errors."""

from __future__ import annotations

import html as escaping
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from limits import parse
from starlette.exceptions import HTTPException

from kartenkniffel.table import Tables
from kartenkniffel.web.limits import PER_ADDRESS, PER_KEY, Limits, address_of
from tests.web.application import key_in, number_in
from tests.web.company import (
    Friend,
    alert_of,
    code_of,
    guests,
    held_by,
    house,
    names_of,
    path_of,
    play_on,
)

NOT_SHOWN = "a\u202eb"
"""It would turn the text around it."""

NAMES = [
    "<script>alert(1)</script>"[:24],
    "<b>&\"'</b>",
    "{{ 7*7 }} %(name)s",
    "👩‍👩‍👧‍👦" * 5,
    "e\u0301" * 20 + "🇩🇪🇷🇴",
    "שלום עולם",
    "مرحبا",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f Ian",
    NOT_SHOWN,
    "x" * 24,
    "\u0041\u030a" * 24,
]


# Too much


def test_ten_wrong_codes_a_minute_then_a_sentence(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        link = ana.opens()
        code = code_of(ana.html(link))
        eve = here.friend("Eve")
        for _ in range(10):
            assert eve.get("/j?code=AAAAAA").status_code == 404
        # Neither another key nor a right code helps, nor is it told which is right.
        for friend in (eve, here.friend("Eve again")):
            for tried in ("AAAAAA", code):
                answer = friend.get(f"/j?code={tried}")
                assert answer.status_code == 429
                assert "Please wait a moment" in answer.text
                assert 1 <= int(answer.headers["retry-after"]) <= 60
        # The honest of the same house come by the link, move to another device, play on.
        assert here.friend("Cy").joins(link).status_code == 303
        assert ana.draws(path).status_code == 303
        assert bo.draws(path).status_code == 303
        device = ana.post(f"{path}/device").text
        seat = re.search(rf"{path}/seat/([\w-]+)/code", device)
        assert seat
        assert eve.get(f"{path}/seat/{seat[1]}").status_code == 200
        # Other houses are not concerned.
        assert path_of(here.friend("Di", host="198.51.100.1").get(f"/j?code={code}")) == link


def test_right_codes_are_not_counted(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens()
        code = code_of(ana.html(link))
        for _ in range(15):
            assert path_of(bo.get(f"/j?code={code}")) == link


def test_another_site_cannot_use_up_the_wrong_codes_of_its_visitors(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens()
        code = code_of(ana.html(link))
        for _ in range(15):
            picture = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}
            assert bo.get("/j?code=AAAAAA", **picture).status_code == 403
        shared = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
        assert path_of(bo.get(f"/j?code={code}", **shared)) == link


def most(what: str) -> int:
    return PER_KEY[what].amount


def test_who_opens_too_many_tables_must_wait(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        ana.html("/")
        for n in range(most("open")):
            answer = ana.post("/tables", mode="friends", name="Ana", key=f"k{n}", seats="2")
            assert answer.status_code == 303
        answer = ana.post("/tables", mode="friends", name="Ana", key="more", seats="2")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        assert bo.opens().startswith("/j/")


def test_who_sits_down_or_talks_too_often_must_wait(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        for n in range(most("say")):
            assert bo.post(f"{path}/say", key=f"k{n}", phrase="hello").status_code == 303
        answer = bo.post(f"{path}/say", key="more", phrase="hello")
        assert answer.status_code == 429
        assert "Please wait a moment" in answer.text
        assert ana.post(f"{path}/say", key="k", phrase="hello").status_code == 303
        assert ana.draws(path).status_code == 303
        assert bo.draws(path).status_code == 303  # talk costs no move
        link, eve = ana.opens(), here.friend("Eve")
        eve.html("/")
        statuses = [eve.joins(link).status_code for _ in range(most("join") + 2)]
        assert statuses == [303] * most("join") + [429, 429]


def test_who_posts_without_end_must_wait_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PER_KEY, "move", parse("20/10 seconds"))
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        html = ana.html(path)
        form = {"number": number_in(html), "key": key_in(html), "draw": "more"}
        statuses = {ana.post(f"{path}/exchange", **form).status_code for _ in range(30)}
        assert statuses == {303, 429}
        for tail in ("/exchange", "/score", "/propose", "/answer", "/back", "/skip", "/again"):
            answer = ana.post(path + tail, **form, matter="end")
            assert answer.status_code == 429, tail
            assert 1 <= int(answer.headers["retry-after"]) <= 10
        assert ana.get(path).status_code == 200  # looking is free
        assert bo.draws(path).status_code == 303


def test_an_honest_player_at_full_speed_is_never_told_to_wait(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        people = here.friends("Ana", "Bo")
        for game in range(2):
            link = people[game].opens(seats="2")
            people[1 - game].joins(link)
            path = people[game].starts(link)
            assert play_on(people, path) > 20


@pytest.mark.parametrize("what", ["open", "join", "move"])
def test_many_keys_from_one_address_must_wait_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with house(tmp_path) as here:
        link, (ana, _) = here.seated("Ana", "Bo", seats="10")
        monkeypatch.setitem(PER_ADDRESS, what, parse("3/minute"))
        eve = [here.friend("Eve", host=f"2001:db8:9:9::{n}") for n in range(5)]  # one household

        def does(friend: Friend) -> int:
            if what == "open":
                answer = friend.post("/tables", mode="friends", name="Eve", key="k", seats="2")
            elif what == "join":
                answer = friend.joins(link)
            else:
                answer = friend.post(f"{link}/remove", guest="1")
            return answer.status_code

        refused = [does(friend) for friend in eve]
        assert refused[3:] == [429, 429]
        assert 429 not in refused[:3]
        assert does(here.friend("Fay", host="2001:db8:9:8::1")) != 429
        assert ana.get(link).status_code == 200


def test_the_limits_of_an_address_let_a_school_play() -> None:
    limits = Limits()
    for pupil in range(200):
        for what in ("open", "join", "say", *["move"] * 5):
            limits.check(what, f"pupil {pupil}", "192.0.2.1")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("?", "?"),
    ],
)
def test_a_household_counts_as_one_address(host: str, address: str) -> None:
    assert address_of(host) == address


# Names


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_text_wherever_it_stands(tmp_path: Path, name: str) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens(seats="2", listed="1")
        answer = bo.joins(link, name)
        if name == NOT_SHOWN:
            assert answer.status_code == 422
            assert alert_of(answer.text) == "A name has 1 to 24 visible characters."
            return
        assert answer.status_code == 303
        shown = [escaping.unescape(each) for each in names_of(ana.html(link))]
        path = ana.starts(link)
        ana.post(f"{path}/propose", matter="end")
        for friend in (ana, bo, here.friend("Eve")):
            for url in (path, f"{path}?part=1", f"{path}?log=all", "/"):
                html = friend.html(url)
                assert "<script>alert" not in html
                assert "<b>&" not in html
        kept = held_by(bo)[0]["names"]
        assert kept == [shown[1]]
        assert shown[1] in escaping.unescape(ana.html(path))


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "x" * 65, "\u0301" * 65, "\x00", "👍" * 25])
def test_a_name_that_will_not_do_is_asked_for_again(tmp_path: Path, name: str) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens()
        answer = bo.joins(link, name)
        assert answer.status_code == 422
        assert alert_of(answer.text) == "A name has 1 to 24 visible characters."
        assert f'action="{link}/join"' in answer.text
        assert names_of(ana.html(link)) == ["Ana"]


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, people = here.seated("Ana", "Ana", "ana", " A\u200dna ", "A" * 24, "A" * 24)
        names = names_of(people[0].html(link))
        assert len(set(names)) == 6
        assert names[:2] == ["Ana", "Ana 2"]
        path = people[0].starts(link)
        assert len(set(here.tables.get(path.removeprefix("/t/")).game.names)) == 6


# Headers, cookies, bodies, errors


def pages_of(ana: Friend, link: str, path: str) -> list[str]:
    """List an address of every kind of page that there is among friends."""
    device = re.search(rf"({path}/seat/[\w-]+)/code", ana.post(f"{path}/device").text)
    assert device
    pages = ["/", "/tables", "/j?code=AAAAAA", "/me", "/me/export.json", link, f"{link}/code.svg"]
    return [*pages, path, f"{path}?part=1", device[1], f"{device[1]}/code.svg", "/j/nothing", "/x"]


def test_every_page_among_friends_has_its_headers(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        link = ana.opens()
        for url in pages_of(ana, link, path):
            for friend in (ana, here.friend("Eve")):
                answer = friend.get(url)
                policy = answer.headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["cache-control"] == "no-store"
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert answer.headers["referrer-policy"] == "same-origin"
                assert " style=" not in answer.text
                assert "<script>" not in answer.text
                assert not re.search(r'\son\w+="', answer.text)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_cookie_is_guarded(tmp_path: Path, scheme: str) -> None:
    with house(tmp_path) as here:
        ana, bo = (here.friend(n, base=f"{scheme}://kniffel.test") for n in ("Ana", "Bo"))
        opened = ana.post("/tables", mode="friends", name="Ana", key="k", seats="2")
        answers = [opened, bo.joins(path_of(opened))]
        answers.append(ana.post("/settings", theme="dark", language="de", talk="off", next="/"))
        cookies = [each for a in answers for each in a.headers.get_list("set-cookie")]
        names = {each.partition("=")[0] for each in cookies}
        assert names >= {"kk_key", "kk_wishes", "kk_theme", "kk_language", "kk_talk"}
        for cookie in cookies:
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie
            assert ("; Secure" in cookie) == (scheme == "https"), cookie


def test_a_key_of_256_bits_that_the_store_does_not_hold(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens()
        bo.joins(link)
        keys = [friend.client.cookies["kk_key"] for friend in (ana, bo)]
        device = ana.post(link.replace("/j/", "/t/") + "/device").text
        token = re.search(r"/seat/([\w-]+)/code", device)
        assert token
    assert len(set(keys)) == 2
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    for secret in (*keys, token[1]):
        assert len(secret) >= 32
        assert secret.encode() not in stored


def test_bodies_that_are_too_large_are_refused_everywhere(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        link = ana.opens()
        large = {"name": "x" * 40_000}
        for url in ("/tables", f"{link}/join", f"{link}/start", f"{path}/say", "/me/delete"):
            assert ana.client.post(url, data=large).status_code == 413, url
        assert ana.client.post(f"{link}/join", data={"name": "x" * 30_000}).status_code != 413


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "application/json", "x"])
def test_a_body_of_another_kind_is_a_bad_request(tmp_path: Path, kind: str) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        for tail in ("/exchange", "/say", "/propose", "/stand-in"):
            headers = {"content-type": kind}
            answer = ana.client.post(path + tail, content=b"\xff{", headers=headers)
            assert answer.status_code == 400, tail


def test_an_error_page_carries_nothing_inner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret deck 1234 at /home/somebody/games.sqlite3")

    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        html = ana.html(path)
        ana.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
        monkeypatch.setattr(Tables, "move", fail)
        answer = ana.post(f"{path}/exchange", number=number_in(html), key="k", draw="more")
        assert answer.status_code == 500
        assert "Every accepted move is kept." in answer.text
        for inner in ("secret", "1234", "/home", "sqlite", "Error", "Traceback", ".py"):
            assert inner not in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_many_codes_sent_at_once_are_no_way_round_the_limit(tmp_path: Path) -> None:
    limits = Limits()
    with ExitStack() as being_looked_up:
        for _ in range(10):
            being_looked_up.enter_context(limits.trying_a_code("192.0.2.7"))
        with pytest.raises(HTTPException) as refused, limits.trying_a_code("192.0.2.7"):
            pass
        assert refused.value.status_code == 429
        with limits.trying_a_code("192.0.2.8"):
            pass
    with limits.trying_a_code("192.0.2.7"):  # none of them was wrong
        pass


def test_a_browser_that_keeps_no_cookie_is_told_so_and_takes_no_seats(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens(seats="4")
        nora = here.friend("Nora")
        for _ in range(3):
            nora.client.cookies.clear()
            answer = nora.post(f"{link}/join", name="Nora", shown="1")
            assert answer.status_code == 422
            assert "Please allow cookies" in alert_of(answer.text)
        assert len(guests(ana.html(link))) == 1
        nora.get(link)
        assert nora.post(f"{link}/join", name="Nora", shown="1").status_code == 303


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "undefined", "latin-1"])
def test_a_form_in_another_encoding_is_a_bad_request(tmp_path: Path, charset: str) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens()
        kind = f"multipart/form-data; boundary=b; charset={charset}"
        body = b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n\\ud800\r\n--b--\r\n'
        for path in (f"{link}/join", "/tables"):
            answer = ana.client.post(path, content=body, headers={"content-type": kind})
            assert answer.status_code == 400


def test_an_old_pages_agreement_is_not_one_to_something_else(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        ana.post(f"{path}/propose", matter="end")
        seen = re.search(r'name="asked" value="(\d+)"', bo.html(path))
        assert seen
        ana.post(f"{path}/answer", agree="0", asked=seen[1])
        ana.post(f"{path}/propose", matter="end")
        assert bo.post(f"{path}/answer", agree="1", asked=seen[1]).status_code == 409
        assert "table--over" not in ana.html(path)


def test_what_is_refused_to_one_counts_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PER_KEY, "open", parse("2/minute"))
    monkeypatch.setitem(PER_ADDRESS, "open", parse("10/minute"))
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        ana.html("/")
        for n in range(50):
            ana.post("/tables", mode="friends", name="Ana", key=f"k{n}", seats="2")
        assert bo.opens().startswith("/j/")


def test_an_empty_code_is_no_wrong_one(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        for url in ("/j", "/j?code=", "/j?code=%20") * 5:
            assert ana.get(url).status_code == 200
        assert ana.get("/j?code=AAAAAA").status_code == 404


def test_only_pages_of_this_server_show_the_sign_of_life_inside_them(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        answer = ana.get("/here")
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert 'http-equiv="refresh"' in answer.text


def test_a_name_of_the_server_that_nobody_has_is_a_bad_request(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens()
        answer = ana.get(f"{link}/code.svg", host="x" * 4000)
        assert answer.status_code == 400


def test_marks_of_direction_that_a_keyboard_adds_are_no_part_of_a_name(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens()
        assert here.friend("\u200fשלום\u200e").joins(link).status_code == 303
        assert guests(ana.html(link))[1:] == guests(here.friend("x").html(link))[1:]
        assert "שלום" in ana.html(link)
        assert "\u200f" not in ana.html(link)
