"""A backup of a store with many matches takes no more memory than one of a small store."""

from __future__ import annotations

import tracemalloc

from redis import Redis

from workers.tools.store.dump import keys_by_treatment

KEYS = 5_000
MAX_PEAK_BYTES = 200_000
"""The names of all keys would take 800,000."""


def test_only_the_names_of_wanted_keys_are_kept(redis_client: Redis) -> None:
    redis_client.mset({f"{{p{number % 16}}}:rm:match:{number}": "" for number in range(KEYS)})
    redis_client.set("player:ann", "Ann")
    redis_client.set("{p0}:unknown", "")
    wanted = ("account", None)
    expected = {"account": {b"player:ann"}, None: {b"{p0}:unknown"}}
    assert keys_by_treatment(redis_client, *wanted) == expected
    tracemalloc.start()
    try:
        keys_by_treatment(redis_client, *wanted)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MAX_PEAK_BYTES
