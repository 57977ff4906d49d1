"""What a hand can do now, as data: the browser knows no rules, it looks things up here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kartenkniffel.rules import (
    HAND_LIMIT,
    Cards,
    Entry,
    Exchange,
    Field,
    View,
    moves_from,
    penalty_for,
    plays,
)
from kartenkniffel.rules.moves import MOST_DISCARDED
from kartenkniffel.web.page_words import exchange_words, field_needs, play_words
from kartenkniffel.web.translator import Translator


@dataclass(frozen=True, slots=True)
class Play:
    """Cards that fill a field, with what they bring and cost."""

    cards: Cards
    field: Field
    entry: Entry
    words: str


@dataclass(frozen=True, slots=True)
class Draw:
    """One of the two exchange buttons, for some number of chosen cards.

    ``reason`` says why it cannot be done; empty where it can.
    """

    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a hand can do, whether or not it is its turn.

    ``plays`` holds, for each open field that the hand can fill, its plays, the best first.
    ``draws[n]`` are the two exchanges with n chosen cards: as many, and one more.
    """

    plays: Mapping[Field, tuple[Play, ...]]
    draws: tuple[tuple[Draw, Draw], ...]
    misfits: Mapping[Field, str]

    def play(self, field: Field, cards: Cards | None) -> Play | None:
        """Give the play of these cards, or the best for ``None``, if there is such a one."""
        for play in self.plays.get(field, ()):
            if cards is None or play.cards == cards:
                return play
        return None

    def as_data(self) -> dict[str, object]:
        """Give what scripts look up: plays by field and cards, labels and reasons."""
        return {
            "plays": {
                field.value: [[str(p.cards), p.entry.points, p.words] for p in found]
                for field, found in self.plays.items()
            },
            "misfits": {field.value: words for field, words in self.misfits.items()},
            "draws": [[[d.label, d.reason] for d in pair] for pair in self.draws],
        }


NO_CHOICES = Choices({}, (), {})
"""What a hand that is only looked at can do."""


def choices(view: View, translator: Translator) -> Choices:
    """List what the viewer's hand allows, as it were at its turn."""
    hand = view.hand
    if hand is None or view.finished:
        return NO_CHOICES
    moves = moves_from(hand, view.own.sheet, view.rules)
    penalty = penalty_for(len(hand))
    found: dict[Field, list[Play]] = {}
    exchanges = set()
    for move in moves:
        if isinstance(move, Exchange):
            exchanges.add((len(move.discard), move.draw))
            continue
        entry = Entry(plays(view.rules)[move.field][move.cards], penalty)
        words = play_words(move.cards, move.field, entry, translator)
        found.setdefault(move.field, []).append(Play(move.cards, move.field, entry, words))
    # The best brings the most; of equal ones that which keeps the higher cards.
    ranked = {
        field: tuple(sorted(some, key=lambda play: (-play.entry.points, play.cards.total)))
        for field, some in found.items()
    }
    return Choices(
        plays=ranked,
        draws=tuple(_draws(n, len(hand), exchanges, translator) for n in range(len(hand) + 1)),
        misfits={field: field_needs(field, view.rules, translator) for field in ranked},
    )


def _draws(
    chosen: int, held: int, exchanges: set[tuple[int, int]], translator: Translator
) -> tuple[Draw, Draw]:
    same, more = (
        Draw(
            exchange_words(chosen, drawn, translator),
            "" if (chosen, drawn) in exchanges else _reason(chosen, held, translator),
        )
        for drawn in (chosen, chosen + 1)
    )
    return same, more


def _reason(chosen: int, held: int, translator: Translator) -> str:
    if chosen > MOST_DISCARDED:
        return translator.gettext("At most five cards may be discarded at once.")
    if held >= HAND_LIMIT:
        return translator.gettext("Your hand is full: ten cards are the most.")
    return translator.gettext("That is not allowed now.")
