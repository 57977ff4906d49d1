"""Programs that play: the built-in levels, and what a bot is.

>>> bot("medium").name
'medium'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from kartenkniffel.bots.bot import Bot
from kartenkniffel.bots.easy import Easy
from kartenkniffel.bots.hard import Hard
from kartenkniffel.bots.medium import Medium

__all__ = ["LEVELS", "Bot", "Easy", "Hard", "Medium", "bot"]


def _expert() -> Bot:
    """Make the expert, whose libraries are loaded only now."""
    from kartenkniffel.bots.expert import Expert

    return Expert()


LEVELS: Mapping[str, Callable[[], Bot]] = MappingProxyType(
    {"easy": Easy, "medium": Medium, "hard": Hard, "expert": _expert}
)
"""The built-in levels by code, the weakest first; each is a factory."""


def bot(code: str) -> Bot:
    """Make the bot of this level; raises ``ValueError`` for a level there is not."""
    if code not in LEVELS:
        raise ValueError(f"no level is called {code!r}; the levels are {', '.join(LEVELS)}")
    return LEVELS[code]()
