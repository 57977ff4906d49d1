"""A game among friends: watching, talking, agreeing, going away, coming back, another device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from kartenkniffel.rules import Cards, Exchange
from kartenkniffel.table import clocks, gathering
from kartenkniffel.web import opening
from tests.web.application import hand_in, key_in, number_in
from tests.web.company import (
    Friend,
    House,
    held_by,
    house,
    path_of,
    play_on,
    to_move,
)

TABLE_ROUTES = [
    ("get", "", {}),
    ("get", "?part=1", {}),
    ("get", "/record.json", {}),
    ("post", "/reveal", {"number": "2", "key": "k"}),
    ("post", "/skip", {}),
    ("post", "/exchange", {"number": "2", "key": "k", "draw": "more"}),
    ("post", "/score", {"number": "2", "key": "k", "field": "1", "card": "0"}),
    ("post", "/again", {"key": "k"}),
    ("post", "/delete", {}),
    ("post", "/say", {"key": "k", "phrase": "hello"}),
    ("post", "/propose", {"matter": "end"}),
    ("post", "/answer", {"agree": "1"}),
    ("post", "/stand-in", {"seat": "1"}),
    ("post", "/leave", {}),
    ("post", "/back", {}),
    ("post", "/device", {}),
    ("get", "/seat/token/code.svg", {}),
]
"""Every route of a table; a link to another device has a page for everybody."""


def ask(friend: Friend, method: str, path: str, form: dict[str, str]) -> httpx2.Response:
    return friend.get(path) if method == "get" else friend.post(path, **form)


def eventually(friend: Friend, path: str, holds: Callable[[str], bool], tries: int = 300) -> str:
    """Look at a page until it is as expected."""
    for _ in range(tries):
        if holds(html := friend.html(path)):
            return html
        threading.Event().wait(0.05)
    raise AssertionError("the page does not become as expected")


def passes(friend: Friend, path: str) -> None:
    """Make the one move by which no card is seen."""
    assert friend.sends(path, Exchange(Cards(), 0)).status_code == 303


def moves_at(here: House, path: str) -> int:
    return len(here.tables.get(path.removeprefix("/t/")).game.moves)


# Who may see and do what


def test_every_route_of_a_table_is_in_the_list(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (mount,) = [each for each in here.first.app.routes if each.path == ""]  # type: ignore[attr-defined]
        known = {each.path for each in mount.routes if each.path.startswith("/t/")}
    listed = {"/t/{id}" + tail.partition("?")[0] for _, tail, _ in TABLE_ROUTES}
    listed = {each.replace("/seat/token/", "/seat/{token}/") for each in listed}
    assert known == listed | {"/t/{id}/seat/{token}"}


def test_where_nobody_may_watch_a_stranger_finds_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, people = here.playing("Ana", "Bo", spectators="0")
        number = number_in(people[0].html(path))
        eve = here.friend("Eve")
        for method, tail, form in TABLE_ROUTES:
            real = ask(eve, method, path + tail, form)
            nothing = ask(eve, method, "/t/nothing22222" + tail, form)
            assert real.status_code == nothing.status_code == 404, tail
            assert real.text == nothing.text.replace("/t/nothing22222", path), tail
        assert number_in(people[0].html(path)) == number


def test_a_spectator_sees_the_table_and_no_hand_and_can_do_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        eve = here.friend("Eve")
        html = eve.html(path)
        assert "You are watching." in html
        assert hand_in(html) == ""
        for action in ("exchange", "score", "say", "propose", "leave", "device"):
            assert f'action="{path}/{action}"' not in html
        number = number_in(ana.html(path))
        for method, tail, form in TABLE_ROUTES[3:]:
            assert ask(eve, method, path + tail, form).status_code == 404, tail
        assert eve.get(f"{path}/record.json").status_code == 409
        assert number_in(ana.html(path)) == number_in(bo.html(path)) == number
        assert "1 watches" in bo.html(path)


def test_nobody_moves_for_another_seat(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        html = bo.html(path)
        number, key = number_in(html), key_in(html)
        for seat in ("0", "1", "9", "-1", "x"):
            answer = bo.post(f"{path}/exchange", number=number, key=key, seat=seat, draw="more")
            assert answer.status_code == 409
            assert "not your turn" in answer.text
        # The key that the other one's page holds is of no use either, before and after.
        others = key_in(ana.html(path))
        bo.post(f"{path}/exchange", number=number, key=others, draw="more")
        assert moves_at(here, path) == 0
        assert ana.draws(path).status_code == 303
        assert moves_at(here, path) == 1


def test_a_cookie_that_is_almost_right_is_a_strangers(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo", spectators="0")
        key = ana.client.cookies["kk_key"]
        eve = here.friend("Eve")
        for forged in (key[:-1] + ("A" if key[-1] != "A" else "B"), key[:-1], key + "A", "", "a;b"):
            assert eve.get(path, cookie=f"kk_key={forged}").status_code == 404
        assert eve.get(path, cookie=f"kk_key={key}").status_code == 200


def test_posts_from_other_sites_do_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        number = number_in(ana.html(path))
        lobby = ana.opens()
        posts = [(path + tail, form) for method, tail, form in TABLE_ROUTES if method == "post"]
        posts += [(f"{lobby}/{action}", {}) for action in ("join", "leave", "close", "start")]
        posts += [("/tables", {}), ("/me/delete", {"sure": "1"}), ("/settings", {})]
        posts += [(f"{path}/seat/token", {})]
        for url, form in posts:
            for headers in ({"origin": "http://evil.test"}, {"sec-fetch-site": "cross-site"}):
                answer = ana.client.post(url, data=form, headers=headers)
                assert answer.status_code == 403, url
        assert number_in(ana.html(path)) == number
        assert ana.get(lobby).status_code == 200


def test_an_old_tab_of_a_finished_game_gets_a_sentence(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, people = here.playing("Ana", "Bo")
        ana, bo = people
        old = ana.html(path)
        play_on(people, path)
        for method, tail, form in TABLE_ROUTES:
            if tail in ("/delete", "/device", "/again", "/leave"):
                continue  # these can still be done
            form = {**form, "number": str(number_in(old)), "key": key_in(old)} if form else form
            answer = ask(ana, method, path + tail, form)
            assert answer.status_code in (200, 303, 404, 409), tail
            if tail in ("/exchange", "/score", "/propose"):
                assert answer.status_code == 409
                assert "The game is over." in answer.text or "moved on" in answer.text
        again = path_of(ana.post(f"{path}/again"))
        answer = bo.post(f"{path}/exchange", number=number_in(old), key="k2", draw="more")
        assert answer.status_code == 409
        assert again in answer.text


# Another device


def device_link(friend: Friend, path: str) -> str:
    """Make a link for another device and give its path."""
    answer = friend.post(f"{path}/device")
    assert answer.status_code == 200
    link = answer.text.split(f"{path}/seat/", 1)[1].split('"')[0].removesuffix("/code.svg")
    return f"{path}/seat/{link}"


def test_a_seat_moves_to_another_device_once(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo", spectators="0")
        phone, eve = here.friends("Ana’s phone", "Eve")
        link = device_link(ana, path)
        assert ana.get(f"{link}/code.svg").headers["content-type"] == "image/svg+xml"
        assert phone.get(path).status_code == 404
        assert "Ana" in phone.html(link)
        hand = hand_in(ana.html(path))
        assert bo.post(link).status_code == 410  # he has a seat
        assert ana.post(link).status_code == 410  # she has this one
        assert path_of(phone.post(link)) == path
        assert hand_in(phone.html(path)) == hand
        assert ana.get(path).status_code == 404
        assert ana.post(f"{path}/exchange", number="2", key="k", draw="more").status_code == 404
        assert path not in ana.html("/")
        assert path in phone.html("/")
        assert phone.post(link).status_code in (303, 410)  # a double click
        for late in (eve, ana):
            answer = late.get(link)
            assert answer.status_code == 410
            assert "used, or is too old" in answer.text
            assert late.post(link).status_code == 410
            assert late.get(path).status_code == 404
        assert phone.draws(path).status_code == 303
        assert here.tables.get(path.removeprefix("/t/")).game.names == ("Ana", "Bo")


def test_an_old_link_to_another_device_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kartenkniffel.table import company

    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        phone = here.friend("phone")
        first = device_link(ana, path)
        second = device_link(ana, path)
        assert phone.get(first).status_code == 410  # a newer one was made
        assert phone.get(second).status_code == 200
        monkeypatch.setattr(company, "OFFER_MINUTES", -1)
        expired = device_link(bo, path)
        assert phone.get(expired).status_code == phone.post(expired).status_code == 410


def test_a_link_to_another_device_tells_nothing_of_tables(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, _ = here.playing("Ana", "Bo")
        eve = here.friend("Eve")
        for method in ("get", "post"):
            wrong = ask(eve, method, f"{path}/seat/wrong", {})
            nothing = ask(eve, method, "/t/nothing22222/seat/wrong", {})
            assert wrong.status_code == nothing.status_code == 410
            assert wrong.text == nothing.text.replace("/t/nothing22222", path)


def test_a_place_at_a_waiting_table_moves_too(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, _) = here.seated("Ana", "Bo")
        phone = here.friend("phone")
        token = device_link(ana, link.replace("/j/", "/t/"))
        assert path_of(phone.post(token)) == link
        assert phone.starts(link).startswith("/t/")
        assert "nobody can sit down" in ana.get(link).text


# Going away and coming back


def test_a_bot_plays_for_who_is_gone_until_the_owner_is_back(tmp_path: Path) -> None:
    with house(tmp_path, gone_after=1.0) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        assert ana.draws(path).status_code == 303
        bo.html(path)
        answer = ana.post(f"{path}/stand-in", seat="1")
        assert answer.status_code == 409
        assert "This player is there." in answer.text
        assert "Bo is away." not in ana.html(path)
        eventually(ana, path, lambda html: "Bo is away." in html)
        assert moves_at(here, path) == 1  # nobody plays before the others ask for it
        assert ana.post(f"{path}/stand-in", seat="1").status_code == 303
        eventually(ana, path, lambda html: "is-now" in html)
        assert moves_at(here, path) == 2
        html = bo.html(path)
        assert "You were away, so a bot plays for you." in html
        assert bo.post(f"{path}/back").status_code == 303
        ana.draws(path)
        assert bo.is_to_move(path)
        assert bo.draws(path).status_code == 303
        assert moves_at(here, path) == 4


def test_nobody_replaces_themselves_a_bot_or_an_empty_chair(tmp_path: Path) -> None:
    with house(tmp_path, gone_after=0) as here:
        path, (ana, _) = here.playing("Ana", "Bo", seats="3", fill="1")
        number = number_in(ana.html(path))
        for seat in ("0", "2", "7", "999999999"):
            assert ana.post(f"{path}/stand-in", seat=seat).status_code in (303, 409)
        for seat in ("", "-1", "x"):
            assert ana.post(f"{path}/stand-in", seat=seat).status_code == 400
        assert number_in(ana.html(path)) == number


def test_when_the_time_is_over_a_bot_moves_and_the_owner_comes_back_by_moving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "CLOCKS", (None, 1))
    monkeypatch.setattr(opening, "CLOCKS", (None, 1))
    monkeypatch.setattr(clocks, "GRACE", clocks.GRACE * 0)
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo", clock="1")
        assert 'id="clock"' in ana.html(path)
        html = eventually(ana, path, lambda html: "Your time ran out" in html)
        assert "I play again" in html
        eventually(ana, path, lambda _: moves_at(here, path) >= 1)
        ana.post(f"{path}/back")
        # Bo's time runs out as well; then it is Ana's turn, who is no longer replaced.
        html = eventually(ana, path, lambda html: "is-now" in html)
        assert "a bot plays for you" not in html
        assert ana.sends(path, Exchange(Cards(), 1), html).status_code == 303
        assert "Your time ran out" in bo.html(path)


def test_who_leaves_is_played_for_and_may_come_back(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        assert bo.post(f"{path}/leave").headers["location"] == "/"
        assert path in bo.html("/")
        assert ana.draws(path).status_code == 303
        eventually(ana, path, lambda html: "is-now" in html)
        assert "A bot plays: has left" in ana.html(path)
        assert bo.get(path).status_code == 200
        assert bo.post(f"{path}/back").status_code == 303
        ana.draws(path)
        assert bo.is_to_move(path)


def test_a_table_taken_off_the_list_is_still_there_for_the_others(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        assert bo.post(f"{path}/delete").headers["location"] == "/"
        assert path not in bo.html("/")
        ana.draws(path)
        eventually(ana, path, lambda html: "is-now" in html)
        assert ana.post(f"{path}/delete").headers["location"] == "/"
        assert ana.get(path).status_code in (200, 404)
        assert path not in ana.html("/")


def test_who_left_is_not_in_the_rematch(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, people = here.playing("Ana", "Bo", "Cy")
        people[2].post(f"{path}/leave")
        people[0].post(f"{path}/propose", matter="end")
        people[1].post(f"{path}/answer", agree="1")
        again = path_of(people[0].post(f"{path}/again"))
        assert sorted(here.tables.get(again.removeprefix("/t/")).game.names) == ["Ana", "Bo"]
        answer = people[2].post(f"{path}/again")
        assert answer.status_code == 303
        html = people[2].html(path_of(answer))  # she may watch
        assert hand_in(html) == ""


# Agreeing


def test_a_game_ends_when_all_agree(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo, cy) = here.playing("Ana", "Bo", "Cy")
        assert ana.post(f"{path}/propose", matter="end").status_code == 303
        assert "Ana asks to end the game" in bo.html(path)
        bo.post(f"{path}/answer", agree="0")
        assert "asks to end" not in cy.html(path)
        cy.post(f"{path}/propose", matter="end")
        ana.post(f"{path}/answer", agree="1")
        assert "Not yet agreed: Bo" in ana.html(path)
        assert "table--over" not in ana.html(path)
        assert here.friend("Eve").get(f"{path}/record.json").status_code == 409
        bo.post(f"{path}/answer", agree="1")
        for friend in (ana, bo, cy):
            assert "table--over" in friend.html(path)
        assert ana.get(f"{path}/record.json").json()["moves"] == []
        assert ana.post(f"{path}/propose", matter="end").status_code == 409


def test_a_move_is_taken_back_when_all_agree(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo, cy) = here.playing("Ana", "Bo", "Cy")
        passes(ana, path)
        assert bo.post(f"{path}/propose", matter="undo").status_code == 409
        ana.post(f"{path}/propose", matter="undo")
        bo.post(f"{path}/answer", agree="1")
        assert not ana.is_to_move(path)
        cy.post(f"{path}/answer", agree="1")
        assert ana.is_to_move(path)
        assert moves_at(here, path) == 0
        assert ana.draws(path).status_code == 303


def test_a_move_that_showed_a_card_is_not_taken_back(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        ana.draws(path)
        assert 'value="undo"' not in ana.html(path)
        answer = ana.post(f"{path}/propose", matter="undo")
        assert answer.status_code == 409
        assert "only if no card was drawn" in answer.text
        assert bo.is_to_move(path)


def test_a_proposal_is_refused_withdrawn_or_overtaken(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        passes(ana, path)
        for answer in ("refused", "withdrawn", "overtaken"):
            first, second = (ana, bo) if ana.is_to_move(path) is False else (bo, ana)
            first.post(f"{path}/propose", matter="undo")
            assert "asks to undo" in second.html(path)
            if answer == "refused":
                second.post(f"{path}/answer", agree="0")
            elif answer == "withdrawn":
                first.post(f"{path}/answer", agree="0")
            else:
                passes(second, path)
            assert "to undo the latest move" not in second.html(path)
            assert first.post(f"{path}/answer", agree="1").status_code == 303
        assert moves_at(here, path) == 2


@pytest.mark.parametrize("matter", ["", "win", "END"])
def test_nothing_else_can_be_asked_for(tmp_path: Path, matter: str) -> None:
    with house(tmp_path) as here:
        path, (ana, _) = here.playing("Ana", "Bo")
        assert ana.post(f"{path}/propose", matter=matter).status_code == 400


# Talk


def test_talk_makes_no_move_stale_and_is_said_once(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        page = ana.html(path)
        for key in ("one", "one", "two"):
            assert bo.post(f"{path}/say", key=key, phrase="hello").status_code == 303
        bo.post(f"{path}/say", key="one", phrase="🎉")
        assert ana.html(path).count("Hello!</span>") == 2
        assert ana.sends(path, Exchange(Cards(), 1), page).status_code == 303
        assert bo.is_to_move(path)


@pytest.mark.parametrize("phrase", ["", "free text", "<b>", "hello "])
def test_there_is_no_free_text(tmp_path: Path, phrase: str) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        assert bo.post(f"{path}/say", key="k", phrase=phrase).status_code == 400
        assert "Nobody has said anything yet." in ana.html(path)


def test_talk_can_be_muted_and_comes_in_ones_own_language(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        bo.post(f"{path}/say", key="k", phrase="well_played")
        assert "Well played!</span>" in ana.html(path)
        assert ana.post("/settings", talk="off", next=path).headers["location"] == path
        assert "Well played!</span>" not in ana.html(path)
        assert "You have muted the talk." in ana.html(path)
        assert "Well played!</span>" in bo.html(path)
        ana.post("/settings", talk="on", next=path)
        assert "Well played!</span>" in ana.html(path)


def test_the_talk_of_one_game_is_not_that_of_the_next(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, people = here.playing("Ana", "Bo")
        people[0].post(f"{path}/say", key="k", phrase="good_luck")
        people[0].post(f"{path}/propose", matter="end")
        people[1].post(f"{path}/answer", agree="1")
        again = path_of(people[0].post(f"{path}/again"))
        for friend in people:
            html = friend.html(again)
            assert "Good luck!</span>" not in html
            assert "table--over" not in html
        assert to_move(people, again) is people[1]
        assert len(held_by(people[0])) == 2
