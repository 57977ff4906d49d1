"""What is wrong with a form that was sent is what one sees first of the page that comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.serving import Server
from tests.web.friends import company, invite
from tests.web.playing import browsing, leaving, open_game

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


def on_one_device(page: Page, address: str) -> None:
    page.goto(f"{address}?mode=device")
    page.get_by_role("button", name="Play", exact=True).click()


def against_bots(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Your name").fill("x" * 25)
    page.get_by_role("button", name="Play", exact=True).click()


def on_a_pad(page: Page, address: str) -> None:
    page.goto(f"{address}pad")
    page.get_by_role("button", name="Begin", exact=True).click()


def with_a_code(page: Page, address: str) -> None:
    page.goto(f"{address}j?code=WRONG")


FORMS: dict[Callable[[Page, str], None], str] = {
    on_one_device: "Please write down the name of at least one person.",
    against_bots: "A name has 1 to 24 visible characters.",
    on_a_pad: "A game has one to ten players.",
    with_a_code: "No table with this code waits for players.",
}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
@pytest.mark.parametrize("send", FORMS, ids=lambda send: send.__name__)
def test_the_page_comes_up_at_what_is_wrong(
    chromium: str, tmp_path: Path, send: Callable[[Page, str], None], scripts: bool
) -> None:
    with (
        Server(tmp_path, command="serve") as server,
        browsing(chromium, viewport=PHONE, java_script_enabled=scripts) as context,
    ):
        page = context.new_page()
        for _ in range(3):  # games that are listed above the form
            open_game(page, server.address)
        send(page, server.address)
        told = page.get_by_role("alert")
        expect(told).to_be_focused()
        expect(told).to_be_in_viewport(ratio=1)
        expect(told).to_contain_text(FORMS[send])


def test_a_guest_without_scripts_is_told_too(chromium: str, tmp_path: Path) -> None:
    with Server(tmp_path, command="serve") as server, company(chromium) as person:
        link = invite(person(), server.address)
        guest = person(viewport=PHONE, java_script_enabled=False)
        guest.goto(link)
        guest.get_by_label("Your name").fill("x" * 25)
        with leaving(guest):
            guest.get_by_role("button", name="Sit down").click()
        expect(guest.get_by_role("alert")).to_be_focused()
