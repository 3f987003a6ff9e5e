"""What each version stored is restored without a fault, answers as before, and goes on."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from flask import Flask
from packaging.version import Version
from redis import Redis

from domain.audit.bundle import read_bundle
from domain.audit.checks import check_bundle
from domain.audit.log_checks import Trust
from domain.games import GAMES
from service.analytics.table_folders import MANIFEST_FILE, TABLES_VERSION
from service.front.app import create_app
from service.matches.container import Annals
from tests.service.api.bundles import second_verdicts
from tests.service.api.conftest import Api
from tests.service.api.seated import Table
from tests.stored.keys import load_keys
from tests.stored.record import (
    ARCHIVE,
    BACKUP,
    BUNDLES,
    EXPECTED,
    KEYS,
    LOG,
    PARTITIONS,
    STORED,
    TABLES,
    ExpectedMatch,
    answers_about,
    service_on,
)
from workers.cli import commands
from workers.host.errors import CannotRun

pytestmark = pytest.mark.slow
VERSIONS = sorted((path.parent.name for path in STORED.glob(f"*/{BACKUP}")), key=Version)
IN_PLACE = sorted((path.parent.name for path in STORED.glob(f"*/{KEYS}")), key=Version)
MOVES = 2


@dataclass
class RestoredService:
    """A version, and the service on what it stored."""

    folder: Path
    environ: dict[str, str]
    annals: Annals
    app: Flask
    said: str

    @property
    def expected(self) -> dict[str, ExpectedMatch]:
        """What the service answered then, by match."""
        return read_expected(self.folder)

    def run(self, *words: str) -> str:
        """What a command prints that must succeed."""
        result = CliRunner(env=self.environ).invoke(commands, words)
        assert result.exit_code == 0, result.output
        return result.output


def read_expected(folder: Path) -> dict[str, ExpectedMatch]:
    """What the service of a version answered, by match."""
    text = gzip.decompress((folder / EXPECTED).read_bytes())
    return msgspec.json.decode(text, type=dict[str, ExpectedMatch])


@contextmanager
def stored_service(folder: Path, url: str, data: Path) -> Iterator[RestoredService]:
    """A service with the files of a version, on an empty store."""
    for name in (LOG, ARCHIVE):
        shutil.copytree(folder / name, data / name)
    environ = {"REDIS_URL": url, "ANNALS_PARTITIONS": str(PARTITIONS), "ANNALS_DATA": str(data)}
    with Redis.from_url(url) as redis:
        redis.flushdb()
        annals = service_on(url, data)
        yield RestoredService(folder, environ, annals, create_app(annals), "")
        redis.flushdb()


@pytest.fixture(scope="module", params=VERSIONS)
def restored(
    request: pytest.FixtureRequest, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RestoredService]:
    folder, data = STORED / request.param, tmp_path_factory.mktemp("restored")
    with stored_service(folder, f"{redis_url}?db=2", data) as one:
        one.said = one.run("restore", str(folder / BACKUP))
        yield one


def test_all_of_it_is_restored_and_nothing_is_wrong(restored: RestoredService) -> None:
    assert ", 0 faults found." in restored.said
    restored.run("tlog", "check")


def test_no_version_lacks_a_game_of_an_earlier_one_and_the_newest_has_all() -> None:
    """A game that was added later is in the stores that later versions recorded."""
    games = set[str]()
    for version in VERSIONS:
        recorded = {one.game for one in read_expected(STORED / version).values()}
        assert recorded >= games, version
        games = recorded
    assert games == GAMES.keys(), "Record a store that has the new game: see docs/release.md"


def test_heads_views_and_results_are_those_of_then(restored: RestoredService) -> None:
    """To spectators and to one of the players: they take turns over the matches."""
    for number, (match, then) in enumerate(restored.expected.items()):
        assert restored.annals.store.read(match)[-1].head.hex() == then.head
        seat = number % max(1, len(then.tokens))
        old = [*then.answers[:1], *then.answers[1:][seat:][:1]]
        new = answers_about(restored.app, match, then.tokens[seat:][:1])
        assert_answers_of_then(match, old, new)


def test_bundles_are_never_called_wrong(restored: RestoredService) -> None:
    """Those of then, and those that are exported now, one of each game: also if the rules of the
    game have changed since the match was played.
    """
    bundles = list((restored.folder / BUNDLES).iterdir())
    assert len(bundles) == len(restored.expected)
    texts = {path.name: gzip.decompress(path.read_bytes()).decode() for path in bundles}
    for match, then in {
        one.game: (match, one) for match, one in restored.expected.items()
    }.values():
        exported = Api(restored.app, *then.tokens[:1]).get(f"/v1/matches/{match}/export")
        texts[f"{match} now"] = exported.text
    for name, text in texts.items():
        steps = check_bundle(GAMES, read_bundle(text.encode()), Trust())
        assert [step for step in steps if step.outcome == "wrong"] == [], name
    for name, second in zip(texts, second_verdicts([*texts.values()]), strict=True):
        assert "wrong" not in second.values(), name


def test_matches_go_on_to_their_end(restored: RestoredService) -> None:
    """After the other tests, which compare with what was stored. Of several matches of a game, such
    as one in each mode, each has its turn in another version.
    """
    going_on: dict[str, list[Table]] = {}
    for match, then in restored.expected.items():
        players = [Api(restored.app, token) for token in then.tokens]
        at = Table(then.game, players, f"/v1/matches/{match}")
        if players and at.status == "active":
            going_on.setdefault(then.game, []).append(at)
    assert going_on
    for tables in going_on.values():
        at = tables[VERSIONS.index(restored.folder.name) % len(tables)]
        before = at.version
        at.play(MOVES)
        at.end(restored.annals)
        assert at.version > before
        assert at.status == "scored"


@pytest.fixture(
    scope="module",
    params=[
        *IN_PLACE[:1],
        *(pytest.param(one, marks=pytest.mark.long) for one in IN_PLACE[1:-1]),
        *IN_PLACE[-1:],
    ],
)
def in_place(
    request: pytest.FixtureRequest, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RestoredService]:
    """The service on the keys that a version left, as after an upgrade without a restore."""
    folder, data = STORED / request.param, tmp_path_factory.mktemp("in_place")
    with stored_service(folder, f"{redis_url}?db=3", data) as one:
        load_keys(one.annals.store.redis, folder / KEYS)
        yield one


def test_an_upgrade_in_place_finds_no_fault(in_place: RestoredService) -> None:
    """It finds queues of webhooks, too. It folds the same entries as after a restore, so that it
    answers alike.
    """
    assert list(in_place.annals.store.redis.scan_iter("{p*}:outbox:*:*"))
    in_place.run("verify", "--all")


def test_exported_tables_go_on(in_place: RestoredService, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    shutil.copytree(in_place.folder / TABLES, tables)
    words = ("export", str(tables), "--private", "--fast", "--processes", "1")
    rows = in_place.run("sql", "select count(*) from matches", "--from", str(tables), "--csv")
    assert int(rows.split()[-1]) > 0
    schema = msgspec.json.decode((tables / MANIFEST_FILE).read_bytes())["schema"]
    if schema == TABLES_VERSION:
        assert in_place.run(*words).endswith("were written in 0 files.\n")
    else:
        with pytest.raises(CannotRun, match="they stay as they are"):
            CliRunner(env=in_place.environ).invoke(commands, words, catch_exceptions=False)


def assert_answers_of_then(match: str, then: Sequence[Any], now: Sequence[Any]) -> None:
    """Answers may have grown by members, and an ended match awaits no seat any more. Views of small
    games do not say whom a match awaits.
    """
    for old, new in zip(then, now, strict=True):
        if "code" in old:  # a private match, of which a stranger sees nothing
            assert new["code"] == old["code"]
            continue
        if old["status"] != "active" and "awaiting" in (old["view"] or {}):
            old["view"]["awaiting"] = []
        assert list(differences(old, new, match)) == []


def differences(old: Any, new: Any, where: str) -> Iterator[str]:
    """What an answer of before has otherwise than that of now, which may have more members."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            if name in new:
                yield from differences(value, new[name], f"{where}.{name}")
            else:
                yield f"{where}.{name} is gone"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif old != new:
        yield f"{where} was {old}, and is {new}"
