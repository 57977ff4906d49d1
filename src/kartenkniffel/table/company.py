"""What people at a table do besides moving: talk, agree, go away and come back."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

from kartenkniffel.table.errors import MovedOn, NotPossible, NotSeated, StillHere
from kartenkniffel.table.events import (
    Answered,
    Claimed,
    Ended,
    Matter,
    Offered,
    Proposed,
    Said,
    StoodIn,
    TableEvent,
    TookBack,
    Undone,
)
from kartenkniffel.table.journal import Change, Journal, private_key, running
from kartenkniffel.table.offers import Offer, token_hash
from kartenkniffel.table.state import Proposal, State, Table

PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "lucky",
    "thanks",
    "sorry",
    "one_moment",
    "your_turn",
    "again",
    "bye",
)
"""What can be said in words; the pages have the words for it."""

EMOJI = ("👏", "😀", "😂", "😅", "🤔", "😮", "😢", "🎉", "❤️", "👋")
"""What can be said without words."""

OFFER_MINUTES = 10
"""How long a link to another device is good."""


class Company:
    """What people at running tables do. Every method may be called from any thread.

    Each raises `UnknownTable` where no game has begun and `NotSeated` for people without a seat.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def say(self, id: str, player: str, phrase: str, key: str | None = None) -> Table:
        """Let a player say one of `PHRASES` or `EMOJI`; raises ``ValueError`` for anything else."""
        if phrase not in PHRASES and phrase not in EMOJI:
            raise ValueError("this cannot be said here")

        def decide(table: Table) -> Change:
            return Change([Said(_seat(table, player), phrase)])

        return self._change(id, decide, None if key is None else private_key("say", player, key))

    def propose(
        self,
        id: str,
        player: str,
        matter: Matter,
        is_here: Callable[[str], bool] = lambda _: True,
    ) -> Table:
        """Ask the others to end the game as it stands, or to take back one's latest move.

        It is done at once where nobody else must agree. Asked for what is asked for already, a
        player agrees. ``is_here`` tells who is there: also those whose time had run out must agree
        then. Raises `NotPossible` where there is nothing to end or to take back, or where somebody
        else asks for something; and ``ValueError`` for any other matter.
        """
        if matter not in get_args(Matter):
            raise ValueError("this cannot be asked of the others")

        def decide(table: Table) -> Change | None:
            seat = _seat(table, player)
            asked = table.proposal
            if table.finished:
                raise NotPossible(id, matter, "the game is over")
            if asked is not None and asked.matter == matter:
                return _agreed(table, asked, seat, player, is_here)
            if asked is not None and player != table.seats[asked.seat].owner:
                raise NotPossible(id, "asked", "something is proposed already; answer that first")
            if matter == "undo" and not table.undoable_by(player):
                raise NotPossible(
                    id, "undo", "only the latest move, by which no card was seen, can be undone"
                )
            return _settled(table, [Proposed(seat, matter)], is_here)

        return self._change(id, decide)

    def answer(
        self,
        id: str,
        player: str,
        agreed: bool,
        number: int | None = None,
        is_here: Callable[[str], bool] = lambda _: True,
    ) -> Table:
        """Agree to what was proposed, or not; does nothing where nothing is.

        ``number`` is that of the proposal that the player saw; raises `MovedOn` where it is another
        one by now.
        """

        def decide(table: Table) -> Change | None:
            seat = _seat(table, player)
            asked = table.proposal
            if asked is None:
                return None
            if number is not None and asked.number != number:
                raise MovedOn(id, number, table.number)
            if agreed:
                return _agreed(table, asked, seat, player, is_here)
            return Change([Answered(seat, False)])

        return self._change(id, decide)

    def stand_in(self, id: str, player: str, seat: int, is_here: Callable[[str], bool]) -> Table:
        """Let a bot play for somebody who has been gone a while; raises `StillHere` if not so."""

        def decide(table: Table) -> Change | None:
            _seat(table, player)
            if not 0 <= seat < len(table.seats) or table.finished or table.bot_at(seat):
                return None
            owner = table.seats[seat].owner
            if owner is None or owner == player or is_here(owner):
                raise StillHere(id)
            return _settled(table, [StoodIn(seat, "gone")], is_here)

        return self._change(id, decide)

    def leave(self, id: str, player: str, is_here: Callable[[str], bool] = lambda _: True) -> Table:
        """Let bots play a person's seats, until they are taken back."""

        def decide(table: Table) -> Change | None:
            _seat(table, player)
            if table.finished:
                return None
            own = [n for n in table.seats_of(player) if table.stand_ins.get(n) != "left"]
            return _settled(table, [StoodIn(seat, "left") for seat in own], is_here)

        return self._change(id, decide)

    def take_back(self, id: str, player: str) -> Table:
        """Let a person play again where bots stand in."""

        def decide(table: Table) -> Change | None:
            _seat(table, player)
            seats = [seat for seat in table.seats_of(player) if seat in table.stand_ins]
            if table.finished:
                return None
            # Who took the table off the own list has it there again.
            return Change([TookBack(seat) for seat in seats], joining=[player])

        return self._change(id, decide)

    def overdue(self, id: str, number: int, now: datetime) -> Table:
        """Let a bot stand in for the person whose time is over at the turn of this event."""

        def decide(table: Table) -> Change | None:
            due, seat = table.due, table.to_move
            if table.turn != number or due is None or seat is None or due > now:
                return None
            # Nothing is agreed to by this: who is slow may be there, and about to say no.
            return Change([StoodIn(seat, "clock")])

        return self._change(id, decide)

    def offer(self, id: str, player: str) -> str:
        """Make the secret part of a link that takes the player's place to another device, once.

        It is good for `OFFER_MINUTES`; an older one no longer.
        """
        token = secrets.token_urlsafe(24)
        until = datetime.now(UTC) + timedelta(minutes=OFFER_MINUTES)
        offered = Offered(player, token_hash(token), until.isoformat(timespec="seconds"))

        def decide(state: State) -> Change:
            if player not in state.owners:
                raise NotSeated(id)
            return Change([offered])

        self._journal.change(id, decide)
        return token

    def offered_name(self, id: str, token: str) -> str | None:
        """Give the name of the one whose place a link would take, ``None`` where it is good no
        longer."""
        state = self._journal.look(id)
        offer = state.offers.get(token_hash(token))
        if offer is None or not _is_good(offer, state):
            return None
        guests = state.seats if isinstance(state, Table) else state.guests
        return next((guest.name for guest in guests if guest.owner == offer.owner), None)

    def claim(self, id: str, player: str, token: str) -> State:
        """Give a place to the device that comes with the link.

        Raises `NotPossible` where the link was used or is too old, and where the device has a place
        at this table.
        """
        hashed = token_hash(token)

        def decide(state: State) -> Change | None:
            offer = state.offers.get(hashed)
            if offer is None or not _is_good(offer, state):
                raise NotPossible(id, "claim", "this link has been used, or is too old")
            if offer.owner == player:
                raise NotPossible(id, "same", "this is the device that has the seat already")
            if player in state.owners:
                raise NotPossible(id, "seated", "this device has a seat at this table already")
            return Change([Claimed(player, hashed)], joining=[player], parting=[offer.owner])

        return self._journal.change(id, decide, private_key("claim", player, hashed))

    def _change(
        self, id: str, decide: Callable[[Table], Change | None], key: str | None = None
    ) -> Table:
        return running(self._journal.change(id, lambda state: decide(running(state)), key))


def _seat(table: Table, player: str) -> int:
    seat = table.seat_of(player)
    if seat is None:
        raise NotSeated(table.id)
    return seat


def _is_good(offer: Offer, state: State) -> bool:
    """Tell whether an offer's time is not over and whoever made it has the place still."""
    return offer.until >= datetime.now(UTC) and offer.owner in state.owners


def _agreed(
    table: Table, asked: Proposal, seat: int, player: str, is_here: Callable[[str], bool]
) -> Change:
    return _settled(table, [] if player in asked.agreed else [Answered(seat, True)], is_here)


def _settled(
    table: Table, events: Sequence[TableEvent], is_here: Callable[[str], bool] = lambda _: True
) -> Change:
    """Add what follows when by these events all have agreed."""
    after = table
    for event in events:
        after = replace(after, number=after.number + 1).after(event)
    asked = after.proposal
    if asked is None or not after.must_agree(is_here) <= asked.agreed:
        return Change(events)
    if asked.matter == "undo":
        return Change([*events, Undone()])
    return Change([*events, Ended()], finished=True)
