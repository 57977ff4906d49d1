"""The records of a match in a folder, one file to a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kartenkniffel.arena.errors import ArenaError
from kartenkniffel.arena.play import Played


class RecordFolder:
    """A folder for the records of one match; it is made where it does not exist.

    Raises `ArenaError` where it cannot be made, or holds records already, which would get mixed up.
    The records of a deal are written when all its games are over: who could read the first while
    the next is played would know the order of the cards (R15). For the same reason no record tells
    the seed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            found = next(path.glob("deal-*.json"), None)
        except OSError as error:
            raise ArenaError(f"the folder {path} cannot be used: {error.strerror}") from None
        if found:
            raise ArenaError(f"the folder {path} holds records already, such as {found.name}")

    def write(self, deal: Sequence[Played]) -> None:
        """Write the records of all games of a deal; raises `ArenaError`."""
        for game in deal:
            file = self.path / f"deal-{game.deal + 1:06}-rotation-{game.rotation + 1:02}.json"
            try:
                file.write_bytes(game.record)
            except OSError as error:
                raise ArenaError(f"{file} cannot be written: {error.strerror}") from None
