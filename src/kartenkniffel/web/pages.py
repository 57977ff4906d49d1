"""The contexts of the pages: all that the templates show, made of a table and a seat.

Nothing here knows of requests. A page gets what `Table.view` gives its seat, and the cards which
that seat drew itself; so no secret can reach a template (R15).

Every template also needs, beside the context made here: ``_`` and ``ngettext`` (Jinja's i18n
extension, new style), ``language`` (``de``, ``ro``, ``en``), ``theme`` (``auto``, ``light``,
``dark``) and ``path`` (where `POST /settings` leads back to).

- ``table.html``: `table_context`; ``table_main.html`` is its ``<main>`` alone, for ``?part=1``.
- ``start.html``: `start_context`.
- ``help.html``: nothing more.
- ``error.html``: `error_context`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kartenkniffel.rules import Cards, Field
from kartenkniffel.table import Table, TableSummary


class Translator(Protocol):
    """What ``gettext.NullTranslations`` and Babel's ``Translations`` offer."""

    def gettext(self, message: str, /) -> str:
        """Give the translation of a message."""
        ...

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Give the translation in the form that goes with this number."""
        ...


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
        """Read it from a query (``field=3k&cards=33345``, ``pass=1``), leaving out nonsense."""
        raise NotImplementedError


def cards_at(hand: Cards, places: Iterable[str]) -> Cards:
    """Give the cards at these places of the hand, ``"0"`` being the lowest, as the form sends them.

    Raises ``ValueError`` for a place that the hand does not have, or that is named twice.
    """
    raise NotImplementedError


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
    raise NotImplementedError


def start_context(
    tables: Sequence[TableSummary],
    *,
    levels: Sequence[str],
    key: str,
    translator: Translator,
    name: str = "",
    bots: int = 2,
    level: str = "medium",
    start: str = "random",
    house_rule: bool = False,
    error: str | None = None,
) -> dict[str, object]:
    """Give what ``start.html`` shows: the form, filled as it was last, and the player's tables."""
    raise NotImplementedError


def error_context(
    status: int, sentence: str, *, link: str = "/", link_text: str = ""
) -> dict[str, object]:
    """Give what ``error.html`` shows; the link leads on, to the start page unless told."""
    return {"status": status, "sentence": sentence, "link": link, "link_text": link_text}


def error_sentence(error: Exception | str, translator: Translator) -> str:
    """Say in the player's language what is wrong; gives no detail of errors it does not know."""
    raise NotImplementedError
