"""The own hand: its cards in one of two orders."""

from __future__ import annotations

from typing import Literal

from kartenkniffel.rules import Cards

Order = Literal["value", "sets"]
ORDERS: tuple[Order, ...] = ("value", "sets")
"""How a hand can be sorted: by value, or the largest group of equal cards first."""


def known_order(text: str | None) -> Order:
    """Give the order of this name; by value where there is no such one."""
    return "sets" if text == "sets" else "value"


def sorted_cards(
    hand: Cards, drawn: Cards, chosen: Cards | None, order: Order
) -> list[dict[str, object]]:
    """List the cards of a hand, each with an id that is the same after the next change.

    ``place`` is the card's place in the hand sorted by value, whatever order it is shown in: that
    is what forms send.

    >>> [card["value"] for card in sorted_cards(Cards("12255"), Cards(), None, "sets")]
    [2, 2, 5, 5, 1]
    """
    cards: list[dict[str, object]] = []
    for place, value in enumerate(hand):
        nth = place - sum(hand.count(lower) for lower in range(1, value)) + 1
        cards.append(
            {
                "id": f"card-{value}-{nth}",
                "place": place,
                "value": value,
                "nth": nth,
                "new": nth > hand.count(value) - drawn.count(value),
                "chosen": chosen is not None and nth <= chosen.count(value),
            }
        )
    if order == "sets":
        cards.sort(key=lambda card: -hand.count(int(str(card["value"]))))
    return cards
