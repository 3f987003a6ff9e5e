"""The format marker of a store, and which stores are refused."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from redis import Redis

from service.runtime.settings import BadSetting
from service.store import store_format
from service.store.event_store import EventStore
from service.store.store_format import (
    FORMAT_KEY,
    LEVELS_KEY,
    PARTITIONS_KEY,
    RESTORING_KEY,
    STORE_FORMAT,
    STORE_LEVEL,
)

CHANGELOG = Path(__file__).parents[3] / "CHANGELOG.md"


def test_the_changelog_names_the_level_of_stores() -> None:
    """Operators learn from it which versions refuse their store from now on."""
    assert re.search(rf"[Ss]tores have level {STORE_LEVEL}\b", CHANGELOG.read_text())


def test_a_new_store_records_its_format_and_its_creator(redis_client: Redis) -> None:
    EventStore(redis_client)
    number, _, creator = (redis_client.get(FORMAT_KEY) or b"").decode().partition(" ")
    assert number == str(STORE_FORMAT)
    assert creator
    EventStore(redis_client)


def test_a_store_of_before_formats_were_written_down_is_refused(redis_client: Redis) -> None:
    redis_client.set(PARTITIONS_KEY, 16)
    with pytest.raises(BadSetting, match=r"has format 1, written by Annals 0\.2\.0 or older, and"):
        EventStore(redis_client)
    assert redis_client.keys() == [PARTITIONS_KEY.encode()]


@pytest.mark.parametrize("written", [b"99 9.1.0", b"", b"\xff", b"two 1.0"])
def test_a_store_of_another_format_is_refused(redis_client: Redis, written: bytes) -> None:
    EventStore(redis_client)
    redis_client.set(FORMAT_KEY, written)
    with pytest.raises(
        BadSetting, match=rf"this program reads format {STORE_FORMAT} only\. Run that"
    ):
        EventStore(redis_client)


def test_an_older_program_refuses_what_a_newer_one_wrote(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    EventStore(redis_client)
    with monkeypatch.context() as newer:
        newer.setattr(store_format, "STORE_LEVEL", STORE_LEVEL + 1)
        newer.setattr(store_format, "VERSION", "9.1.0")
        EventStore(redis_client)
        newer.setattr(store_format, "VERSION", "9.2.0")
        EventStore(redis_client)  # what it writes, 9.1.0 reads too
    before = redis_client.hgetall(LEVELS_KEY)
    with pytest.raises(BadSetting, match=r": use Annals 9\.1\.0 or newer\. This one"):
        EventStore(redis_client)
    assert redis_client.hgetall(LEVELS_KEY) == before


def test_a_later_commit_of_the_same_version_is_named_by_its_level(redis_client: Redis) -> None:
    EventStore(redis_client)
    redis_client.hset(LEVELS_KEY, str(STORE_LEVEL + 1), version("annals"))
    with pytest.raises(BadSetting) as refused:
        EventStore(redis_client)
    assert (
        f"has level {STORE_LEVEL + 1}, and this program reads levels up to {STORE_LEVEL}:"
        in str(refused.value)
    )
    assert f" use a later commit of Annals {version('annals')}, such as" in str(refused.value)


def test_a_newer_program_continues_with_what_an_older_one_wrote(redis_client: Redis) -> None:
    redis_client.hset(LEVELS_KEY, str(STORE_LEVEL - 1), "0.1.0")
    EventStore(redis_client)
    assert set(redis_client.hkeys(LEVELS_KEY)) == {b"%d" % (STORE_LEVEL - 1), b"%d" % STORE_LEVEL}


def test_a_store_is_refused_while_it_is_being_filled(redis_client: Redis) -> None:
    redis_client.set(RESTORING_KEY, "backup")
    with pytest.raises(BadSetting, match="was interrupted"):
        EventStore(redis_client)
