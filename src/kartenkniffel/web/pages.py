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
from dataclasses import dataclass, replace
from functools import partial

from babel.dates import format_date

from kartenkniffel.rules import (
    FIELDS,
    LOWER_FIELDS,
    UPPER_FIELDS,
    VALUES,
    Cards,
    Field,
    View,
)
from kartenkniffel.table import Table
from kartenkniffel.web.page_end import ending, ranking
from kartenkniffel.web.page_hand import Order, sorted_cards
from kartenkniffel.web.page_help import field_help, help_context
from kartenkniffel.web.page_log import (
    did_words,
    has_written,
    is_fresh,
    last_words,
    log_of,
    news_of,
    wrote,
)
from kartenkniffel.web.page_outlook import goals, open_fields
from kartenkniffel.web.page_plays import NO_CHOICES, Choices, Play, choices
from kartenkniffel.web.page_start import start_context
from kartenkniffel.web.page_words import error_sentence, field_name, level_name
from kartenkniffel.web.translator import Translator

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
        # A button can send one value only: such a play is written as in the notation.
        digits, _, code = query.get("play", "").partition("@")
        field = query.get("field", "") or code
        cards = query.get("cards", "") or digits
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
    shared: bool = False,
    curtain: bool = False,
    next_seat: int | None = None,
    whole_log: bool = False,
    order: Order = "value",
) -> dict[str, object]:
    """Give what ``table.html`` and ``table_main.html`` show a seat, or a spectator for ``None``.

    ``key`` is the fresh command key that the page's forms send. ``error`` is what the latest
    command came to: a `RuleError` or a `TableError` becomes a sentence in the player's language,
    text is shown as it is. Where people share the device, players go by their names, and a hand
    that has moved is only looked at; a ``curtain`` shows the seat's side of the table without its
    hand. ``next_seat`` is the seat that gets a shared device next. The ``whole_log`` lists
    every move; ``order`` is that of the cards in the hand.
    """
    # A spectator's view, so that whatever is made of it cannot show a hand (R15).
    view = replace(table.view(None), seat=seat) if curtain else table.view(seat)
    shown = shown or Shown()
    turn = seat is not None and view.to_move == seat and not curtain
    resting = shared and not turn
    can = NO_CHOICES if resting else choices(view, translator)
    proposal = can.play(shown.field, shown.cards) if shown.field else None
    chosen = proposal.cards if proposal else shown.cards
    hand = (
        []
        if view.hand is None or seat is None
        else sorted_cards(view.hand, table.drawn[seat], chosen, order)
    )
    players = _players(view, table, translator)
    news = news_of(view, translator)
    waiting = "" if turn else _waiting(view, translator)
    hint = translator.gettext("Choose cards to exchange, or a field to write down.")
    return {
        "id": table.id,
        "number": table.number,
        "since": table.turn,
        "key": key,
        "error": error_sentence(error, translator) if error is not None else "",
        "seat": seat,
        "turn": turn,
        "shared": shared,
        "curtain": curtain,
        "resting": resting and not curtain,
        "next_name": "" if next_seat is None else view.players[next_seat].name,
        "bots_move": view.to_move is not None and table.bot_at(view.to_move) is not None,
        "pace": table.pace,
        "finished": view.finished,
        "last_round": view.last_round,
        "round": view.round,
        "mover": None if view.to_move is None else view.players[view.to_move].name,
        "players": players,
        "others": [player for player in players if not player["own"]],
        "news": [each["text"] for each in news],
        "latest_news": news[-1]["text"] if news else "",
        "log": log_of(view, translator, whole=whole_log),
        "goals": [] if seat is None else goals(view.own.sheet, view.rules, translator),
        "waiting": waiting,
        "hint": hint,
        "draw_pile": view.draw_pile,
        "discards": [(value, view.discards.count(value)) for value in VALUES],
        "discard_pile": len(view.discards),
        "discard_top": _top(view),
        "hand": hand,
        "hand_size": len(hand),
        "order": order,
        "draws": can.draws[len(chosen) if chosen and chosen <= (view.hand or Cards()) else 0]
        if can.draws
        else None,
        "proposal": proposal,
        "alternatives": _alternatives(can, proposal),
        "passing": shown.passing and turn,
        "upper": _rows(view, UPPER_FIELDS, can, proposal, translator),
        "lower": _rows(view, LOWER_FIELDS, can, proposal, translator),
        "ranking": ranking(players) if view.finished else [],
        "ending": ending(table.view(None) if shared else view, translator),
        "ended_at": table.changed_at.isoformat() if view.finished else "",
        "ended_on": partial(format_date, table.changed_at.astimezone(), "long"),
        "next_table": table.next_table,
        "data": {
            "number": table.number,
            "turn": turn,
            "finished": view.finished,
            "wrote": has_written(view),
            "did": did_words(view, translator),
            "waiting": waiting,
            "hint": hint,
            "drawn": "" if curtain else _drawn_words(table, seat, translator),
            "last_round": translator.gettext("Last round.") if view.last_round else "",
            "news": news,
            **can.as_data(),
        },
    }


def _order(view: View) -> list[int]:
    """List the seats clockwise from the viewer's own, so that one's own column comes first."""
    first, count = view.seat or 0, len(view.players)
    return [(first + step) % count for step in range(count)]


def _players(view: View, table: Table, translator: Translator) -> list[dict[str, object]]:
    players = []
    for seat in _order(view):
        player, sheet = view.players[seat], view.players[seat].sheet
        level = table.seats[seat].bot
        players.append(
            {
                "seat": seat,
                "name": player.name,
                "own": seat == view.seat,
                "level": level_name(level, translator) if level else "",
                "hand_size": player.hand_size,
                "to_move": seat == view.to_move,
                "last": last_words(view, seat, translator),
                "fresh": is_fresh(view, seat),
                "open": open_fields(sheet, translator),
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
                        "latest": wrote(view, seat, field),
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


def error_context(
    status: int, sentence: str, *, link: str = "/", link_text: str = ""
) -> dict[str, object]:
    """Give what ``error.html`` shows; the link leads on, to the start page unless told."""
    return {"status": status, "sentence": sentence, "link": link, "link_text": link_text}
