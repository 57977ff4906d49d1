"""The pads used last, so that they need not be folded again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from kartenkniffel.pad.state import Pad


class Cache:
    """Keeps so many pads at most and forgets the one that was not used for longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pads: OrderedDict[str, Pad] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, id: str) -> Pad | None:
        """Give the pad as it was when it was put here last."""
        with self._lock:
            if id in self._pads:
                self._pads.move_to_end(id)
            return self._pads.get(id)

    def put(self, pad: Pad) -> None:
        """Keep a pad, unless a later state of it is here."""
        with self._lock:
            known = self._pads.get(pad.id)
            if known is None or known.number <= pad.number:
                self._pads[pad.id] = pad
                self._pads.move_to_end(pad.id)
                if len(self._pads) > self._most:
                    self._pads.popitem(last=False)

    def drop(self, id: str) -> None:
        """Forget a pad."""
        with self._lock:
            self._pads.pop(id, None)
