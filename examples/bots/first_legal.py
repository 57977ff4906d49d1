"""A bot in the line protocol, with nothing but Python: cmd:python3 examples/bots/first_legal.py.

It draws until it has ten cards, then plays the first lower field they fill, or else the upper field
that brings most. The protocol is described in docs/outside-bots.md.
"""

import json
import sys
from itertools import combinations

STRAIGHTS = {"ss": ("1234", "2345", "3456"), "ls": ("12345", "23456")}


def fits(cards, field):
    """Tell whether five cards (four for the small straight) fill a lower field."""
    most = max(cards.count(value) for value in cards)
    if field in STRAIGHTS:
        return cards in STRAIGHTS[field]
    if field == "fh":
        return most == 3 and len(set(cards)) == 2
    return most >= {"3k": 3, "4k": 4, "kn": 5}[field]


def choose(view):
    """Give a legal move for this view."""
    hand = view["hand"]
    still_open = [f for f, entry in view["players"][view["seat"]]["fields"].items() if not entry]
    if len(hand) < 10 and not view["last_round"]:
        return "x+1"
    for field in [f for f in ("kn", "ls", "ss", "4k", "fh", "3k") if f in still_open]:
        for cards in combinations(hand, 4 if field == "ss" else 5):
            if fits("".join(cards), field):
                return f"{''.join(cards)}@{field}"
    upper = [field * min(5, hand.count(field)) for field in still_open if field in hand]
    if upper:
        cards = max(upper, key=lambda cards: sum(map(int, cards)))
        return f"{cards}@{cards[0]}"
    return f"x{hand[:5]}+5"  # nothing fits: five new cards


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "first legal"}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"move": choose(message["view"])}), flush=True)
    elif message["type"] == "quit":
        break
