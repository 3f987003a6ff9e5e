"""What a reader folded who left is there for the next one."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from domain.match.log import Entry
from service.matches import match_cache
from service.matches.match_cache import MatchCache
from tests.match.table import collect_facts
from tests.projections.recorded import RecordedMatch
from tests.service.matches.test_match_cache import GAMES, Counting


class CallerLeft(BaseException):
    """Raised where a caller leaves."""


class Impatient(Counting):
    """A store whose callers leave at their second read, as long as they are impatient."""

    is_impatient = True

    def read_after(self, *args: Any, **options: Any) -> list[Entry] | None:
        found = super().read_after(*args, **options)
        if self.is_impatient:
            raise CallerLeft
        return found


@pytest.mark.parametrize("leavers", [1, 3])
def test_a_reader_goes_on_where_one_who_left_has_stopped(redis_client: Redis, leavers: int) -> None:
    store = Impatient(redis_client)
    table = RecordedMatch(store, "ann bob").play_out()
    assert table.match.version > 3
    matches = MatchCache(store, GAMES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_cache, "ENTRIES_PER_READ", 2)
        for _ in range(leavers):
            with pytest.raises(CallerLeft):
                matches.latest("m")
        store.is_impatient = False
        assert collect_facts(matches.latest("m")) == collect_facts(table.match)
    assert store.reads == [0, *[2] * leavers, *range(2, table.match.version + 1, 2)]
    assert matches.lock_for_write("m").__enter__().unfinished is None


def test_a_reader_begins_anew_if_the_entries_so_far_were_lost(redis_client: Redis) -> None:
    store = Impatient(redis_client)
    RecordedMatch(store, "ann bob").play_out()
    matches = MatchCache(store, GAMES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_cache, "ENTRIES_PER_READ", 2)
        with pytest.raises(CallerLeft):
            matches.latest("m")
        store.is_impatient = False
        store.redis.flushdb()
        other = RecordedMatch(store, "ann cid").play_out()
        assert collect_facts(matches.latest("m")) == collect_facts(other.match)
