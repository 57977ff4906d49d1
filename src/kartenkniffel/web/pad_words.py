"""What stands on a pad, what was done to it and what it refuses, in the reader’s words."""

from __future__ import annotations

from collections.abc import Callable

from kartenkniffel.pad import (
    GameRunning,
    Line,
    MovedOn,
    NamesError,
    NotCounting,
    NothingLeft,
    NotOnPad,
    NotYours,
    Pad,
    PadError,
    PadGame,
    StartError,
    UnknownPad,
    Written,
)
from kartenkniffel.pad.events import (
    Answered,
    Asked,
    Began,
    Corrected,
    Counting,
    Ended,
    Entered,
    Exchanged,
    GameEvent,
    Recounted,
    Redone,
    Renamed,
    Undone,
)
from kartenkniffel.rules import Field, HouseRules, RuleError, penalty_for
from kartenkniffel.web.page_words import error_sentence, field_name, field_needs
from kartenkniffel.web.translator import Translator


def points_words(points: int, penalty: int, translator: Translator) -> str:
    """Say points and the penalty beside them: ``18 points, penalty 2``."""
    text = translator.ngettext("%(num)s point", "%(num)s points", points) % {"num": points}
    if penalty:
        text += translator.gettext(", penalty %(penalty)s") % {"penalty": penalty}
    return text


def written_words(written: Written, translator: Translator) -> str:
    """Say what stands in a field."""
    return points_words(written.points, written.entry.penalty, translator)


def who_words(person: str, pad: Pad, game: PadGame, translator: Translator) -> str:
    """Give the name under which a person writes on the pad."""
    name = pad.name_of(person, game)
    if name is not None:
        return name
    gettext = translator.gettext
    return gettext("the scorekeeper") if person == pad.owner else gettext("somebody")


def line_words(line: Line, game: PadGame, translator: Translator) -> str:
    """Say what a line of the history tells, without who did it and when."""
    event, gettext = line.event, translator.gettext
    match event:
        case Began():
            first = event.players[event.first]
            return gettext("A game begins; %(name)s has the first turn") % {"name": first}
        case Undone() if line.about:
            return gettext("Taken back: %(what)s") % {
                "what": line_words(line.about, game, translator)
            }
        case Redone() if line.about:
            return gettext("Made again: %(what)s") % {
                "what": line_words(line.about, game, translator)
            }
        case Answered():
            return _answered(line, event, game, translator)
        case _:
            return _change_words(line, event, game, translator)


def _answered(line: Line, event: Answered, game: PadGame, translator: Translator) -> str:
    asked = line.about.event if line.about else None
    if not isinstance(asked, Asked):
        return ""
    text = (
        translator.gettext("%(name)s, %(field)s: the later entry counts, %(points)s")
        if event.take
        else translator.gettext("%(name)s, %(field)s: what stood there is kept, not %(points)s")
    )
    points = points_words(asked.points, penalty_for(asked.hand), translator)
    return text % {**_where(asked, game, translator), "points": points}


def _change_words(
    line: Line, event: Began | GameEvent, game: PadGame, translator: Translator
) -> str:
    gettext = translator.gettext
    match event:
        case Entered():
            where = _where(event, game, translator)
            points = points_words(event.points, penalty_for(event.hand), translator)
            said = f"{where['name']}, {where['field']}: {points}"
            if event.passed:
                names = ", ".join(game.board.players[player] for player in event.passed)
                said += gettext("; counted as exchanged: %(names)s") % {"names": names}
            return said
        case Exchanged():
            return gettext("%(name)s has exchanged") % {"name": game.board.players[event.player]}
        case Corrected():
            return _corrected(line, event, game, translator)
        case Asked():
            text = gettext("%(name)s, %(field)s: a second entry came in, %(points)s")
            points = points_words(event.points, penalty_for(event.hand), translator)
            return text % {**_where(event, game, translator), "points": points}
        case Recounted():
            text = gettext("%(name)s: turns without an entry set to %(number)s")
            name = game.board.players[event.player]
            return text % {"name": name, "number": event.exchanges}
        case Renamed():
            return gettext("Name written differently: %(name)s") % {"name": event.name}
        case Counting():
            return gettext("Turns are counted") if event.on else gettext("Turns are not counted")
        case Ended():
            return gettext("The game was ended by hand")
        case _:
            return ""


def _corrected(line: Line, event: Corrected, game: PadGame, translator: Translator) -> str:
    gettext = translator.gettext
    values = _where(event, game, translator)
    before = written_words(line.before, translator) if line.before else gettext("nothing")
    if event.points is None:
        text = gettext("%(name)s, %(field)s: taken out, where %(before)s stood")
        return text % {**values, "before": before}
    text = gettext("%(name)s, %(field)s: corrected from %(before)s to %(points)s")
    points = points_words(event.points, penalty_for(event.hand), translator)
    return text % {**values, "before": before, "points": points}


def _where(
    event: Entered | Corrected | Asked, game: PadGame, translator: Translator
) -> dict[str, object]:
    name = game.board.players[event.player]
    return {"name": name, "field": field_name(event.field, translator)}


def refusal(error: Exception, rules: HouseRules, translator: Translator) -> str:
    """Say in the reader's language why the pad refuses something."""
    if isinstance(error, RuleError):
        return _rule_refusal(error, rules, translator)
    if isinstance(error, PadError):
        return _pad_refusal(error, translator)
    return error_sentence(error, translator)


def _rule_refusal(error: RuleError, rules: HouseRules, translator: Translator) -> str:
    gettext, details = translator.gettext, error.details
    match error.reason:
        case "upper_points" | "lower_points":
            text = gettext("%(field)s cannot hold %(points)s. Possible: %(possible)s.")
            name = field_name(Field(str(details["field"])), translator)
            possible = str(details["possible"]).removeprefix("only ").replace(" to ", "–")
            return text % {"field": name, "points": details["points"], "possible": possible}
        case "upper_misfit" | "lower_misfit" | "cards_unreadable":
            return field_needs(Field(str(details["field"])), rules, translator)
        case "sum_differs":
            text = gettext("These cards bring %(points)s points; the sum says something else.")
            return text % {"points": details["points"]}
        case "hand_size":
            return gettext("Before playing a hand has five to ten cards.")
        case "game_over":
            return gettext(
                "The game is over. For a missing entry take the end back, or lower the turns "
                "exchanged under “Names and turns”."
            )
        case "no_turn_left":
            return gettext("The last round is being played, and this player’s turn in it is over.")
        case _:
            return error_sentence(error, translator)


def _pad_refusal(error: PadError, translator: Translator) -> str:
    gettext = translator.gettext
    reasons: dict[str, Callable[[], str]] = {
        "points_missing": lambda: gettext("Please choose what was played."),
        "names_alike": lambda: gettext("Two players have the same name. Please tell them apart."),
        "no_question": lambda: gettext("This question has been answered already."),
        "field_open": lambda: gettext("This field has been emptied meanwhile."),
    }
    if error.reason in reasons:
        return reasons[error.reason]()
    match error:
        case UnknownPad():
            return gettext("This pad does not exist, or has been deleted.")
        case NotYours():
            return gettext("Everybody enters for themselves; only the scorekeeper for all.")
        case NotCounting():
            return gettext("Turns are not counted in this game.")
        case MovedOn():
            return gettext("The pad has changed meanwhile. This is how it stands now.")
        case NothingLeft():
            return gettext("There is nothing left to take back or to make again.")
        case GameRunning():
            return gettext("The game is not over yet.")
        case NamesError():
            return gettext("A name has 1 to 40 characters, all of them visible.")
        case StartError():
            return gettext("Please choose who starts among those who play.")
        case NotOnPad():
            return gettext("This is not on the pad.")
        case _:
            return gettext("That did not work. Please try again.")
