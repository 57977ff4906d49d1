"""The game for other devices in the same network."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2
import pytest

from kartenkniffel.web.lan import lan_host, qr_as_svg, qr_for_terminal
from tests.serving import Server
from tests.web.application import running

needs_network = pytest.mark.skipif(lan_host() is None, reason="this machine is in no network")


def test_without_a_network_for_others_there_is_no_such_page(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert client.get("/lan").status_code == 404
        assert client.get("/lan.svg").status_code == 404
        assert "/lan" not in client.get("/").text


def test_a_code_is_dark_on_light_with_a_border() -> None:
    assert len(qr_for_terminal("http://192.0.2.7:8126/").splitlines()) > 10
    svg = qr_as_svg("http://192.0.2.7:8126/")
    assert svg.startswith(b"<svg")
    assert b'fill="#fff"' in svg


@needs_network
def test_other_devices_play_their_own_games(tmp_path: Path) -> None:
    with Server(tmp_path, options=["--lan"]) as server:
        lan = f"http://{lan_host()}:{server.port}/"
        host = {"accept-language": "en"}
        with httpx2.Client(headers=host) as home, httpx2.Client(headers=host) as phone:
            home.get(server.address)
            form = {"name": "Ana", "bots": "1", "key": "k"}
            path = home.post(f"{server.address}tables", data=form).headers["location"]
            assert home.get(server.address.rstrip("/") + path).status_code == 200
            assert phone.get(lan).status_code == 200
            assert "kk_key" in phone.cookies
            assert phone.get(lan.rstrip("/") + path).status_code == 404
            page = home.get(f"{server.address}lan").text
            assert lan in page
            assert home.get(f"{server.address}lan.svg").headers["content-type"] == "image/svg+xml"
            assert "/lan" in home.get(server.address).text
    said = "".join(server.output)
    assert lan in said
    assert re.search(r"[█▀▄]{5}", said)
    assert "plain http" in said
