"""The result of a game as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from kartenkniffel.notation import Forfeit
from kartenkniffel.rules import LOWER_FIELDS, UPPER_FIELDS, Field, Game, Sheet

_NAME_WIDTH = 14


def result_text(game: Game, forfeit: Forfeit | None = None) -> str:
    """Give the standing of a game as a block with one column to a player."""
    sheets = game.sheets
    rows: list[Sequence[str]] = [["", *(_short(name) for name in game.names)]]
    rows += [_field_row(field, sheets) for field in UPPER_FIELDS]
    rows.append(["upper", *(str(sheet.upper) for sheet in sheets)])
    rows.append(["bonus", *(f"{sheet.bonus:+d}" if sheet.bonus else "0" for sheet in sheets)])
    rows += [_field_row(field, sheets) for field in LOWER_FIELDS]
    rows.append(["lower", *(str(sheet.lower) for sheet in sheets)])
    rows.append(["penalties", *(str(sheet.penalties) for sheet in sheets)])
    rows.append(["total", *(str(sheet.total) for sheet in sheets)])
    rows.append(["hand", *(str(hand) for hand in game.hands)])
    return "\n".join([_headline(game, forfeit), "", *_columns(rows)])


def _headline(game: Game, forfeit: Forfeit | None) -> str:
    piles = f"draw pile {len(game.pile)}, discard pile {len(game.position.discard_pile)}"
    if forfeit:
        who = _short(game.names[forfeit.seat])
        return f"stopped in round {game.round}: {who} forfeits ({_short(forfeit.reason, 200)})"
    if game.to_move is None:
        winners = " and ".join(_short(game.names[seat]) for seat in game.winners)
        verb = "wins" if len(game.winners) == 1 else "share the win"
        return f"finished in round {game.round}: {winners} {verb}; {piles}"
    return f"round {game.round}, {_short(game.names[game.to_move])} to move; {piles}"


def _field_row(field: Field, sheets: Sequence[Sheet]) -> list[str]:
    cells = []
    for sheet in sheets:
        entry = sheet[field]
        if entry is None:
            cells.append("-")
        else:
            cells.append(f"{entry.points} -{entry.penalty}" if entry.penalty else str(entry.points))
    return [field.value, *cells]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *_right(row[1:], widths[1:])]).rstrip() for row in rows
    ]


def _right(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]


def _short(text: str, width: int = _NAME_WIDTH) -> str:
    """Give a name that fits a column and cannot steer the terminal."""
    clean = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return clean if len(clean) <= width else clean[: width - 1] + "…"
