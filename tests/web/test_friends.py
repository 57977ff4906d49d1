"""Before a game among friends: opening, the link and the code, sitting down, the host's powers."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kartenkniffel.web import app
from tests.serving import Server
from tests.web.company import (
    alert_of,
    code_of,
    guests,
    house,
    names_of,
    path_of,
    play_on,
    visitor,
)


def test_from_an_invitation_to_a_rematch(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo, cy = here.friends("Ana", "Bo", "Cy")
        link = ana.opens(seats="3")
        assert names_of(bo.html(link)) == ["Ana"]
        assert path_of(bo.joins(link)) == link
        assert path_of(cy.get(f"/j?code={code_of(ana.html(link))}")) == link
        cy.joins(link)
        assert names_of(ana.html(link)) == ["Ana", "Bo", "Cy"]
        path = ana.starts(link)
        assert path == link.replace("/j/", "/t/")
        for friend in (bo, cy):
            assert path_of(friend.get(link)) == path
        play_on([ana, bo, cy], path)
        first = here.tables.get(path.removeprefix("/t/"))
        again = path_of(bo.post(f"{path}/again"))
        assert {path_of(friend.post(f"{path}/again")) for friend in (ana, cy)} == {again}
        second = here.tables.get(again.removeprefix("/t/"))
        assert second.owners == first.owners
        assert second.game.names == (*first.game.names[1:], first.game.names[0])
        assert play_on([ana, bo, cy], again, 3) == 3


def test_two_people_with_one_link_get_two_seats_and_one_with_two_tabs_one(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo, cy = here.friends("Ana", "Bo", "Cy")
        link = ana.opens()
        for friend in (bo, cy, bo, cy):  # a double click, another tab
            assert path_of(friend.joins(link)) == link
        assert names_of(ana.html(link)) == ["Ana", "Bo", "Cy"]
        assert ana.joins(link, "Somebody else").status_code == 303
        assert names_of(ana.html(link)) == ["Ana", "Bo", "Cy"]


def test_a_double_click_on_open_opens_one_table(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        ana.html("/")
        assert ana.opens(key="one") == ana.opens(key="one")
        assert ana.opens(key="two") != ana.opens(key="one")


def test_the_last_seat_taken_by_many_at_once_goes_to_one(tmp_path: Path) -> None:
    with Server(tmp_path, command="serve") as server, visitor(server.address, "Ana") as ana:
        link = ana.opens(seats="2")
        ready = threading.Barrier(6)
        answers: dict[str, tuple[int, str]] = {}

        def come(name: str) -> None:
            with visitor(server.address, name) as friend:
                friend.html(link)
                ready.wait(20)
                answer = friend.joins(link)
                answers[name] = (answer.status_code, alert_of(answer.text))

        threads = [threading.Thread(target=come, args=(f"P{n}",)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        got = sorted(answers.values())
        assert got == [(303, ""), *[(409, "The last seat has just been taken.")] * 5]
        winner = next(name for name, answer in answers.items() if answer[0] == 303)
        assert names_of(ana.html(link)) == ["Ana", winner]


def test_one_person_who_sits_down_many_times_at_once_gets_one_seat(tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        visitor(server.address, "Ana") as ana,
        visitor(server.address, "Bo") as bo,
    ):
        link = ana.opens(seats="6")
        bo.html(link)
        threads = [threading.Thread(target=bo.joins, args=(link, f"Bo{n}")) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(names_of(ana.html(link))) == 2


# The host


def test_when_the_host_leaves_the_next_has_all_powers(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo, cy, di) = here.seated("Ana", "Bo", "Cy", "Di")
        _, second, third, fourth = guests(bo.html(link))
        assert bo.post(f"{link}/remove", guest=third).status_code == 409
        assert ana.post(f"{link}/leave").headers["location"] == "/"
        assert names_of(bo.html(link)) == ["Bo", "Cy", "Di"]
        assert cy.post(f"{link}/remove", guest=second).status_code == 409
        assert bo.post(f"{link}/remove", guest=fourth).status_code == 303
        assert names_of(bo.html(link)) == ["Bo", "Cy"]
        assert bo.post(f"{link}/host", guest=third).status_code == 303
        answer = bo.post(f"{link}/start")
        assert answer.status_code == 409
        assert alert_of(answer.text) == "Only the host of this table can do this."
        assert cy.starts(link).startswith("/t/")
        assert di.get(link).status_code == 410


@pytest.mark.parametrize("action", ["remove", "host", "bots", "close", "start"])
def test_only_the_host_has_these_powers(tmp_path: Path, action: str) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="3")
        stranger = here.friend("Eve")
        before = ana.html(link)
        for friend in (bo, stranger):
            answer = friend.post(f"{link}/{action}", guest=guests(before)[0], fill="1")
            assert answer.status_code == 409, answer.headers
            assert alert_of(answer.text).startswith("Only ")
        assert names_of(ana.html(link)) == ["Ana", "Bo"]
        assert guests(ana.html(link)) == guests(before)
        assert "No bots on free seats" not in ana.html(link)


def test_a_host_who_is_gone_is_followed_by_somebody_who_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.05)
    with house(tmp_path, gone_after=1.0) as here:
        link, (_, bo, cy) = here.seated("Ana", "Bo", "Cy", seats="4")
        for _ in range(200):  # Bo is silent too, so it is Cy who follows
            if "Start the game" in cy.html(link):
                break
            threading.Event().wait(0.05)
        assert cy.starts(link).startswith("/t/")
        assert path_of(bo.get(link)).startswith("/t/")


def test_a_host_who_is_there_stays_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.02)
    # Looks come far more often than somebody is thought gone, even where the machine is busy.
    with house(tmp_path, gone_after=2) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="4")
        for _ in range(25):
            assert "Start the game" in ana.html(link)
            assert "Start the game" not in bo.html(link)
            threading.Event().wait(0.1)


def test_who_was_removed_stays_out(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="3")
        ana.post(f"{link}/remove", guest=guests(ana.html(link))[1])
        answer = bo.joins(link, "Bob")
        assert answer.status_code == 409
        assert alert_of(answer.text) == "The host has given this seat to others."
        assert f"{link}/join" not in bo.html(link)
        assert names_of(ana.html(link)) == ["Ana"]
        assert link not in bo.html("/")
        assert here.friend("Cy").joins(link).status_code == 303


def test_who_left_may_come_back(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo")
        bo.post(f"{link}/leave")
        assert names_of(ana.html(link)) == ["Ana"]
        assert bo.joins(link).status_code == 303
        assert names_of(ana.html(link)) == ["Ana", "Bo"]


def test_a_table_that_is_given_up_is_gone_for_all(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="3")
        code = code_of(ana.html(link))
        assert ana.post(f"{link}/close").headers["location"] == "/"
        for friend in (ana, bo, here.friend("Eve")):
            assert friend.get(link).status_code == 404
            assert friend.get(f"/j?code={code}").status_code == 404
            assert link not in friend.html("/")
        assert here.friend("Fay").joins(link).status_code == 404


def test_a_game_needs_two(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens(seats="3")
        answer = ana.post(f"{link}/start")
        assert answer.status_code == 409
        assert alert_of(answer.text).startswith("A game needs two players")
        assert ana.post(f"{link}/bots", fill="1", level="medium").status_code == 303
        table = here.tables.get(ana.starts(link).removeprefix("/t/"))
        assert [seat.bot for seat in table.seats].count("medium") == 2


@pytest.mark.parametrize("who", ["", "99", "x"])
def test_somebody_must_be_named_who_starts(tmp_path: Path, who: str) -> None:
    with house(tmp_path) as here:
        link, (ana, _) = here.seated("Ana", "Bo")
        answer = ana.post(f"{link}/start", first="seat", who=who)
        assert answer.status_code == (409 if who == "99" else 400)
        assert ana.get(link).status_code == 200


def test_R4_the_host_says_who_starts(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo, cy) = here.seated("Ana", "Bo", "Cy")
        path = ana.starts(link, first="youngest", who=guests(ana.html(link))[1])
        assert bo.is_to_move(path)
        assert not ana.is_to_move(path)
        assert here.tables.get(path.removeprefix("/t/")).game.names == ("Bo", "Cy", "Ana")
        assert not cy.is_to_move(path)


# The invitation


def test_an_invitation_is_dead_once_the_game_has_begun(tmp_path: Path) -> None:
    for spectators in ("1", "0"):
        with house(tmp_path / spectators) as here:
            link, (ana, bo) = here.seated("Ana", "Bo", seats="3", spectators=spectators)
            code = code_of(bo.html(link))
            path = ana.starts(link)
            stranger = here.friend("Eve")
            for answer in (stranger.get(link), stranger.joins(link)):
                assert answer.status_code == 410
                assert "nobody can sit down any more" in answer.text
                assert (f'href="{path}"' in answer.text) == (spectators == "1")
            assert stranger.get(f"/j?code={code}").status_code == 404
            assert stranger.get(f"{link}/code.svg").status_code == 404
            assert len(here.tables.get(path.removeprefix("/t/")).owners) == 2


@pytest.mark.parametrize("action", ["join", "leave", "remove", "host", "bots", "close", "start"])
def test_an_old_tab_of_the_waiting_table_leads_to_the_game(tmp_path: Path, action: str) -> None:
    with house(tmp_path) as here:
        link, (ana, bo) = here.seated("Ana", "Bo", seats="3")
        form = {"name": "Ana", "guest": guests(ana.html(link))[1], "fill": "1", "level": "medium"}
        path = ana.starts(link)
        for friend in (ana, bo):
            answer = friend.post(f"{link}/{action}", **form)
            assert (answer.status_code, path_of(answer)) == (303, path)
        answer = here.friend("Eve").post(f"{link}/{action}", **form)
        assert answer.status_code == 410
        assert "The game has begun" in answer.text
        table = here.tables.get(path.removeprefix("/t/"))
        assert sorted(table.game.names) == ["Ana", "Bo"]
        assert table.stand_ins == {}


def test_the_link_of_a_game_against_bots_is_none(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, eve = here.friends("Ana", "Eve")
        opened = ana.post("/tables", mode="bots", name="Ana", bots="1", key="k")
        link = path_of(opened).replace("/t/", "/j/")
        assert path_of(ana.get(link)) == path_of(opened)
        for answer in (eve.get(link), eve.joins(link), eve.post(f"{link}/leave")):
            assert answer.status_code == 404
        assert eve.get(link).text == eve.get("/j/nothing22222").text.replace(
            "/j/nothing22222", link
        )


def test_a_link_opens_the_same_table_with_its_qr_code(tmp_path: Path) -> None:
    with house(tmp_path, public="https://kniffel.example/") as here:
        (ana,) = here.friends("Ana")
        link = ana.opens()
        assert f'value="https://kniffel.example{link}"' in ana.html(link)
        picture = here.friend("Bo").get(f"{link}/code.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert "<svg" in picture.text


def test_at_home_the_page_says_that_nobody_else_can_come(tmp_path: Path) -> None:
    with house(tmp_path, home=True) as here:
        home = here.friend("Ana", host="127.0.0.1", base="http://localhost")
        page = home.html(home.opens())
        assert "listens to this machine only" in page
        for command in ("make play ARGS=--lan", "kartenkniffel play --lan"):
            assert f"<code>{command}</code>" in page
        guest = here.friend("Bo")
        page = guest.html(guest.opens())
        assert "listens to this machine only" not in page
        assert "--lan" not in page


@pytest.mark.parametrize("shown", ["{}", " {} ", "lower", "spaced", "dashed"])
def test_a_code_may_be_typed_as_it_is_heard(tmp_path: Path, shown: str) -> None:
    with house(tmp_path) as here:
        ana, bo = here.friends("Ana", "Bo")
        link = ana.opens()
        code = code_of(ana.html(link))
        typed = {
            "lower": code.lower(),
            "spaced": " ".join(code.lower()),
            "dashed": f"{code[:3]}-{code[3:]}",
        }.get(shown, shown.format(code))
        answer = bo.client.get("/j", params={"code": typed})
        assert path_of(answer) == link


@pytest.mark.parametrize("code", ["ABC", "ABCDEFG", "IOIOIO", "123456", "💥" * 6, "A" * 5000])
def test_a_wrong_code_gets_a_page_with_the_form(tmp_path: Path, code: str) -> None:
    with house(tmp_path) as here:
        (bo,) = here.friends("Bo")
        answer = bo.client.get("/j", params={"code": code})
        assert answer.status_code == 404
        assert "No table with this code" in alert_of(answer.text)
        assert 'name="code"' in answer.text


def test_listed_tables_are_shown_to_all_and_others_to_nobody(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, bo, eve = here.friends("Ana", "Bo", "Eve")
        listed = ana.opens(listed="1", seats="2")
        private = bo.opens(listed="0")
        for page in ("/", "/tables"):
            assert listed in eve.html(page)
            assert private not in eve.html(page)
        assert private in bo.html("/")
        assert listed in ana.html("/")
        eve.joins(listed)
        for page in ("/", "/tables"):  # it is full now
            assert listed not in here.friend("Fay").html(page)


def test_an_old_tab_of_the_start_page_still_finds_the_table(tmp_path: Path) -> None:
    """What a browser had before a table came is no reason to show somebody else's."""
    with house(tmp_path) as here:
        link, (_, bo) = here.seated("Ana", "Bo")
        assert link in bo.html("/")
        assert link not in here.friend("Eve").html("/")
