"""The commands `serve` and `clear` as people run them: real processes, a real network."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2

from kartenkniffel.store import open_store
from kartenkniffel.table import Seat, Tables
from tests.cli.test_replay import one_line, run
from tests.serving import Server
from tests.table.helpers import BOTS, machines, people, play
from tests.web.company import visitor

WISHES = {"mode": "friends", "name": "Ana", "key": "k", "seats": "2"}


def test_serve_keeps_people_on_this_machine_apart(tmp_path: Path) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        visitor(server.address, "Ana") as ana,
        visitor(server.address, "Bo") as bo,
    ):
        path = ana.post("/tables", mode="bots", name="Ana", bots="1", key="k").headers["location"]
        assert ana.get(path).status_code == 200
        assert bo.get(path).status_code == 404
        assert path not in bo.html("/")
        assert server.interrupt() == 0


def test_the_public_address_stands_in_invitations(tmp_path: Path) -> None:
    options = ["--public-url", "https://kniffel.example/"]
    with Server(tmp_path, command="serve", options=options) as server:
        assert "https://kniffel.example/" in server.output[0]
        with visitor(server.address, "Ana") as ana:
            link = ana.opens()
            assert f"https://kniffel.example{link}" in ana.html(link)


def forwarded(address: str, host: str, scheme: str = "https") -> httpx2.Response:
    headers = {"x-forwarded-proto": scheme, "x-forwarded-for": host, "accept-language": "en"}
    return httpx2.post(f"{address}tables", data=WISHES, headers=headers)


def test_behind_a_proxy_cookies_are_secure_and_people_have_addresses(tmp_path: Path) -> None:
    with Server(tmp_path, command="serve", options=["--behind-proxy"]) as server:
        answer = forwarded(server.address, "203.0.113.1")
        for cookie in answer.headers.get_list("set-cookie"):
            assert "; Secure" in cookie
        assert "Secure" not in str(forwarded(server.address, "203.0.113.1", "http").headers)
        statuses = {}
        for host in ("203.0.113.1", "203.0.113.2"):
            code = {"x-forwarded-for": host}
            url = f"{server.address}j?code=AAAAAA"
            rounds = 12 if host.endswith("1") else 1
            statuses[host] = [httpx2.get(url, headers=code).status_code for _ in range(rounds)]
        assert statuses == {"203.0.113.1": [404] * 10 + [429] * 2, "203.0.113.2": [404]}


def test_without_a_proxy_nobody_is_believed_who_says_to_be_one(tmp_path: Path) -> None:
    with Server(tmp_path, command="serve") as server:
        assert "Secure" not in str(forwarded(server.address, "203.0.113.1").headers)
        url = f"{server.address}j?code=AAAAAA"
        statuses = [
            httpx2.get(url, headers={"x-forwarded-for": f"203.0.113.{n}"}).status_code
            for n in range(12)
        ]
        assert statuses == [404] * 10 + [429] * 2


def test_a_public_address_is_one(tmp_path: Path) -> None:
    done = run("serve", "--public-url", "kniffel.example", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "--public-url" in one_line(done.stderr)


def made_old(data: Path, *ids: str) -> None:
    """Have nothing happened at these tables for a year."""
    with closing(sqlite3.connect(data / "kartenkniffel.sqlite3")) as database, database:
        for id in ids:
            database.execute(
                "UPDATE log SET changed = '2020-01-01 00:00:00.000000' WHERE id = ?", [id]
            )


def old_tables(data: Path) -> dict[str, str]:
    """Make a finished, a running and a waiting table that are old, and a new finished one."""
    store = open_store(data)
    with closing(store):
        tables = Tables(store, BOTS)
        over = tables.open(people("Ana"))
        play(tables, over.id)
        fresh = tables.open([Seat("Ana", owner="ana"), *machines("Bot")])
        play(tables, fresh.id)
        runs = tables.open(people("Ana", "Bo"))
    ids = {"over": over.id, "fresh": fresh.id, "runs": runs.id}
    with Server(data, command="serve") as server, visitor(server.address, "Ana") as ana:
        ids["waits"] = ana.opens().removeprefix("/j/")
        server.interrupt()
    made_old(data, ids["over"], ids["runs"], ids["waits"])
    return ids


def left(data: Path) -> set[str]:
    with closing(sqlite3.connect(data / "kartenkniffel.sqlite3")) as database:
        return {id for (id,) in database.execute("SELECT id FROM log WHERE kind = 'table'")}


def test_clear_takes_what_is_over_or_was_never_begun(tmp_path: Path) -> None:
    ids = old_tables(tmp_path)
    again = run("clear", "--older-than-days", "30", "--data", str(tmp_path), "--json")
    assert json.loads(again.stdout) == {"cleared": 2}
    assert left(tmp_path) == {ids["fresh"], ids["runs"]}
    done = run("clear", "--older-than-days", "30", "--data", str(tmp_path))
    assert done.stdout.decode() == "0 tables cleared\n"


def test_clear_says_what_it_lacks(tmp_path: Path) -> None:
    assert "--older-than-days" in one_line(run("clear", "--data", str(tmp_path)).stderr)
    wrong = run("clear", "--older-than-days", "-1", "--data", str(tmp_path))
    assert wrong.returncode == 2
    with Server(tmp_path, command="serve"):
        done = run("clear", "--older-than-days", "1", "--data", str(tmp_path))
        assert done.returncode == 1
        assert "already running" in one_line(done.stderr)


def test_a_server_that_keeps_games_for_some_days_clears_the_others(tmp_path: Path) -> None:
    ids = old_tables(tmp_path)
    options = ["--keep-days", "30"]
    with Server(tmp_path, command="serve", options=options) as server:
        for _ in range(400):
            if len(left(tmp_path)) == 2:
                break
            assert httpx2.get(server.address).status_code == 200
        assert left(tmp_path) == {ids["fresh"], ids["runs"]}


def test_the_help_of_serve_names_its_options() -> None:
    text = re.sub(r"\s+", " ", run("serve", "--help").stdout.decode())
    for option in ("--port", "--host", "--data", "--public-url", "--behind-proxy", "--keep-days"):
        assert option in text
