"""Views made by hand, to ask a bot about one situation."""

from __future__ import annotations

from collections.abc import Mapping

from kartenkniffel.rules import FIELDS, Cards, HouseRules, PlayerView, Sheet, View

FULL = {
    "1": 3, "2": 6, "3": 9, "4": 12, "5": 15, "6": 18,
    "3k": 24, "4k": 22, "fh": 25, "ss": 30, "ls": 40, "kn": 50,
}  # fmt: skip
"""The points of a good sheet: 63 above, so that the bonus is earned."""


def sheet(open_fields: str = "", points: Mapping[str, int] | None = None) -> Sheet:
    """Give a good sheet on which only these fields are open, some points changed."""
    made = Sheet()
    for field in FIELDS:
        if field.value not in open_fields.split():
            made = made.write(field, {**FULL, **(points or {})}[field.value])
    return made


def view(
    hand: str,
    own: Sheet,
    *others: Sheet,
    seat: int = 0,
    last_round: bool = False,
    rules: HouseRules = HouseRules(),  # noqa: B008 - a frozen value
) -> View:
    """Give what a seat sees whose turn it is."""
    sheets = [*others[:seat], own, *others[seat:]]
    sizes = [len(hand) if place == seat else 5 for place in range(len(sheets))]
    return View(
        seat=seat,
        hand=Cards(hand),
        round=20,
        to_move=seat,
        last_round=last_round,
        finished=False,
        winners=(),
        rules=rules,
        draw_pile=108 - sum(sizes),
        discards=Cards(),
        moves=(),
        players=tuple(
            PlayerView(f"P{place}", size, one)
            for place, (size, one) in enumerate(zip(sizes, sheets, strict=True))
        ),
    )
