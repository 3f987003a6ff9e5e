"""Metrics of commands and jobs, for Prometheus.

Processes that share a folder (PROMETHEUS_MULTIPROC_DIR) write their values there, so any web
process can serve the sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

ENTRIES = Counter("annals_entries", "Entries recorded", ("kind",))
CONFLICTS = Counter(
    "annals_version_conflicts", "Commands decided again because another writer appended first"
)
REFUSALS = Counter("annals_refusals", "Refused requests", ("code",))
JOBS = Histogram(
    "annals_job_seconds",
    "Duration of jobs",
    ("kind",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
FAILURES = Counter("annals_job_failures", "Failed jobs, which are retried", ("kind",))
BOT_SECONDS = Histogram(
    "annals_bot_seconds",
    "Thinking time of bots per move",
    ("game", "level"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 5, 10),
)
BOT_FAILURES = Counter(
    "annals_bot_failures", "Failed bot turns, which are retried", ("game", "level")
)
REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)
REQUESTS = Histogram(
    "annals_http_request_seconds",
    "Duration of requests",
    ("method", "route", "status"),
    buckets=REQUEST_BUCKETS,
)
LOOP_BLOCKED = Counter(
    "annals_loop_blocked", "Times that one request blocked the event loop for more than 20 ms"
)
WEBHOOKS = Histogram(
    "annals_webhook_seconds",
    "Duration of requests to webhook receivers, by outcome",
    ("outcome",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS = Gauge(
    "annals_streams_open",
    "Open streams",
    multiprocess_mode="livesum",
)

TLOG_LEAVES = Gauge(
    "annals_tlog_leaves", "Leaves of the transparency log", multiprocess_mode="livemax"
)
TLOG_WITNESSED = Gauge(
    "annals_tlog_witnessed",
    "Leaves in the last checkpoint of the transparency log that a witness signed",
    ("witness",),
    multiprocess_mode="livemax",
)
TLOG_STOPPED = Gauge(
    "annals_tlog_stopped",
    "1 if the transparency log is stopped to avoid contradicting a signed checkpoint",
    multiprocess_mode="livemax",
)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request and its duration."""
    _request_histogram(method, route, status).observe(seconds)


def count_entry(kind: str) -> None:
    """Count an entry."""
    _entry_counter(kind).inc()


@cache
def _entry_counter(kind: str) -> Counter:
    return ENTRIES.labels(kind)


@cache
def _request_histogram(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, status)


def collect_metrics(folder: Path) -> Iterable[Metric]:
    """Return the sums over all processes that share a folder; none if it is gone, as after a logout
    that deletes what is in memory for a user.
    """
    if not folder.is_dir():
        return ()
    collector = MultiProcessCollector(None, str(folder))  # type: ignore[no-untyped-call]  # it has no annotations
    found: Iterable[Metric] = collector.collect()  # type: ignore[no-untyped-call]  # likewise
    return found
