"""Backups have no talk; a restored service still knows whom players follow, block and mute."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from redis import Redis

from domain.games import GAMES
from service.accounts.people.meeting import block, follow, may_meet
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.talk.messages import Message
from service.talk.mutes import Mutes
from service.talk.reports import Report, ReportedMessage, Reports
from service.talk.speakers import OperatorMute, Speakers
from service.talk.storage import Talk
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch
from workers.tools.store.backup_command import backup
from workers.tools.store.restore import restore
from workers.tools.store.upgrade import upgrade


def run(command: click.Command, *words: object) -> None:
    result = CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def dump_all(redis: Redis) -> dict[bytes, bytes | None]:
    return {name: redis.dump(name) for name in redis.scan_iter()}


def people_of(annals: Annals) -> list[str]:
    """Three players, of whom two have a match; they follow, block and mute one another."""
    redis = annals.store.redis
    ann, bob, cid = (annals.players.register(name, 0)[0].id for name in ("Ann", "Bob", "Cid"))
    RecordedMatch(annals.store, f"{ann} {bob}", match="m").play(2)
    Mutes(redis).add(bob, ann)
    follow(redis, ann, bob, 3)
    block(redis, ann, cid, 4)
    Speakers(redis, 0).mute(ann, OperatorMute("insults", 9))
    return [ann, bob, cid]


def test_a_restore_brings_no_talk_back(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environ = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(GAMES, "toy", TOY)
    annals = open_annals(read_settings(environ))
    ann, bob, cid = people_of(annals)
    talk, file = Talk(annals.store), tmp_path / "before"
    talk.say("m", "players", Message(ann, 1, text="ephemeral"), b"one-----")
    talk.mark_read(bob, "m", "players", 1)
    Reports(redis_client).add(ReportedMessage("m", "players", 1), Report(ann, bob, 1))
    run(backup, file)
    written = gzip.decompress(file.read_bytes())
    assert b'"m"' in written
    assert b"ephemeral" not in written
    assert b"talk" not in written
    before = dump_all(redis_client)
    run(upgrade, "--check")
    run(upgrade, "--check", file)
    assert dump_all(redis_client) == before
    redis_client.flushdb()
    run(restore, file)
    assert annals.store.version("m") > 0
    assert [name for name in redis_client.scan_iter() if b"talk" in name] == []
    assert Mutes(redis_client).of(bob) == [ann]
    people = {name: value for name, value in before.items() if re.search(b":(follow|block)", name)}
    assert len(people) == 4
    assert people.items() <= dump_all(redis_client).items()
    assert not may_meet(redis_client, cid, ann)
    assert Speakers(redis_client, 0).find_mute(ann, 8) == OperatorMute("insults", 9)
    assert talk.say("m", "players", Message(bob, 2, text="again"), b"two-----")[0] == 1
