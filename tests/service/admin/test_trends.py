"""Samples of the metrics, and what follows from them: rates, latencies, forecasts."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from service.admin import machine, samples
from service.admin.error_log import MAX_ERRORS, TAIL_BYTES, last_errors
from service.admin.machine import find_processes, read_memory
from service.admin.samples import (
    KEPT_MS,
    SAMPLES_FILE,
    Sample,
    add_sample,
    keep_samples,
    take_sample,
)
from service.admin.trends import (
    DAY_MS,
    MAX_POINTS,
    days_until_empty,
    quantile_ms,
    split_day,
    traffic,
)
from service.live.exposition import ProcessMetrics
from service.page.views.admin import draw_chart
from service.runtime.metrics import REQUEST_BUCKETS
from service.runtime.metrics_folder import FOLDER_VARIABLE
from service.runtime.settings import RUN_VARIABLE, Settings

BUCKETS = len(REQUEST_BUCKETS) + 1
NOON = 1_700_049_600_000


def a_sample(at: int, moves: int = 0, quick: int = 0, slow: int = 0, errors: int = 0) -> Sample:
    """A sample with requests of less than a millisecond, and of more than 30 seconds."""
    return Sample(at, moves, (quick, *(0,) * (BUCKETS - 2), slow), errors, 1_000, 500)


def test_traffic_is_what_happened_between_two_samples() -> None:
    found = traffic([a_sample(0, 5, 10, 0, 1), a_sample(10_000, 25, 109, 1, 4)])
    assert (found.at, found.moves_per_s, found.requests_per_s, found.errors) == (10_000, 2, 10, 3)
    assert found.p50_ms == pytest.approx(0.5, abs=0.05)
    assert found.p99_ms == 1.0
    slowest = traffic([a_sample(0), a_sample(1, slow=1)])
    assert slowest.p50_ms == 30_000


def test_after_a_restart_counters_begin_at_0() -> None:
    found = traffic([a_sample(0, 500, 900, 0, 7), a_sample(10_000, 20, 30, 0, 1)])
    assert (found.moves_per_s, found.requests_per_s, found.errors) == (2, 3, 1)
    found = traffic([a_sample(0, 5, 10, 0, 3), a_sample(5_000), a_sample(10_000, 6, 15)])
    assert (found.moves_per_s, found.requests_per_s, found.errors) == (0.6, 1.5, 0)
    found = traffic([a_sample(0, 5, 10, 0, 3), a_sample(10_000, 6, 20)])  # only errors fell
    assert (found.requests_per_s, found.errors) == (2, 0)


def test_without_requests_there_is_no_latency() -> None:
    found = traffic([a_sample(0), a_sample(1)])
    assert (found.p50_ms, found.p99_ms, found.requests_per_s) == (None, None, 0)
    assert quantile_ms((1, *(0,) * (BUCKETS - 1)), 1) == 1.0


@pytest.mark.parametrize(
    ("amounts", "days"),
    [
        ((100, 95, 90, 85, 80), 16),
        ((100, 100, 100), None),
        ((80, 90, 100), None),
        ((10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 0),
        ((1_000_000, 999_999, 999_998), None),
    ],
)
def test_a_forecast_follows_the_last_days(amounts: Sequence[int], days: int | None) -> None:
    points = [(NOON + day * DAY_MS, left) for day, left in enumerate(amounts)]
    assert days_until_empty(points) == days
    assert days_until_empty(points[:1]) is None
    assert days_until_empty([(NOON, 9), (NOON + DAY_MS // 2 - 1, 8)]) is None
    assert days_until_empty([]) is None


def falling(first: float, per_day: float, hours: int) -> list[float]:
    """Amounts of each hour, the last one included."""
    return [first - per_day * hour / 24 for hour in range(hours + 1)]


@pytest.mark.parametrize(
    ("amounts", "days"),
    [
        ([*[10.0] * 144, *falling(100, 48, 23)], 1),  # the disk was enlarged, then fills fast
        ([*falling(100, 12, 144), *[100.0] * 8], None),  # a cleanup a few hours ago
        ([*[100.0] * 84, *[50.0] * 84], None),  # something large was put there, once
        ([left - hour % 3 for hour, left in enumerate(falling(100, 12, 72))], 5),  # noise
    ],
)
def test_a_forecast_forgets_what_was_before_a_step(
    amounts: Sequence[float], days: int | None
) -> None:
    points = [(NOON + hour * DAY_MS // 24, left) for hour, left in enumerate(amounts)]
    assert days_until_empty(points) == days


def test_a_chart_has_few_points_of_the_last_day() -> None:
    every_minute = [a_sample(NOON + n * 60_000) for n in range(3_000)]
    parts = split_day(every_minute)
    assert MAX_POINTS // 2 < len(parts) <= MAX_POINTS
    assert parts[-1][-1] == every_minute[-1]
    assert parts[0][0].at > every_minute[-1].at - DAY_MS
    assert all(before[-1] == after[0] for before, after in pairwise(parts))
    assert split_day(every_minute[:2]) == [every_minute[:2]]
    assert split_day(every_minute[:1]) == []


def test_a_chart_leaves_out_what_is_unknown() -> None:
    chart = draw_chart([1, None, 3])
    assert chart
    assert (chart.points, chart.least, chart.greatest, chart.last) == (
        "0.0,60.0 300.0,0.0",
        1,
        3,
        3,
    )
    flat = draw_chart([2, 2])
    assert flat
    assert flat.points == "0.0,60.0 300.0,60.0"
    assert draw_chart([None, 1]) is None


def test_samples_are_kept_for_a_week(tmp_path: Path) -> None:
    assert samples.read_samples(tmp_path) == ()
    (tmp_path / SAMPLES_FILE).write_text("[nonsense")
    for at in (NOON, NOON + 1, NOON + KEPT_MS):
        add_sample(tmp_path, a_sample(at))
    assert [one.at for one in samples.read_samples(tmp_path)] == [NOON + 1, NOON + KEPT_MS]
    add_sample(tmp_path, a_sample(NOON + 2))  # the clock was set back
    assert [one.at for one in samples.read_samples(tmp_path)] == [NOON + 1, NOON + 2]
    add_sample(tmp_path, Sample(NOON + 3, 0, (0,), 0, 0, 0))  # by a version with other buckets
    assert [one.at for one in samples.read_samples(tmp_path)] == [NOON + 1, NOON + 2]


def test_a_full_disk_does_not_end_the_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, stop = [], Event()

    def refuse(*_: object) -> None:
        raise OSError("full")

    def report(error: Exception) -> None:
        said.append(str(error))
        stop.set()

    monkeypatch.setattr(samples, "write_durably", refuse)
    keep_samples(Settings(data=tmp_path), stop, report)
    assert said == ["full"]


def test_without_the_folder_of_metrics_the_rest_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "gone"))
    found = take_sample(Settings(data=tmp_path), NOON)
    assert (found.moves, sum(found.requests), found.errors) == (0, 0, 0)
    assert found.disk_free_mb > 0
    assert list(ProcessMetrics(tmp_path / "gone").collect()) == []


def test_a_container_has_the_memory_of_its_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\nHugePages_Total: 0\n")
    monkeypatch.setattr(machine, "MEMINFO", meminfo)
    monkeypatch.setattr(machine, "GROUP", tmp_path)
    assert read_memory() == (4096, 3072)
    (tmp_path / "memory.max").write_text("max\n")
    assert read_memory() == (4096, 3072)
    (tmp_path / "memory.max").write_text("512000000\n")
    (tmp_path / "memory.current").write_text("500000000\n")
    assert read_memory() == (512, 12)
    meminfo.unlink()
    assert read_memory() == (512, 12)


def test_processes_are_the_siblings_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RUN_VARIABLE, raising=False)
    assert list(find_processes()) == []
    monkeypatch.setenv(RUN_VARIABLE, "a run")
    monkeypatch.setattr(os, "getppid", lambda: int(read_parent("self")))
    assert any(0 <= one.age_s < time.monotonic() + 1e9 for one in find_processes())


def read_parent(pid: str) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1]


def test_the_last_errors_are_those_of_all_logs(tmp_path: Path) -> None:
    logs = tmp_path / "log"
    assert last_errors(tmp_path) == []
    logs.mkdir()
    line = (
        '{{"event": "{}", "level": "{}", "timestamp": "2026-01-0{}", "id": "r",'
        ' "exception": "a\\nE: b"}}\n'
    )
    old = line.format("lost", "error", 1) + "x" * TAIL_BYTES + "\n"
    logs.joinpath("web-0.log").write_text(
        old + line.format("failed", "error", 3) + line.format("request", "info", 4)
    )
    logs.joinpath("worker.log").write_text(
        '{"event": "crashed", "level": "critical", "timestamp": "2026-01-02", "reason": "why"}\n'
        '{"event": "entry_corrupt", "level": "error", "timestamp": "2026-01-01", "match": "m1"}\n'
    )
    assert [(one.process, one.event, one.request, one.detail) for one in last_errors(tmp_path)] == [
        ("web-0", "failed", "r", "E: b"),
        ("worker", "crashed", None, "why"),
        ("worker", "entry_corrupt", None, "m1"),
    ]
    logs.joinpath("a.log").write_text(line.format("many", "error", 5) * 50)
    assert len(last_errors(tmp_path)) == MAX_ERRORS
