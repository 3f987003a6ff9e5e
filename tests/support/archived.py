"""Stores with matches that can be archived, and their content."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from domain.games import GAMES
from domain.match.decisions import lobby
from service.matches.container import Annals, open_annals
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.event_store import EventStore
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch, fold_all, some_of_each_kind
from workers.cli import commands
from workers.host.errors import CannotRun

OVER = {"scored", "hotseat", "closed"}
"""The recorded matches with no work left."""


@pytest.fixture
def settings(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setenv("ANNALS_DATA", str(tmp_path))
    monkeypatch.setitem(GAMES, "toy", TOY)
    return read_settings(os.environ)


@pytest.fixture
def annals(settings: Settings, redis_client: Redis) -> Annals:
    """A service with matches of every kind in every state."""
    annals = open_annals(settings)
    some_of_each_kind(annals.store)
    closed = RecordedMatch(annals.store, "ann .", match="closed")
    closed.act(lobby.close(closed.match, "ann"), "ann")
    fold_all(annals.store)
    return annals


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (folder := tmp_path / "place").mkdir()
    return folder


@pytest.fixture
def scheduled(settings: Settings, place: Path) -> Settings:
    return replace(settings, backup=str(place), backup_keep=2)


def entries_of(store: EventStore) -> dict[str, Any]:
    return {match: store.read(match) for match in store.match_ids()}


def in_archive(store: EventStore) -> set[str]:
    names = store.redis.scan_iter("{p*}:match:*", _type="STRING")
    return {name.decode().split(":")[-1] for name in names}


def run_command(*words: object, **env: str) -> Result:
    result = CliRunner().invoke(commands, [str(word) for word in words], env=env)
    fault = result.exception
    assert fault is None or isinstance(fault, (SystemExit, CannotRun, BadSetting))
    return result
