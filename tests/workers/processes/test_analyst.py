"""The analyst: asks for what the settings want."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis
from rq import Queue

from domain.games import GAMES
from domain.match.decisions import ending
from projections.projector import Projector
from service.matches.analyses import QUEUE
from service.matches.commands import Metadata, carry_out, create
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import plan
from tests.service.api.seated import bot_move
from workers.processes.analyst import unasked


@pytest.fixture
def annals(redis_client: Redis, redis_url: str) -> Annals:
    settings = Settings(redis_url=redis_url, events_url=redis_url, queue_url=redis_url)
    return open_annals(settings, {TOY.key: TOY})


def scored(annals: Annals, match: str, seats: str, **more: str) -> None:
    """A match that was played to its end, always with the first legal move."""
    wanted = plan(seats, match=match, **more)
    create(annals, wanted, TOY, Metadata(wanted.host))
    while annals.matches.latest(match).status == "active":
        carry_out(annals, match, Metadata(), bot_move)
    carry_out(annals, match, Metadata(), lambda at, now: ending.score(at))


def wanted(annals: Annals, redis: Redis, which: str) -> set[str]:
    """The matches whose analyses nobody asked for, and which are to be made all the same."""
    settings = replace(annals.settings, analyse=which)
    folded = unasked(replace(annals, settings=settings))
    store = annals.store
    projector = Projector(redis, store, range(store.partitions), folded)
    while folded and projector.fold_next(100):
        pass
    return {job.args[0] for job in Queue(QUEUE, connection=redis).get_jobs()}


@pytest.mark.parametrize(
    ("which", "found"),
    [("asked", set()), ("people", {"people", "mixed"}), ("all", {"people", "mixed", "bots"})],
)
def test_the_settings_say_which_matches_are_analysed(
    annals: Annals, redis_client: Redis, which: str, found: set[str]
) -> None:
    scored(annals, "people", "ann ben")
    scored(annals, "mixed", "ann +easy")
    scored(annals, "bots", "+easy +easy")
    scored(annals, "secret", "ann ben", visibility="private")
    create(annals, plan("ann ben", match="open"), TOY, Metadata("ann"))
    assert wanted(annals, redis_client, which) == found
    assert wanted(annals, redis_client, which) == found


def test_matches_of_games_that_nobody_knows_any_more_are_passed_over(
    annals: Annals, redis_client: Redis
) -> None:
    scored(annals, "old", "ann ben")
    assert wanted(replace(annals, games=GAMES), redis_client, "all") == set()
