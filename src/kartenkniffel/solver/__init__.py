"""The exact solver: what perfect play is worth to one player alone.

Every card drawn is each of the six values with equal chance, and every turn costs ``turn_cost``
points. The value of a `State` is the most that can be expected of all points still to come, bonus
or malus at the end included, less penalties and the cost of all turns still to come.

`value` and `best_moves` answer for one state, `Solution` for all hands beside the same open fields.
They need numpy and numba (the extra ``solver``). `Table` answers at once, from a file that
`kartenkniffel.solver.build.Build` has made; it needs numpy only.
"""

from kartenkniffel.solver.moves import RankedMove
from kartenkniffel.solver.solution import Solution, best_moves, value
from kartenkniffel.solver.state import LEAST_COST, MOST_COST, State, StateError, check_cost
from kartenkniffel.solver.table import Table, TableError

__all__ = [
    "LEAST_COST",
    "MOST_COST",
    "RankedMove",
    "Solution",
    "State",
    "StateError",
    "Table",
    "TableError",
    "best_moves",
    "check_cost",
    "value",
]
