"""A cache of bytes stays within its bound, however small its values are."""

from __future__ import annotations

import pytest

from service.runtime.shares.byte_cache import ENTRY_BYTES, ByteCache


@pytest.mark.parametrize("value", [b"", bytes(5), bytes(1_000)])
def test_what_was_used_last_is_cached_within_the_bound(value: bytes) -> None:
    """Given room for three values, when a fourth comes, then the one used longest ago goes."""
    cache = ByteCache(3 * (ENTRY_BYTES + len(value)))
    for key in (1, 2, 3, 1):
        cache.put(key, value)
    assert cache.get(2) == value
    cache.put(4, value)
    assert [key for key in range(1, 5) if cache.get(key) is not None] == [1, 2, 4]


def test_a_cache_without_room_keeps_nothing() -> None:
    cache = ByteCache(0)
    cache.put(1, b"")
    assert cache.get(1) is None
