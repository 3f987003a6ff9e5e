"""Stores with finished matches, and tables exported from them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from domain.engine.game import Game
from domain.games import GAMES
from domain.match.decisions import ending, playing
from domain.match.outcome import RatingChange
from service.analytics.table_folders import Manifest, TableFile
from service.matches.container import Annals, open_annals
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.event_store import EventStore
from tests.analysis.matches import Quick
from workers.cli import commands
from workers.host.errors import CannotRun
from workers.tools.tables.parts.schema import TABLES

PLAYERS = tuple(f"u{number:016x}" for number in range(1, 6))
MOVES = 12


@pytest.fixture
def settings(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setenv("ANNALS_DATA", str(tmp_path / "data"))
    return read_settings(os.environ)


@pytest.fixture
def annals(settings: Settings, redis_client: Redis) -> Annals:
    return open_annals(settings)


class Short(Quick):
    """A match that ends by resignation after some moves."""

    def __init__(self, game: Game[Any], match: str, seats: str = "", **more: Any) -> None:
        people = seats or " ".join(PLAYERS[: game.seats[0]])
        super().__init__(game, people, match=match, **more)
        self.recorded = 0

    def end(self, moves: int = MOVES) -> Short:
        """Play, resign, and score."""
        self.by_chance(Random(self.match.id), moves)
        for chair in self.match.chairs[1:]:
            if self.match.status == "active":
                self.act(playing.resign(self.match, str(chair.player), self.now), str(chair.player))
        self.score()
        return self

    def rate(self) -> Short:
        """Rate the match."""
        names = dict.fromkeys(ending.competitors(self.match))
        changes = [RatingChange(name, (25.0, 8.0), (26.0, 7.5), 1, 0) for name in names]
        self.act(ending.rate(self.match, changes), "system")
        return self

    def record(self, store: EventStore) -> Short:
        """Append the new entries to a store."""
        for entry in self.entries[self.recorded :]:
            store.append(self.match.id, entry, {})
        self.recorded = len(self.entries)
        return self


def over(store: EventStore, game: str, match: str, moves: int = MOVES, **more: Any) -> Short:
    """A finished match with no work left."""
    short = Short(GAMES[game], match, **more).end(moves)
    if ending.is_rateable(short.match):
        short.rate()
    return short.record(store)


def one_of_each(store: EventStore) -> list[Short]:
    """A match of every game."""
    return [over(store, game, f"of-{game.replace('_', '-')}") for game in GAMES]


def run_command(*words: object) -> Result:
    """The result of `annals` with these arguments."""
    mask = os.umask(0o077)
    try:
        result = CliRunner().invoke(commands, [str(word) for word in words])
    finally:
        os.umask(mask)
    fault = result.exception
    if isinstance(fault, (CannotRun, BadSetting)):
        result.stdout_bytes = str(fault).encode()
    else:
        assert fault is None, fault
    return result


def export(place: object, *words: object) -> str:
    """The output of `annals export`, run in this process."""
    return run_command("export", place, "--processes", 1, *words).stdout


def refusal_of(*words: object) -> str:
    """The error message of `annals`."""
    result = run_command(*words)
    assert result.exit_code == 1, result.stdout
    return result.stdout


def select(place: object, query: str) -> list[dict[str, Any]]:
    """The rows that a query selects."""
    received = run_command("sql", "--from", place, "--json", query).stdout
    return [msgspec.json.decode(line) for line in received.splitlines()]


def contents(place: object) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    return {table: select(place, f"select * from {table} order by all") for table in TABLES}


def manifest(folder: Path) -> Manifest:
    return msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)


def files(folder: Path) -> set[str]:
    """All files that an engine would find."""
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def paths(parts: Sequence[TableFile]) -> list[str]:
    return [part.path for part in parts]


def read_files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
