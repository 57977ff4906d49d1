"""The value and the best moves of a state, solved on the spot."""

from __future__ import annotations

from collections.abc import Callable

from kartenkniffel.rules import Field, bonus_for
from kartenkniffel.solver.moves import Column, RankedMove, ranked_moves, state_value
from kartenkniffel.solver.outline import Outline
from kartenkniffel.solver.state import State, check_cost, mask_of


class Solution:
    """What all hands are worth beside the open fields and upper points of one state.

    ``error`` is a bound: no value is further from the exact one.

    >>> solution = Solution(State.read("kn", 50, "11122"), turn_cost=12)
    >>> solution.value(State.read("kn", 50, "11111"))
    38.0
    >>> solution.moves(State.read("kn", 50, "11122"))[0].move
    Exchange(discard=Cards('22'), draw=3)
    """

    def __init__(
        self,
        state: State,
        turn_cost: float,
        announce: Callable[[str], None] = lambda line: None,
        progress: Callable[[int, int], None] = lambda done, pairs: None,
        bonus: Callable[[int], float] = bonus_for,
    ) -> None:
        """Solve all that the state can reach, from one field on.

        ``announce`` is told when code must be compiled first; ``progress`` how many pairs of open
        fields and upper points are solved, and how many there are. ``bonus`` may be another than
        that of R11. Raises `StateError` for a turn cost that has no answer.
        """
        from kartenkniffel.solver.layers import Solver  # brings numba, which is slow to import

        self.turn_cost = check_cost(turn_cost)
        self._open, self._upper = state.open_fields, state.upper
        self._outline = outline = Outline(state.mask, state.upper)
        solver = Solver(outline, turn_cost, announce=announce, bonus=bonus)
        pairs = sum(outline.pairs(size) for size in range(len(outline.layers)))
        done = outline.pairs(0)

        def solved(mask: int) -> None:
            nonlocal done
            done += outline.width(mask)
            progress(done, pairs)

        before = own = solver.empty()
        for _ in state.open_fields:
            before, own = own, solver.after(own, lambda mask, table: solved(mask))
        self._tables = {mask: table.copy() for mask, table in (before.tables | own.tables).items()}
        self.error = own.errors[state.mask]

    def value(self, state: State) -> float:
        """Give what the game is still worth; the open fields and upper points are as solved."""
        return state_value(self._own(state), self.turn_cost, self._column)

    def moves(self, state: State) -> list[RankedMove]:
        """Give all legal moves, the best first; none before the deal and after the end."""
        return ranked_moves(self._own(state), self.turn_cost, self._column)

    def _own(self, state: State) -> State:
        if (state.open_fields, state.upper) != (self._open, self._upper):
            raise ValueError("the state has other open fields or upper points than those solved")
        return state

    def _column(self, open_fields: tuple[Field, ...], upper: int) -> Column:
        mask = mask_of(open_fields)
        return self._tables[mask][:, self._outline.column(mask, upper)]


def value(state: State, turn_cost: float) -> float:
    """Give the most that can be expected of all points still to come, turns paid.

    >>> round(value(State.read("1,kn", 63, "11122"), turn_cost=12), 3)
    13.183
    """
    return Solution(state, turn_cost).value(state)


def best_moves(state: State, turn_cost: float, count: int = 5) -> list[RankedMove]:
    """Give the best moves of a state and their values, the best first."""
    return Solution(state, turn_cost).moves(state)[:count]
