"""A pad as its events have made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from kartenkniffel.pad.errors import DamagedPad, NotOnPad, UnknownEvent
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
    Opened,
    PadEvent,
    Recounted,
    Redone,
    Renamed,
    Undone,
    from_body,
)
from kartenkniffel.pad.game import PadGame
from kartenkniffel.pad.names import same
from kartenkniffel.store import Event

_IN_GAMES = (
    Entered,
    Exchanged,
    Corrected,
    Recounted,
    Renamed,
    Counting,
    Ended,
    Asked,
    Answered,
    Undone,
    Redone,
)


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad after its event ``number``: the games played on it, and who they are that write.

    ``owner`` is the person who opened it. ``people`` tells which player a person is, by the name
    as `names.same` has it.
    """

    id: str
    number: int
    owner: str
    opened_at: datetime
    changed_at: datetime
    games: tuple[PadGame, ...] = ()
    people: Mapping[str, str] = field(default_factory=dict)

    @property
    def game(self) -> PadGame:
        """The game that is being played, or was last."""
        return self.games[-1]

    def game_at(self, number: int) -> PadGame:
        """Give a game by its number, from 1; raises `NotOnPad`."""
        if not 1 <= number <= len(self.games):
            raise NotOnPad("no_game", "there is no such game on this pad")
        return self.games[number - 1]

    def player_of(self, person: str, game: PadGame) -> int | None:
        """Give the seat of a person in a game, or ``None`` for who only looks on."""
        name = self.people.get(person)
        names = [same(player) for player in game.seated]
        return names.index(name) if name in names else None

    def name_of(self, person: str, game: PadGame) -> str | None:
        """Give the name under which a person writes in a game, if the person has said it."""
        player = self.player_of(person, game)
        return None if player is None else game.board.players[player]

    def may_enter(self, person: str, game: PadGame, player: int) -> bool:
        """Tell whether a person may write on a sheet: the own one, or the opener on any."""
        return person == self.owner or self.player_of(person, game) == player

    def writes(self, person: str) -> bool:
        """Tell whether a person may write on some sheet of the latest game."""
        return person == self.owner or self.player_of(person, self.game) is not None

    def add(self, event: Event) -> Pad:
        """Give the pad after one more event; raises `DamagedPad` where it does not follow."""
        if event.number != self.number + 1:
            raise DamagedPad(self.id, event.number, f"event {self.number + 1} is missing")
        pad = replace(self, number=event.number, changed_at=event.at)
        try:
            return pad._with(event, from_body(event.body))
        except UnknownEvent as error:
            raise DamagedPad(self.id, event.number, str(error)) from None
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise DamagedPad(self.id, event.number, "the event does not fit") from error

    def _with(self, event: Event, what: PadEvent) -> Pad:
        if isinstance(what, Began):
            game = PadGame.begin(len(self.games) + 1, event.number, event.at, what)
            return replace(self, games=(*self.games, game))
        if isinstance(what, Claimed):
            people = {who: name for who, name in self.people.items() if who != what.by}
            if what.name is not None:
                people[what.by] = same(what.name)
            return replace(self, people=people)
        if not isinstance(what, _IN_GAMES):
            raise ValueError("a pad is opened once")
        old = self.game_at(what.game)
        new = old.add(event.number, event.at, what)
        if old is self.game:
            new = replace(new, seated=new.board.players)
        games = (*self.games[: old.number - 1], new, *self.games[old.number :])
        return replace(self, games=games, people=self._people_after(old, new))

    def _people_after(self, old: PadGame, new: PadGame) -> Mapping[str, str]:
        """Let people stay who they are when a name of theirs is written differently.

        Only the latest game moves its seats along; in another one the name may be somebody else's.
        """
        before, now = old.seated, new.seated
        if before == now:
            return self.people
        called = {same(a): same(b) for a, b in zip(before, now, strict=True)}
        return {person: called.get(name, name) for person, name in self.people.items()}


def fold(events: Iterable[Event]) -> Pad:
    """Give the pad that these events, from number 1, have made; raises `DamagedPad`."""
    first, *others = events
    try:
        opened = from_body(first.body)
    except (LookupError, TypeError, ValueError, AttributeError):
        opened = None
    if not isinstance(opened, Opened) or first.number != 1:
        raise DamagedPad(first.log, first.number, "the pad is not opened yet")
    pad = Pad(first.log, 1, opened.by, first.at, first.at)
    for event in others:
        pad = pad.add(event)
    return pad
