"""The pages before a game among friends: the table that waits, the open tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial

from babel.dates import format_timedelta

from kartenkniffel.table import CODE_LENGTH, Lobby
from kartenkniffel.web.page_friends import clock_words
from kartenkniffel.web.page_words import level_name
from kartenkniffel.web.translator import Translator


def lobby_context(
    lobby: Lobby,
    player: str | None,
    *,
    translator: Translator,
    levels: Iterable[str],
    address: str,
    reachable: bool,
    is_here: Callable[[str], bool],
    name: str,
    error: str = "",
) -> dict[str, object]:
    """Give what ``lobby.html`` shows a guest, the host, or somebody who may sit down.

    ``address`` is the link to invite by; ``name`` stands in the form where one sits down.
    """
    own = lobby.guest_of(player)
    return {
        "id": lobby.id,
        "number": lobby.number,
        "code": lobby.code,
        "code_parts": [lobby.code[: CODE_LENGTH // 2], lobby.code[CODE_LENGTH // 2 :]],
        "address": address,
        "reachable": reachable,
        "error": error,
        "name": name,
        "own": own,
        "is_host": lobby.is_host(player),
        "host_name": next(g.name for g in lobby.guests if g.number == lobby.host),
        "guests": [
            {
                "number": guest.number,
                "name": guest.name,
                "own": guest is own,
                "host": guest.number == lobby.host,
                "away": guest is not own and not is_here(guest.owner),
            }
            for guest in lobby.guests
        ],
        "free": lobby.free,
        "seats": lobby.terms.seats,
        "shut_out": player in lobby.removed if player else False,
        "fill": lobby.terms.fill,
        "level": lobby.terms.level,
        "level_name": level_name(lobby.terms.level, translator),
        "levels": [(code, level_name(code, translator)) for code in levels],
        "may_start": len(lobby.guests) + (lobby.free if lobby.terms.fill else 0) > 1,
        "terms": terms_words(lobby, translator),
        "spectators": lobby.terms.spectators,
        "first": lobby.terms.start,
    }


def terms_words(lobby: Lobby, translator: Translator) -> list[str]:
    """Say what was agreed for a table, a few words to each matter."""
    gettext = translator.gettext
    terms = lobby.terms
    words = [clock_words(terms.clock, translator)]
    if terms.clock:
        words = [gettext("%(time)s a turn") % {"time": words[0]}]
    if terms.rules.five_of_a_kind_is_full_house:
        words.append(gettext("Five equal cards also count as a full house"))
    words.append(gettext("Open to all") if terms.listed else gettext("By link only"))
    words.append(
        gettext("Others may watch") if terms.spectators else gettext("Nobody else may watch")
    )
    return words


def waiting_rows(
    lobbies: Iterable[Lobby], translator: Translator, now: datetime | None = None
) -> list[dict[str, object]]:
    """Give what a list of tables that wait shows of each."""
    now = now or datetime.now(UTC)
    return [
        {
            "id": lobby.id,
            "names": [guest.name for guest in lobby.guests],
            "taken": len(lobby.guests),
            "seats": lobby.terms.seats,
            "terms": terms_words(lobby, translator)[:-2],
            "when": partial(format_timedelta, lobby.opened_at - now, add_direction=True),
            "opened_at": lobby.opened_at.isoformat(timespec="seconds"),
        }
        for lobby in lobbies
    ]
