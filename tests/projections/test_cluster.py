"""Everything that reads or writes projections works on a Redis Cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from projections import PROJECTIONS
from projections.lists.change_feed import ChangeFeedReader
from projections.lists.matches import count_hosted, find
from projections.lists.results import read_record
from projections.lists.turns import find_turns
from projections.progress import read_progress
from service import ratings
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.projections.recorded import RecordedMatch, fold_all
from tests.support.redis_process import cluster
from workers.host.redis.checks import await_redis, check_redis
from workers.tools.rebuild import rebuild_projections


@pytest.mark.slow
def test_projections_ratings_and_commands_work_on_a_cluster(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        assert check_redis("EVENTS_REDIS_URL", url) == []
        await_redis("EVENTS_REDIS_URL", url)
        redis = connect(url)
        store = EventStore(redis)
        tables = [RecordedMatch(store, "ann bob", match=f"m{n}") for n in range(3)]
        tables[0].play_out().score()
        tables[0].rate(ann=(27, 7, 1, 1), bob=(23, 7, 1, 0))
        fold_all(store)
        rebuild_projections(Settings(events_url=url), PROJECTIONS)
        assert {now.lag for now in read_progress(redis, 16).values()} == {0}
        assert len(find(redis, 16, game="toy").items) == 3
        assert count_hosted(redis, 16, "ann") == 2
        assert [turn.match for turn in find_turns(redis, 16, "ann").items] == ["m1", "m2"]
        assert read_record(redis, 16, "ann")["toy"].played == 1
        news = ChangeFeedReader(redis, 16)
        found = news.read_changes("ann", (0,) * 16, range(16))
        assert sorted(new.match.id for new in found.changes) == ["m0", "m1", "m2"]
        partition = store.partition_of("m1")
        assert "bob" in news.wait_for_changes({partition: 0}, 100, 1)[partition][-1][1]
        assert news.can_resume("lobby", found.cursor)
        seats = [ratings.Competitor("ann", 1), ratings.Competitor("bob", 2)]
        assert len(ratings.rate(redis, "toy", "m0", seats, 0).changes) == 2
        assert [one.competitor for one in ratings.standings(redis, "toy")] == ["ann", "bob"]
        redis.close()
        redis.disconnect_connection_pools()  # type: ignore[attr-defined]  # a cluster has several
