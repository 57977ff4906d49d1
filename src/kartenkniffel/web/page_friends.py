"""Words for what happens among people: clocks, phrases, proposals, refusals."""

from __future__ import annotations

from kartenkniffel.table import (
    Begun,
    Full,
    NotHost,
    NotPossible,
    NotSeated,
    ShutOut,
    StillHere,
    TooFew,
    Why,
)
from kartenkniffel.web.translator import Translator


def clock_words(seconds: int | None, translator: Translator) -> str:
    """Say how long a turn may take."""
    if seconds is None:
        return translator.gettext("No clock")
    if seconds >= 86_400:
        days = seconds // 86_400
        return translator.ngettext("%(num)s day", "%(num)s days", days) % {"num": days}
    if seconds > 60 and seconds % 60 == 0:
        return translator.gettext("%(num)s minutes") % {"num": seconds // 60}
    return translator.gettext("%(num)s seconds") % {"num": seconds}


def phrase_words(phrase: str, translator: Translator) -> str:
    """Give a phrase in the reader's language; an emoji stays as it is."""
    gettext = translator.gettext
    words = {
        "hello": gettext("Hello!"),
        "good_luck": gettext("Good luck!"),
        "well_played": gettext("Well played!"),
        "lucky": gettext("What luck!"),
        "thanks": gettext("Thank you!"),
        "sorry": gettext("Sorry!"),
        "one_moment": gettext("One moment, please."),
        "your_turn": gettext("It is your turn."),
        "again": gettext("Another game?"),
        "bye": gettext("Goodbye!"),
    }
    return words.get(phrase, phrase)


def stand_in_words(why: Why, own: bool, translator: Translator) -> str:
    """Say why a bot stands in."""
    gettext = translator.gettext
    if own:
        words = {
            "clock": gettext("Your time ran out, so a bot plays for you."),
            "gone": gettext("You were away, so a bot plays for you."),
            "left": gettext("You have left, and a bot plays for you."),
        }
    else:
        words = {
            "clock": gettext("A bot plays: the time ran out"),
            "gone": gettext("A bot plays: away"),
            "left": gettext("A bot plays: has left"),
        }
    return words[why]


def company_sentence(error: Exception, translator: Translator) -> str | None:
    """Say why something among people was refused; ``None`` for errors of another kind."""
    gettext = translator.gettext
    match error:
        case Begun():
            return gettext("The game has begun; nobody can sit down any more.")
        case Full():
            return gettext("The last seat has just been taken.")
        case ShutOut():
            return gettext("The host has given this seat to others.")
        case NotSeated():
            return gettext("Only somebody with a seat at this table can do this.")
        case NotHost():
            return gettext("Only the host of this table can do this.")
        case TooFew():
            return gettext("A game needs two players: wait for somebody, or let bots play.")
        case StillHere():
            return gettext("This player is there.")
        case NotPossible(what="undo"):
            return gettext("Only your latest move can be undone, and only if no card was drawn.")
        case NotPossible(what="end"):
            return gettext("The game is over.")
        case NotPossible(what="asked"):
            return gettext("Something is proposed already. Please answer that first.")
        case NotPossible(what="seated"):
            return gettext("This device has a seat at this table already.")
        case NotPossible(what="same"):
            return gettext("This device has this seat already. Open the link on the other one.")
        case NotPossible():
            return gettext("This link has been used, or is too old.")
        case _:
            return None
