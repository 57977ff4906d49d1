"""Takes a person out of the events of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kartenkniffel.table.names import NOBODY, distinct_name

_Body = Mapping[str, Any]

_FORMER = "former-"
"""What keys that are nobody's begin with; people's are numbers in digits and a to f."""


def without(bodies: Sequence[_Body], player: str) -> list[_Body]:
    """Give the bodies of a table's events, in order, without a player's name and keys.

    A place that went from device to device was one person's under several keys; all of them go.
    Where the player is but an old device of somebody who stays, a key that is nobody's takes its
    place until that one comes: the present key may have had another place at that time.
    """
    places = _Places()
    found = [places.of(body) for body in bodies]
    everybody = [who for body in bodies for who in (body, *body.get("seats", ()))]
    named = [who["name"] for who in everybody if "name" in who]
    nobody = distinct_name(NOBODY, named)
    return [
        _without(
            body,
            [None if place is None else (places.holders[place], place) for place in each],
            player,
            nobody,
        )
        for body, each in zip(bodies, found, strict=True)
    ]


class _Places:
    """Follows who had which place; ``holders`` are the keys that had them last."""

    def __init__(self) -> None:
        self.holders: list[str] = []
        self._now: dict[str, int] = {}
        self._offered: dict[str, int] = {}

    def of(self, body: _Body) -> list[int | None]:
        """Give the place of each owner that the next event names."""
        match body["type"]:
            case "invited" | "joined":
                return [self._new(body["owner"])]
            case "opened":
                owners = [seat.get("owner") for seat in body["seats"]]
                return [None if owner is None else self._known(owner) for owner in owners]
            case "offered":
                place = self._known(body["owner"])
                self._offered[body["token"]] = place
                return [place]
            case "claimed":
                place = self._offered[body["token"]]
                self.holders[place] = body["owner"]
                self._now[body["owner"]] = place
                return [place]
            case _:
                return []

    def _new(self, owner: str) -> int:
        self.holders.append(owner)
        self._now[owner] = len(self.holders) - 1
        return self._now[owner]

    def _known(self, owner: str) -> int:
        return self._now[owner] if owner in self._now else self._new(owner)


_Holder: TypeAlias = "tuple[str, int] | None"
"""Whose a place was last, and its number; nothing for a seat that was nobody's."""


def _without(body: _Body, holders: Sequence[_Holder], player: str, nobody: str) -> _Body:
    if "seats" in body:
        seats = [
            _changed(seat, last, player, nobody, None)
            for seat, last in zip(body["seats"], holders, strict=True)
        ]
        return {**body, "seats": seats}
    return _changed(body, holders[0], player, nobody, "") if holders else body


def _changed(who: _Body, last: _Holder, player: str, nobody: str, owner: str | None) -> _Body:
    """Give what was written of somebody whose place this holder had last."""
    if last is None:
        return who
    holder, place = last
    if holder == player:
        named = {"name": nobody} if "name" in who else {}
        return {**who, **named, "owner": owner}
    return {**who, "owner": f"{_FORMER}{place}"} if who.get("owner") == player else who
