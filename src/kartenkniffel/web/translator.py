"""What turns texts into the player's language."""

from __future__ import annotations

from typing import Protocol


class Translator(Protocol):
    """What ``gettext.NullTranslations`` and Babel's ``Translations`` offer."""

    def gettext(self, message: str, /) -> str:
        """Give the translation of a message."""
        ...

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Give the translation in the form that goes with this number."""
        ...
