"""What happened at a table: news, what they changed on the sheets, and the log of all moves.

All of it is made of a view's moves, which everybody at the table has seen (R15).
"""

from __future__ import annotations

from kartenkniffel.rules import Entry, Field, Move, View
from kartenkniffel.web.page_words import move_words, tiles
from kartenkniffel.web.translator import Translator

LOG_MOVES = 20
"""How many moves the short log holds at least; whole rounds are shown."""


def latest_of(view: View, seat: int) -> int | None:
    """Give the index of this seat's latest move."""
    count = len(view.players)
    rounds = (len(view.moves) - seat + count - 1) // count
    return (rounds - 1) * count + seat if rounds > 0 else None


def since(view: View) -> int:
    """Give the index of the first move that is still fresh to the viewer.

    That is the viewer's own latest one, or what came before the viewer's first turn; for a
    spectator each player's latest move is fresh.
    """
    latest = None if view.seat is None else latest_of(view, view.seat)
    return max(0, len(view.moves) - len(view.players)) if latest is None else latest


def last_words(view: View, seat: int, translator: Translator) -> str:
    """Say what this seat did last, cards as tiles; empty before its first move."""
    latest = latest_of(view, seat)
    return "" if latest is None else _words(view, latest, translator)


def is_fresh(view: View, seat: int) -> bool:
    """Tell whether another seat has moved since the viewer's last turn."""
    latest = latest_of(view, seat)
    return seat != view.seat and latest is not None and latest >= since(view)


def wrote(view: View, seat: int, field: Field) -> bool:
    """Tell whether the seat has filled this field since the viewer's last turn, or in it."""
    latest = latest_of(view, seat)
    if latest is None or latest < since(view):
        return False
    return _field_of(view.moves[latest]) is field


def did_words(view: View, translator: Translator) -> str:
    """Say what the viewer did last; empty before the first move."""
    latest = None if view.seat is None else latest_of(view, view.seat)
    if latest is None or view.seat is None:
        return ""
    words = move_words(view.moves[latest], _entry(view, latest), translator)
    name = view.players[view.seat].name
    return translator.gettext("%(name)s: %(move)s.") % {"name": name, "move": words}


def has_written(view: View) -> bool:
    """Tell whether the viewer's latest move filled a field."""
    latest = None if view.seat is None else latest_of(view, view.seat)
    return latest is not None and _field_of(view.moves[latest]) is not None


def news_of(view: View, translator: Translator) -> list[dict[str, object]]:
    """List what each of the others did last, the oldest first."""
    count = len(view.players)
    return [
        {
            "index": index,
            "seat": index % count,
            "cards": str(view.moves[index].leaving),
            "drawn": getattr(view.moves[index], "draw", 0),
            "wrote": _field_of(view.moves[index]) is not None,
            "text": translator.gettext("%(name)s: %(move)s.")
            % {
                "name": view.players[index % count].name,
                "move": move_words(view.moves[index], _entry(view, index), translator),
            },
        }
        for index in range(max(0, len(view.moves) - count), len(view.moves))
        if index % count != view.seat
    ]


def log_of(view: View, translator: Translator, *, whole: bool = False) -> dict[str, object]:
    """Give the moves in words, the newest round and in it the newest move first.

    Unless the ``whole`` log is asked for, rounds older than the latest `LOG_MOVES` are left out,
    so that the page of a long game stays light; ``left_out`` counts them.
    """
    count, done = len(view.players), len(view.moves)
    rounds = -(-done // count)
    shown = rounds if whole else min(rounds, -(-LOG_MOVES // count))
    fresh = since(view)
    return {
        "whole": whole,
        "left_out": rounds - shown,
        "rounds": [
            {
                "number": number + 1,
                "moves": [
                    {
                        "index": index,
                        "name": view.players[index % count].name,
                        "own": index % count == view.seat,
                        "fresh": index >= fresh and index % count != view.seat,
                        "words": _words(view, index, translator),
                    }
                    for index in reversed(range(number * count, min(done, (number + 1) * count)))
                ],
            }
            for number in reversed(range(rounds - shown, rounds))
        ],
    }


def _field_of(move: Move) -> Field | None:
    return getattr(move, "field", None)


def _entry(view: View, index: int) -> Entry | None:
    """Give what the score with this move's index wrote down; a field is filled but once (R10)."""
    field = _field_of(view.moves[index])
    return view.players[index % len(view.players)].sheet[field] if field else None


def _words(view: View, index: int, translator: Translator) -> str:
    return move_words(view.moves[index], _entry(view, index), translator, tiles)
