"""Backups have no talk; a restored service still knows who has muted whom."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.talk.messages import Message
from service.talk.mutes import Mutes
from service.talk.reports import Report, ReportedMessage, Reports
from service.talk.speakers import Speakers
from service.talk.storage import Talk
from tests.projections.recorded import RecordedMatch
from workers.tools.store.backup_command import backup
from workers.tools.store.restore import restore


def test_a_restore_brings_no_talk_back(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environ = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    annals = open_annals(read_settings(environ))
    ann, bob = (annals.players.register(name, 0)[0].id for name in ("Ann", "Bob"))
    RecordedMatch(annals.store, f"{ann} {bob}", match="m").play(2)
    talk, file = Talk(annals.store), tmp_path / "before"
    talk.say("m", "players", Message(ann, 1, text="ephemeral"), b"one-----")
    talk.mark_read(bob, "m", "players", 1)
    Mutes(redis_client).add(bob, ann)
    Speakers(redis_client, 0).mute(ann, "insults")
    Reports(redis_client).add(ReportedMessage("m", "players", 1), Report(ann, bob, 1))
    CliRunner().invoke(backup, [str(file)], catch_exceptions=False)
    written = gzip.decompress(file.read_bytes())
    assert b'"m"' in written
    assert b"ephemeral" not in written
    assert b"talk" not in written
    redis_client.flushdb()
    CliRunner().invoke(restore, [str(file)], catch_exceptions=False)
    assert annals.store.version("m") > 0
    assert [name for name in redis_client.scan_iter() if b"talk" in name] == []
    assert Mutes(redis_client).of(bob) == [ann]
    assert Speakers(redis_client, 0).mute_reason(ann) == "insults"
    assert talk.say("m", "players", Message(bob, 2, text="again"), b"two-----") == 1
