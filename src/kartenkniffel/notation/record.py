"""Game records as JSON: complete, free of any random generator, replayed by `Record.replay`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kartenkniffel.notation.json_text import JsonError, excerpt, read_json
from kartenkniffel.notation.moves import MoveTextError, format_move, parse_move
from kartenkniffel.rules import NO_HOUSE_RULES, Game, HouseRules, Move, replay

FORMAT = "kartenkniffel"
VERSION = 1
MOST_BYTES = 8_000_000
"""The largest record that is read."""

_HOUSE_RULES = ("five_of_a_kind_is_full_house",)
_NO_EXTRA: Mapping[str, Any] = {}


class UnreadableError(ValueError):
    """The bytes are no record; ``move`` is the number (from 1) of the unreadable move, if any."""

    def __init__(self, message: str, move: int | None = None) -> None:
        place = "record" if move is None else f"move {move}"
        super().__init__(f"{place}: unreadable: {message}")
        self.message = message
        self.move = move


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Why a game stopped: the seat that forfeited and the reason in words."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is written down.

    ``names`` in clockwise order, the starting player first; ``shuffles`` top card first, the deal
    and then each reshuffle (R14). ``extra``, ``player_extra`` and ``forfeit_extra`` hold keys that
    the format does not know, which survive loading and saving.
    """

    names: tuple[str, ...]
    shuffles: tuple[str, ...]
    moves: tuple[Move, ...]
    rules: HouseRules = NO_HOUSE_RULES
    forfeit: Forfeit | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    player_extra: tuple[Mapping[str, Any], ...] = ()
    forfeit_extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, forfeit: Forfeit | None = None) -> Record:
        """Give the record of a game, finished or not."""
        return cls(game.names, game.shuffles, game.moves, game.rules, forfeit)

    def replay(self) -> Game:
        """Play the record and give the game; raises `rules.ReplayError` where it breaks a rule."""
        return replay(self.names, self.shuffles, self.moves, self.rules)


def load_record(data: bytes) -> Record:
    """Read a record from UTF-8 JSON; raises `UnreadableError`.

    Whether the game keeps the rules shows only in `Record.replay`.
    """
    if len(data) > MOST_BYTES:
        raise UnreadableError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        value = read_json(data)
    except JsonError as error:
        raise UnreadableError(f"it is {error}") from None
    if not isinstance(value, dict):
        raise UnreadableError("a record is a JSON object")
    return _record(value)


def dump_record(record: Record) -> bytes:
    """Write a record as UTF-8 JSON with a line end; keys the format does not know come last."""
    extras = (*record.player_extra, *([_NO_EXTRA] * len(record.names)))
    players = [{"name": name, **extra} for name, extra in zip(record.names, extras, strict=False)]
    house_rules = {name: getattr(record.rules, name) for name in _HOUSE_RULES}
    value: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": house_rules,
        "players": players,
        "shuffles": list(record.shuffles),
        "moves": [format_move(move) for move in record.moves],
    }
    if record.forfeit:
        forfeit = {"seat": record.forfeit.seat, "reason": record.forfeit.reason}
        value["forfeit"] = {**forfeit, **record.forfeit_extra}
    text = json.dumps({**value, **record.extra}, ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8")


def _record(value: dict[str, Any]) -> Record:
    _check_version(value)
    rules = _wanted(value, "rules", dict)
    players = _wanted(value, "players", list)
    shuffles = _wanted(value, "shuffles", list)
    moves = _wanted(value, "moves", list)
    names = tuple(_name(player, number) for number, player in enumerate(players, 1))
    if not all(isinstance(pile, str) for pile in shuffles):
        raise UnreadableError("every one of its shuffles must be text")
    _check_switches(rules)
    forfeit, forfeit_extra = _forfeit(value, len(names))
    known = {"format", "version", "rules", "players", "shuffles", "moves", "forfeit"}
    house_rules = _house_rules(rules)
    return Record(
        names=names,
        shuffles=tuple(shuffles),
        moves=tuple(_move(text, number) for number, text in enumerate(moves, 1)),
        rules=house_rules,
        forfeit=forfeit,
        extra={key: item for key, item in value.items() if key not in known},
        player_extra=_player_extra(players),
        forfeit_extra=forfeit_extra,
    )


def _check_version(value: dict[str, Any]) -> None:
    if value.get("format") != FORMAT:
        raise UnreadableError(f'its "format" must be "{FORMAT}"')
    version = value.get("version")
    if type(version) is not int or version != VERSION:
        raise UnreadableError(f'its "version" must be {VERSION}')


_TYPE_NAMES = {dict: "an object", list: "a list", str: "text", int: "a whole number"}


def _wanted(value: dict[str, Any], key: str, kind: type, place: str = "its") -> Any:
    if key not in value:
        raise UnreadableError(f'{place} key "{key}" is missing')
    if type(value[key]) is not kind:
        raise UnreadableError(f'{place} "{key}" must be {_TYPE_NAMES[kind]}')
    return value[key]


def _name(player: Any, number: int) -> str:
    if not isinstance(player, dict):
        raise UnreadableError(f"player {number} must be an object")
    name = _wanted(player, "name", str, f"player {number}'s")
    assert isinstance(name, str)
    return name


def _player_extra(players: list[dict[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    extras = tuple({k: v for k, v in player.items() if k != "name"} for player in players)
    return extras if any(extras) else ()


def _check_switches(rules: dict[str, Any]) -> None:
    for key in _HOUSE_RULES:
        if type(rules.get(key, False)) is not bool:
            raise UnreadableError(f'its house rule "{key}" must be true or false')


def _house_rules(rules: dict[str, Any]) -> HouseRules:
    for key in rules:
        if key not in _HOUSE_RULES:
            raise UnreadableError(f"its house rule {excerpt(key)} is unknown")
    return HouseRules(**rules)


def _forfeit(value: dict[str, Any], players: int) -> tuple[Forfeit | None, Mapping[str, Any]]:
    if "forfeit" not in value:
        return None, {}
    data = _wanted(value, "forfeit", dict)
    seat = _wanted(data, "seat", int, "its forfeit's")
    reason = _wanted(data, "reason", str, "its forfeit's")
    if not 0 <= seat < max(players, 1):
        raise UnreadableError('its forfeit\'s "seat" is not a seat of the game')
    return Forfeit(seat, reason), {k: v for k, v in data.items() if k not in ("seat", "reason")}


def _move(text: Any, number: int) -> Move:
    if not isinstance(text, str):
        raise UnreadableError("a move must be text", number)
    try:
        return parse_move(text)
    except MoveTextError as error:
        raise UnreadableError(str(error), number) from None
