"""R15: two games that are equal in all that a seat may know look equal to it, byte for byte."""

from __future__ import annotations

import random
import re
import threading
from pathlib import Path

from starlette.testclient import TestClient

from tests.web.application import (
    Gated,
    Stacked,
    hand_in,
    key_in,
    number_in,
    open_table,
    running,
    settled,
)

DECK = "".join(random.Random(5).sample("123456" * 18, 108))

TURNS = 12


def hidden_places() -> list[int]:
    """Give the places of the deck whose cards the person never sees.

    The first ten are dealt in turn, the person first. Then the person draws one card on two turns
    of three, and the bot one each turn until it holds ten; it never shows one.
    """
    seen, top, bot_holds = {0, 2, 4, 6, 8}, 10, 5
    for turn in range(TURNS):
        if turn % 3 != 2:
            seen.add(top)
            top += 1
        if bot_holds < 10:
            bot_holds += 1
            top += 1
    return [place for place in range(108) if place not in seen]


HIDDEN = hidden_places()


def with_hidden_cards_in_another_order(deck: str) -> str:
    cards = list(deck)
    hidden = [cards[place] for place in HIDDEN]
    random.Random(9).shuffle(hidden)
    for place, card in zip(HIDDEN, hidden, strict=True):
        cards[place] = card
    return "".join(cards)


def plain(text: str, path: str) -> str:
    """Put tokens and the clock aside: the table's id, the command keys, times of day."""
    text = re.sub(r"<time .*?</time>", "TIME", text)
    text = text.replace(path, "/t/ID").replace(path.removeprefix("/t/"), "ID")
    return re.sub(r'name="key" value="[^"]+"', 'name="key" value="KEY"', text)


def everything_seen(client: TestClient) -> list[str]:
    """Play a while with what a browser may do, and give every byte that came back."""
    seen: list[str] = []
    Gated.may_move = threading.Semaphore(0)
    path = open_table(client)

    def keep(method: str, url: str, **form: object) -> str:
        headers = {"X-Part": "1"} if method == "post" else {}
        send = {"data": form, "headers": headers} if method == "post" else {}
        answer = getattr(client, method)(url, **send)
        shown = sorted((k, v) for k, v in answer.headers.items() if k != "content-length")
        seen.append(plain(f"{answer.status_code} {shown} {answer.text}", path))
        return str(answer.text)

    for turn in range(TURNS):
        html = settled(client, path)
        hand, number = hand_in(html), str(number_in(html))
        keep("get", path)
        keep("get", f"{path}?part=1")
        keep("get", f"{path}?field=3&cards=33")
        keep("get", "/")
        keep("get", f"{path}/record.json")
        keep("post", f"{path}/again", key="k")
        keep("post", f"{path}/score", number=number, key=f"w{turn}", field="kn", card="0")
        keep("post", f"{path}/exchange", number="1", key=f"s{turn}", draw="more")
        keep("post", f"{path}/exchange", number=number, key=f"p{turn}", draw="same")
        keep("post", f"{path}/exchange", number=number, key=f"b{turn}", draw="more", card="77")
        if turn % 3 == 2:
            value = hand[0]
            places = [str(i) for i, card in enumerate(hand) if card == value][:1]
            # The hand shrinks by one and stays above five, so nothing is drawn.
            form = {"field": value, "card": places}
            keep("post", f"{path}/score", number=number, key=key_in(html), **form)
        else:
            keep("post", f"{path}/exchange", number=number, key=key_in(html), draw="more")
        Gated.may_move.release()
    return seen


def test_R15_every_byte_of_two_games_is_equal(tmp_path: Path) -> None:
    other = with_hidden_cards_in_another_order(DECK)
    assert other != DECK
    with running(tmp_path / "one", rng=Stacked(DECK), bots={"medium": Gated}) as client:
        one = everything_seen(client)
    with running(tmp_path / "two", rng=Stacked(other), bots={"medium": Gated}) as client:
        two = everything_seen(client)
    assert len(one) > 100
    for first, second in zip(one, two, strict=True):
        assert first == second


def test_R15_the_comparison_notices_a_card_that_is_seen(tmp_path: Path) -> None:
    cards = list(DECK)
    place = next(place for place in HIDDEN if cards[place] != cards[0])
    cards[0], cards[place] = cards[place], cards[0]  # the first card dealt to the person
    with running(tmp_path / "one", rng=Stacked(DECK), bots={"medium": Gated}) as client:
        one = everything_seen(client)
    with running(tmp_path / "two", rng=Stacked("".join(cards)), bots={"medium": Gated}) as client:
        two = everything_seen(client)
    assert one != two
