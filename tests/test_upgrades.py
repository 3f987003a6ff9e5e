"""A house upgrades under load from what the last recorded version stored, and rolls back."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.stored.record import ARCHIVE, BACKUP, EXPECTED, LOG, PARTITIONS, STORED, ExpectedMatch
from tests.support.patience import eventually
from tests.support.warm_start import run_command
from tests.support.whole_service import Service, running_service
from workers.host.redis.server import run_redis
from workers.tools.store.backup_file import Header, read_backup

pytestmark = pytest.mark.slow


def header_of(file: Path) -> Header:
    """The header of a backup."""
    header = next(read_backup(file))
    assert isinstance(header, Header)
    return header


LAST = max(STORED.glob(f"*/{BACKUP}"), key=lambda file: header_of(file).at).parent
EXPECTATIONS = msgspec.json.decode(
    gzip.decompress((LAST / EXPECTED).read_bytes()), type=dict[str, ExpectedMatch]
)
OPEN_TO_ALL = {
    match: then.game for match, then in EXPECTATIONS.items() if "code" not in then.answers[0]
}
"""The games of its matches that strangers may see."""
SETTINGS = {
    "ANNALS_PARTITIONS": str(PARTITIONS),
    "ANNALS_RATE": "0",
    "ANNALS_RATE_PER_ADDRESS": "0",
}


def annals(data: Path, *words: str) -> str:
    """What a command prints that must succeed, on a folder whose service does not run."""
    environ = {**os.environ, **SETTINGS, "ANNALS_DATA": str(data)}
    environ.pop("REDIS_URL", None)
    done = run_command(words, environ)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def heads(data: Path) -> dict[str, list[bytes]]:
    """The heads of all entries, by match."""
    with run_redis(data / "redis") as url:
        store = EventStore(connect(url), PARTITIONS, reads_only=True)
        store.redis.ping()
        return {
            match: [entry.head for entry in store.read(match)]
            for match in store.match_ids()
            if store.redis.type(f"{{p{store.partition_of(match)}}}:match:{match}") == b"stream"
        }


def play(service: Service, stop: Event, earlier: Iterable[str]) -> None:
    """Let bots play, and look at the earlier matches, until `stop` is set."""
    seats = [{"bot": "li_mu"}, {"bot": "li_mu"}]
    service.insist("POST", "/v1/matches", {"game": "qin", "seats": seats})
    while not stop.wait(0.2):
        for match in earlier:
            service.insist("GET", f"/v1/matches/{match}")


def test_an_upgrade_under_load_and_the_way_back(tmp_path: Path) -> None:
    data, before = tmp_path / "var", tmp_path / "before-upgrade"
    for name in (LOG, ARCHIVE):
        shutil.copytree(LAST / name, data / name)
    annals(data, "restore", str(LAST / BACKUP))
    old = heads(data)
    with running_service(data, **SETTINGS) as service:
        service.sign_up("Ada")
        stop = Event()
        load = Thread(target=play, args=(service, stop, OPEN_TO_ALL))
        load.start()
        try:
            eventually(lambda: played(service))
            checked = service.command("upgrade", "--check")
            assert checked.returncode == 0, checked.stdout + checked.stderr
            saved = service.command("backup", str(before))
            assert saved.returncode == 0, saved.stderr
        finally:
            stop.set()
            load.join()
    new = heads(data)
    assert all(new[match][: len(found)] == found for match, found in old.items())
    assert sum(map(len, new.values())) > sum(map(len, old.values()))
    shutil.rmtree(data / "redis")
    assert ", 0 faults found." in annals(data, "restore", str(before))
    back = heads(data)
    assert all(new[match][: len(found)] == found for match, found in back.items())
    assert back.keys() >= old.keys()


def played(service: Service) -> Any:
    """Whether bots have moved."""
    matches = service.insist("GET", "/v1/matches?game=qin")["matches"]
    return any(one["version"] > 4 for one in matches)
