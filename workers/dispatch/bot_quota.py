"""What bots use up: tries at a turn, and seconds of thinking, which their hosts pay for.

Both are in the Redis of the queues and end by themselves, so nothing has to be put right after a
crash: a worker that was killed leaves a try that was counted.
"""

from __future__ import annotations

from typing import cast

from redis import Redis

SPENT = "annals:thought"
MINUTE_S = 60
DAY_S = 86_400
# One step, since a minute without an end would hold hosts up for ever. (EXPIRE NX needs Redis 7.)
SPEND = """
redis.call('ZINCRBY', KEYS[1], ARGV[1], ARGV[2])
if KEYS[2] then
  redis.call('DEL', KEYS[2])
end
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
"""


class Thinking:
    """Counts how often a turn was tried, and how much each host let think in this minute."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._spend = redis.register_script(SPEND)

    def begin(self, match: str, version: int) -> int:
        """Count a try at a turn; how many there were with this one."""
        name = _tries(match, version)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.incr(name)
            pipe.expire(name, DAY_S)
            return int(pipe.execute()[0])

    def tries(self, match: str, version: int) -> int:
        """How many tries there were at a turn."""
        return int(cast(bytes, self._redis.get(_tries(match, version)) or 0))

    def end(self, match: str, version: int, host: str, seconds: float) -> None:
        """A try went well: what fails after it is not the bot's fault."""
        self._spend(keys=[SPENT, _tries(match, version)], args=[seconds, host, MINUTE_S])

    def spend(self, host: str, seconds: float) -> None:
        """A host let bots think for so long."""
        self._spend(keys=[SPENT], args=[seconds, host, MINUTE_S])

    def spent(self, seconds: float) -> set[str]:
        """The hosts who let bots think for at least so many seconds in this minute."""
        found = cast(list[bytes], self._redis.zrangebyscore(SPENT, seconds, "+inf"))
        return {host.decode() for host in found}


def _tries(match: str, version: int) -> str:
    return f"annals:tries:{match}:{version}"
