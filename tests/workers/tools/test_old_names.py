"""Names of a store that an older version wrote get the keys of their looks, and the operator hears
which look alike.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest
from redis import Redis

from service.accounts import look_index
from service.accounts.look_index import LOOKS_KEY, has_all_looks
from service.accounts.names.name_index import look_keys
from service.matches.container import Annals
from service.runtime.settings import Settings, read_settings
from tests.support.archived import annals, run_command, settings
from tests.support.old_names import STEVE, put_old
from tests.support.patience import eventually
from workers.host import keeper
from workers.tools.store.backup import write_backup

__all__ = ["annals", "settings"]
ALIKE = f"{STEVE} (u{2:016}) looks like Steve (u{1:016}). Both keep their names."
ADDED = "Names get 1 more keys, so that no new name can look like one of them."


def put_some(redis: Redis) -> None:
    """Two names that look alike, and one that lacks a key."""
    put_old(redis, 1, "Steve")
    put_old(redis, 2, STEVE)
    put_old(redis, 3, f"{STEVE} Lee")


def keys_of(redis: Redis) -> set[bytes]:
    return set(redis.keys("look:*"))


def test_a_check_of_an_upgrade_names_them_and_changes_nothing(annals: Annals) -> None:
    redis = annals.store.redis
    put_some(redis)
    before = keys_of(redis)
    said = run_command("upgrade", "--check").stdout.splitlines()
    assert said[-3:-1] == [ADDED, ALIKE]
    assert keys_of(redis) == before
    assert not has_all_looks(redis)


def test_a_restore_of_an_older_backup_is_completed(annals: Annals, tmp_path: Path) -> None:
    redis = annals.store.redis
    put_some(redis)
    redis.set(LOOKS_KEY, 99)
    write_backup(annals.store, file := tmp_path / "b")
    redis.flushdb()
    assert run_command("restore", file).exit_code == 0
    assert not has_all_looks(redis)
    said = run_command("rebuild", "looks").stdout.splitlines()
    assert said == [f"looks: {len(redis.zrange('players', 0, -1))} names read, 1 keys added", ALIKE]
    assert has_all_looks(redis)
    assert keys_of(redis) > {key.encode() for key in look_keys(f"{STEVE} Lee")}
    assert run_command("verify", "--all").stdout.endswith(" 0 faults found.\n")


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(keeper, "say", said.append)
    monkeypatch.setattr(keeper, "LOOKS_PAUSE_S", 0.001)
    return said


@pytest.fixture
def keep(console: list[str]) -> Callable[[Settings, Callable[[], bool]], None]:
    def run(settings: Settings, is_done: Callable[[], bool]) -> None:
        """Let the keeper work until something is so."""
        stop = Event()
        thread = Thread(target=keeper.complete_looks, args=(settings, stop))
        thread.start()
        try:
            eventually(is_done)
        finally:
            stop.set()
            thread.join()

    return run


def test_a_service_does_so_once_and_says_it(
    redis_client: Redis,
    redis_url: str,
    console: list[str],
    keep: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_some(redis_client)
    running = read_settings({"REDIS_URL": redis_url})
    keep(running, lambda: len(console) == 2)
    assert console == [f"Note: {ADDED}", f"Note: {ALIKE}"]
    assert has_all_looks(redis_client)
    looked: list[bool] = []
    monkeypatch.setattr(
        keeper, "has_all_looks", lambda redis: looked.append(has_all_looks(redis)) or looked[-1]
    )
    keep(running, lambda: bool(looked))
    assert len(console) == 2, "the second run of the service says nothing"


def test_the_console_names_some_only(
    redis_client: Redis, redis_url: str, console: list[str], keep: Callable[..., None]
) -> None:
    for number in range(keeper.MAX_ALIKE + 3):
        put_old(redis_client, 100 + number, f"Steve {number}")
        put_old(redis_client, 200 + number, f"{STEVE} {number}")
    keep(read_settings({"REDIS_URL": redis_url}), lambda: has_all_looks(redis_client))
    assert len(console) == keeper.MAX_ALIKE + 1
    assert console[-1] == "Note: 3 more names look alike: `annals rebuild looks` names all."


def test_keys_of_names_that_nobody_has_are_freed(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner of the first does not exist; that of the others has another name. A name that a
    player is about to have stays theirs.
    """
    redis, about_to = annals.store.redis, f"u{9:016}"
    put_old(redis, 1, "Steve")
    orphans = {f"name:ghost {n}": f"u{n:016}" for n in (0, 1)} | {"look:ghost i": f"u{1:016}"}
    redis.mset(orphans | {"name:late": about_to})
    said = run_command("rebuild", "looks", "--dry-run").stdout.splitlines()
    assert f"ghost 0 was taken for u{0:016}, who has another name. It would be free." in said
    assert said[-1] == "looks: 4 keys would be freed. Nothing has changed."
    assert redis.exists(*orphans, "name:late") == 4
    monkeypatch.setattr(
        look_index, "pause", lambda _: redis.hset(f"player:{about_to}", "name", "Late")
    )
    said = run_command("rebuild", "looks").stdout.splitlines()
    assert len([one for one in said if one.endswith("It is free.")]) == len(orphans)
    assert redis.exists(*orphans) == 0
    assert redis.get("name:late") == about_to.encode()
    assert redis.get("name:steve") == f"u{1:016}".encode()
    assert run_command("rebuild", "matches", "--dry-run").exit_code == 2
