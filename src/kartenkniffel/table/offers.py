"""Links that take a place at a table to another device, once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from kartenkniffel.table.events import Claimed, Offered


@dataclass(frozen=True, slots=True)
class Offer:
    """The place of ``owner`` may be taken until a time."""

    owner: str
    until: datetime


def token_hash(token: str) -> str:
    """Give what is kept of a link's secret part."""
    return hashlib.sha256(token.encode()).hexdigest()


def offered(offers: Mapping[str, Offer], event: Offered) -> Mapping[str, Offer]:
    """Give the offers with one more; an older one of the same person is good no longer."""
    others = {token: offer for token, offer in offers.items() if offer.owner != event.owner}
    return {**others, event.token: Offer(event.owner, datetime.fromisoformat(event.until))}


def used(offers: Mapping[str, Offer], event: Claimed) -> tuple[Offer, Mapping[str, Offer]]:
    """Give the offer that was taken, and those left; raises ``KeyError`` where there is none."""
    offer = offers[event.token]
    return offer, {token: other for token, other in offers.items() if token != event.token}
