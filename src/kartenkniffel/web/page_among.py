"""What a table's page shows of the people there: who is away, who talks, what is proposed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from kartenkniffel.table import EMOJI, PHRASES, Table
from kartenkniffel.web.page_friends import clock_words, phrase_words, stand_in_words
from kartenkniffel.web.translator import Translator

MOST_SHOWN = 8
"""How much of the talk a page shows."""


def among_context(
    table: Table,
    player: str | None,
    *,
    translator: Translator,
    is_here: Callable[[str], bool],
    watching: int,
    talk: bool,
) -> dict[str, object]:
    """Give what the templates show of people; ``is_here`` tells whether a player id is there."""
    own = table.seats_of(player)
    friends = table.is_among_friends
    due = table.due
    return {
        "friends": friends,
        "among": [
            _person(table, seat, own, translator, is_here) for seat in range(len(table.seats))
        ]
        if friends
        else [],
        "watching": watching if friends else 0,
        "spectator": player is None,
        "own_stand_in": _own_stand_in(table, own, translator),
        "clock_due": due.isoformat(timespec="seconds") if due else "",
        "clock_left": max(0, int((due - datetime.now(UTC)).total_seconds())) if due else 0,
        "clock_words": clock_words(table.clock, translator) if table.clock else "",
        "asked": _proposal(table, player, own, translator, is_here),
        "may_undo": table.undoable_by(player) and table.proposal is None,
        "may_end": bool(own) and friends and not table.finished and table.proposal is None,
        "hears_talk": talk,
        "talk": _talk(table, own, translator) if talk and friends else [],
        "phrases": [(code, phrase_words(code, translator)) for code in PHRASES],
        "emoji": EMOJI,
        "ended": table.ended,
    }


def _person(
    table: Table,
    seat: int,
    own: tuple[int, ...],
    translator: Translator,
    is_here: Callable[[str], bool],
) -> dict[str, object]:
    sitting = table.seats[seat]
    why = table.stand_ins.get(seat)
    away = sitting.owner is not None and seat not in own and not is_here(sitting.owner)
    return {
        "seat": seat,
        "name": sitting.name,
        "stand_in": stand_in_words(why, False, translator) if why and not table.finished else "",
        "away": away and why is None and not table.finished,
        "may_replace": away and why is None and not table.finished and bool(own),
    }


def _own_stand_in(table: Table, own: tuple[int, ...], translator: Translator) -> str:
    why = next((table.stand_ins[seat] for seat in own if seat in table.stand_ins), None)
    return stand_in_words(why, True, translator) if why and not table.finished else ""


def _proposal(
    table: Table,
    player: str | None,
    own: tuple[int, ...],
    translator: Translator,
    is_here: Callable[[str], bool],
) -> dict[str, object] | None:
    asked = table.proposal
    if asked is None or table.finished:
        return None
    gettext = translator.gettext
    name = {"name": table.seats[asked.seat].name}
    if asked.seat in own:
        text = (
            gettext("You ask to end the game as it stands.")
            if asked.matter == "end"
            else gettext("You ask to undo your move.")
        )
    elif asked.matter == "end":
        text = gettext("%(name)s asks to end the game as it stands.") % name
    else:
        text = gettext("%(name)s asks to undo the latest move.") % name
    waiting = [
        seat.name
        for number, seat in enumerate(table.seats)
        if seat.owner in table.must_agree(is_here) - asked.agreed and number not in own
    ]
    return {
        "text": text,
        "own": asked.seat in own,
        "agreed": player in asked.agreed,
        "may_answer": bool(own) and player not in asked.agreed,
        "number": asked.number,
        "waiting": ", ".join(dict.fromkeys(waiting)),
    }


def _talk(table: Table, own: tuple[int, ...], translator: Translator) -> list[dict[str, object]]:
    return [
        {
            "number": spoken.number,
            "seat": spoken.seat,
            "name": table.seats[spoken.seat].name,
            "own": spoken.seat in own,
            "text": phrase_words(spoken.phrase, translator),
            "emoji": spoken.phrase in EMOJI,
        }
        for spoken in table.talk[-MOST_SHOWN:]
    ]
