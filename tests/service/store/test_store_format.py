"""What a store says of itself, and which stores are refused."""

from __future__ import annotations

import pytest
from redis import Redis

from service.runtime.settings import BadSetting
from service.store.event_store import Store
from service.store.store_format import FORMAT, PARTITIONS, RESTORING, WRITTEN_IN


def test_a_new_store_tells_its_format_and_who_created_it(redis_client: Redis) -> None:
    Store(redis_client)
    number, _, creator = (redis_client.get(WRITTEN_IN) or b"").decode().partition(" ")
    assert number == str(FORMAT)
    assert creator
    Store(redis_client)


def test_a_store_of_before_formats_were_written_down_is_refused(redis_client: Redis) -> None:
    redis_client.set(PARTITIONS, 16)
    with pytest.raises(BadSetting, match=r"has format 1, written by Annals 0\.2\.0 or older, and"):
        Store(redis_client)
    assert redis_client.keys() == [PARTITIONS.encode()]


@pytest.mark.parametrize("written", [b"99 9.1.0", b"", b"\xff", b"two 1.0"])
def test_a_store_of_another_format_is_refused(redis_client: Redis, written: bytes) -> None:
    Store(redis_client)
    redis_client.set(WRITTEN_IN, written)
    with pytest.raises(BadSetting, match=rf"this program reads format {FORMAT} only\. Run that"):
        Store(redis_client)


def test_a_store_is_refused_while_it_is_being_filled(redis_client: Redis) -> None:
    redis_client.set(RESTORING, "backup")
    with pytest.raises(BadSetting, match="was interrupted"):
        Store(redis_client)
