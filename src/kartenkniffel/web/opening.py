"""What the form that opens a table asks for, remembered for the next time."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal
from urllib.parse import quote, unquote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from kartenkniffel.rules import HouseRules
from kartenkniffel.table import (
    BOT_NAMES,
    CLOCKS,
    MOST_NAME,
    MOST_VISIBLE,
    Seat,
    Start,
    Terms,
    distinct_name,
    visible_length,
)
from kartenkniffel.web.page_start import MOST_BOTS, MOST_PLAYERS, PERSON, Row
from kartenkniffel.web.people import YEAR
from kartenkniffel.web.translator import Translator

WISHES_COOKIE = "kk_wishes"
MOST_COOKIE = 3_800
"""What a browser surely keeps in one cookie, in bytes; longer lists of names are not kept."""

DEFAULT_LEVEL = "medium"
_MODES = ("bots", "device", "friends")
_STARTS = ("random", "me")
_FIRSTS = ("random", "youngest", "seat")
_TWO_PEOPLE = (Row(), Row())


@dataclass(frozen=True, slots=True)
class FriendsWishes:
    """What a table for friends is to be like; see `Terms`."""

    seats: int = 4
    clock: int | None = None
    listed: bool = False
    spectators: bool = True
    fill: bool = False
    starts: Literal["random", "youngest", "seat"] = "random"

    @classmethod
    def read(cls, form: FormData) -> FriendsWishes:
        """Read the form; what is not on offer falls back to what is."""
        return cls(
            seats=max(2, _small(form.get("seats"), MOST_PLAYERS, 4)),
            clock=_clock(form.get("clock")),
            listed=form.get("listed") == "1",
            spectators=form.get("spectators") == "1",
            fill=form.get("fill") == "1",
            starts=_starts(form.get("starts")),
        )

    @classmethod
    def kept(cls, kept: Any) -> FriendsWishes:
        """Read what a browser has kept."""
        if not isinstance(kept, dict):
            return cls()
        return cls(
            seats=max(2, _small(str(kept.get("seats")), MOST_PLAYERS, 4)),
            clock=_clock(str(kept.get("clock"))),
            listed=kept.get("listed") is True,
            spectators=kept.get("spectators") is not False,
            fill=kept.get("fill") is True,
            starts=_starts(kept.get("starts")),
        )


@dataclass(frozen=True, slots=True)
class Wishes:
    """A game as somebody wants it: ``mode`` against bots, on one device, or with friends.

    ``name``, ``bots``, ``level`` and ``start`` are for the one, ``rows``, ``first`` and ``who``
    (the row of the one who starts, from 0) for the other.
    """

    mode: str = "bots"
    name: str = ""
    bots: int = 1
    level: str = DEFAULT_LEVEL
    start: str = "random"
    rows: tuple[Row, ...] = _TWO_PEOPLE
    first: str = "random"
    who: int = 0
    house_rule: bool = False
    friends: FriendsWishes = FriendsWishes()

    @classmethod
    def read(cls, form: FormData, known: Sequence[str]) -> Wishes:
        """Read the form; against bots, what is not on offer falls back to what is."""
        levels = [str(level) for level in form.getlist("level") if level in known]
        names = [trimmed(str(name)) for name in form.getlist("player")]
        kinds = [str(kind) for kind in form.getlist("kind")]
        kinds += [PERSON] * (len(names) - len(kinds))
        return cls(
            mode=_one_of(_MODES, form.get("mode")),
            name=trimmed(str(form.get("name", ""))),
            bots=_small(form.get("bots"), MOST_BOTS, 1),
            level=levels[0] if levels else DEFAULT_LEVEL,
            start=_one_of(_STARTS, form.get("start")),
            rows=tuple(map(Row, names, kinds)) or _TWO_PEOPLE,
            first=_one_of(_FIRSTS, form.get("first")),
            who=_small(form.get("who"), 99, 0),
            house_rule=form.get("five_of_a_kind_is_full_house") == "1",
            friends=FriendsWishes.read(form),
        )

    @classmethod
    def remembered(cls, request: Request) -> Wishes:
        """Give the wishes of the last time, or the usual ones."""
        try:
            text = unquote(request.cookies.get(WISHES_COOKIE, ""))
            kept = json.loads(text)
            json.dumps(kept, ensure_ascii=False).encode()  # no half characters
            return cls._kept(kept)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return cls()

    @classmethod
    def _kept(cls, kept: Any) -> Wishes:
        rows = tuple(
            Row(str(row["name"])[:MOST_NAME], str(row["kind"])[:MOST_NAME])
            for row in kept.get("rows", ())[:MOST_PLAYERS]
        )
        return cls(
            mode=_one_of(_MODES, kept.get("mode")),
            name=str(kept.get("name", ""))[:MOST_NAME],
            bots=_small(str(kept.get("bots")), MOST_BOTS, 1),
            level=str(kept.get("level", DEFAULT_LEVEL)),
            start=_one_of(_STARTS, kept.get("start")),
            rows=rows or _TWO_PEOPLE,
            first=_one_of(_FIRSTS, kept.get("first")),
            who=_small(str(kept.get("who")), MOST_PLAYERS - 1, 0),
            house_rule=kept.get("house_rule") is True,
            friends=FriendsWishes.kept(kept.get("friends")),
        )

    def remember(self, response: Response, *, secure: bool) -> None:
        """Let the browser keep the wishes; a ``secure`` cookie never travels in the clear."""
        kept = asdict(self)
        kept["rows"] = [asdict(row) for row in self.rows if not row.is_empty]
        value = _cookie(kept)
        if len(value) > MOST_COOKIE:
            value = _cookie({**kept, "rows": []})
        response.set_cookie(
            WISHES_COOKIE, value, max_age=YEAR, httponly=True, secure=secure, samesite="lax"
        )

    def in_mode(self, mode: str | None) -> Wishes:
        """Give the same wishes for another kind of game, where there is such a kind."""
        return replace(self, mode=mode) if mode in _MODES else self

    def called(self, name: str) -> Wishes:
        """Give the same wishes of somebody who now goes by another name."""
        return replace(self, name=name)

    def problem(self, known: Sequence[str], translator: Translator) -> str:
        """Say what is wrong with what was typed; empty where a table can be opened."""
        gettext = translator.gettext
        names = [row.name for row in self.rows] if self.mode == "device" else [self.name]
        if any(visible_length(name) > MOST_VISIBLE or len(name) > MOST_NAME for name in names):
            return gettext("A name has 1 to 24 visible characters.")
        if self.mode != "device":
            return ""
        playing = self._playing()
        if len(playing) > MOST_PLAYERS:
            return gettext("A game has one to ten players.")
        if any(row.kind != PERSON and row.kind not in known for row in playing):
            return gettext("There is no such bot.")
        if not any(row.kind == PERSON for row in playing):
            return gettext("Please write down the name of at least one person.")
        if self.first != "random" and (self.who >= len(self.rows) or self.rows[self.who].is_empty):
            return gettext("Please choose who starts among those who play.")
        return ""

    def seats(self, owner: str, translator: Translator) -> list[Seat]:
        """Give the seats clockwise; names that are equal are told apart."""
        if self.mode == "bots":
            own = self.name or translator.gettext("Player 1")
            free = _bot_names([own])
            return [
                Seat(own, owner=owner),
                *(Seat(next(free), bot=self.level) for _ in range(self.bots)),
            ]
        playing = self._playing()
        spare = _bot_names(row.name for row in playing)
        names = _told_apart([row.name or next(spare) for row in playing])
        return [
            Seat(name, owner=owner) if row.kind == PERSON else Seat(name, bot=row.kind)
            for name, row in zip(names, playing, strict=True)
        ]

    def terms(self, settings: Mapping[str, Any]) -> Terms:
        """Give what a table for friends is to be like."""
        wanted = self.friends
        return Terms(
            seats=wanted.seats,
            start=wanted.starts,
            listed=wanted.listed,
            clock=wanted.clock,
            level=self.level,
            fill=wanted.fill,
            spectators=wanted.spectators,
            rules=self.rules(),
            settings=settings,
        )

    def chosen_start(self) -> Start:
        """Give how the start is found (R4)."""
        if self.mode == "bots":
            return Start("seat", 0) if self.start == "me" else Start("random")
        seat = sum(not row.is_empty for row in self.rows[: self.who])
        if self.first == "youngest":
            return Start("youngest", seat)
        return Start("seat", seat) if self.first == "seat" else Start("random")

    def rules(self) -> HouseRules:
        """Give the house rules."""
        return HouseRules(five_of_a_kind_is_full_house=self.house_rule)

    def _playing(self) -> list[Row]:
        return [row for row in self.rows if not row.is_empty]


# Letters that show nothing: the Hangul fillers and the blank of Braille.
_BLANKS = str.maketrans(
    dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " ")
    # Keyboards for Hebrew and Arabic put marks of direction about; a name stands by itself.
    | dict.fromkeys("\u200e\u200f\u061c", "")
)


def trimmed(name: str) -> str:
    """Give a name without what nobody sees at its ends and twice in its middle."""
    return unicodedata.normalize("NFC", " ".join(name.translate(_BLANKS).split()))


def _one_of(known: Sequence[str], wanted: object) -> str:
    return wanted if isinstance(wanted, str) and wanted in known else known[0]


def _starts(wanted: object) -> Literal["random", "youngest", "seat"]:
    if wanted == "youngest":
        return "youngest"
    return "seat" if wanted == "seat" else "random"


def _clock(wanted: object) -> int | None:
    return next((clock for clock in CLOCKS if clock and str(clock) == wanted), None)


def _small(text: object, most: int, default: int) -> int:
    return int(text) if isinstance(text, str) and text in map(str, range(most + 1)) else default


def _cookie(kept: dict[str, Any]) -> str:
    return quote(json.dumps(kept, ensure_ascii=False, separators=(",", ":")))


def _bot_names(taken: Iterable[str]) -> Iterator[str]:
    """Give names for bots that nobody else has."""
    others = {name.casefold() for name in taken}
    return iter([name for name in BOT_NAMES if name.casefold() not in others])


def _told_apart(names: Sequence[str]) -> list[str]:
    """Number those that are called as somebody before them.

    >>> _told_apart(["Ana", "ana", "Bo", "Ana 2"])
    ['Ana', 'ana 3', 'Bo', 'Ana 2']
    """
    told: list[str] = []
    for name in names:
        is_free = distinct_name(name, told) == name
        told.append(name if is_free else distinct_name(name, [*told, *names]))
    return told
