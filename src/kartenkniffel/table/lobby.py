"""A table before its game: who sits there, who is the host, what was agreed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from kartenkniffel.table.events import (
    Claimed,
    Closed,
    Filled,
    HandedOver,
    Invited,
    Joined,
    Left,
    Offered,
    TableEvent,
    Terms,
)
from kartenkniffel.table.offers import Offer, offered, used


@dataclass(frozen=True, slots=True)
class Guest:
    """A person at the table; ``number`` is that of the event with which they sat down."""

    number: int
    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table at which people gather, after its event ``number``; nothing in it is secret but
    whose key is whose.

    ``guests`` sit clockwise in the order they came; ``host`` is the number of one of them.
    ``removed`` are the player ids that the host does not want.
    """

    id: str
    number: int
    code: str
    terms: Terms
    guests: tuple[Guest, ...]
    host: int
    opened_at: datetime
    changed_at: datetime
    removed: frozenset[str] = frozenset()
    closed: bool = False
    offers: Mapping[str, Offer] = field(default_factory=dict, repr=False)

    @property
    def free(self) -> int:
        """The number of seats that nobody has taken."""
        return self.terms.seats - len(self.guests)

    @property
    def owners(self) -> frozenset[str]:
        """The player ids of all who sit here."""
        return frozenset(guest.owner for guest in self.guests)

    def guest_of(self, player: str | None) -> Guest | None:
        """Give the guest who is this player, or ``None`` for a stranger."""
        return next((guest for guest in self.guests if guest.owner == player), None)

    def is_host(self, player: str | None) -> bool:
        """Tell whether this player has the host's powers."""
        guest = self.guest_of(player)
        return guest is not None and guest.number == self.host

    def after(self, event: TableEvent) -> Lobby:
        """Give the lobby after an event of its number; raises ``ValueError`` for one that is none
        of a lobby."""
        match event:
            case Joined():
                guest = Guest(self.number, event.name, event.owner)
                return replace(self, guests=(*self.guests, guest))
            case Left():
                return self._without(event)
            case HandedOver():
                return replace(self, host=event.guest)
            case Filled():
                terms = replace(self.terms, fill=event.fill, level=event.level)
                return replace(self, terms=terms)
            case Closed():
                return replace(self, closed=True)
            case Offered():
                return replace(self, offers=offered(self.offers, event))
            case Claimed():
                return self._moved(event)
            case _:
                raise ValueError("the game has not begun")

    def _without(self, left: Left) -> Lobby:
        who = next(guest for guest in self.guests if guest.number == left.guest)
        stayed = tuple(guest for guest in self.guests if guest is not who)
        host = self.host
        if host == who.number and stayed:
            # The next person clockwise is the host, with all powers.
            place = self.guests.index(who)
            host = (*self.guests[place + 1 :], *self.guests)[0].number
        removed = self.removed | {who.owner} if left.removed else self.removed
        return replace(self, guests=stayed, host=host, removed=removed, closed=not stayed)

    def _moved(self, claimed: Claimed) -> Lobby:
        offer, offers = used(self.offers, claimed)
        guests = tuple(
            replace(guest, owner=claimed.owner) if guest.owner == offer.owner else guest
            for guest in self.guests
        )
        return replace(self, guests=guests, offers=offers)


def invited(id: str, number: int, event: Invited, at: datetime) -> Lobby:
    """Give the lobby that an invitation opens; whoever invites is its first guest and host."""
    return Lobby(
        id=id,
        number=number,
        code=event.code,
        terms=event.terms,
        guests=(Guest(number, event.name, event.owner),),
        host=number,
        opened_at=at,
        changed_at=at,
    )
