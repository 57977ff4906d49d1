"""Finds out what perfect play looks like, and writes docs/what-the-solver-found.md from it.

``.venv/bin/python -m tools.solver_findings --folder FOLDER`` solves the game some six times, keeps
one table of 4.4 GB in the folder, and plays ``--games`` games with it. The page's text stands in
``what-the-solver-found.md.in`` beside this file; every figure in it comes from here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from math import factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kartenkniffel.notation import format_move
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    FIELDS,
    HAND_LIMIT,
    MALUS,
    MALUS_BELOW,
    UPPER_FIELDS,
    Exchange,
    multisets,
)
from kartenkniffel.solver import Solution, State, Table
from kartenkniffel.solver.build import Build
from tools.solver_charts import bar_chart
from tools.solver_policy import Games, play_games

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
START = State(FIELDS, 0, multisets(0)[0])
NAMES = {
    "1": "ones", "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes",
    "3k": "three of a kind", "4k": "four of a kind", "fh": "full house",
    "ss": "small straight", "ls": "large straight", "kn": "Kniffel",
}  # fmt: skip


def best_rate() -> float:
    """Find the turn cost at which the whole game is worth nothing, by the secant method."""

    def worth(cost: float) -> float:
        value = Solution(START, cost).value(START)
        print(f"turn cost {cost:.6f}: the game is worth {value:.4f}", flush=True)
        return value

    before, here = 12.0, 10.0
    worth_before, worth_here = worth(before), worth(here)
    while abs(worth_here) > 1e-3:
        slope = (worth_here - worth_before) / (here - before)
        before, worth_before = here, worth_here
        here -= worth_here / slope
        worth_here = worth(here)
    return here


def without_bonus(rate: float, bonus: int, malus: int) -> float:
    """Give what the whole game is worth with another bonus and malus."""

    def end(upper: int) -> int:
        return bonus if upper >= BONUS_FROM else malus if upper < MALUS_BELOW else 0

    return Solution(START, rate, bonus=end).value(START)


def figures(table: Table, games: Games, rate: float) -> dict[str, str]:
    """Give every figure and table of the page as text."""
    scores, turns = games.scores, games.turns
    worth_bonus = -without_bonus(rate, 0, MALUS)
    return {
        "rate": f"{rate:.3f}",
        "games": f"{len(scores):,}",
        **_spread("score", scores, 0),
        **_spread("turns", turns, 1),
        "per_turn": f"{scores.mean() / turns.mean():.3f}",
        "penalty": f"{games.penalties.mean():.1f}",
        "bonus_share": _percent(games.bonus == BONUS),
        "malus_share": _percent(games.bonus == MALUS),
        "neither_share": _percent(games.bonus == 0),
        "upper": f"{games.upper.mean():.1f}",
        "worth_bonus": f"{worth_bonus:.1f}",
        "bonus_price": f"{BONUS - worth_bonus:.1f}",
        "worth_malus": f"{without_bonus(rate, BONUS, 0):.1f}",
        "fields": _fields(games),
        "counts": _counts(games),
        "grown": _grown(games),
        "sizes": _sizes(games),
        "exact_five": _percent(games.sizes == 5),
        "mean_size": f"{games.sizes.mean():.2f}",
        "ten_games": _percent(games.tens > 0),
        "ten_plays": _percent(games.sizes == HAND_LIMIT),
        "tens": _tens(games),
        "last": _last(games),
        **_deals(table),
    }


def _spread(name: str, values: npt.NDArray[np.int64], digits: int) -> dict[str, str]:
    low, middle, high = np.percentile(values, (5, 50, 95))
    return {
        name: f"{values.mean():.{digits + 1}f}",
        f"{name}_sd": f"{values.std():.1f}",
        f"{name}_low": f"{low:.0f}",
        f"{name}_middle": f"{middle:.0f}",
        f"{name}_high": f"{high:.0f}",
        f"{name}_least": str(values.min()),
        f"{name}_most": str(values.max()),
    }


def _percent(which: npt.NDArray[np.bool_]) -> str:
    share = 100 * float(which.mean())
    return f"{share:.0f}%" if 10 <= share <= 90 else f"{share:.1f}%"


def _rows(head: str, rows: list[list[str]]) -> str:
    columns = head.count("|") - 1
    rule = "|---|" + "---:|" * (columns - 1)
    return "\n".join([head, rule, *("| " + " | ".join(row) + " |" for row in rows)])


def _fields(games: Games) -> str:
    """Tell when each field is filled and with what, the earliest first."""
    rows = []
    for field in FIELDS:
        at = games.fields == field.place
        place = np.nonzero(at)[1] + 1.0
        first = _percent(at[:, 0])
        points, size = games.points[at].mean(), games.sizes[at].mean()
        row = [NAMES[field], f"{place.mean():.1f}", first, f"{points:.1f}", f"{size:.1f}"]
        rows.append((place.mean(), row))
    return _rows(
        "| field | filled as number | first of all | points | cards in hand |",
        [row for _, row in sorted(rows)],
    )


def _counts(games: Games) -> str:
    """Tell how many cards the upper fields get."""
    rows = []
    for field in UPPER_FIELDS:
        counts = games.points[games.fields == field.place] // field.number
        rows.append([NAMES[field], *(_percent(counts == n) for n in range(1, 6))])
    return _rows("| cards | 1 | 2 | 3 | 4 | 5 |", rows)


def _grown(games: Games) -> str:
    """Tell how often an exchange draws a card more, by cards in hand."""
    rows = []
    for size in range(5, HAND_LIMIT + 1):
        count, more = games.exchanges[size].sum(), games.exchanges[size, 1]
        share = count / games.exchanges.sum()
        rows.append([str(size), f"{100 * share:.0f}%", f"{100 * more / max(1, count):.0f}%"])
    return _rows("| cards in hand | of all exchanges | draw one more |", rows)


def _sizes(games: Games) -> str:
    """Tell from how many cards is played, by how many fields are open."""
    rows = []
    for number in range(games.sizes.shape[1]):
        sizes = games.sizes[:, number]
        shares = [_percent(sizes == size) for size in range(5, HAND_LIMIT + 1)]
        rows.append(
            [
                str(len(FIELDS) - number),
                f"{sizes.mean():.2f}",
                f"{games.waits[:, number].mean():.2f}",
                *shares,
            ]
        )
    return _rows("| open fields | cards | exchanges | 5 | 6 | 7 | 8 | 9 | 10 |", rows)


def _tens(games: Games) -> str:
    """Tell which fields are filled from ten cards."""
    ten = games.sizes == HAND_LIMIT
    rows = []
    for field in FIELDS:
        at = games.fields == field.place
        share = (at & ten).sum() / max(1, ten.sum())
        rows.append((share, [NAMES[field], f"{100 * share:.1f}%", _percent(ten[at])]))
    return _rows(
        "| field | of all plays from ten cards | of its own plays |",
        [row for _, row in sorted(rows, reverse=True)],
    )


def _last(games: Games) -> str:
    """Tell of games in which a field came last: how long it took, and from how many cards."""
    rows = []
    for field in FIELDS:
        at = games.fields[:, -1] == field.place
        if at.sum() < 200:
            continue
        rows.append(
            [
                NAMES[field],
                _percent(at),
                f"{games.waits[at, -1].mean() + 1:.1f}",
                f"{games.sizes[at, -1].mean():.1f}",
                _percent(games.sizes[at, -1] == HAND_LIMIT),
            ]
        )
    rows.sort(key=lambda row: -float(row[1].rstrip("%")))
    return _rows("| last field | in so many games | turns for it | cards | from ten |", rows)


def _deals(table: Table) -> dict[str, str]:
    """Tell which first hands are best and worst, and what to do with them."""
    ranked = []
    weight_played = weight_more = 0.0
    for hand in multisets(5):
        best = table.moves(State(FIELDS, 0, hand))[0]
        weight = factorial(5) / prod(map(factorial, hand.counts)) / 6**5
        ranked.append((best.value, str(hand), format_move(best.move)))
        if isinstance(best.move, Exchange):
            weight_more += weight * (best.move.draw > len(best.move.discard))
        else:
            weight_played += weight
    ranked.sort(reverse=True)
    rows = [[f"`{hand}`", f"`{move}`", f"{value:+.1f}"] for value, hand, move in ranked]
    head = "| first hand | best move | worth |"
    return {
        "best_deals": _rows(head, rows[:8]),
        "worst_deals": _rows(head, rows[-8:]),
        "deal_played": f"{100 * weight_played:.0f}%",
        "deal_more": f"{100 * weight_more:.0f}%",
    }


def charts(games: Games) -> dict[str, str]:
    """Draw the scores and the turns."""
    drawn = {}
    for name, values, step in (("scores", games.scores, 5), ("turns", games.turns, 1)):
        low = int(np.percentile(values, 0.05)) // step * step
        high = int(np.percentile(values, 99.95)) // step * step
        bars = [
            (float(at), 100 * float(((values >= at) & (values < at + step)).mean()))
            for at in range(low, high + step, step)
        ]
        mean = float(values.mean())
        axis = "points" if name == "scores" else "turns"
        title = f"{name.capitalize()} of {len(values):,} games of perfect play"
        middle = mean if step > 1 else mean + 0.5
        drawn[name] = bar_chart(title, axis, bars, step, [(middle, f"mean {mean:.1f}")])
    return drawn


def write(texts: Mapping[str, Any], drawn: Mapping[str, str]) -> None:
    """Write the page and its charts."""
    page = (HERE / "what-the-solver-found.md.in").read_text(encoding="utf-8")
    (DOCS / "what-the-solver-found.md").write_text(page.format_map(texts), encoding="utf-8")
    for name, chart in drawn.items():
        (DOCS / f"what-the-solver-found-{name}.svg").write_text(chart, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the table is kept")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, help="the best rate, if it is known already")
    parser.add_argument("--again", action="store_true", help="only write the page, from last time")
    given = parser.parse_args()
    known = given.folder / "figures.json"
    if not given.again:
        rate = given.rate or best_rate()
        build = Build(given.folder / "best-rate.table", START, rate)
        if not build.finished:
            build.run(print)
        with Table(build.path) as table:
            games = play_games(table, given.games, given.seed)
            texts = figures(table, games, rate)
        known.write_text(json.dumps([texts, charts(games)]), encoding="utf-8")
    write(*json.loads(known.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
