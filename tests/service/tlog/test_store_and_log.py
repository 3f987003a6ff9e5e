"""What is otherwise in the store than in the log is named, match by match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.matches.container import Annals
from tests.service.tlog.desk import Desk
from workers.tools.check.check_log import wrong_log


@pytest.fixture
def logged(desk: Desk) -> Desk:
    for match in ("one", "two"):
        desk.open(match)
        desk.play(match)
    desk.work()
    return desk


def named(desk: Desk) -> list[str]:
    """What is wrong, as `annals verify --all` tells it."""
    settings = replace(desk.annals.settings, tlog=str(desk.folder.path))
    annals: Annals = replace(desk.annals, settings=settings)
    return list(wrong_log(annals))


def test_a_log_and_its_store_agree(logged: Desk) -> None:
    assert named(logged) == []


def test_without_a_log_nothing_is_wrong(desk: Desk) -> None:
    assert named(desk) == []


def rewritten(desk: Desk, match: str, change: Callable[[list[Any]], list[Any]]) -> None:
    """Put other entries in the place of those of a match."""
    store = desk.annals.store
    entries = change(store.read(match))
    for key in store.redis.keys(f"*:match:{match}"):
        store.redis.delete(key)
    for entry in entries:
        store.append(match, entry, {})


def test_a_match_that_was_deleted_is_named(logged: Desk) -> None:
    rewritten(logged, "one", lambda _: [])
    last = logged.annals.matches.at("two", 1)
    assert last is not None
    assert {fault.partition(":")[0] for fault in named(logged)} == {"one"}
    assert "one: version 1 is in the log and not in the store." in named(logged)


def test_a_match_that_was_shortened_is_named(logged: Desk) -> None:
    last = logged.annals.store.version("one")
    rewritten(logged, "one", lambda entries: entries[:-1])
    assert f"one: version {last} is in the log and not in the store." in named(logged)


def test_a_match_that_was_told_anew_is_named(logged: Desk) -> None:
    last = logged.annals.store.version("one")
    rewritten(
        logged,
        "one",
        lambda entries: [*entries[:-1], msgspec.structs.replace(entries[-1], head=bytes(32))],
    )
    assert f"one: version {last} has another head than in the log." in named(logged)


def test_a_tile_that_was_changed_is_named(logged: Desk) -> None:
    for path in logged.files():
        if path.parts[-2:-1] == ("000.p",) and "entries" not in path.parts:
            path.write_bytes(bytes(len(path.read_bytes())))
    assert any(fault.startswith("the log: ") for fault in named(logged))
