"""Who plays in a batch: habits by name, and the files behind them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kartenkniffel.arena.batch.kernel import COUNTING, RANDOM, SIMPLE, TABLE

_KINDS = {"simple": SIMPLE, "random": RANDOM, "table": TABLE, "counting": COUNTING}


class PlayerError(ValueError):
    """No such player; the text says in one sentence what there is."""


@dataclass(frozen=True, slots=True)
class BatchPlayer:
    """A player of fixed habits; ``file`` is the solver's table it goes by, if any."""

    kind: int
    file: Path | None = None

    @classmethod
    def read(cls, text: str) -> BatchPlayer:
        """Read ``simple``, ``random``, ``table:FILE`` or ``counting:FILE``; raises `PlayerError`.

        >>> BatchPlayer.read("table:12.table").file
        PosixPath('12.table')
        """
        name, colon, file = text.partition(":")
        by_table = name in ("table", "counting")
        if name not in _KINDS or by_table != bool(file) or bool(colon) != by_table:
            raise PlayerError(
                f"no player is called {text!r}; there are simple, random, table:FILE "
                "and counting:FILE"
            )
        return cls(_KINDS[name], Path(file) if by_table else None)
