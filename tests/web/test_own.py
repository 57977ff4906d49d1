"""What the server holds under one's key: to look at, to take away, to have deleted."""

from __future__ import annotations

import json
from pathlib import Path

from kartenkniffel.notation import load_record
from tests.web.application import hand_in, open_table, running
from tests.web.company import guests, held_by, house, names_of, path_of, play_on


def test_the_page_counts_the_tables(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        ana, eve = here.friends("Ana", "Eve")
        ana.opens()
        ana.opens()
        assert "2 tables are kept" in ana.html("/me")
        assert "0 tables are kept" in eve.html("/me")
        assert held_by(eve) == []


def test_an_export_holds_the_own_part_and_a_finished_games_record(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        bo.post(f"{path}/say", key="k", phrase="hello")
        link = ana.opens()
        running, waiting = sorted(held_by(ana), key=lambda table: table["state"])
        assert running["names"] == ["Ana"]
        assert [view["hand"] for view in running["views"]] == [hand_in(ana.html(path))]
        assert running["said"] == []
        assert (waiting["state"], waiting["table"]) == ("waiting", link.removeprefix("/j/"))
        assert held_by(bo)[0]["said"] == ["hello"]
        ana.draws(path)
        bo.draws(path)
        play_on([ana, bo], path)
        over = next(table for table in held_by(ana) if table["state"] == "finished")
        assert load_record(json.dumps(over["record"]).encode()).replay().finished
        answer = ana.get("/me/export.json")
        assert "attachment" in answer.headers["content-disposition"]
        assert answer.json()["format"] == "kartenkniffel-own"


def test_deleting_wants_to_be_sure(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        (ana,) = here.friends("Ana")
        link = ana.opens()
        assert ana.post("/me/delete").headers["location"] == "/me"
        assert ana.get(link).status_code == 200
        assert len(held_by(ana)) == 1


def test_who_deletes_everything_is_a_stranger_and_the_others_play_on(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana Anderson", "Bo", spectators="0")
        link, (_, cy) = here.seated("Bea", "Cy", seats="3")
        ana.joins(link)
        alone = ana.opens()
        key = ana.client.cookies["kk_key"]
        assert ana.draws(path).status_code == 303
        answer = ana.post("/me/delete", sure="1")
        assert answer.headers["location"] == "/"
        gone = [c for c in answer.headers.get_list("set-cookie") if "kk_key=" in c]
        assert gone
        assert all("Max-Age=0" in cookie for cookie in gone)
        assert "kk_key" not in ana.client.cookies
        for friend in (ana, here.friend("Eve")):
            assert friend.get(path).status_code == 404
            assert friend.get(alone).status_code == 404
        # The old key, kept by somebody, is that of nobody.
        assert here.friend("Eve").get(path, cookie=f"kk_key={key}").status_code == 404
        assert names_of(cy.html(link)) == ["Bea", "Cy"]
        html = bo.html(path)
        assert "Anderson" not in html
        assert bo.draws(path).status_code == 303
        assert "Anderson" not in bo.get("/me/export.json").text
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert b"Anderson" not in stored


def test_a_host_who_deletes_everything_is_followed_by_the_next(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        link, (ana, bo, cy) = here.seated("Ana", "Bo", "Cy", seats="4")
        ana.post("/me/delete", sure="1")
        assert len(guests(bo.html(link))) == 2
        assert "Start the game" in bo.html(link)
        assert path_of(cy.get(bo.starts(link).replace("/t/", "/j/"))).startswith("/t/")


def test_at_home_all_browsers_share_the_games_opened_there_but_not_the_seats(
    tmp_path: Path,
) -> None:
    with running(tmp_path, pause=30) as client:
        path = open_table(client)
        first = client.post("/tables", data={"mode": "friends", "name": "Ana", "key": "k"})
        link = path_of(first)
        client.cookies.clear()
        assert client.get(path).status_code == 200  # found again without its cookies
        joined = client.post(f"{link}/join", data={"name": "Bo"})
        assert joined.status_code == 303
        assert names_of(client.get(link).text) == ["Ana", "Bo"]  # another browser, another person
        held = client.get("/me/export.json").json()["tables"]
        # The games of the machine are no browser's own: one cannot take them from the others.
        assert {table["state"] for table in held} == {"waiting"}
        client.post("/me/delete", data={"sure": "1"})
        assert client.get(path).status_code == 200
        assert names_of(client.get(link).text) == ["Ana"]
