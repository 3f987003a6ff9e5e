"""Counts what bots use: attempts at a turn, and the thinking time charged to each host.

Both counters are in the Redis of the queues and expire, so a crash needs no cleanup: a killed
worker leaves an attempt that was counted.
"""

from __future__ import annotations

from typing import cast

from redis import Redis

SPENT_KEY = "annals:bot_quota_used"
MINUTE_S = 60
DAY_S = 86_400
# One atomic step, because a counter without expiry would hold up its hosts for ever. (EXPIRE NX
# needs Redis 7.)
CHARGE_SCRIPT = """
redis.call('ZINCRBY', KEYS[1], ARGV[1], ARGV[2])
if KEYS[2] then
  redis.call('DEL', KEYS[2])
end
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
"""


class BotQuota:
    """Counts attempts at each turn, and the thinking time of each host in the current minute."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._charge = redis.register_script(CHARGE_SCRIPT)

    def begin_attempt(self, match: str, version: int) -> int:
        """Count an attempt at a turn; returns the number of attempts including this one."""
        name = _attempts_key(match, version)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.incr(name)
            pipe.expire(name, DAY_S)
            return int(pipe.execute()[0])

    def count_attempts(self, match: str, version: int) -> int:
        """Return the number of attempts at a turn."""
        return int(cast(bytes, self._redis.get(_attempts_key(match, version)) or 0))

    def end_attempt(self, match: str, version: int, host: str, seconds: float) -> None:
        """Record a successful attempt; later failures are not the fault of the bot."""
        self._charge(
            keys=[SPENT_KEY, _attempts_key(match, version)], args=[seconds, host, MINUTE_S]
        )

    def charge(self, host: str, seconds: float) -> None:
        """Charge thinking time to a host."""
        self._charge(keys=[SPENT_KEY], args=[seconds, host, MINUTE_S])

    def hosts_over(self, seconds: float) -> set[str]:
        """Return the hosts whose bots have used at least `seconds` in the current minute."""
        found = cast(list[bytes], self._redis.zrangebyscore(SPENT_KEY, seconds, "+inf"))
        return {host.decode() for host in found}


def _attempts_key(match: str, version: int) -> str:
    return f"annals:bot_attempts:{match}:{version}"
