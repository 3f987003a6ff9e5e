"""Samples of the metrics, of the last days: charts and forecasts follow from them.

Prometheus keeps metrics for as long as you like. These few are for operators without it: a file
beside the data, to which the keeper adds a sample every SAMPLE_S seconds.
"""

from __future__ import annotations

import shutil
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

import msgspec

from service.admin.machine import read_memory
from service.matches.container import wall_clock
from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.runtime.metrics import REQUEST_BUCKETS, collect_metrics
from service.runtime.metrics_folder import metrics_folder
from service.runtime.settings import Settings

SAMPLES_FILE = "samples.json"
SAMPLE_S = 300
KEPT_MS = 7 * 86_400_000
FIRST_ERROR = 500
ENDLESS = "stream"
"""What the routes of streams have in their names: the duration of such a request says nothing."""
MB = 1_000_000


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """What the metrics said at a time (ms since the epoch). Counters begin at 0 with each start."""

    at: int
    moves: int
    requests: tuple[int, ...]
    """By bucket of REQUEST_BUCKETS, and one more for all that took longer."""
    errors: int
    """Responses with a status from 500 on."""
    disk_free_mb: int
    memory_free_mb: int


_SAMPLES = msgspec.json.Decoder(tuple[Sample, ...])


def read_samples(data: Path) -> tuple[Sample, ...]:
    """Return the samples, the oldest first; none if the file is missing or cannot be read. Leaves
    out those of a version that had other buckets.
    """
    with suppress(OSError, msgspec.MsgspecError):
        found = _SAMPLES.decode((data / SAMPLES_FILE).read_bytes())
        return tuple(one for one in found if len(one.requests) == len(REQUEST_BUCKETS) + 1)
    return ()


def add_sample(data: Path, sample: Sample) -> None:
    """Add a sample to the file, and drop those that are too old, or from the future."""
    kept = [one for one in read_samples(data) if sample.at - KEPT_MS < one.at < sample.at]
    write_durably(data / SAMPLES_FILE, msgspec.json.encode([*kept, sample]), PRIVATE_MODE)


def take_sample(settings: Settings, now: int) -> Sample:
    """Return a sample of this moment, `now`."""
    moves, requests, errors = 0, [0] * (len(REQUEST_BUCKETS) + 1), 0
    for metric in collect_metrics(metrics_folder(settings.data)):
        for name, labels, value, *_ in metric.samples:
            if name == "annals_entries_total" and labels["kind"] == "Moved":
                moves += int(value)
            elif name == "annals_http_request_seconds_bucket" and ENDLESS not in labels["route"]:
                requests[bisect_left(REQUEST_BUCKETS, float(labels["le"]))] += int(value)
            elif name == "annals_http_request_seconds_count":
                errors += int(value) if int(labels["status"]) >= FIRST_ERROR else 0
    buckets = tuple(above - below for below, above in zip([0, *requests], requests, strict=False))
    free_mb, memory = shutil.disk_usage(settings.data).free // MB, read_memory()
    return Sample(now, moves, buckets, errors, free_mb, memory.free_mb)


def keep_samples(settings: Settings, stop: Event, report: Callable[[Exception], None]) -> None:
    """Add samples until `stop` is set. Calls `report` with the error of each one that fails."""
    while not stop.is_set():
        try:
            add_sample(settings.data, take_sample(settings, wall_clock()))
        except Exception as error:  # such as on a full disk; the keeper has more to do
            report(error)
        stop.wait(SAMPLE_S)
