"""A difference between store and log is reported for each match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.matches.container import Annals
from tests.service.tlog.harness import LogHarness
from workers.tools.check.check_log import find_log_faults


@pytest.fixture
def two_logged(harness: LogHarness) -> LogHarness:
    for match in ("one", "two"):
        harness.open(match)
        harness.play(match)
    harness.work()
    return harness


def find_differences(harness: LogHarness) -> list[str]:
    """The findings of `annals verify --all`."""
    settings = replace(harness.annals.settings, tlog=str(harness.folder.path))
    annals: Annals = replace(harness.annals, settings=settings)
    return list(find_log_faults(annals))


def test_a_log_and_its_store_agree(two_logged: LogHarness) -> None:
    assert find_differences(two_logged) == []


def test_a_store_without_a_log_has_no_findings(harness: LogHarness) -> None:
    assert find_differences(harness) == []


def rewrite(harness: LogHarness, match: str, change: Callable[[list[Any]], list[Any]]) -> None:
    """Replace the entries of a match."""
    store = harness.annals.store
    entries = change(store.read(match))
    for key in store.redis.keys(f"*:match:{match}"):
        store.redis.delete(key)
    for entry in entries:
        store.append(match, entry, {})


def test_a_deleted_match_is_reported(two_logged: LogHarness) -> None:
    rewrite(two_logged, "one", lambda _: [])
    last = two_logged.annals.matches.at("two", 1)
    assert last is not None
    assert {fault.partition(":")[0] for fault in find_differences(two_logged)} == {"one"}
    assert "one: version 1 is in the log but not in the store." in find_differences(two_logged)


def test_a_shortened_match_is_reported(two_logged: LogHarness) -> None:
    last = two_logged.annals.store.version("one")
    rewrite(two_logged, "one", lambda entries: entries[:-1])
    assert f"one: version {last} is in the log but not in the store." in find_differences(
        two_logged
    )


def test_a_rewritten_match_is_reported(two_logged: LogHarness) -> None:
    last = two_logged.annals.store.version("one")
    rewrite(
        two_logged,
        "one",
        lambda entries: [*entries[:-1], msgspec.structs.replace(entries[-1], head=bytes(32))],
    )
    assert f"one: version {last} has a different head in the log." in find_differences(two_logged)


def test_a_changed_tile_is_reported(two_logged: LogHarness) -> None:
    for path in two_logged.files():
        if path.parts[-2:-1] == ("000.p",) and "entries" not in path.parts:
            path.write_bytes(bytes(len(path.read_bytes())))
    assert any(fault.startswith("the log: ") for fault in find_differences(two_logged))
