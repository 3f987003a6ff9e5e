"""A backup has all that cannot be rebuilt, and a restored store is the same."""

from __future__ import annotations

import gzip
import os
import resource
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from os import environ
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import json
from msgspec.structs import replace
from redis import Redis

from domain.games import GAMES
from domain.match.log import fold_match, read_events
from service import ratings
from service.front.app import create_app
from service.matches.container import Annals, open_annals, wall_clock
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from service.store.store_format import RESTORING_KEY, STORE_ID_KEY, STORE_LEVEL
from service.store.uptime import UPTIME_KEY
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch, fold_all, some_of_each_kind
from tests.support.damage import damage
from tests.support.patience import eventually
from tests.support.warm_start import start_command
from workers.cli import commands
from workers.host.errors import CannotRun
from workers.host.redis.server import run_redis
from workers.tools.store.backup import check_backup, write_backup
from workers.tools.store.backup_file import Header, as_bytes, as_text, backup_writer, read_backup
from workers.tools.store.stored_keys import treatment_of

ROOT = Path(__file__).parents[3]


@pytest.fixture
def store(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> EventStore:
    """A store with matches of every kind in every state, and players."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setitem(GAMES, "toy", TOY)
    annals = open_annals(read_settings(environ))
    for name in ("Ann", "Bob", "Zoë"):
        annals.players.register(name, 1_700_000_000_000)
    some_of_each_kind(annals.store)
    annals.store.uptime.beat(annals.now())
    redis_client.hset("{ratings:toy}:done", "scored", rate_table(annals.store, "scored"))
    ratings.rebuild(redis_client, "toy")
    fold_all(annals.store)
    return annals.store


def rate_table(store: EventStore, match: str) -> bytes:
    [event] = read_events(TOY, store.read(match)[-1].events)
    return json.encode({"changes": event.changes, "unrated": None})


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The address of another, empty Redis."""
    (folder := tmp_path / "other").mkdir()
    with run_redis(folder, fsync="no") as url:
        yield url


def run(*words: object, **env: str) -> Result:
    result = CliRunner().invoke(commands, [str(word) for word in words], env=env)
    assert result.exception is None or isinstance(result.exception, (SystemExit, CannotRun))
    return result


def contents(redis: Redis) -> dict[str, Any]:
    """All keys of a store and their content."""
    return {
        name.decode(): read_value(redis, name)
        for name in redis.scan_iter()
        if treatment_of(name.decode()) != "passing"
    }


def read_value(redis: Redis, name: bytes) -> Any:
    read = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        b"stream": redis.xrange,
    }
    return read[redis.type(name)](name)


def test_a_restored_store_is_the_same_key_by_key(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    before = contents(store.redis)
    assert UPTIME_KEY in before  # so that the time until the restore counts for no player
    assert run("backup", tmp_path / "b").exit_code == 0
    restored = run("restore", tmp_path / "b", REDIS_URL=empty)
    with Redis.from_url(empty) as redis:
        after = contents(redis)
        planned = {name for name in after if name.endswith(":outbox:at")}
        assert {name: after[name] for name in after.keys() - planned} == before
        assert not redis.exists(RESTORING_KEY)
    assert restored.output.splitlines()[-1].startswith("6 matches, ")


@pytest.mark.parametrize("partitions", [1, 5, 64])
def test_a_store_may_have_another_number_of_partitions(
    store: EventStore, empty: str, tmp_path: Path, partitions: int
) -> None:
    run("backup", tmp_path / "b")
    run("restore", tmp_path / "b", REDIS_URL=empty, ANNALS_PARTITIONS=str(partitions))
    with Redis.from_url(empty) as redis:
        other = EventStore(redis, partitions)
        assert sorted(other.match_ids()) == sorted(store.match_ids())
        for match in store.match_ids():
            assert other.read(match) == store.read(match)
        assert due_in(other, partitions) == due_in(store, 16)


def due_in(store: EventStore, partitions: int) -> set[tuple[str, str]]:
    """All due work with its matches."""
    found = [
        one
        for n in range(partitions)
        for one in (*store.due_work(n, 1 << 60, 100), *store.bot_turns(n))
    ]
    return {(one.work, one.match) for one in found}


def test_only_an_empty_store_is_restored(store: EventStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    before = contents(store.redis)
    refused = run("restore", tmp_path / "b")
    assert "The store is not empty (it has " in str(refused.exception)
    assert contents(store.redis) == before


def test_a_store_whose_service_has_only_been_started_is_restored(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    keys = ("webhooks:key", STORE_ID_KEY, "seeds:key")
    store.redis.mset(dict.fromkeys(keys, "old"))
    run("backup", tmp_path / "b")
    with Redis.from_url(empty) as redis:
        redis.mset(dict.fromkeys(keys, "new"))
        assert run("restore", tmp_path / "b", REDIS_URL=empty).exit_code == 0
        values = redis.mget(keys)
        assert values == [b"old", b"old", b"new"], "seeds that are known must not come again"


def reads_feeds(redis: Redis) -> bool:
    return any(client["cmd"] == "xread" for client in redis.client_list())


@pytest.mark.parametrize(
    ("process", "is_up"),
    [("projector", reads_feeds), ("worker", lambda redis: redis.exists("rq:workers"))],
)
def test_nothing_is_restored_beside_a_service(
    store: EventStore, empty: str, tmp_path: Path, process: str, is_up: Callable[[Redis], object]
) -> None:
    run("backup", tmp_path / "b")
    env = {**environ, "REDIS_URL": empty, "ANNALS_DATA": str(tmp_path)}
    with Redis.from_url(empty) as redis:
        with start_command([process], env, stdout=subprocess.DEVNULL) as beside:
            eventually(lambda: is_up(redis))
            refused = run("restore", tmp_path / "b", REDIS_URL=empty)
            assert str(refused.exception).startswith("A service uses this store: stop all")
            assert not redis.exists("players", RESTORING_KEY)
            beside.terminate()
        assert run("restore", tmp_path / "b", REDIS_URL=empty).exit_code == 0


def test_only_the_owner_can_read_it_and_nothing_is_overwritten(
    store: EventStore, tmp_path: Path
) -> None:
    file = tmp_path / "b"
    run("backup", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    assert "exists already" in str(run("backup", file).exception)
    assert file.read_bytes() == before
    assert run("backup", file, "--overwrite").exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["b"]


@pytest.mark.no_cover  # coverage data would fill the disk too
def test_a_full_disk_is_reported_and_leaves_no_file(store: EventStore, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "workers.cli", "backup", str(tmp_path / "b")],
        cwd=ROOT, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1].startswith(f"Cannot write {tmp_path}/b (")
    assert not list(tmp_path.iterdir())


def test_a_backup_deletes_what_killed_ones_have_left(store: EventStore, tmp_path: Path) -> None:
    left = tmp_path / ".yesterday.4711.part"
    others = [tmp_path / ".part", tmp_path / ".mine.part", tmp_path / "b.4711.part"]
    for file in (left, *others):
        file.touch()
    with backup_writer(tmp_path / "first") as writer:  # another backup at the same time
        write_backup(store, tmp_path / "second")
        assert not left.exists()
        writer.end()
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"first", "second", *(file.name for file in others)}


def test_a_backup_of_a_busy_store_is_consistent(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    over = Event()

    def go_on() -> None:
        for number in range(10_000):
            if over.is_set():
                return
            RecordedMatch(store, "ann bob", match=f"new{number}").play(3)

    thread = Thread(target=go_on)
    thread.start()
    try:
        for number in range(3):
            write_backup(store, tmp_path / f"b{number}")
    finally:
        over.set()
        thread.join()
    assert run("restore", tmp_path / "b1", REDIS_URL=empty).exit_code == 0
    with Redis.from_url(empty) as redis:
        other = EventStore(redis)
        for match in other.match_ids():
            entries = other.read(match)
            assert entries == store.read(match)[: len(entries)]
            fold_match(GAMES, entries)


def test_a_backup_is_durable(
    store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a renamed file, its folder is synced afterwards."""
    synced, sync = list[tuple[bool, bool]](), os.fsync

    def noting(opened: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(opened).st_mode)
        synced.append((is_folder, (tmp_path / "b").exists()))
        sync(opened)

    monkeypatch.setattr(os, "fsync", noting)
    write_backup(store, tmp_path / "b")
    assert synced == [(False, False), (True, True)]


def test_a_valid_file_is_checked_without_a_store(store: EventStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    told = run("backup", "--check", tmp_path / "b", REDIS_URL="unix:///nowhere")
    assert told.exit_code == 0
    assert " is valid: 6 matches, " in told.output


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def fault_of(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    with pytest.raises(CannotRun) as refused:
        check_backup(file)
    return str(refused.value)


def test_a_changed_line_is_named(store: EventStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    lines = lines_of(tmp_path / "b")
    for number in range(1, len(lines)):
        line = lines[number]
        bit = bytes([line[len(line) // 3] ^ 1])
        changed = line[: len(line) // 3] + bit + line[len(line) // 3 + 1 :]
        packed = gzip.compress(b"".join([*lines[:number], changed, *lines[number + 1 :]]), 1)
        assert fault_of(tmp_path / "c", packed) == f"{tmp_path}/c: line {number + 1} is corrupt."


def test_a_missing_or_moved_line_is_named(store: EventStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    lines = lines_of(tmp_path / "b")
    for other in (lines[:4] + lines[5:], [*lines[:4], lines[5], lines[4], *lines[6:]]):
        packed = gzip.compress(b"".join(other), 1)
        assert fault_of(tmp_path / "c", packed) == f"{tmp_path}/c: line 5 is corrupt."
    packed = gzip.compress(b"".join(lines[:-1]), 1)
    assert fault_of(tmp_path / "c", packed).endswith(f"cut off after line {len(lines) - 1}.")


def test_a_truncated_or_flipped_file_is_never_valid(store: EventStore, tmp_path: Path) -> None:
    run("backup", tmp_path / "b")
    whole = (tmp_path / "b").read_bytes()
    for place in range(0, len(whole), 97):
        assert fault_of(tmp_path / "c", whole[:place])
        flipped = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        if not is_harmless(flipped, whole):
            fault_of(tmp_path / "c", flipped)


def is_harmless(packed: bytes, whole: bytes) -> bool:
    """Whether the flipped bit is one that no reader uses: the time in the gzip header, or between
    its blocks.
    """
    try:
        return gzip.decompress(packed) == gzip.decompress(whole)
    except (OSError, EOFError, zlib.error):
        return False


@pytest.mark.parametrize("content", [b"PK zip", *map(gzip.compress, (b"hello\n", b"{}"))], ids=len)
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    assert "it is not a backup" in fault_of(tmp_path / "c", content)
    assert fault_of(tmp_path / "c", b"")


def test_nothing_is_restored_from_a_corrupt_file(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    run("backup", tmp_path / "b")
    (tmp_path / "b").write_bytes((tmp_path / "b").read_bytes()[:-9])
    assert "cut off" in str(run("restore", tmp_path / "b", REDIS_URL=empty).exception)
    with Redis.from_url(empty) as redis:
        assert redis.dbsize() == 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": 9}, "in format 9;"),
        ({"store": 1}, "in the store format 1;"),
        ({"level": STORE_LEVEL + 1}, f"level {STORE_LEVEL + 1}, .* use a later commit of Annals"),
    ],
)
def test_a_backup_of_another_format_is_refused(
    store: EventStore, tmp_path: Path, changed: dict[str, int], words: str
) -> None:
    write_backup(store, tmp_path / "b")
    header = next(read_backup(tmp_path / "b"))
    assert isinstance(header, Header)
    with backup_writer(tmp_path / "c") as writer:
        writer.write(replace(header, **changed))
        writer.end()
    with pytest.raises(CannotRun, match=words):
        check_backup(tmp_path / "c")


def test_corrupt_entries_are_named_and_stay_corrupt(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    damage(store, "running", 2)
    told = run("backup", tmp_path / "b")
    assert "running: version 2 is corrupt: its checksum is wrong." in told.stderr
    restored = run("restore", tmp_path / "b", REDIS_URL=empty)
    assert restored.exit_code == 1
    assert "running: version 2 is corrupt: its checksum is wrong." in restored.output


@pytest.mark.parametrize("value", [b"", b"plain", "Zoë".encode(), b"\xff\x00", b"\x00abc"])
def test_any_bytes_are_restored(value: bytes) -> None:
    assert as_bytes(as_text(value)) == value


def test_unknown_keys_are_named_and_left_out(store: EventStore, tmp_path: Path) -> None:
    store.redis.set("somebody:else", 1)
    told = run("backup", tmp_path / "b")
    assert "somebody:else is not a key of Annals and is left out." in told.stderr


def annals_of(url: str) -> Annals:
    return open_annals(read_settings({"REDIS_URL": url}))


def test_tokens_and_names_work_after_a_restore(
    store: EventStore, empty: str, tmp_path: Path
) -> None:
    players = open_annals(read_settings(environ)).players
    player, token = players.register("Cid", wall_clock())
    run("backup", tmp_path / "b")
    run("restore", tmp_path / "b", REDIS_URL=empty)
    client = create_app(annals_of(empty)).test_client()
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert (me.status_code, me.json["id"]) == (200, player.id)
    assert client.post("/v1/players", json={"name": "cid"}).json["code"] == "name_taken"
