"""Games by the ten thousand: compiled players of fixed habits, and the rules as tables for them.

`run_batch` plays a match. Players are written ``table:FILE`` (always the solver's move; `Table`
files are made by ``kartenkniffel solve``), ``counting:FILE`` (the same, with the odds of the cards
not seen), ``simple`` and ``random``. It needs the extra ``solver``.
"""

from kartenkniffel.arena.batch.match import Batch, run_batch
from kartenkniffel.arena.batch.players import BatchPlayer, PlayerError

__all__ = ["Batch", "BatchPlayer", "PlayerError", "run_batch"]
