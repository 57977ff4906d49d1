"""R15 among friends: games that are equal in all that somebody may know look equal to them.

Three people play: Ana draws and plays a card now and then, the others only draw, so that nothing
that is done depends on a card that Ana, or a spectator, does not see.
"""

from __future__ import annotations

import logging
import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from kartenkniffel.rules import Cards, Exchange, Field, Game, Move, Score, View
from tests.web.application import BOTS, hand_in, key_in, number_in
from tests.web.company import Friend, House, as_form, code_of, house, listening, path_of
from tests.web.test_friends_playing import TABLE_ROUTES, ask

PEOPLE = ("Ana", "Bo", "Cy")
DECKS = tuple("".join(random.Random(seed).sample("123456" * 18, 108)) for seed in (5, 6))
"""The order of the cards in the game and in its rematch."""


class Decks(random.Random):
    """Chance that deals these decks one after the other; all else is as seed 0 has it."""

    def __init__(self, decks: tuple[str, ...]) -> None:
        super().__init__(0)
        self._decks = list(decks)

    def shuffle(self, cards: list[str]) -> None:  # type: ignore[override]
        if len(cards) == 108:
            cards[:] = self._decks.pop(0)
        else:
            super().shuffle(cards)


class Seen:
    """Every byte that reaches one person, with ids, keys and times put aside."""

    def __init__(self, friend: Friend) -> None:
        self.friend = friend
        self.all: list[str] = []
        self._aside: dict[str, str] = {}

    def aside(self, text: str, name: str) -> None:
        self._aside[text] = name

    def keep(self, method: str, url: str, **form: object) -> None:
        headers = {"X-Part": "1"} if method == "post" else {}
        send: dict[str, Any] = {"data": form, "headers": headers} if method == "post" else {}
        answer = getattr(self.friend.client, method)(url, **send)
        shown = sorted((k, v) for k, v in answer.headers.items() if k != "content-length")
        self.all.append(self.plain(f"{answer.status_code} {shown} {answer.text}"))

    def plain(self, text: str) -> str:
        text = re.sub(r"<time .*?</time>", "TIME", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "TIME", text)
        text = re.sub(r"kk_key=[\w-]+", "kk_key=KEY", text)
        for known, name in self._aside.items():
            text = text.replace(known, name)
        return re.sub(r'name="key" value="[^"]+"', 'name="key" value="KEY"', text)


def story(here: House, who: str, card: int) -> tuple[list[str], list[Game], bytes]:
    """Play two games, and give every byte that reached somebody, the games, and the stream.

    The ``card`` is the first one of the deck, which Ana plays.
    """
    ana, bo, cy, eve = (here.friend(name) for name in (*PEOPLE, "Eve"))
    seen = Seen({"Ana": ana, "Eve": eve}[who])
    eve.html("/")
    link = ana.opens(seats="3", listed="1")
    id, code = link.removeprefix("/j/"), code_of(ana.html(link))
    seen.aside(id, "ID")
    seen.aside(code, "CODE")
    seen.aside(" ".join(code), "C O D E")
    seen.aside(code[:3], "CO")
    seen.aside(code[3:], "DE")
    for friend in (bo, cy):
        friend.joins(link)
        seen.keep("get", link)
        seen.keep("get", "/tables")
    path = ana.starts(link, first="seat", who="1")
    heard: list[bytes] = []
    with listening(here, seen.friend, heard):
        first = first_game(here, path, (ana, bo, cy), seen, card)
        again = path_of(bo.post(f"{path}/again"))
        seen.aside(again.removeprefix("/t/"), "NEXT")
        seen.keep("get", path)
        for friend in (bo, cy, ana):  # the next one starts
            assert friend.draws(again).status_code == 303
            looks(seen, again, export=False)
        tries(seen, again)
    second = here.tables.get(again.removeprefix("/t/")).game
    return seen.all, [first, second], b"".join(heard)


def looks(seen: Seen, path: str, *, export: bool = True) -> None:
    """Ask for all there is."""
    for url in (path, f"{path}?part=1", f"{path}?log=all", f"{path}?field=3&cards=33", "/"):
        seen.keep("get", url)
    seen.keep("get", f"{path}/record.json")
    if export:
        seen.keep("get", "/me/export.json")


def tries(seen: Seen, path: str) -> None:
    """Try what is refused."""
    if seen.friend.name == "Eve":
        for method, tail, form in TABLE_ROUTES:
            if tail != "/delete":
                seen.keep(method, path + tail, **form)
        return
    number = str(number_in(seen.friend.html(path)))
    seen.keep("post", f"{path}/again", key="k")
    seen.keep("post", f"{path}/stand-in", seat="1")
    seen.keep("post", f"{path}/propose", matter="win")
    for key, form in {
        "a": {"field": "kn", "card": "0"},
        "b": {"draw": "more", "number": "1"},
        "c": {"draw": "more", "card": "77"},
        "d": {"draw": "same", "number": "9999"},
    }.items():
        action = "score" if "field" in form else "exchange"
        seen.keep("post", f"{path}/{action}", **{"number": number, "key": key, **form})


def first_game(here: House, path: str, people: tuple[Friend, ...], seen: Seen, card: int) -> Game:
    ana, bo, cy = people
    id = path.removeprefix("/t/")

    def moves(friend: Friend, move: Move) -> None:
        if friend is seen.friend:
            html = friend.html(path)
            action, form = as_form(move, Cards(hand_in(html)))
            seen.keep("post", f"{path}/{action}", number=number_in(html), key=key_in(html), **form)
        else:
            assert friend.sends(path, move).status_code == 303
        seen.keep("get", path)

    def agree(*friends: Friend) -> None:
        for friend in friends:
            friend.post(f"{path}/answer", agree="1")
            seen.keep("get", path)

    draw, passing = Exchange(Cards(), 1), Exchange(Cards(), 0)
    for _ in range(2):
        for friend in people:
            moves(friend, draw)
            looks(seen, path)
            if friend is not cy:
                tries(seen, path)
    # With seven cards Ana plays one, and so nothing is drawn.
    moves(ana, Score(Cards([card]), Field(str(card))))
    moves(bo, passing)
    bo.post(f"{path}/propose", matter="undo")
    looks(seen, path)
    tries(seen, path)
    agree(ana, cy)
    assert here.tables.get(id).to_move == 1
    bo.post(f"{path}/say", key="k", phrase="one_moment")
    moves(bo, draw)
    bo.post(f"{path}/propose", matter="end")
    cy.post(f"{path}/answer", agree="0")
    cy.post(f"{path}/leave")
    for _ in range(200):
        if here.tables.get(id).to_move == 0:
            break
        threading.Event().wait(0.02)
    looks(seen, path)
    tries(seen, path)
    cy.post(f"{path}/back")
    looks(seen, path)
    game = here.tables.get(id).game
    assert len(game.moves) == 9
    cy.post(f"{path}/propose", matter="end")
    agree(bo, ana)
    assert here.tables.get(id).finished
    return game


def seen_places(game: Game, name: str) -> set[int]:
    """Give the places of the deck whose cards somebody sees: those that came into the hand.

    Nobody but Ana lays a card down, and hers is the first one of the deck.
    """
    count = len(game.names)
    own = game.names.index(name) if name in game.names else None
    places, top = {0}, 5 * count
    if own is not None:
        places |= set(range(own, top, count))
    for turn, move in enumerate(game.moves):
        drawn = move.draw if isinstance(move, Exchange) else 0
        if turn % count == own:
            places |= set(range(top, top + drawn))
        top += drawn
    return places


def dealt_anew(deck: str, seen: set[int]) -> str:
    cards = list(deck)
    hidden = [place for place in range(108) if place not in seen]
    for place, other in zip(hidden, random.Random(9).sample(hidden, len(hidden)), strict=True):
        cards[place] = deck[other]
    return "".join(cards)


def run(data: Path, who: str, decks: tuple[str, ...]) -> tuple[list[str], list[Game], bytes]:
    with house(data, rng=Decks(decks)) as here:
        return story(here, who, int(decks[0][0]))


NOTICE = (
    rb"event: (?:hello|table|people|bye)\r\n"
    rb'data: (?:\{\}|\{"table": "[a-z0-9]{12}", "number": \d+\})\r\n'
)
STREAM = re.compile(
    rb"(?:id: \d{16}\r\n" + NOTICE + rb"(?:retry: \d+\r\n)?\r\n|: ping - [^\r\n]*\r\n\r\n)+"
)
"""All that a stream may ever say."""


@pytest.mark.parametrize("who", ["Ana", "Eve"])
def test_R15_every_byte_among_friends_is_equal(
    tmp_path: Path, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="kartenkniffel")
    one, games, stream = run(tmp_path / "one", who, DECKS)
    logged = caplog.messages
    caplog.clear()
    decks = tuple(
        dealt_anew(deck, seen_places(game, who)) for deck, game in zip(DECKS, games, strict=True)
    )
    two, others, other_stream = run(tmp_path / "two", who, decks)
    for game, other in zip(games, others, strict=True):
        assert game.hands != other.hands
        assert game.moves == other.moves
    assert len(one) > 100
    for first, second in zip(one, two, strict=True):
        assert first == second
    for each in (stream, other_stream):
        assert STREAM.fullmatch(each), each[:500]
        assert each.count(b"event: table") > 5
    assert caplog.messages == logged


@pytest.mark.parametrize(("who", "place"), [("Ana", 3), ("Eve", 0)])
def test_R15_the_comparison_notices_a_card_that_is_seen(
    tmp_path: Path, who: str, place: int
) -> None:
    cards = list(DECKS[0])
    other = next(n for n in range(50, 108) if cards[n] != cards[place])
    cards[place], cards[other] = cards[other], cards[place]
    one, _, _ = run(tmp_path / "one", who, DECKS)
    two, _, _ = run(tmp_path / "two", who, ("".join(cards), DECKS[1]))
    assert one != two


OPENLY = "THE HAND IS "


class Babbler:
    """A bot that fails and says its hand."""

    name = "babbler"

    def choose(self, view: View, rng: random.Random) -> Move:
        said = f"{OPENLY}{view.hand}"
        raise ValueError(said)


def test_R15_a_bot_that_stands_in_and_fails_tells_no_hand(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with house(tmp_path, bots={**BOTS, "medium": Babbler}) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        ana.post(f"{path}/leave")
        for _ in range(200):
            if bo.is_to_move(path):
                break
            threading.Event().wait(0.02)
        assert bo.is_to_move(path)
        assert OPENLY not in bo.html(path)
    assert "the bot medium failed" in caplog.text
    assert OPENLY not in caplog.text


def test_R15_a_running_games_record_reaches_nobody(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        path, (ana, bo) = here.playing("Ana", "Bo")
        for friend in (ana, bo, here.friend("Eve")):
            assert ask(friend, "get", f"{path}/record.json", {}).status_code == 409
        ana.post(f"{path}/delete")
        assert ana.get(f"{path}/record.json").status_code == 409
        exported = bo.get("/me/export.json").text
        assert "shuffles" not in exported
        assert '"record"' not in exported
        assert ana.client.cookies["kk_key"] not in exported
