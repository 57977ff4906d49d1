"""Fields, moves and errors in words of the player's language."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from kartenkniffel.rules import Cards, Entry, Exchange, Field, HouseRules, Move, RuleError
from kartenkniffel.table import (
    DamagedTable,
    MovedOn,
    NotFinished,
    NotYourTurn,
    SeatError,
    UnknownTable,
)
from kartenkniffel.web.page_friends import company_sentence
from kartenkniffel.web.translator import Translator


def field_name(field: Field, translator: Translator) -> str:
    """Give the name of a field as it stands on the sheet."""
    gettext = translator.gettext
    match field:
        case Field.ONES:
            return gettext("Ones")
        case Field.TWOS:
            return gettext("Twos")
        case Field.THREES:
            return gettext("Threes")
        case Field.FOURS:
            return gettext("Fours")
        case Field.FIVES:
            return gettext("Fives")
        case Field.SIXES:
            return gettext("Sixes")
        case Field.THREE_OF_A_KIND:
            return gettext("Three of a kind")
        case Field.FOUR_OF_A_KIND:
            return gettext("Four of a kind")
        case Field.FULL_HOUSE:
            return gettext("Full house")
        case Field.SMALL_STRAIGHT:
            return gettext("Small straight")
        case Field.LARGE_STRAIGHT:
            return gettext("Large straight")
        case Field.KNIFFEL:
            return gettext("Kniffel")


def field_needs(field: Field, rules: HouseRules, translator: Translator) -> str:
    """Say in a sentence which cards a field takes (R8, R9)."""
    gettext = translator.gettext
    if field.is_upper:
        text = gettext("%(field)s: one to five cards, all of them %(value)s.")
    elif field is Field.THREE_OF_A_KIND:
        text = gettext("%(field)s: exactly five cards, at least three of them equal.")
    elif field is Field.FOUR_OF_A_KIND:
        text = gettext("%(field)s: exactly five cards, at least four of them equal.")
    elif field is Field.FULL_HOUSE and rules.five_of_a_kind_is_full_house:
        text = gettext("%(field)s: three equal cards and two others equal, or five equal.")
    elif field is Field.FULL_HOUSE:
        text = gettext("%(field)s: three equal cards and two others equal.")
    elif field is Field.SMALL_STRAIGHT:
        text = gettext("%(field)s: exactly four cards, 1234, 2345 or 3456.")
    elif field is Field.LARGE_STRAIGHT:
        text = gettext("%(field)s: exactly five cards, 12345 or 23456.")
    else:
        text = gettext("%(field)s: exactly five equal cards.")
    return text % {"field": field_name(field, translator), "value": field.number}


def level_name(level: str, translator: Translator) -> str:
    """Give the name of a bot's level; one that is not known keeps its code."""
    gettext = translator.gettext
    names = {
        "easy": gettext("easy"),
        "medium": gettext("medium"),
        "hard": gettext("hard"),
        "expert": gettext("expert"),
    }
    return names.get(level, level)


def level_character(level: str, translator: Translator) -> str:
    """Say in a few words how a bot of this level plays; empty for one that is not known."""
    gettext = translator.gettext
    lines = {
        "easy": gettext("Plays what it has in its hand."),
        "medium": gettext("Plans for the open fields, with an eye on penalties and the bonus."),
        "hard": gettext("Reckons with the cards to come, and with the race to the end."),
        "expert": gettext("Counts the cards and plays to win, not for points."),
    }
    return lines.get(level, "")


def tiles(cards: Cards) -> Markup:
    """Give cards as small tiles that are read as their digits."""
    inside = Markup("").join(Markup('<b class="v{0}">{0}</b>').format(value) for value in cards)
    return Markup('<span class="tiles">{}</span>').format(inside)


def play_words(
    cards: Cards,
    field: Field,
    entry: Entry,
    translator: Translator,
    show: Callable[[Cards], str] = str,
) -> str:
    """Say what a play for a field brings and costs; ``show`` tells how cards are written."""
    if entry.penalty:
        text = translator.ngettext(
            "%(field)s with %(cards)s: %(points)s point, penalty %(penalty)s",
            "%(field)s with %(cards)s: %(points)s points, penalty %(penalty)s",
            entry.points,
        )
    else:
        text = translator.ngettext(
            "%(field)s with %(cards)s: %(points)s point",
            "%(field)s with %(cards)s: %(points)s points",
            entry.points,
        )
    return _filled(
        text,
        show,
        field=field_name(field, translator),
        cards=show(cards),
        points=entry.points,
        penalty=entry.penalty,
    )


def move_words(
    move: Move,
    entry: Entry | None,
    translator: Translator,
    show: Callable[[Cards], str] = str,
) -> str:
    """Say what a player did, without a name; ``entry`` is what a score wrote down."""
    if not isinstance(move, Exchange):
        return play_words(move.cards, move.field, entry or Entry(0), translator, show)
    if move.is_pass:
        return translator.gettext("passes")
    if not move.discard:
        return translator.gettext("draws a card")
    text = translator.gettext("discards %(cards)s, draws %(draws)s")
    return _filled(text, show, cards=show(move.discard), draws=move.draw)


def _filled(text: str, show: Callable[[Cards], str], **values: object) -> str:
    # Where cards are written as markup, all else must be escaped on the way in.
    return (Markup(text) if show is tiles else text) % values


def exchange_words(discarded: int, drawn: int, translator: Translator) -> str:
    """Give the label of an exchange's button."""
    if discarded:
        return translator.gettext("Discard %(discarded)s, draw %(drawn)s") % {
            "discarded": discarded,
            "drawn": drawn,
        }
    if drawn:
        return translator.ngettext("Draw %(drawn)s", "Draw %(drawn)s", drawn) % {"drawn": drawn}
    return translator.gettext("Pass")


def error_sentence(error: Exception | str, translator: Translator) -> str:
    """Say in the player's language what is wrong; gives no detail of errors it does not know."""
    gettext = translator.gettext
    if isinstance(error, str):
        return error
    if isinstance(error, RuleError):
        return _rule_sentence(error, translator)
    match error:
        case MovedOn():
            return gettext("The game had moved on. This is how it stands now; please choose again.")
        case NotYourTurn(to_move=None):
            return gettext("The game is over.")
        case NotYourTurn():
            return gettext("It is not your turn.")
        case NotFinished():
            return gettext("The game is not over yet.")
        case UnknownTable():
            return gettext("This game does not exist, or has been deleted.")
        case DamagedTable():
            return gettext("This game cannot be read any more.")
        case SeatError():
            return gettext("Please check the names of the players.")
        case _:
            known = company_sentence(error, translator)
            return known or gettext("That did not work. Please try again.")


def _rule_sentence(error: RuleError, translator: Translator) -> str:
    gettext = translator.gettext
    details = error.details
    match error.reason:
        case "discards_too_many":
            return gettext("At most five cards may be discarded at once.")
        case "hand_too_large":
            return gettext("A hand holds at most ten cards: draw as many as you discard.")
        case "draws_too_few" | "draws_too_many":
            return gettext("Draw as many cards as you discard, or one more.")
        case "discard_not_held" | "play_not_held":
            return gettext("These cards are not all in your hand.")
        case "upper_misfit" | "lower_misfit":
            field = Field(str(details["field"]))
            return field_needs(field, HouseRules(), translator)
        case "field_filled":
            name = field_name(Field(str(details["field"])), translator)
            return gettext("%(field)s is filled already.") % {"field": name}
        case "game_over":
            return gettext("The game is over.")
        case "players":
            return gettext("A game has one to ten players.")
        case _:
            return gettext("That is not allowed (%(clause)s).") % {"clause": error.clause}
