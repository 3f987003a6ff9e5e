"""How a process shares `ANNALS_CACHE_MB` among its caches of small things.

The entries of each of these caches are about equally large, so a number of entries bounds its
memory. A test measures what an entry takes.
"""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_CACHE_MB = 16
BYTES_PER_PERCENT = 10_000
"""Bytes in one percent of a megabyte."""


class CacheShare(NamedTuple):
    """The share of a cache in the memory of its process, and what an entry of it takes."""

    percent: int
    entry_bytes: int

    def max_entries(self, cache_mb: int) -> int:
        """Return how many entries the cache has room for."""
        return max(1, cache_mb * BYTES_PER_PERCENT * self.percent // self.entry_bytes)


IDENTITIES = CacheShare(25, 1_000)
"""Of web processes: the players and tokens of requests."""
NAMES = CacheShare(10, 400)
"""Of web processes: the names of players."""
RATE_LIMITS = CacheShare(4, 280)
"""Of web processes: the minutes of the callers of each rate limit."""
MAX_RATE_LIMITS = 7
"""Number of rate limits."""
PACES = CacheShare(12, 450)
"""Of web processes: how far ahead of its rate each address is."""
STEPS = CacheShare(5, 270)
"""Of web processes: how long each address has kept the loop busy."""
EXPLORER_PERCENT = 20
"""Of web processes: what players chose in a position; these entries count as what they take."""
PAYERS = CacheShare(35, 400)
"""Of projectors: who pays for the bots of a match."""
SUMMARIES = CacheShare(60, 2_500)
"""Of projectors and the analyst: the latest summaries of matches."""
