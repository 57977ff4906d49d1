"""Means with 95 % intervals.

What is independent in a match are its deals, not its games: one deal is played once from every
seat, and these games share their luck. So an interval is computed from one number to a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

_LEFT_OUT = 0.025  # on each side of a 95 % interval
_NORMAL = 1.959963984540054
_SMALL = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval; one deal alone gives no interval."""

    mean: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """Give the estimate as a JSON object, its numbers with six places."""
        return {
            "mean": round(self.mean, 6),
            "low": None if self.low is None else round(self.low, 6),
            "high": None if self.high is None else round(self.high, 6),
        }


def t_quantile(freedom: int) -> float:
    """Give the factor of a 95 % interval for so many degrees of freedom, good to four places.

    >>> round(t_quantile(9), 3), round(t_quantile(99), 3)
    (2.262, 1.984)
    """
    if freedom <= len(_SMALL):
        return _SMALL[freedom - 1]
    # Abramowitz and Stegun 26.7.5.
    z, n = _NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def estimate(values: Sequence[float]) -> Estimate | None:
    """Give the mean of independent values with its t interval; ``None`` where there are none.

    >>> estimate([1.0, 2.0, 3.0]).to_json()
    {'mean': 2.0, 'low': -0.484138, 'high': 4.484138}
    """
    count = len(values)
    if not count:
        return None
    mean = fsum(values) / count
    if count == 1:
        return Estimate(mean, None, None)
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (count - 1))
    half = t_quantile(count - 1) * spread / sqrt(count)
    return Estimate(mean, mean - half, mean + half)


def estimate_share(values: Sequence[float]) -> Estimate | None:
    """Give the mean of values from 0 to 1 with an interval that stays there.

    It is the t interval, but where nearly all values are the same their spread says too little (of
    none, nothing). What happens in a part q of all deals stays unseen in n of them with a chance of
    (1 − q)ⁿ, so the interval takes in what a q of 2.5 % chance might bring.

    >>> estimate_share([1.0] * 10).to_json()
    {'mean': 1.0, 'low': 0.691503, 'high': 1.0}
    """
    found = estimate(values)
    if found is None:
        return None
    unseen = 1 - _LEFT_OUT ** (1 / len(values))
    low = found.mean * (1 - unseen)
    high = low + unseen
    if found.low is not None and found.high is not None:
        low, high = min(low, found.low), max(high, found.high)
    return Estimate(found.mean, max(0.0, low), min(1.0, high))
