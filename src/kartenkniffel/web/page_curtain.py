"""The curtain: what a device that people share shows between their turns.

It is made of a spectator's view. So it cannot hold a hand, whoever holds the device (R15).
"""

from __future__ import annotations

from kartenkniffel.table import Table
from kartenkniffel.web.pages import table_context
from kartenkniffel.web.translator import Translator


def curtain_context(
    table: Table,
    player: str,
    *,
    translator: Translator,
    key: str,
    error: Exception | str | None = None,
) -> dict[str, object]:
    """Give what ``table.html`` and ``table_main.html`` show while no hand may be seen.

    The columns and the news are those of the player's seat that is next.
    """
    seat = table.next_seat_of(player)
    return table_context(
        table,
        seat,
        translator=translator,
        key=key,
        error=error,
        shared=True,
        curtain=True,
        next_seat=seat,
    )
