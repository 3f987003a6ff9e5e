"""Rates, latencies and forecasts from samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from statistics import linear_regression
from typing import NamedTuple

from service.admin.samples import Sample
from service.runtime.metrics import REQUEST_BUCKETS

DAY_MS = 86_400_000
MAX_POINTS = 96
"""How many points a chart has, at most."""
MIN_SPAN_MS = DAY_MS // 2
"""How long samples must reach back for a forecast."""
STEP_SHARE = 0.1
"""A change by more than this share of the greatest amount is a step, not the usual pace."""
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


def traffic(samples: Sequence[Sample]) -> Traffic:
    """Return what happened between the first and the last of these samples, two or more."""
    grown = zip(*(_grow(before, after) for before, after in pairwise(samples)), strict=True)
    moves, errors, *requests = map(sum, grown)
    at = samples[-1].at
    seconds = max(1.0, (at - samples[0].at) / 1000)
    return Traffic(
        at, round(moves / seconds, 3), round(sum(requests) / seconds, 3),
        quantile_ms(requests, 0.5), quantile_ms(requests, 0.99), errors,
    )  # fmt: skip


def split_day(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Return the samples of the last day in at most MAX_POINTS parts, one for each point of a
    chart. Each part begins with the last sample of the part before.
    """
    recent = [one for one in samples if one.at > samples[-1].at - DAY_MS]
    last = len(recent) - 1
    step = -(-last // MAX_POINTS) or 1
    return [recent[max(0, end - step) : end + 1] for end in range(last, 0, -step)][::-1]


def days_until_empty(points: Sequence[tuple[int, float]]) -> int | None:
    """Return in how many days something is used up, by its amounts at times (ms); None if it is not
    used up, or has not been watched for long enough since the last step.
    """
    points = _after_last_step(points)
    if not points or points[-1][0] - points[0][0] < MIN_SPAN_MS:
        return None
    slope, _ = linear_regression(*zip(*((at / DAY_MS, left) for at, left in points), strict=True))
    days = points[-1][1] / -slope if slope < 0 else MAX_DAYS
    return int(days) if days < MAX_DAYS else None


def _after_last_step(points: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    """Return the points from the last step on: where the amount rose, as after a cleanup, or fell
    at once.
    """
    step = STEP_SHARE * max((left for _, left in points), default=0)
    start, low, before = 0, inf, 0.0
    for place, (_, left) in enumerate(points):
        if left - low > step or before - left > step:
            start, low = place, left
        low, before = min(low, left), left
    return points[start:]


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


def _grow(before: Sample, after: Sample) -> list[int]:
    """Return how far each counter came: moves, errors, and requests by bucket. If any fell, there
    was a restart, and all began at 0.
    """
    old, new = ((one.moves, one.errors, *one.requests) for one in (before, after))
    grown = [now - earlier for earlier, now in zip(old, new, strict=True)]
    return grown if min(grown) >= 0 else list(new)
