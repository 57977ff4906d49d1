"""What the form that opens a table asks for, remembered for the next time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from kartenkniffel.rules import HouseRules
from kartenkniffel.table import Seat, Start
from kartenkniffel.web.pages import Translator
from kartenkniffel.web.people import YEAR

WISHES_COOKIE = "kk_wishes"
MOST_BOTS = 4
DEFAULT_LEVEL = "medium"
_BOT_NAMES = ("Mara", "Emil", "Ilse", "Otto", "Vera")
_STARTS = ("random", "me")


@dataclass(frozen=True, slots=True)
class Wishes:
    """A game against bots as somebody wants it: one entry in ``levels`` for each bot."""

    name: str = ""
    levels: tuple[str, ...] = (DEFAULT_LEVEL,)
    start: str = "random"
    house_rule: bool = False

    @classmethod
    def read(cls, form: FormData, known: Sequence[str]) -> Wishes:
        """Read the form; what is not on offer falls back to what is."""
        listed = [str(level) for level in form.getlist("level")]
        wanted = [level for level in listed if level in known] or [DEFAULT_LEVEL]
        count = _bots(str(form.get("bots", "")), default=len(wanted))
        levels = tuple((wanted + [wanted[-1]] * count)[:count])
        start = str(form.get("start", ""))
        return cls(
            name=" ".join(str(form.get("name", "")).split()),
            levels=levels,
            start=start if start in _STARTS else "random",
            house_rule=form.get("five_of_a_kind_is_full_house") == "1",
        )

    @classmethod
    def remembered(cls, request: Request) -> Wishes:
        """Give the wishes of the last time, or the usual ones."""
        try:
            kept = json.loads(unquote(request.cookies.get(WISHES_COOKIE, "")))
            name, level, start = str(kept["name"]), str(kept["level"]), str(kept["start"])
            count = _bots(str(kept["bots"]), default=1)
            return cls(name[:64], (level,) * count, start, kept["house_rule"] is True)
        except (ValueError, TypeError, KeyError, RecursionError):
            return cls()

    def remember(self, response: Response) -> None:
        """Let the browser keep the wishes."""
        kept = {
            "name": self.name,
            "bots": len(self.levels),
            "level": self.levels[0],
            "start": self.start,
            "house_rule": self.house_rule,
        }
        value = quote(json.dumps(kept))
        response.set_cookie(WISHES_COOKIE, value, max_age=YEAR, httponly=True, samesite="lax")

    def seats(self, owner: str, translator: Translator) -> list[Seat]:
        """Give the seats clockwise, the person's own first."""
        own = self.name or translator.gettext("You")
        names = [name for name in _BOT_NAMES if name.casefold() != own.casefold()]
        bots = [Seat(name, bot=level) for name, level in zip(names, self.levels, strict=False)]
        return [Seat(own, owner=owner), *bots]

    def chosen_start(self) -> Start:
        """Give how the start is found (R4)."""
        return Start("seat", 0) if self.start == "me" else Start("random")

    def rules(self) -> HouseRules:
        """Give the house rules."""
        return HouseRules(five_of_a_kind_is_full_house=self.house_rule)


def _bots(text: str, default: int) -> int:
    return min(max(int(text), 1), MOST_BOTS) if text in ("1", "2", "3", "4") else default
