"""How the service fares: processes, queues, traffic, errors, disk, memory, and the log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import structlog
from msgspec.structs import replace
from redis import Redis

from service.admin.data_folder import describe_fault
from service.admin.error_log import last_errors
from service.admin.machine import find_processes, read_memory
from service.admin.queues import QueueState, read_queues
from service.admin.restarts import read_restarts
from service.admin.samples import Sample, read_samples, take_sample
from service.admin.trends import days_until_empty, split_day, traffic
from service.live.backlog import BacklogReader
from service.matches.container import Annals
from service.matches.queries import iso
from service.runtime.event_loop import run_in_thread
from service.runtime.settings import RUN_VARIABLE, Settings
from service.tlog.folder import CHECKPOINT, Folder

log = structlog.get_logger()
Json = dict[str, Any]
CACHE_S = 5.0
"""How long a process shows what it has read: however often operators ask, it costs the same."""
RECENT_MS = 60_000
"""How long ago the sample must be at least that the traffic of now is compared with."""
CHECKPOINT_LINES = 3
"""The lines of a checkpoint before its signatures: origin, size and root hash."""


class HealthReader:
    """Reads how the service fares, at most once in CACHE_S."""

    def __init__(self, annals: Annals, queue_redis: Redis, backlog: BacklogReader) -> None:
        self._annals, self._queue_redis, self._backlog = annals, queue_redis, backlog
        self._known: Json = {}
        self._until = 0.0
        self._lock = Lock()

    def read(self) -> Json:
        """Return what a process of this machine knows."""
        if monotonic() >= self._until:
            queues = read_queues(self._annals, self._queue_redis, self._backlog.read())
            run_in_thread(self._refresh, queues)
        return self._known

    def _refresh(self, queues: Sequence[QueueState]) -> None:
        """Read the rest, unless another caller has just done so: some 0.1 s with many processes."""
        with self._lock:
            if monotonic() >= self._until:
                self._known = self._read(queues)
                self._until = monotonic() + CACHE_S

    def _read(self, queues: Sequence[QueueState]) -> Json:
        annals, settings = self._annals, self._annals.settings
        samples = read_samples(settings.data)
        now = _sample_now(settings, samples, annals.now())
        return {
            "at": iso(now.at),
            "processes": list(_describe_processes(settings.data, now.at)),
            "queues": [one._asdict() for one in queues],
            "traffic": _traffic_now(samples, now),
            "disk": _describe_disk(samples, now, settings),
            "memory": _describe_memory(samples, now),
            "errors": last_errors(settings.data),
            "log": describe_log(settings.tlog_folder),
            "history": _history(split_day([*samples, now])),
        }


def _sample_now(settings: Settings, samples: Sequence[Sample], now: int) -> Sample:
    """Return a sample of now. If the metrics cannot be read, the last sample stands in."""
    try:
        return take_sample(settings, now)
    except Exception:
        if not samples:
            raise
        log.exception("metrics_unreadable")
        return replace(samples[-1], at=now)


def _describe_processes(data: Path, now: int) -> Iterator[Json]:
    restarts = read_restarts(data, os.environ.get(RUN_VARIABLE, "")).processes
    for one in find_processes():
        last = restarts.get(one.name)
        yield {
            "name": one.name,
            "started_at": iso(now - 1000 * one.age_s),
            "memory_mb": one.memory_mb,
            "restarts": last.count if last else 0,
            "last_restart": {"at": iso(last.at), "reason": last.reason} if last else None,
        }


def _traffic_now(samples: Sequence[Sample], now: Sample) -> Json | None:
    """Return the traffic since the last sample that is RECENT_MS old; None without one."""
    earlier = [one for one in samples if one.at <= now.at - RECENT_MS]
    if not earlier:
        return None
    found = traffic([*samples[len(earlier) - 1 :], now])
    return {**found._asdict(), "at": iso(now.at), "since": iso(earlier[-1].at)}


def _describe_disk(samples: Sequence[Sample], now: Sample, settings: Settings) -> Json:
    reserve_mb = settings.disk_reserve_mb
    points = [(one.at, max(0, one.disk_free_mb - reserve_mb)) for one in (*samples, now)]
    return {
        "free_mb": now.disk_free_mb,
        "reserve_mb": reserve_mb,
        "full_in_days": days_until_empty(points),
        "fault": describe_fault(settings.data, reserve_mb) or None,
    }


def _describe_memory(samples: Sequence[Sample], now: Sample) -> Json:
    points = [(one.at, one.memory_free_mb) for one in (*samples, now)]
    return {
        "free_mb": now.memory_free_mb,
        "whole_mb": read_memory().whole_mb,
        "full_in_days": days_until_empty(points),
    }


def describe_log(path: Path | None) -> Json | None:
    """Return the size, the signed head and the fault of the transparency log; None if it is off."""
    if path is None:
        return None
    folder = Folder(path)
    lines = (folder.text(CHECKPOINT) or "").splitlines()
    signed = len(lines) >= CHECKPOINT_LINES
    return {
        "origin": lines[0] if signed else None,
        "size": int(lines[1]) if signed else 0,
        "head": lines[2] if signed else None,
        "signed_at": _changed_at(folder) if signed else None,
        "fault": folder.stop_reason,
    }


def _changed_at(folder: Folder) -> str:
    return iso((folder.public / CHECKPOINT).stat().st_mtime_ns // 1_000_000)


def _history(parts: Sequence[Sequence[Sample]]) -> Json:
    """Return charts as lists of equal length, each value with its time in `at`."""
    rows, later = [traffic(part) for part in parts], [part[-1] for part in parts]
    return {
        "at": [iso(one.at) for one in rows],
        "moves_per_s": [one.moves_per_s for one in rows],
        "p50_ms": [one.p50_ms for one in rows],
        "p99_ms": [one.p99_ms for one in rows],
        "errors": [one.errors for one in rows],
        "disk_free_mb": [one.disk_free_mb for one in later],
        "memory_free_mb": [one.memory_free_mb for one in later],
    }
