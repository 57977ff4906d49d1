"""How often one person, and one address, may do something; far more than anybody needs."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, RateLimiter
from starlette.exceptions import HTTPException

PER_KEY = {
    "open": parse("60/minute"),
    "join": parse("60/minute"),
    "move": parse("600/10 seconds"),
    "say": parse("20/minute"),
}
"""What one person may do."""

PER_ADDRESS = {
    "open": parse("1000/minute"),
    "join": parse("3000/minute"),
    "move": parse("10000/10 seconds"),
}
"""What all people behind one address may do together; a whole school may sit behind one."""

WRONG_CODES = parse("10/minute")
"""How many wrong codes may come from one address."""


class Limits:
    """Counts what people do. `check` and the others raise an `HTTPException` of status 429."""

    def __init__(self) -> None:
        storage = MemoryStorage()
        self._limiter = FixedWindowRateLimiter(storage)
        self._codes = MovingWindowRateLimiter(storage)
        self._looked_up: Counter[str] = Counter()

    def check(self, what: str, person: str, host: str) -> None:
        """Count something that a person does, or refuse it.

        What is refused to one person does not count against the others at the address.
        """
        self._count(PER_KEY[what], what, person)
        if what in PER_ADDRESS:
            self._count(PER_ADDRESS[what], f"{what}-address", address_of(host))

    @contextmanager
    def trying_a_code(self, host: str) -> Iterator[None]:
        """Refuse a code from an address that has sent too many wrong ones.

        Codes that are being looked up count as wrong until it is known, or many sent at once would
        all get through.
        """
        address = address_of(host)
        if not self._codes.test(WRONG_CODES, address, cost=self._looked_up[address] + 1):
            raise _too_many(self._codes, WRONG_CODES, address)
        self._looked_up[address] += 1
        try:
            yield
        finally:
            self._looked_up[address] -= 1
            if not self._looked_up[address]:
                del self._looked_up[address]

    def wrong_code(self, host: str) -> None:
        """Count a wrong code."""
        self._codes.hit(WRONG_CODES, address_of(host))

    def _count(self, item: RateLimitItem, *names: str) -> None:
        if not self._limiter.hit(item, *names):
            raise _too_many(self._limiter, item, *names)


def address_of(host: str) -> str:
    """Give what counts as one address: with IPv6 the whole network of a household."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _too_many(limiter: RateLimiter, item: RateLimitItem, *names: str) -> HTTPException:
    reset = limiter.get_window_stats(item, *names).reset_time
    seconds = max(1, math.ceil(reset - time.time()))
    return HTTPException(429, headers={"Retry-After": str(seconds)})
