"""The page that explains the rules: its examples, all reckoned by the rules themselves.

No figure here is typed by hand: points, penalties, bonus and malus of every picture come from
`kartenkniffel.rules`, which also refuses an example that is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from babel.numbers import format_decimal

from kartenkniffel.notation import load_record
from kartenkniffel.rules import (
    BONUS,
    BONUS_FROM,
    COPIES,
    FIELDS,
    FULL_DECK,
    HAND_LIMIT,
    HAND_START,
    LOWER_FIELDS,
    MALUS,
    MALUS_BELOW,
    MOST_PLAYERS,
    MOST_ROUNDS,
    NO_CARDS,
    NO_HOUSE_RULES,
    UPPER_FIELDS,
    VALUES,
    Cards,
    Entry,
    Exchange,
    Field,
    Game,
    HouseRules,
    Move,
    Position,
    Score,
    Sheet,
    penalty_for,
    plays,
    points_for,
    recorded,
)
from kartenkniffel.web.page_words import exchange_words, field_name, move_words, play_words, tiles
from kartenkniffel.web.translator import Translator

HOUSE_RULE = HouseRules(five_of_a_kind_is_full_house=True)
NAMES = ("Ana", "Bo", "Cy")
_GAME = Path(__file__).parent / "help_game.json"

EXAMPLES = {
    Field.ONES: "111",
    Field.TWOS: "22",
    Field.THREES: "3333",
    Field.FOURS: "444",
    Field.FIVES: "5",
    Field.SIXES: "66666",
    Field.THREE_OF_A_KIND: "33345",
    Field.FOUR_OF_A_KIND: "44445",
    Field.FULL_HOUSE: "33366",
    Field.SMALL_STRAIGHT: "2345",
    Field.LARGE_STRAIGHT: "12345",
    Field.KNIFFEL: "55555",
}
"""One set of cards for each field that fills it."""

UPPER_PARTS = {
    42: ("11", "22", "33", "44", "55", "66"),
    43: ("111", "22", "33", "44", "55", "66"),
    62: ("11", "222", "333", "444", "555", "666"),
    63: ("111", "222", "333", "444", "555", "666"),
}
"""Cards for the six upper fields on both sides of the two limits (R11), by their sum."""


def help_context(translator: Translator) -> dict[str, object]:
    """Give what ``help.html`` shows: every clause with its examples, and a game from end to end."""
    return {
        "parts": _parts(translator),
        "titles": {code: title for _, _, part in _parts(translator) for code, title in part},
        "names": NAMES,
        "figures": _figures(),
        "rounds": partial(format_decimal, MOST_ROUNDS),
        "fields": [field_help(field, NO_HOUSE_RULES, translator) for field in FIELDS],
        "exchanges": [_exchange(*example, translator) for example in _EXCHANGES],
        "scores": [_score(*example, translator) for example in _SCORES],
        "penalties": [_penalty(hand) for hand in _PENALISED],
        "fits": _fits(translator),
        "house": points_for(Cards("55555"), Field.FULL_HOUSE, HOUSE_RULE),
        "still_fit": _still_fit("44444", translator),
        "sums": _sums(translator),
        "sheets": _sheets(),
        "deal": _deal(),
        "piles": _piles(),
        "seen": _seen(translator),
        "example": _example(translator),
    }


def field_help(field: Field, rules: HouseRules, translator: Translator) -> dict[str, object]:
    """Give what counts on a field: the cards it takes, their points and an example (R8, R9)."""
    cards = Cards(EXAMPLES[field])
    return {
        "code": field.value,
        "number": field.number,
        "name": field_name(field, translator),
        "cards": _cards_words(field, rules, translator),
        "points": _points_words(field, translator),
        "example": str(cards),
        "entry": Entry(points_for(cards, field, rules)),
    }


def _cards_words(field: Field, rules: HouseRules, translator: Translator) -> str:
    gettext = translator.gettext
    if field.is_upper:
        return gettext("One to five cards, all of them %(value)s.") % {"value": field.number}
    match field:
        case Field.THREE_OF_A_KIND:
            return gettext("Exactly five cards, at least three of them equal.")
        case Field.FOUR_OF_A_KIND:
            return gettext("Exactly five cards, at least four of them equal.")
        case Field.FULL_HOUSE if rules.five_of_a_kind_is_full_house:
            return gettext("Three equal cards and two others equal, or five equal.")
        case Field.FULL_HOUSE:
            return gettext("Three equal cards and two others equal.")
        case Field.SMALL_STRAIGHT:
            return gettext("Exactly four cards in a row: 1234, 2345 or 3456.")
        case Field.LARGE_STRAIGHT:
            return gettext("Exactly five cards in a row: 12345 or 23456.")
        case _:
            return gettext("Exactly five equal cards.")


def _points_words(field: Field, translator: Translator) -> str:
    if field.is_upper:
        return translator.gettext("Points: the sum of the cards you play.")
    always = set(plays(NO_HOUSE_RULES)[field].values())
    if len(always) > 1:
        return translator.gettext("Points: the sum of all five cards.")
    return translator.gettext("Points: always %(points)s.") % {"points": always.pop()}


def _parts(translator: Translator) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """List the parts of the page: anchor, title, and the clauses in it with theirs."""
    gettext = translator.gettext
    return [
        (
            "material",
            gettext("What you need"),
            [("R1", gettext("Cards and sheets")), ("R2", gettext("How many play"))],
        ),
        (
            "setup",
            gettext("Setting up"),
            [("R3", gettext("Dealing")), ("R4", gettext("Who begins"))],
        ),
        (
            "turn",
            gettext("Your turn"),
            [
                ("R5", gettext("Exchange cards")),
                ("R6", gettext("Write down points")),
                ("R7", gettext("The penalty box")),
            ],
        ),
        (
            "sheet",
            gettext("The twelve fields"),
            [
                ("R8", gettext("Upper fields")),
                ("R9", gettext("Lower fields")),
                ("R10", gettext("Once, and never struck out")),
                ("R11", gettext("Bonus and malus")),
            ],
        ),
        (
            "end",
            gettext("The end"),
            [("R12", gettext("The last round")), ("R13", gettext("Who has won"))],
        ),
        (
            "table",
            gettext("At the table"),
            [
                ("R14", gettext("When the draw pile runs out")),
                ("R15", gettext("What everyone may see")),
            ],
        ),
    ]


def _figures() -> dict[str, int]:
    """Give the numbers that the sentences name."""
    return {
        "values": len(VALUES),
        "copies": COPIES,
        "cards": len(FULL_DECK),
        "start": HAND_START,
        "most_players": MOST_PLAYERS,
        "limit": HAND_LIMIT,
        "held": MOST_PLAYERS * HAND_LIMIT,
        "left": len(FULL_DECK) - MOST_PLAYERS * HAND_LIMIT,
        "bonus": BONUS,
        "bonus_from": BONUS_FROM,
        "malus": MALUS,
        "malus_below": MALUS_BELOW,
        "per_card": penalty_for(HAND_START + 1),
    }


# Single turns


def _marked(cards: Cards, some: Cards) -> list[tuple[int, bool]]:
    """List cards by value and tell of each whether it is one of some."""
    return [
        (value, copy > cards.count(value) - some.count(value))
        for value in VALUES
        for copy in range(1, cards.count(value) + 1)
    ]


def _turn(hand: str, move: Move, drawn: str) -> tuple[dict[str, object], Position]:
    """Make one move in a game of one and give the hand before and after, and the position."""
    held = Cards(hand)
    before = Position((held,), (Sheet(),), FULL_DECK - held, NO_CARDS)
    after = before.apply(move, Cards(drawn))
    pictures = {
        "before": _marked(held, move.leaving),
        "after": _marked(after.hands[0], Cards(drawn)),
        "size": len(held),
        "drawn": len(drawn),
    }
    return pictures, after


_EXCHANGES = (
    ("13566", "13", "46"),
    ("13566", "13", "466"),
    ("23456", "", "1"),
    ("1112345566", "12345", "56666"),
    ("23456", "", ""),
)


def _exchange(hand: str, discard: str, drawn: str, translator: Translator) -> dict[str, object]:
    pictures, _ = _turn(hand, Exchange(Cards(discard), len(drawn)), drawn)
    return {**pictures, "words": exchange_words(len(discard), len(drawn), translator)}


_SCORES = (
    ("33366", "33366", Field.FULL_HOUSE, "12245"),
    ("1455566", "555", Field.FIVES, "3"),
    ("1234555666", "12345", Field.LARGE_STRAIGHT, ""),
)


def _score(
    hand: str, cards: str, field: Field, drawn: str, translator: Translator
) -> dict[str, object]:
    pictures, after = _turn(hand, Score(Cards(cards), field), drawn)
    entry = after.sheets[0][field] or Entry(0)
    words = play_words(Cards(cards), field, entry, translator, tiles)
    return {**pictures, "entry": entry, "words": words}


_PENALISED = ("24666", "12345666", "1123455666")


def _penalty(hand: str) -> dict[str, object]:
    cards = Cards("666")
    pictures, after = _turn(hand, Score(cards, Field.SIXES), "1" * max(0, 8 - len(hand)))
    return {**pictures, "entry": after.sheets[0][Field.SIXES]}


# Fields


def _fits(translator: Translator) -> dict[str, list[dict[str, object]]]:
    """List for each field cards that fit, with their points, and others, with the reason."""
    gettext = translator.gettext
    four = gettext("Five cards, not four: keep one back.")
    examples: dict[Field, list[tuple[str, str]]] = {
        Field.SIXES: [("6", ""), ("666", ""), ("5666", gettext("One card is no 6."))],
        Field.THREE_OF_A_KIND: [
            ("33345", ""),
            ("55555", ""),
            ("33445", gettext("No three are equal.")),
            ("333", gettext("Only three cards, not five.")),
        ],
        Field.FOUR_OF_A_KIND: [
            ("44445", ""),
            ("22222", ""),
            ("44455", gettext("Only three are equal.")),
        ],
        Field.FULL_HOUSE: [
            ("33366", ""),
            ("11122", ""),
            ("33336", gettext("Four and one, not three and two.")),
            ("55555", gettext("Only with the house rule.")),
        ],
        Field.SMALL_STRAIGHT: [("1234", ""), ("2345", ""), ("3456", ""), ("12345", four)],
        Field.LARGE_STRAIGHT: [
            ("12345", ""),
            ("23456", ""),
            ("13456", gettext("The 2 is missing.")),
        ],
        Field.KNIFFEL: [("55555", ""), ("11111", ""), ("66665", gettext("Only four are equal."))],
    }
    return {
        field.value: [
            {
                "cards": str(Cards(cards)),
                "points": plays(NO_HOUSE_RULES)[field].get(Cards(cards)),
                "why": why,
            }
            for cards, why in listed
        ]
        for field, listed in examples.items()
    }


def _still_fit(hand: str, translator: Translator) -> list[dict[str, object]]:
    """List the fields that these cards, all played, still fit when the Kniffel is filled (R10)."""
    return [
        {"name": field_name(field, translator), "entry": Entry(points)}
        for field in FIELDS
        if field is not Field.KNIFFEL
        and (points := plays(NO_HOUSE_RULES)[field].get(Cards(hand))) is not None
    ]


def _written(played: Sequence[tuple[Field, str]], sizes: dict[Field, int] | None = None) -> Sheet:
    """Give the sheet on which these cards are written down, from hands of these sizes or five."""
    sheet = Sheet()
    for field, cards in played:
        size = (sizes or {}).get(field, HAND_START)
        points = points_for(Cards(cards), field, NO_HOUSE_RULES)
        sheet = sheet.write(field, points, penalty_for(size))
    return sheet


def _upper(upper: int) -> list[tuple[Field, str]]:
    return list(zip(UPPER_FIELDS, UPPER_PARTS[upper], strict=True))


def _lower(*cards: str) -> list[tuple[Field, str]]:
    return list(zip(LOWER_FIELDS, cards, strict=False))


def _sums(translator: Translator) -> dict[str, object]:
    """Give upper parts on both sides of both limits; one has a penalty, which changes nothing."""
    sheets = [_written(_upper(42)), _written(_upper(43)), _written(_upper(62))]
    sheets.append(_written(_upper(63), {Field.FOURS: 7}))
    rows = [
        {
            "name": field_name(field, translator),
            "number": field.number,
            "cells": [sheet[field] for sheet in sheets],
        }
        for field in UPPER_FIELDS
    ]
    return {"rows": rows, "sheets": sheets}


def _sheets() -> list[tuple[str, Sheet, bool]]:
    """Give three finished sheets by name, and whether each has won; two share the win (R13)."""
    penalised = {Field.SMALL_STRAIGHT: 8, Field.KNIFFEL: 10}
    sheets = [
        _written(
            _upper(63) + _lower("33345", "44445", "33366", "2345", "12345", "55555"), penalised
        ),
        _written(_upper(62) + _lower("66666", "56666", "11122", "3456", "23456", "11111")),
        _written(_upper(42) + _lower("22235", "11112", "22255", "1234", "12345"), {Field.SIXES: 7}),
    ]
    most = max(sheet.total for sheet in sheets)
    return [(name, sheet, sheet.total == most) for name, sheet in zip(NAMES, sheets, strict=True)]


# The table


@cache
def _game() -> Game:
    """Give the game that is told from end to end."""
    return load_record(_GAME.read_bytes()).replay()


def _deal() -> dict[str, object]:
    """Give the deal to three players (R3) as the first of them sees it."""
    game = Game.start(NAMES, recorded(_game().shuffles[:1]))
    return {
        "own": str(game.hands[0]),
        "sizes": [len(hand) for hand in game.hands],
        "dealt": sum(len(hand) for hand in game.hands),
        "pile": len(game.pile),
    }


def _piles() -> dict[str, object]:
    """Follow both piles through a turn in which the draw pile runs out (R14)."""
    hands = (Cards("11256"), Cards("33445"), Cards("23456"))
    last, move = Cards("4"), Exchange(Cards("11"), 3)
    discards = FULL_DECK - hands[0] - hands[1] - hands[2] - last
    before = Position(hands, (Sheet(),) * 3, last, discards)
    after = before.apply(move, last + Cards("66"))
    gone, lacking = len(move.discard), move.draw - len(last)
    pile, waste = len(before.draw_pile), len(before.discard_pile)
    return {
        "discarded": gone,
        "drawn": move.draw,
        "lacking": lacking,
        "steps": [
            (pile, waste),
            (pile, waste + gone),
            (0, waste + gone),
            (waste + gone, 0),
            (len(after.draw_pile), len(after.discard_pile)),
        ],
    }


def _seen(translator: Translator) -> dict[str, object]:
    """Give what a player sees of another's exchange (R15)."""
    move = Exchange(Cards("15"), 3)
    _, after = _turn("12356", move, "446")
    return {
        "own": str(_deal()["own"]),
        "words": move_words(move, None, translator, tiles),
        "discarded": str(move.discard),
        "size": len(after.hands[0]),
    }


# The game from end to end


def _example(translator: Translator) -> dict[str, object]:
    game = _game()
    turns = list(_turns(game, translator))
    count = len(game.names)
    rounds = [turns[at : at + count] for at in range(0, len(turns), count)]
    sheets = game.position.sheets
    rows = [
        {
            "name": field_name(field, translator),
            "number": field.number,
            "cells": [sheet[field] for sheet in sheets],
        }
        for field in FIELDS
    ]
    return {
        "names": game.names,
        "rounds": rounds,
        "upper": rows[: len(UPPER_FIELDS)],
        "lower": rows[len(UPPER_FIELDS) :],
        "sheets": sheets,
        "winners": [game.names[seat] for seat in game.position.winners],
    }


def _turns(game: Game, translator: Translator) -> Iterator[dict[str, object]]:
    """Tell the game move by move."""
    now = Game.start(game.names, recorded(game.shuffles), game.rules)
    for move in game.moves:
        seat = now.position.turn % len(game.names)
        hand, shuffles = now.hands[seat], len(now.shuffles)
        now = now.apply(move)
        sheet = now.position.sheets[seat]
        entry = sheet[move.field] if isinstance(move, Score) else None
        yield {
            "name": game.names[seat],
            "hand": _marked(hand, move.leaving),
            "words": move_words(move, entry, translator, tiles),
            "entry": entry,
            "shuffled": len(now.shuffles) > shuffles,
            "full": sheet.is_full and entry is not None,
        }
