"""What matters when the game is about to end: only points on the sheet count then."""

from __future__ import annotations

from collections.abc import Sequence

from kartenkniffel.rules import Exchange, Move, Score, View, penalty_for, plays


def last_move(moves: Sequence[Move], view: View) -> Move:
    """Give the best move of a last turn: the play that adds most, unless every play takes points.

    ``moves`` are all the moves there are.
    """
    harmless = [m for m in moves if isinstance(m, Score) and added_now(m, view) >= 0]
    if harmless:
        return max(harmless, key=lambda score: added_now(score, view))
    return next(m for m in moves if isinstance(m, Exchange) and not m.is_pass)


def added_now(score: Score, view: View) -> int:
    """Give what a play adds to the total if no other follows; bonus, malus and penalty count."""
    assert view.hand is not None
    sheet = view.own.sheet
    points = plays(view.rules)[score.field][score.cards]
    return sheet.write(score.field, points, penalty_for(len(view.hand))).total - sheet.total


def wins_at_once(score: Score, view: View) -> bool:
    """Tell whether this play ends the game on the spot and wins it."""
    fills = view.own.sheet.open_fields == (score.field,)
    nobody_after = view.seat == len(view.players) - 1
    return fills and nobody_after and view.own.sheet.total + added_now(score, view) > rival(view)


def rival(view: View) -> int:
    """Give the most points that another player has as things stand; alone, fewer than can be."""
    totals = [player.sheet.total for seat, player in enumerate(view.players) if seat != view.seat]
    return max(totals, default=-(10**6))
