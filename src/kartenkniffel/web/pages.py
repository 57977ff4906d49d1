"""The contexts of the pages: all that the templates show, made of a table and a seat.

Nothing here knows of requests. A page gets what `Table.view` gives its seat, and the cards which
that seat drew itself; so no secret can reach a template (R15).

Every template also needs, beside the context made here: ``_`` and ``ngettext`` (Jinja's i18n
extension, new style), ``language`` (``de``, ``ro``, ``en``), ``theme`` (``auto``, ``light``,
``dark``) and ``path`` (where `POST /settings` leads back to).

- ``table.html``: `table_context`; ``table_main.html`` is its ``<main>`` alone, for ``?part=1``.
- ``start.html``: `start_context`.
- ``help.html``: `help_context`.
- ``error.html``: `error_context`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kartenkniffel.rules import (
    FIELDS,
    LOWER_FIELDS,
    UPPER_FIELDS,
    VALUES,
    Cards,
    Entry,
    Field,
    Move,
    View,
)
from kartenkniffel.table import Table
from kartenkniffel.web.page_end import ending, ranking
from kartenkniffel.web.page_help import field_help, help_context
from kartenkniffel.web.page_plays import Choices, Play, choices
from kartenkniffel.web.page_start import start_context
from kartenkniffel.web.page_words import (
    Translator,
    error_sentence,
    field_name,
    level_name,
    move_words,
    tiles,
)

__all__ = [
    "Shown",
    "Translator",
    "cards_at",
    "error_context",
    "error_sentence",
    "help_context",
    "start_context",
    "table_context",
]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table's page shows beside the table, while scripts are off or after an error.

    ``field`` is proposed with ``cards`` (the best ones where that is ``None``); without a field
    ``cards`` are those chosen in the hand; ``passing`` asks whether the player really passes.
    """

    field: Field | None = None
    cards: Cards | None = None
    passing: bool = False

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Shown:
        """Read it from a query (``field=3k&cards=33345``, ``pass=1``), leaving out nonsense.

        >>> Shown.read({"field": "3k", "cards": "what"})
        Shown(field=<Field.THREE_OF_A_KIND: '3k'>, cards=None, passing=False)
        """
        field = query.get("field", "")
        cards = query.get("cards", "")
        known = 0 < len(cards) <= 10 and all(digit in "123456" for digit in cards)
        return cls(
            Field(field) if field in list(FIELDS) else None,
            Cards(cards) if known else None,
            query.get("pass") == "1",
        )


def cards_at(hand: Cards, places: Iterable[str]) -> Cards:
    """Give the cards at these places of the hand, ``"0"`` being the lowest, as the form sends them.

    Raises ``ValueError`` for a place that the hand does not have, or that is named twice.

    >>> cards_at(Cards("11345"), ["0", "4"])
    Cards('15')
    """
    named = list(places)
    known = {str(place): value for place, value in enumerate(hand)}
    if len(set(named)) < len(named) or not set(named) <= known.keys():
        raise ValueError("a place of the hand is a number from 0, each named once")
    return Cards([known[place] for place in named])


def table_context(
    table: Table,
    seat: int | None,
    *,
    translator: Translator,
    key: str,
    shown: Shown | None = None,
    error: Exception | str | None = None,
) -> dict[str, object]:
    """Give what ``table.html`` and ``table_main.html`` show a seat, or a spectator for ``None``.

    ``key`` is the fresh command key that the page's forms send. ``error`` is what the latest
    command came to: a `RuleError` or a `TableError` becomes a sentence in the player's language,
    text is shown as it is.
    """
    view = table.view(seat)
    shown = shown or Shown()
    can = choices(view, translator)
    turn = seat is not None and view.to_move == seat
    proposal = can.play(shown.field, shown.cards) if shown.field else None
    chosen = proposal.cards if proposal else shown.cards
    hand = _hand(view, table, seat, chosen)
    players = _players(view, table, translator)
    news = _news(view, translator)
    waiting = "" if turn else _waiting(view, translator)
    hint = translator.gettext("Choose cards to exchange, or a field to write down.")
    return {
        "id": table.id,
        "number": table.number,
        "key": key,
        "error": error_sentence(error, translator) if error is not None else "",
        "seat": seat,
        "turn": turn,
        "finished": view.finished,
        "last_round": view.last_round,
        "round": view.round,
        "mover": None if view.to_move is None else view.players[view.to_move].name,
        "players": players,
        "others": [player for player in players if not player["own"]],
        "latest_news": news[-1]["text"] if news else "",
        "waiting": waiting,
        "hint": hint,
        "draw_pile": view.draw_pile,
        "discards": [(value, view.discards.count(value)) for value in VALUES],
        "discard_pile": len(view.discards),
        "discard_top": _top(view),
        "hand": hand,
        "hand_size": len(hand),
        "draws": can.draws[len(chosen) if chosen and chosen <= (view.hand or Cards()) else 0]
        if can.draws
        else None,
        "proposal": proposal,
        "alternatives": _alternatives(can, proposal),
        "passing": shown.passing and turn,
        "upper": _rows(view, UPPER_FIELDS, can, proposal, translator),
        "lower": _rows(view, LOWER_FIELDS, can, proposal, translator),
        "ranking": ranking(players) if view.finished else [],
        "ending": ending(view, translator),
        "next_table": table.next_table,
        "data": {
            "number": table.number,
            "turn": turn,
            "waiting": waiting,
            "hint": hint,
            "drawn": _drawn_words(table, seat, translator),
            "last_round": translator.gettext("Last round.") if view.last_round else "",
            "news": news,
            **can.as_data(),
        },
    }


def _order(view: View) -> list[int]:
    """List the seats clockwise from the viewer's own, so that one's own column comes first."""
    first, count = view.seat or 0, len(view.players)
    return [(first + step) % count for step in range(count)]


def _entry(view: View, index: int) -> Entry | None:
    """Give what the score with this move's index wrote down."""
    move = view.moves[index]
    field = getattr(move, "field", None)
    return view.players[index % len(view.players)].sheet[field] if field else None


def _latest(view: View, seat: int) -> int | None:
    """Give the index of this seat's latest move."""
    count = len(view.players)
    rounds = (len(view.moves) - seat + count - 1) // count
    return (rounds - 1) * count + seat if rounds > 0 else None


def _players(view: View, table: Table, translator: Translator) -> list[dict[str, object]]:
    players = []
    for seat in _order(view):
        player, sheet = view.players[seat], view.players[seat].sheet
        latest = _latest(view, seat)
        last: str = ""
        if latest is not None:
            last = move_words(view.moves[latest], _entry(view, latest), translator, tiles)
        level = table.seats[seat].bot
        players.append(
            {
                "seat": seat,
                "name": player.name,
                "own": seat == view.seat,
                "level": level_name(level, translator) if level else "",
                "hand_size": player.hand_size,
                "to_move": seat == view.to_move,
                "last": last,
                "winner": seat in view.winners,
                "upper": sheet.upper,
                "lower": sheet.lower,
                "bonus": sheet.bonus,
                "penalties": sheet.penalties,
                "total": sheet.total,
                "upper_done": None not in sheet.entries[: len(UPPER_FIELDS)],
            }
        )
    return players


def _news(view: View, translator: Translator) -> list[dict[str, object]]:
    """List what the others did since the viewer's latest move, the oldest first."""
    count = len(view.players)
    since = max(0, len(view.moves) - count)
    return [
        {
            "index": index,
            "seat": index % count,
            "cards": str(view.moves[index].leaving),
            "drawn": getattr(view.moves[index], "draw", 0),
            "text": translator.gettext("%(name)s: %(move)s.")
            % {
                "name": view.players[index % count].name,
                "move": move_words(view.moves[index], _entry(view, index), translator),
            },
        }
        for index in range(since, len(view.moves))
        if index % count != view.seat
    ]


def _waiting(view: View, translator: Translator) -> str:
    """Say whose turn it is, for a viewer whose turn it is not."""
    if view.to_move is None:
        return ""
    text = translator.gettext("%(name)s’s turn. You can already choose.")
    return text % {"name": view.players[view.to_move].name}


def _drawn_words(table: Table, seat: int | None, translator: Translator) -> str:
    """Say what the viewer's own latest move drew."""
    if seat is None or not table.drawn[seat]:
        return ""
    return translator.gettext("Drawn: %(cards)s.") % {"cards": " ".join(str(table.drawn[seat]))}


def _top(view: View) -> list[int]:
    """List the cards that the latest move which laid some left on the discard pile."""
    for move in reversed(view.moves):
        if move.leaving:
            return list(move.leaving) if move.leaving <= view.discards else []
    return []


def _hand(
    view: View, table: Table, seat: int | None, chosen: Cards | None
) -> list[dict[str, object]]:
    """List the viewer's cards by value, each with an id that is the same after the next change."""
    if view.hand is None or seat is None:
        return []
    drawn = table.drawn[seat]
    cards: list[dict[str, object]] = []
    for value in VALUES:
        held = view.hand.count(value)
        for copy in range(1, held + 1):
            cards.append(
                {
                    "id": f"card-{value}-{copy}",
                    "place": len(cards),
                    "value": value,
                    "nth": copy,
                    "new": copy > held - drawn.count(value),
                    "chosen": chosen is not None and copy <= chosen.count(value),
                }
            )
    return cards


def _alternatives(can: Choices, proposal: Play | None) -> list[Play]:
    """List other cards for the proposed field, as links for pages without scripts."""
    if proposal is None:
        return []
    return [play for play in can.plays[proposal.field] if play is not proposal]


def _rows(
    view: View,
    fields: tuple[Field, ...],
    can: Choices,
    proposal: Play | None,
    translator: Translator,
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for field in fields:
        best = can.play(field, None)
        rows.append(
            {
                "code": field.value,
                "number": field.number,
                "name": field_name(field, translator),
                "help": field_help(field, view.rules, translator),
                "cells": [
                    {
                        "seat": seat,
                        "own": seat == view.seat,
                        "entry": view.players[seat].sheet[field],
                        "latest": _wrote(view, seat, field),
                        "play": best if seat == view.seat else None,
                        "proposed": proposal is not None
                        and seat == view.seat
                        and proposal.field is field,
                    }
                    for seat in _order(view)
                ],
            }
        )
    return rows


def _wrote(view: View, seat: int, field: Field) -> bool:
    """Tell whether the seat's latest move filled this field."""
    latest = _latest(view, seat)
    move: Move | None = None if latest is None else view.moves[latest]
    return getattr(move, "field", None) is field


def error_context(
    status: int, sentence: str, *, link: str = "/", link_text: str = ""
) -> dict[str, object]:
    """Give what ``error.html`` shows; the link leads on, to the start page unless told."""
    return {"status": status, "sentence": sentence, "link": link, "link_text": link_text}
