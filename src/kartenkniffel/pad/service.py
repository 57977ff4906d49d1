"""The pads in a store: the one way in for what people write."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

from kartenkniffel.pad import commands
from kartenkniffel.pad.cache import Cache
from kartenkniffel.pad.commands import NewGame
from kartenkniffel.pad.errors import DamagedPad, NotYours, PadError, UnknownPad
from kartenkniffel.pad.events import Opened, PadEvent, to_body
from kartenkniffel.pad.state import Pad, fold
from kartenkniffel.pad.told import Told
from kartenkniffel.rules import Field
from kartenkniffel.store import Conflict, DamagedLog, Event, Store, UnknownLog

KIND = "pad"
"""What kind of log a pad is in the store."""

MOST_KEPT = 128
"""How many pads are kept in mind; the others are folded anew when asked for."""

_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 16  # whoever knows it may look on, so that it must not be guessed
NOBODY = ""
"""Who stands in the place of somebody who wanted to be forgotten."""

_log = logging.getLogger(__name__)

Watcher: TypeAlias = Callable[[str, int, frozenset[str]], None]


class Pads:
    """All pads in a store. Every method may be called from any thread.

    Commands name the person who gives them. A person's key is done once: used again it gives the
    pad as it stands and does nothing, so that what was written without a network can be sent until
    it arrives. Any command may raise `UnknownPad`, `DamagedPad`, `NotYours` and `NotOnPad`.
    """

    def __init__(self, store: Store, *, rng: random.Random | None = None) -> None:
        self._store = store
        self._rng = random.SystemRandom() if rng is None else rng
        self._cache = Cache(MOST_KEPT)
        self._watchers: tuple[tuple[object, Watcher], ...] = ()
        self._lock = threading.Lock()

    # The pads

    def open(self, person: str, wanted: NewGame, *, key: str | None = None) -> Pad:
        """Open a pad with its first game; raises what `NewGame.event` raises."""
        began = wanted.event(person, self._rng)
        id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
        bodies = [to_body(Opened(person)), to_body(began)]
        own_key = None if key is None else _private_key("pad", person, key)
        events = self._store.create(id, KIND, [person], bodies, own_key)
        return self.get(events[0].log)

    def get(self, id: str) -> Pad:
        """Give the pad as it stands now."""
        if not (id.isascii() and id.isalnum()):
            raise UnknownPad(id)
        pad = self._cache.get(id)
        try:
            if pad is None:
                if self._store.info(id).kind != KIND:
                    raise UnknownPad(id)
                pad = fold(self._store.read(id))
            else:
                for event in self._store.read(id, pad.number):
                    pad = pad.add(event)
        except UnknownLog:
            self._cache.drop(id)
            raise UnknownPad(id) from None
        except DamagedLog as error:
            raise DamagedPad(id, error.number, "it is not readable") from None
        self._cache.put(pad)
        return pad

    def of_person(self, person: str, limit: int | None = 100) -> list[Pad]:
        """List the pads that a person opened or writes on, those changed last first."""
        found = []
        for info in self._store.logs(person, KIND, limit):
            try:
                found.append(self.get(info.id))
            except PadError as error:
                _log.warning("a pad is left out of a list: %s", error)
        return sorted(found, key=lambda pad: pad.changed_at, reverse=True)

    def delete(self, id: str, person: str) -> None:
        """Remove a pad and all its games for good; only its opener may."""
        pad = self.get(id)
        if person != pad.owner:
            raise NotYours
        self._store.delete(id)
        self._cache.drop(id)
        self._tell(pad, 0)

    def leave(self, id: str, person: str) -> None:
        """Take somebody else's pad off one's list, and be no player on it any more."""
        pad = self.get(id)
        if person == pad.owner:
            raise NotYours
        self.claim(id, person, None)
        self._store.part(id, person)

    def forget(self, person: str) -> None:
        """Delete the pads that a person opened, and take the person out of all others.

        What was entered there stays, by nobody in particular.
        """
        for pad in self.of_person(person, limit=None):
            if pad.owner == person:
                self.delete(pad.id, person)
                continue
            self.leave(pad.id, person)
            events = self._store.read(pad.id)
            own = {e.number: {**e.body, "by": NOBODY} for e in events if e.body["by"] == person}
            self._store.amend(pad.id, own)
            self._cache.drop(pad.id)
        self._store.purge()

    # On a pad

    def begin(
        self, id: str, person: str, wanted: NewGame, *, after: int, key: str | None = None
    ) -> Pad:
        """Begin the game after number ``after``, unless somebody has; raises `GameRunning`."""
        return self._do(
            id, person, key, lambda pad: commands.begin(pad, person, wanted, after, self._rng)
        )

    def enter(
        self,
        id: str,
        person: str,
        game: int,
        player: int,
        field: Field,
        told: Told,
        *,
        passed: tuple[int, ...] = (),
        seen: int | None = None,
        turns: int | None = None,
        key: str | None = None,
    ) -> Pad:
        """Write into an open field (R6 to R10, R12); see `commands.enter`."""
        make = partial(
            commands.enter,
            person=person,
            game_number=game,
            player=player,
            field=field,
            told=told,
            passed=passed,
            seen=seen,
            turns=turns,
        )
        return self._do(id, person, key, make)

    def exchange(
        self,
        id: str,
        person: str,
        game: int,
        player: int,
        *,
        turns: int | None = None,
        key: str | None = None,
    ) -> Pad:
        """Let a turn go by without an entry (R5, R12); see `commands.exchange`."""
        return self._do(
            id, person, key, lambda pad: commands.exchange(pad, person, game, player, turns)
        )

    def correct(
        self,
        id: str,
        person: str,
        game: int,
        player: int,
        field: Field,
        told: Told | None,
        *,
        standing: int | None = None,
        key: str | None = None,
    ) -> Pad:
        """Put something else into a field, or nothing; see `commands.correct`."""
        make = partial(
            commands.correct,
            person=person,
            game_number=game,
            player=player,
            field=field,
            told=told,
            standing=standing,
        )
        return self._do(id, person, key, make)

    def recount(
        self,
        id: str,
        person: str,
        game: int,
        player: int,
        exchanges: int,
        *,
        key: str | None = None,
    ) -> Pad:
        """Correct how many turns of a player went by without an entry."""
        return self._do(
            id, person, key, lambda pad: commands.recount(pad, person, game, player, exchanges)
        )

    def rename(
        self, id: str, person: str, game: int, player: int, name: str, *, key: str | None = None
    ) -> Pad:
        """Write a player's name differently (R2)."""
        return self._do(
            id, person, key, lambda pad: commands.rename(pad, person, game, player, name)
        )

    def count(self, id: str, person: str, game: int, on: bool, *, key: str | None = None) -> Pad:
        """Switch turn counting on or off; the opener's alone."""
        return self._do(id, person, key, lambda pad: commands.count(pad, person, game, on))

    def end(self, id: str, person: str, game: int, *, key: str | None = None) -> Pad:
        """End a game by hand; the opener's alone."""
        return self._do(id, person, key, lambda pad: commands.end(pad, person, game))

    def answer(
        self,
        id: str,
        person: str,
        game: int,
        question: int,
        take: bool,
        *,
        standing: int | None = None,
        key: str | None = None,
    ) -> Pad:
        """Answer what two entries for one field have asked."""
        return self._do(
            id,
            person,
            key,
            lambda pad: commands.answer(pad, person, game, question, take, standing),
        )

    def undo(
        self, id: str, person: str, game: int, *, line: int | None = None, key: str | None = None
    ) -> Pad:
        """Take back the latest change: the opener any, others their own."""
        return self._do(id, person, key, lambda pad: commands.undo(pad, person, game, line))

    def redo(
        self, id: str, person: str, game: int, *, line: int | None = None, key: str | None = None
    ) -> Pad:
        """Make again what was taken back last."""
        return self._do(id, person, key, lambda pad: commands.redo(pad, person, game, line))

    def claim(self, id: str, person: str, player: int | None, *, key: str | None = None) -> Pad:
        """Say which player a person is."""
        return self._do(id, person, key, lambda pad: commands.claim(pad, person, player))

    def _do(
        self, id: str, person: str, key: str | None, make: Callable[[Pad], PadEvent | None]
    ) -> Pad:
        own_key = None if key is None else _private_key(person, key)
        while True:
            pad = self.get(id)
            if own_key is not None and self._store.made(id, own_key):
                return self.get(id)
            event = make(pad)
            if event is None:
                return pad
            try:
                return self._append(pad, event, person, own_key)
            except Conflict:
                continue

    def _append(self, pad: Pad, event: PadEvent, person: str, key: str | None) -> Pad:
        body = to_body(event)
        # Followed once before it is kept, so that no log can hold what cannot be read again.
        ahead = pad.add(Event(pad.id, pad.number + 1, body, key, datetime.now(UTC)))
        try:
            stored = self._store.append(
                pad.id, pad.number, [body], key, finished=ahead.game.finished, joining=[person]
            )
        except UnknownLog:
            self._cache.drop(pad.id)
            raise UnknownPad(pad.id) from None
        if stored[0].number != pad.number + 1:
            return self.get(pad.id)
        pad = pad.add(stored[0])
        self._cache.put(pad)
        self._tell(pad, pad.number)
        return pad

    # Live

    def watch(self, callback: Watcher) -> Callable[[], None]:
        """Call back after each event with the pad's id, its number and the people on it.

        Gives a function that ends it. 0 means that the pad was deleted. The callback runs in the
        writer's thread and should be quick.
        """
        watcher = (object(), callback)
        with self._lock:
            self._watchers = (*self._watchers, watcher)

        def unwatch() -> None:
            with self._lock:
                self._watchers = tuple(other for other in self._watchers if other is not watcher)

        return unwatch

    def _tell(self, pad: Pad, number: int) -> None:
        people = frozenset({pad.owner, *pad.people})
        for _, callback in self._watchers:
            try:
                callback(pad.id, number, people)
            except Exception:
                _log.exception("a watcher of the pads failed")


def _private_key(*parts: str) -> str:
    """Give the key of a command that does not show whose it is."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
