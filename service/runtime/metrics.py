"""What commands and jobs count, for Prometheus.

Processes that share a folder (PROMETHEUS_MULTIPROC_DIR) write their counts to it, so that whichever
web process is asked tells those of all.
"""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

ENTRIES = Counter("annals_entries", "Entries recorded", ("kind",))
CONFLICTS = Counter("annals_version_conflicts", "Decisions made anew, since others were faster")
REFUSALS = Counter("annals_refusals", "Requests that were refused", ("code",))
JOBS = Histogram(
    "annals_job_seconds",
    "Jobs and how long they took",
    ("kind",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
FAILURES = Counter("annals_job_failures", "Jobs that failed, and are tried again", ("kind",))
THINKING = Histogram(
    "annals_bot_seconds",
    "How long bots thought about a move",
    ("game", "level"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 5, 10),
)
BOT_FAILURES = Counter(
    "annals_bot_failures", "Times a bot failed at a turn, and tries again", ("game", "level")
)
REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30)
REQUESTS = Histogram(
    "annals_http_request_seconds",
    "Requests and how long they took",
    ("method", "route", "status"),
    buckets=REQUEST_BUCKETS,
)
HELD = Counter("annals_loop_held", "Times that one request kept all others waiting over 20 ms")
WEBHOOKS = Histogram(
    "annals_webhook_seconds",
    "Requests to receivers of webhooks, by what became of them, and how long they took",
    ("outcome",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS = Gauge(
    "annals_streams_open",
    "Streams that are open",
    multiprocess_mode="livesum",
)

TLOG_LEAVES = Gauge(
    "annals_tlog_leaves", "Leaves of the transparency log", multiprocess_mode="livemax"
)
TLOG_WITNESSED = Gauge(
    "annals_tlog_witnessed",
    "Leaves of the transparency log in the last checkpoint that a witness signed",
    ("witness",),
    multiprocess_mode="livemax",
)
TLOG_STOPPED = Gauge(
    "annals_tlog_stopped",
    "Whether the transparency log is not signed, since that might contradict what was",
    multiprocess_mode="livemax",
)


def served(method: str, route: str, status: int, seconds: float) -> None:
    """Note that a request was answered."""
    _histogram(method, route, status).observe(seconds)


def recorded(kind: str) -> None:
    """Note that an entry was recorded."""
    _counter(kind).inc()


@cache
def _counter(kind: str) -> Counter:
    return ENTRIES.labels(kind)


@cache
def _histogram(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, status)
