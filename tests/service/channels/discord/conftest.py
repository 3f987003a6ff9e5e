"""The service with a stand-in for Discord; each job runs when a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job
from werkzeug.serving import make_server

import workers.jobs.discord
from domain.games import GAMES
from service.channels.discord.client import DiscordClient
from service.channels.discord.context import DiscordContext
from service.channels.discord.follow_up_jobs import QUEUE
from service.channels.discord.renderer import CardRenderer
from service.drawing.pictures.cache import PictureCache
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.discord.people import Person, StandIn, stand_in
from tests.discord.stand_in import PUBLIC
from tests.discord.state import APP, BOT_TOKEN
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.support.apps import app_over, take_back
from tests.support.small_painter import SmallPainter


class DiscordHarness:
    """The service, called over HTTP by the stand-in, and its jobs."""

    def __init__(self, redis: Redis, url: str, discord: StandIn) -> None:
        self.discord, self.redis = discord, redis
        settings = Settings(
            redis_url=url, events_url=url, queue_url=url, discord_app=APP, discord_key=PUBLIC,
            discord_token=BOT_TOKEN, discord_api=discord.url, public_url="https://annals.example/",
        )  # fmt: skip
        annals = open_annals(settings, {**GAMES, TOY.key: TOY})
        self.now = NOON
        self.annals: Annals = replace(annals, now=lambda: self.now)
        self.waited: list[float] = []
        self.client = DiscordClient(discord.url, APP, BOT_TOKEN, self.waited.append)
        gallery = PictureCache(1, 4, 0)
        gallery.use(SmallPainter())
        self.renderer = CardRenderer(
            DiscordContext(self.annals), self.client, gallery, self.waited.append
        )

    def work(self) -> None:
        """Run all waiting jobs."""
        queue = Queue(QUEUE, connection=self.redis)
        while queue.count:
            Job.fetch(str(queue.pop_job_id()), connection=self.redis).perform()


class Guest(Person):
    """A user who sees the results of their action after all jobs have run."""

    harness: DiscordHarness

    def _latest_message(self, done: Any) -> Any:
        self.harness.work()
        return super()._latest_message(done)


@pytest.fixture(scope="session")
def one_discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


@pytest.fixture
def harness(
    redis_client: Redis, redis_url: str, one_discord: StandIn, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DiscordHarness]:
    one_discord.ask("reset")
    harness = DiscordHarness(redis_client, redis_url, one_discord)
    monkeypatch.setattr(workers.jobs.discord, "_renderer", lambda: harness.renderer)
    server = make_server("127.0.0.1", 0, app_over(harness.annals), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    one_discord.ask("service", f"http://127.0.0.1:{server.server_port}")
    one_discord.ask("clock", harness.now)
    yield harness
    server.shutdown()
    server.server_close()
    thread.join()
    take_back()


def guest(harness: DiscordHarness, number: str, name: str, channel: str = "500") -> Guest:
    made = Guest(harness.discord, number, name, channel)
    made.harness = harness
    return made


@pytest.fixture
def ada(harness: DiscordHarness) -> Guest:
    return guest(harness, "101", "Ada")


@pytest.fixture
def ben(harness: DiscordHarness) -> Guest:
    return guest(harness, "102", "Ben")
