"""What people may do on a pad: each command becomes an event, or a refusal that says why.

A command is made for the pad as it stands at that moment; where the pad has moved on meanwhile it
is made anew, so that two people who write at once never overwrite each other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from kartenkniffel.pad.errors import (
    GameRunning,
    MovedOn,
    NothingLeft,
    NotOnPad,
    NotYours,
    StartError,
)
from kartenkniffel.pad.events import (
    Answered,
    Asked,
    Began,
    Claimed,
    Corrected,
    Counting,
    Ended,
    Entered,
    Exchanged,
    How,
    Recounted,
    Redone,
    Renamed,
    Undone,
)
from kartenkniffel.pad.game import PadGame
from kartenkniffel.pad.names import check_names, same, tidy
from kartenkniffel.pad.state import Pad
from kartenkniffel.pad.told import Told
from kartenkniffel.rules import (
    MOST_ROUNDS,
    NO_HOUSE_RULES,
    Field,
    GameOverError,
    HouseRules,
)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as somebody wants it: names clockwise, and who begins (R4).

    ``first`` is the seat of the one who begins; drawn by lot it is not asked for.
    """

    players: Sequence[str]
    how: How = "random"
    first: int | None = None
    rules: HouseRules = NO_HOUSE_RULES
    counting: bool = True

    def event(self, person: str, rng: random.Random) -> Began:
        """Give the event of its beginning.

        Raises `PlayersError` or `NamesError` (R2), or `StartError` (R4).
        """
        names = tuple(tidy(name) for name in self.players)
        check_names(names)
        first = rng.randrange(len(names)) if self.how == "random" else self.first
        if first is None or not 0 <= first < len(names):
            raise StartError("who_begins", "say who begins among those who play")
        return Began(person, names, first, self.how, self.rules, self.counting)


def begin(pad: Pad, person: str, wanted: NewGame, after: int, rng: random.Random) -> Began | None:
    """Begin the game after game number ``after``; nothing where somebody did so already."""
    if not pad.writes(person):
        raise NotYours
    if len(pad.games) > after:
        return None
    if not pad.game.finished:
        raise GameRunning
    return wanted.event(person, rng)


def enter(
    pad: Pad,
    person: str,
    game_number: int,
    player: int,
    field: Field,
    told: Told,
    *,
    passed: Sequence[int] = (),
    seen: int | None = None,
    turns: int | None = None,
) -> Entered | Asked | None:
    """Write into an open field.

    ``passed`` are players whose untold turns shall count as exchanges. Where the field was filled
    after event ``seen``, which the person knew, the entry becomes a question to the people; one
    that says the same as what stands there is nothing new.

    ``turns`` is how many turns of the player the person knew of. Where the next one was told as an
    exchange meanwhile, or only taken for one, the entry is that turn and no further one.
    """
    game = _sheet(pad, person, game_number, player)
    board = game.board
    told = told.checked(field, board.rules)
    assert told.points is not None
    standing = board.written[player].get(field)
    if standing is not None and seen is not None and standing.number > seen:
        if (standing.points, standing.hand) == (told.points, told.hand):
            return None
        return Asked(person, game_number, player, field, told.points, told.hand, told.cards)
    turn = turns if board.told_as_exchange(player, turns) else None
    if turn is None:
        board.check_turn(player)
    else:
        board.check_not_ended()
    board.sheet(player).check_open(field)
    return Entered(
        person,
        game_number,
        player,
        field,
        told.points,
        told.hand,
        told.cards,
        _still_missing(pad, person, game.board.missing(player, turn), passed),
        turn,
    )


def _still_missing(
    pad: Pad, person: str, missing: Sequence[int], passed: Sequence[int]
) -> tuple[int, ...]:
    """Give those of the named turns that are still untold; the others came in meanwhile."""
    if not passed:
        return ()
    if person != pad.owner:
        raise NotYours
    wanted = list(passed)
    found = []
    for other in missing:
        if other in wanted:
            wanted.remove(other)
            found.append(other)
    return tuple(found)


def exchange(
    pad: Pad, person: str, game_number: int, player: int, turns: int | None = None
) -> Exchanged | None:
    """Let a turn go by without an entry (R5).

    ``turns`` is how many turns of the player the person knew of. Where more are told by now, this
    one is among them, and telling it again is nothing new.
    """
    game = _sheet(pad, person, game_number, player)
    if turns is not None and len(game.board.turns[player]) > turns:
        return None
    game.board.check_exchange(player)
    return Exchanged(person, game_number, player)


def correct(
    pad: Pad,
    person: str,
    game_number: int,
    player: int,
    field: Field,
    told: Told | None,
    *,
    standing: int | None = None,
) -> Corrected | Asked | None:
    """Put something else into a field, or nothing for ``None``; a game that is over too.

    ``standing`` is the event that wrote what the person saw there. Where something else stands
    there by now the correction becomes a question to the people.
    """
    game = _sheet(pad, person, game_number, player)
    board = game.board
    now = board.written[player].get(field)
    if told is not None:
        told = told.checked(field, board.rules)
    if now is None:
        raise NotOnPad("field_open", f"field {field} is open; write into it instead")
    moved = standing is not None and standing != now.number
    if told is None or told.points is None:
        if moved:
            raise MovedOn(standing or 0, pad.number)
        return Corrected(person, game_number, player, field)
    if (now.points, now.hand, now.cards) == (told.points, told.hand, told.cards):
        return None
    kind = Asked if moved else Corrected
    return kind(person, game_number, player, field, told.points, told.hand, told.cards)


def recount(
    pad: Pad, person: str, game_number: int, player: int, exchanges: int
) -> Recounted | None:
    """Correct how many turns of a player went by without an entry."""
    game = _sheet(pad, person, game_number, player)
    if not 0 <= exchanges <= MOST_ROUNDS - len(game.board.written[player]):
        raise GameOverError("rounds", f"a game has at most {MOST_ROUNDS} rounds")
    if exchanges == game.board.exchanges(player):
        return None
    return Recounted(person, game_number, player, exchanges)


def rename(pad: Pad, person: str, game_number: int, player: int, name: str) -> Renamed | None:
    """Write a player's name differently; raises `NamesError` (R2)."""
    game = _sheet(pad, person, game_number, player)
    renamed = game.board.renamed(player, tidy(name))
    check_names(renamed.players)
    if renamed == game.board:
        return None
    return Renamed(person, game_number, player, tidy(name))


def count(pad: Pad, person: str, game_number: int, on: bool) -> Counting | None:
    """Switch turn counting on or off."""
    game = _whole(pad, person, game_number)
    return None if game.board.counting == on else Counting(person, game_number, on)


def end(pad: Pad, person: str, game_number: int) -> Ended | None:
    """End a game by hand, as it stands."""
    game = _whole(pad, person, game_number)
    return None if game.finished else Ended(person, game_number)


def answer(
    pad: Pad, person: str, game_number: int, question: int, take: bool, standing: int | None = None
) -> Answered:
    """Answer a question: take the later entry, or leave what stands."""
    game = pad.game_at(game_number)
    asked = game.question(question)
    if asked is None:
        raise NotOnPad("no_question", "this question has been answered already")
    game = _sheet(pad, person, game_number, asked.asked.player)
    now = game.board.written[asked.asked.player].get(asked.asked.field)
    if take and standing is not None and standing != (now.number if now else 0):
        raise MovedOn(standing, pad.number)
    return Answered(person, game_number, question, take)


def undo(pad: Pad, person: str, game_number: int, line: int | None) -> Undone:
    """Take back the latest change; ``line`` is its event, as the person saw it."""
    game = pad.game_at(game_number)
    last = game.last_change()
    if last is None:
        raise NothingLeft("nothing_to_undo", "there is nothing to take back")
    if line is not None and line != last.number:
        raise MovedOn(line, pad.number)
    if person not in (pad.owner, last.event.by):
        raise NotYours
    return Undone(person, game_number)


def redo(pad: Pad, person: str, game_number: int, line: int | None) -> Redone:
    """Make the change again that was taken back last; ``line`` is its event."""
    game = pad.game_at(game_number)
    coming = game.next_change()
    if coming is None:
        raise NothingLeft("nothing_to_redo", "there is nothing to make again")
    if line is not None and line != coming.number:
        raise MovedOn(line, pad.number)
    if person not in (pad.owner, coming.event.by):
        raise NotYours
    return Redone(person, game_number)


def claim(pad: Pad, person: str, player: int | None) -> Claimed | None:
    """Say which player of the latest game a person is; ``None`` for who only looks on."""
    game = pad.game
    if player is not None:
        game.board.check_player(player)
    name = None if player is None else game.board.players[player]
    known = pad.people.get(person)
    return None if known == (None if name is None else same(name)) else Claimed(person, name)


def _sheet(pad: Pad, person: str, game_number: int, player: int) -> PadGame:
    """Give the game on a sheet of which this person may write."""
    game = pad.game_at(game_number)
    game.board.check_player(player)
    if not pad.may_enter(person, game, player):
        raise NotYours
    return game


def _whole(pad: Pad, person: str, game_number: int) -> PadGame:
    """Give the game, where this person may change what concerns all."""
    game = pad.game_at(game_number)
    if person != pad.owner:
        raise NotYours
    return game
