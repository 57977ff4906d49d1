"""The context of a pad's page: the block as it stands, and what may be done on it.

``pad.html`` is the page, ``pad_main.html`` its ``<main>`` alone for ``?part=1``. All points and
penalties on offer come from the rules as data; the browser computes none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from babel.dates import format_time

from kartenkniffel.pad import NamesError, Pad, PadGame, Question, StartError, Told, Written
from kartenkniffel.pad.events import Corrected, Entered
from kartenkniffel.rules import (
    HAND_SIZES,
    LOWER_FIELDS,
    LOWER_SIZE,
    MOST_ROUNDS,
    UPPER_FIELDS,
    VALUES,
    Field,
    HouseRules,
    penalty_for,
    plays,
    possible_points,
)
from kartenkniffel.web.pad_after import ending_context
from kartenkniffel.web.pad_forms import Cell, Wanted
from kartenkniffel.web.pad_home import names_context
from kartenkniffel.web.pad_words import line_words, points_words, refusal, who_words
from kartenkniffel.web.page_outlook import field_short, goals, open_fields
from kartenkniffel.web.page_words import field_name, field_needs
from kartenkniffel.web.translator import Translator

MOST_LINES = 12
"""How many lines of the history a page shows unless the whole is asked for."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel of a cell that the page itself shows, with what was told there and refused."""

    cell: Cell
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody looks at a pad: which game, which panel is open, whether the whole history."""

    game: PadGame
    panel: Panel | None = None
    whole: bool = False


def pad_context(
    pad: Pad,
    person: str,
    look: Look,
    *,
    translator: Translator,
    key: str,
    error: Exception | None = None,
    wanted: Wanted | None = None,
) -> dict[str, object]:
    """Give what ``pad_main.html`` shows a person of a game; ``key`` is what the page's forms send.

    ``error`` is what the latest command came to, and is told in the reader's language. ``wanted``
    is the next game as it was typed; by default the same people play it.
    """
    game, board = look.game, look.game.board
    rows = {
        part: [_row(pad, person, game, field, translator) for field in fields]
        for part, fields in (("upper", UPPER_FIELDS), ("lower", LOWER_FIELDS))
    }
    return {
        "id": pad.id,
        "number": pad.number,
        "key": key,
        "error": "" if error is None else refusal(error, board.rules, translator),
        "unfit_names": wanted is not None and isinstance(error, NamesError | StartError),
        "game": game.number,
        "latest": game is pad.game,
        "games": len(pad.games),
        "owner": person == pad.owner,
        "own": pad.player_of(person, game),
        "writes": person == pad.owner or pad.player_of(person, game) is not None,
        "counting": board.counting,
        "finished": game.finished,
        "blank": board.is_blank,
        "last_round": board.last_round is not None,
        "round": board.round,
        "to_move": board.to_move,
        "mover": "" if board.to_move is None else board.players[board.to_move],
        "exchangers": _exchangers(pad, person, game),
        "heading": _heading(game, translator),
        "players": [_player(pad, person, game, seat, translator) for seat in _seats(game)],
        **rows,
        "open_cell": _open_cell(look.panel, rows),
        "hand_sizes": hand_sizes(translator),
        "values": f"[{VALUES[0]}-{VALUES[-1]}]",
        "questions": [_question(each, pad, person, game, translator) for each in game.questions],
        "undo": _undo(pad, person, game, translator),
        "redo": _redo(pad, person, game, translator),
        "lines": _lines(pad, look, translator),
        "more_lines": not look.whole and len(game.lines) > MOST_LINES,
        "news": line_words(game.lines[-1], game, translator),
        **(ending_context(pad, game) if game.finished else {}),
        **names_context(wanted or Wanted.after(pad)),
    }


def _seats(game: PadGame) -> range:
    return range(len(game.board.players))


def _heading(game: PadGame, translator: Translator) -> str:
    board, gettext = game.board, translator.gettext
    names = [board.players[winner] for winner in board.winners]
    if len(board.players) == 1 and names:
        return gettext("The game is over")
    if len(names) == 1:
        return gettext("%(name)s wins") % {"name": names[0]}
    if names:
        return gettext("Shared win: %(names)s") % {"names": ", ".join(names)}
    if board.to_move is not None:
        return gettext("%(name)s’s turn") % {"name": board.players[board.to_move]}
    return gettext("Score pad")


def _exchangers(pad: Pad, person: str, game: PadGame) -> list[dict[str, object]]:
    """List whose turn without an entry is one tap: the one to move, or oneself.

    The ``other`` ones are for who has no network and keeps on writing for all.
    """
    board = game.board
    if board.to_move is None:
        return []
    own = pad.player_of(person, game)
    seats = [
        seat
        for seat in board.order
        if pad.may_enter(person, game, seat) and len(board.turns[seat]) != board.last_round
    ]
    now = board.to_move if board.to_move in seats else own
    return [
        {
            "player": seat,
            "name": board.players[seat],
            "turns": len(board.turns[seat]),
            "turn": seat == board.to_move,
            "other": seat != now,
        }
        for seat in seats
    ]


def _player(
    pad: Pad, person: str, game: PadGame, seat: int, translator: Translator
) -> dict[str, object]:
    board = game.board
    sheet = board.sheet(seat)
    missing = _passed(pad, person, game, seat)
    return {
        "seat": seat,
        "name": board.players[seat],
        "own": pad.player_of(person, game) == seat,
        "may": pad.may_enter(person, game, seat),
        "begins": seat == board.first,
        "to_move": seat == board.to_move,
        "winner": seat in board.winners,
        "upper": sheet.upper,
        "lower": sheet.lower,
        "bonus": sheet.bonus,
        "upper_done": None not in sheet.entries[: len(UPPER_FIELDS)],
        "penalties": sheet.penalties,
        "total": sheet.total,
        "passed": ",".join(map(str, missing)),
        "passed_names": ", ".join(board.players[player] for player in missing),
        "turns": len(board.turns[seat]),
        "exchanges": board.exchanges(seat),
        "most_exchanges": MOST_ROUNDS - len(board.written[seat]),
        "goals": goals(sheet, board.rules, translator),
        "open": open_fields(sheet, translator),
    }


def _row(
    pad: Pad, person: str, game: PadGame, field: Field, translator: Translator
) -> dict[str, object]:
    return {
        **panel(field, game.board.rules, translator),
        "cells": [_cell(pad, person, game, seat, field, translator) for seat in _seats(game)],
    }


def panel(field: Field, rules: HouseRules, translator: Translator) -> dict[str, object]:
    """Give what is on offer for a field as data: all points, and all cards for a sum (R8, R9)."""
    possible = possible_points(field, rules)
    asks_sum = len(possible) > 1 and not field.is_upper
    return {
        "code": field.value,
        "field": field,
        "number": field.number,
        "name": field_name(field, translator),
        "short": field_short(field, translator),
        "options": [
            {"points": points, "cards": points // field.number if field.is_upper else None}
            for points in possible
        ],
        "fixed": possible[0] if len(possible) == 1 else None,
        "cards": LOWER_SIZE.get(field, 0),
        "plays": list(plays(rules)[field].items()) if asks_sum else [],
        "needs": field_needs(field, rules, translator) if asks_sum else "",
    }


def hand_sizes(translator: Translator) -> list[dict[str, object]]:
    """Give the sizes that a hand may have before playing, with the penalty of each (R7)."""
    return [
        {
            "size": size,
            "penalty": penalty_for(size),
            "words": points_words(0, penalty_for(size), translator),
        }
        for size in HAND_SIZES
    ]


def _cell(
    pad: Pad, person: str, game: PadGame, seat: int, field: Field, translator: Translator
) -> dict[str, object]:
    board = game.board
    written = board.written[seat].get(field)
    may = pad.may_enter(person, game, seat)
    has_turn = not board.finished and len(board.turns[seat]) != board.last_round
    missing = () if written or not has_turn else _passed(pad, person, game, seat)
    return {
        "player": seat,
        "name": board.players[seat],
        "turns": len(board.turns[seat]),
        "cell": f"{seat}-{field.value}",
        "written": written,
        "words": "" if written is None else _words(written, translator),
        "may": may and (written is not None or has_turn),
        "latest": written is not None and written.number == _latest(game),
        "passed": ",".join(map(str, missing)),
        "passed_names": ", ".join(board.players[player] for player in missing),
    }


def _passed(pad: Pad, person: str, game: PadGame, seat: int) -> tuple[int, ...]:
    """Give whose untold turns an entry could count as exchanged: one each, and only the opener."""
    missing = () if game.finished or person != pad.owner else game.board.missing(seat)
    return missing if len(set(missing)) == len(missing) else ()


def _words(written: Written, translator: Translator) -> str:
    return points_words(written.points, written.entry.penalty, translator)


def _latest(game: PadGame) -> int | None:
    """Give the event that wrote last what stands now."""
    for step in reversed(game.past):
        if isinstance(step.line.event, Entered | Corrected):
            return step.line.number
    return None


def _open_cell(
    shown: Panel | None, rows: dict[str, list[dict[str, object]]]
) -> dict[str, object] | None:
    """Give the cell whose panel the page itself shows, for pages without scripts."""
    if shown is None:
        return None
    for row in [*rows["upper"], *rows["lower"]]:
        cells = row["cells"]
        assert isinstance(cells, list)
        if row["field"] is shown.cell.field and shown.cell.player < len(cells):
            cell = cells[shown.cell.player]
            return {"row": row, "cell": cell, "told": shown.told} if cell["may"] else None
    return None


def _question(
    question: Question, pad: Pad, person: str, game: PadGame, translator: Translator
) -> dict[str, object]:
    asked = question.asked
    standing = game.board.written[asked.player].get(asked.field)
    return {
        "number": question.line.number,
        "name": game.board.players[asked.player],
        "field": field_name(asked.field, translator),
        "standing": standing.number if standing else 0,
        "stands": _words(standing, translator) if standing else translator.gettext("nothing"),
        "stands_by": who_words(standing.by, pad, game, translator) if standing else "",
        "wanted": points_words(asked.points, question.penalty, translator),
        "wanted_by": who_words(asked.by, pad, game, translator),
        "may": pad.may_enter(person, game, asked.player),
    }


def _undo(pad: Pad, person: str, game: PadGame, translator: Translator) -> dict[str, object] | None:
    line = game.last_change()
    if line is None or person not in (pad.owner, line.event.by):
        return None
    return {"line": line.number, "words": line_words(line, game, translator)}


def _redo(pad: Pad, person: str, game: PadGame, translator: Translator) -> dict[str, object] | None:
    line = game.next_change()
    if line is None or person not in (pad.owner, line.event.by):
        return None
    return {"line": line.number, "words": line_words(line, game, translator)}


def _lines(pad: Pad, look: Look, translator: Translator) -> list[dict[str, object]]:
    """Give the history, the latest first."""
    game = look.game
    shown = game.lines if look.whole else game.lines[-MOST_LINES:]
    counts = {step.line.number for step in game.past}
    changes = counts | {step.line.number for step in game.future}
    return [
        {
            "words": line_words(line, game, translator),
            "who": who_words(line.event.by, pad, game, translator),
            "at": line.at.isoformat(timespec="seconds"),
            # Called by the template, which knows the language.
            "time": partial(format_time, line.at.astimezone(), "short"),
            "gone": line.number in changes and line.number not in counts,
        }
        for line in reversed(shown)
    ]
