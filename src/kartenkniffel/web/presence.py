"""Who is there: whoever has a stream open, or asked for a page a moment ago.

This is known from the moment the server starts, and nobody counts as gone before they had the time
to come back.
"""

from __future__ import annotations

import time
from collections.abc import Callable

GONE_AFTER = 45.0
"""Seconds without a stream or a request after which somebody is gone."""

_MOST = 100_000


class Presence:
    """Remembers when each person was seen last; ``listens`` tells who has a stream open."""

    def __init__(
        self,
        listens: Callable[[str], bool],
        *,
        gone_after: float = GONE_AFTER,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listens = listens
        self._gone_after = gone_after
        self._now = now
        self._started = now()
        self._seen: dict[str, float] = {}
        self._gone: set[str] = set()

    def see(self, *people: str) -> None:
        """Note that a person, who may go by several ids, is there at this moment."""
        for person in people:
            self._seen[person] = self._now()
        if len(self._seen) > _MOST:
            gone = [person for person in list(self._seen) if not self.is_here(person)]
            for person in gone:
                self._seen.pop(person, None)

    def is_here(self, person: str) -> bool:
        """Tell whether a person is there, or was a moment ago."""
        # Whoever is asked for is looked after from then on: somebody who does not come back after a
        # restart goes without having been seen, and `changes` must tell of it.
        seen = self._seen.setdefault(person, self._started)
        return self._listens(person) or self._now() - seen < self._gone_after

    def changes(self) -> set[str]:
        """Give those who have gone, or come back, since this was asked for last."""
        gone = {person for person in list(self._seen) if not self.is_here(person)}
        changed, self._gone = gone ^ self._gone, gone
        return changed & self._seen.keys()
