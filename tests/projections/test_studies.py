"""Studies are the same in any batches, with any number of projectors, and after a rebuild."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.games import GAMES
from projections.core.spaces import Projection
from projections.projector import Projector
from projections.studies import STUDIES, studies
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from tests.projections.explored import some_matches
from tests.projections.recorded import read_all
from workers.tools.rebuild import rebuild_projections

SOME = ("great_wall", "tigris_euphrates")
"""The games of the matches: studies know none."""


def projector(store: EventStore, partitions: Sequence[int] = range(16)) -> Projector:
    return Projector(store.redis, store, partitions, studies(GAMES, store.read))


def fold(store: EventStore, batch: int) -> None:
    """Fold all entries, this number of entries of each partition at a time."""
    own = projector(store)
    while own.fold_next(batch * 16):
        pass


@pytest.fixture
def study_store(store: EventStore) -> EventStore:
    """Two matches of two games."""
    for game in SOME:
        some_matches(store, GAMES[game], 2)
    return store


def test_the_result_does_not_depend_on_batches_or_projectors(study_store: EventStore) -> None:
    """Competing projectors count once."""
    fold(study_store, 1_000)
    at_once = read_all(study_store.redis)
    assert len(at_once) > len(SOME)
    study_store.redis.delete(*at_once)
    fold(study_store, 3)
    assert read_all(study_store.redis) == at_once
    study_store.redis.delete(*at_once)
    several = [projector(study_store) for _ in range(3)]
    while sum(one.fold_next(64) for one in several):
        pass
    assert read_all(study_store.redis) == at_once


@pytest.mark.parametrize("study", STUDIES, ids=lambda one: one.name)
def test_a_rebuild_is_identical(study_store: EventStore, redis_url: str, study: Projection) -> None:
    fold(study_store, 1_000)
    live = read_all(study_store.redis)
    rebuild_projections(Settings(events_url=redis_url), [study])
    mark = f":{study.key}".encode()
    anew = {
        key.replace(mark + b":1:", mark + b":0:"): value
        for key, value in read_all(study_store.redis).items()
        if not key.endswith(mark)
    }
    for partition in range(study_store.partitions):
        live.setdefault(f"{{p{partition}}}:rm:{study.key}:0:at".encode(), None)
        anew.setdefault(f"{{p{partition}}}:rm:{study.key}:0:at".encode(), None)
    assert anew == live
