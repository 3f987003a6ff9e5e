"""Rates, latencies and forecasts from samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import linear_regression
from typing import NamedTuple

from service.admin.samples import Sample
from service.runtime.metrics import REQUEST_BUCKETS

DAY_MS = 86_400_000
MAX_POINTS = 96
"""How many points a chart has, at most."""
MIN_SPAN_MS = DAY_MS // 2
"""How long samples must reach back for a forecast."""
MAX_DAYS = 3650
"""A forecast beyond this many days is none."""


class Traffic(NamedTuple):
    """What happened between two samples, the later of which is from `at`. Without requests there
    are no latencies.
    """

    at: int
    moves_per_s: float
    requests_per_s: float
    p50_ms: float | None
    p99_ms: float | None
    errors: int


def traffic(samples: Sequence[Sample]) -> list[Traffic]:
    """Return what happened between each two of these samples."""
    return [_between(before, after) for before, after in pairwise(samples)]


def thin(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Return the samples of the last day, at most MAX_POINTS of them; the last one stays."""
    recent = [one for one in samples if one.at > samples[-1].at - DAY_MS]
    step = -(-len(recent) // MAX_POINTS) or 1
    return recent[::-1][::step][::-1]


def days_until_empty(points: Sequence[tuple[int, float]]) -> int | None:
    """Return in how many days something is used up, by its amounts at times (ms); None if it is not
    used up, or has not been watched for long enough.
    """
    if not points or points[-1][0] - points[0][0] < MIN_SPAN_MS:
        return None
    slope, _ = linear_regression(*zip(*((at / DAY_MS, left) for at, left in points), strict=True))
    days = points[-1][1] / -slope if slope < 0 else MAX_DAYS
    return int(days) if days < MAX_DAYS else None


def quantile_ms(counts: Sequence[int], share: float) -> float | None:
    """Return the time (ms) within which this share of the requests was answered, by their number in
    each bucket, as Prometheus estimates it; None without requests.
    """
    wanted, seen, lower = share * sum(counts), 0, 0.0
    for count, upper in zip(counts, (*REQUEST_BUCKETS, REQUEST_BUCKETS[-1]), strict=True):
        if count and seen + count >= wanted:
            return round(1000 * (lower + (upper - lower) * (wanted - seen) / count), 1)
        seen, lower = seen + count, upper
    return None


def _between(before: Sample, after: Sample) -> Traffic:
    restarted = sum(after.requests) < sum(before.requests) or after.moves < before.moves
    moves, errors = after.moves, after.errors
    requests = list(after.requests)
    if not restarted:
        moves, errors = moves - before.moves, errors - before.errors
        requests = [new - old for new, old in zip(requests, before.requests, strict=True)]
    seconds = max(1.0, (after.at - before.at) / 1000)
    return Traffic(
        after.at, round(moves / seconds, 3), round(sum(requests) / seconds, 3),
        quantile_ms(requests, 0.5), quantile_ms(requests, 0.99), errors,
    )  # fmt: skip
