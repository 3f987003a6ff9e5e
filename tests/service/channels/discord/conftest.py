"""The service in a Discord that is stood in for, with all its jobs done when they are asked for."""

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
from service.channels.discord.client import Client
from service.channels.discord.context import Desk
from service.channels.discord.follow_up_jobs import QUEUE
from service.channels.discord.renderer import Showing
from service.drawing.pictures.cache import Gallery
from service.front.app import create_app
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.discord.people import Person, StandIn, stand_in
from tests.discord.stand_in import PUBLIC
from tests.discord.state import APP, BOT_TOKEN
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON


class Office:
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
        self.client = Client(discord.url, APP, BOT_TOKEN, self.waited.append)
        self.showing = Showing(Desk(self.annals), self.client, Gallery(1, 4, 0), self.waited.append)

    def work(self) -> None:
        """Do all jobs that wait."""
        queue = Queue(QUEUE, connection=self.redis)
        while queue.count:
            Job.fetch(str(queue.pop_job_id()), connection=self.redis).perform()


class Guest(Person):
    """Somebody who sees all that was shown, as soon as they have done something."""

    office: Office

    def _shown(self, done: Any) -> Any:
        self.office.work()
        return super()._shown(done)


@pytest.fixture(scope="session")
def one_discord() -> Iterator[StandIn]:
    with stand_in() as discord:
        yield discord


@pytest.fixture
def office(
    redis_client: Redis, redis_url: str, one_discord: StandIn, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Office]:
    one_discord.ask("reset")
    office = Office(redis_client, redis_url, one_discord)
    monkeypatch.setattr(workers.jobs.discord, "_showing", lambda: office.showing)
    server = make_server("127.0.0.1", 0, create_app(office.annals), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    one_discord.ask("service", f"http://127.0.0.1:{server.server_port}")
    one_discord.ask("clock", office.now)
    yield office
    server.shutdown()
    server.server_close()
    thread.join()


def guest(office: Office, number: str, name: str, channel: str = "500") -> Guest:
    made = Guest(office.discord, number, name, channel)
    made.office = office
    return made


@pytest.fixture
def ada(office: Office) -> Guest:
    return guest(office, "101", "Ada")


@pytest.fixture
def ben(office: Office) -> Guest:
    return guest(office, "102", "Ben")
