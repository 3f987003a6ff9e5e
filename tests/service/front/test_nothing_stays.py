"""Once a match has left the cache, nothing of it and of what was asked about it is in memory."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event
from urllib.parse import clear_cache

import pytest
from redis import Redis

from domain.games import GAMES
from service.matches import bundles
from service.runtime.shares.pace import MINUTE_S
from tests.service.front.test_every_route_in_turn import Service, World, address, routes
from workers.processes.projector import build_projector

pytestmark = pytest.mark.slow
FILLING_ROUNDS, ROUNDS = 2, 3
"""In how many rounds caches fill, and in how many objects are counted then. A round has a match of
each game.
"""
CACHED_ENTRIES, CACHED_CHECKS = 250, 2
"""The sizes of the caches of matches and of their checks, which are full after some matches."""
MOVES = 4
CONTAINERS = (dict, list, set, OrderedDict, deque)


@pytest.fixture
def all_objects() -> Iterator[None]:
    """The collector lists all objects, also those of before the tests."""
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()


async def use(service: Service, world: World, game: str) -> None:
    """Play a match, and read all that can be read about it, and all else."""
    plan = {"game": game, "seats": [{"me": True}] * max(2, min(GAMES[game].seats))}
    match = (await service.body("POST", "/v1/matches", plan, world.token))["id"]
    for _ in range(MOVES):
        legal = await service.body("GET", f"/v1/matches/{match}/legal-moves", None, world.token)
        first = {"move": legal["moves"][0]}
        await service.body("POST", f"/v1/matches/{match}/moves", first, world.token)
    store = service.annals.store
    projector = build_projector(store, range(store.partitions), Event())
    while projector.fold_next(1_000):
        pass
    places = world.places | {"match_id": match, "series": match, "game": game}
    for method, rule in routes(service.app):
        if method == "GET" and "stream" not in rule.rule:
            service.now += MINUTE_S  # all requests so far are paid
            await service("GET", address(service.app, rule, places), None, world.token)
    for noted in (service.steps.waits, service.steps.costs):
        noted.clear()


def count_objects() -> Counter[str]:
    """How many objects there are of each type, and how many entries their containers have."""
    clear_cache()  # that of the standard library for addresses
    gc.collect()
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one)
        found[kind.__qualname__] += 1
        if kind in CONTAINERS:
            found[f"entries of {kind.__qualname__}"] += len(one)
    return found


@pytest.mark.usefixtures("all_objects")
def test_what_was_read_leaves_nothing_in_memory(
    redis_client: Redis, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No objects of a type become more in each round: a bounded cache grows in some rounds only."""
    monkeypatch.setattr(bundles, "MAX_CACHED_CHECKS", CACHED_CHECKS)

    async def play() -> list[Counter[str]]:
        service = Service(redis_url, tmp_path, monkeypatch)
        service.annals.matches.max_entries = CACHED_ENTRIES
        world, counted = World(service), []
        await world.prepare(0)
        for number in range(FILLING_ROUNDS + ROUNDS):
            for game in GAMES:
                await use(service, world, game)
            if number >= FILLING_ROUNDS - 1:
                counted.append(count_objects())
        return counted

    first, *others = (after - before for before, after in pairwise(asyncio.run(play())))
    least = {kind: min(number, *(one[kind] for one in others)) for kind, number in first.items()}
    assert {kind: number for kind, number in least.items() if number >= len(GAMES)} == {}
