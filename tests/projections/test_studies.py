"""What is folded from whole matches: the same however it is read, by whomever it is folded, and
after a rebuild.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.games import GAMES
from projections.core.spaces import Projection
from projections.projector import Projector
from projections.studies import STUDIES, studies
from service.runtime.settings import Settings
from service.store.event_store import Store
from tests.projections.explored import some_matches
from tests.projections.recorded import folded
from workers.tools.rebuild import fold_anew


def projector(store: Store, partitions: Sequence[int] = range(16)) -> Projector:
    return Projector(store.redis, store, partitions, studies(GAMES, store.read))


def fold(store: Store, batch: int) -> None:
    """Fold all that was recorded, so many entries of each partition at a time."""
    own = projector(store)
    while own.fold_next(batch * 16):
        pass


@pytest.fixture
def recorded(store: Store) -> Store:
    """Two matches of every game."""
    for game in GAMES.values():
        some_matches(store, game, 2)
    return store


def test_it_is_the_same_in_whatever_portions_the_feed_is_read(recorded: Store) -> None:
    fold(recorded, 1_000)
    at_once = folded(recorded.redis)
    assert len(at_once) > len(GAMES)
    recorded.redis.delete(*at_once)
    fold(recorded, 3)
    assert folded(recorded.redis) == at_once


def test_nothing_is_counted_twice_by_several_who_fold(recorded: Store) -> None:
    fold(recorded, 1_000)
    by_one = folded(recorded.redis)
    recorded.redis.delete(*by_one)
    several = [projector(recorded) for _ in range(3)]
    while sum(one.fold_next(64) for one in several):
        pass
    assert folded(recorded.redis) == by_one


@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_a_rebuild_gives_the_same_byte_by_byte(
    recorded: Store, redis_url: str, study: Projection
) -> None:
    fold(recorded, 1_000)
    live = folded(recorded.redis)
    fold_anew(Settings(events_url=redis_url), [study])
    mark = f":{study.key}".encode()
    anew = {
        key.replace(mark + b":1:", mark + b":0:"): value
        for key, value in folded(recorded.redis).items()
        if not key.endswith(mark)
    }
    for partition in range(recorded.partitions):
        live.setdefault(f"{{p{partition}}}:rm:{study.key}:0:at".encode(), None)
        anew.setdefault(f"{{p{partition}}}:rm:{study.key}:0:at".encode(), None)
    assert anew == live
