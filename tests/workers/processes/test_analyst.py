"""The analyst requests the analyses that the settings ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis
from rq import Queue

from domain.games import GAMES
from domain.match.decisions import ending
from projections.projector import Projector
from service.matches.analyses import QUEUE_NAME
from service.matches.commands import Metadata, create, execute
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import plan
from tests.service.api.seated import bot_move
from workers.processes.analyst import automatic_analyses


@pytest.fixture
def annals(redis_client: Redis, redis_url: str) -> Annals:
    settings = Settings(redis_url=redis_url, events_url=redis_url, queue_url=redis_url)
    return open_annals(settings, {TOY.key: TOY})


def score_match(annals: Annals, match: str, seats: str, **more: str) -> None:
    """A match played to its end with the first legal moves."""
    wanted = plan(seats, match=match, **more)
    create(annals, wanted, TOY, Metadata(wanted.host))
    while annals.matches.latest(match).status == "active":
        execute(annals, match, Metadata(), bot_move)
    execute(annals, match, Metadata(), lambda at, now: ending.score(at))


def find_requests(annals: Annals, redis: Redis, which: str) -> set[str]:
    """The matches whose analyses are requested automatically."""
    settings = replace(annals.settings, analysis_scope=which)
    folded = automatic_analyses(replace(annals, settings=settings))
    store = annals.store
    projector = Projector(redis, store, range(store.partitions), folded)
    while folded and projector.fold_next(100):
        pass
    return {job.args[0] for job in Queue(QUEUE_NAME, connection=redis).get_jobs()}


@pytest.mark.parametrize(
    ("which", "found"),
    [("requested", set()), ("people", {"people", "mixed"}), ("all", {"people", "mixed", "bots"})],
)
def test_the_setting_selects_the_analysed_matches(
    annals: Annals, redis_client: Redis, which: str, found: set[str]
) -> None:
    score_match(annals, "people", "ann ben")
    score_match(annals, "mixed", "ann +easy")
    score_match(annals, "bots", "+easy +easy")
    score_match(annals, "secret", "ann ben", visibility="private")
    create(annals, plan("ann ben", match="open"), TOY, Metadata("ann"))
    assert find_requests(annals, redis_client, which) == found
    assert find_requests(annals, redis_client, which) == found


def test_matches_of_unknown_games_are_skipped(annals: Annals, redis_client: Redis) -> None:
    score_match(annals, "old", "ann ben")
    assert find_requests(replace(annals, games=GAMES), redis_client, "all") == set()
