"""The Redis of a data folder, for as long as a command needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import click

from service.runtime.settings import Settings, own_redis
from service.store.redis_client import connect
from workers.host.errors import CannotRun
from workers.host.high_water_mark import missing_in
from workers.host.redis_check import await_redis
from workers.host.redis_server import embedded_redis, state_of
from workers.host.run import AlreadyRunning, claimed
from workers.host.truncated_tail import CutEnd


@contextmanager
def redis_up(settings: Settings, create: bool = False) -> Iterator[None]:
    """The Redis of the events answers; ours is started for the time needed if nobody runs it.

    CannotRun if there are no data to start it on, unless it may create them.
    """
    with ExitStack() as stack:
        ours = settings.events_url == own_redis(settings.data)
        if ours and state_of(settings.events_url) == "silent":
            _start(settings, create, stack)
        elif ours:
            await_redis("", settings.events_url)  # it may be loading
        if not create:
            _tell_loss(settings)
        yield


def _tell_loss(settings: Settings) -> None:
    with closing(connect(settings.events_url)) as redis:
        for sentence in missing_in(settings, redis):
            click.echo(f"Note: {sentence} `annals accept` tells what that means.", err=True)


def _start(settings: Settings, create: bool, stack: ExitStack) -> None:
    folder = settings.data / "redis"
    if not create and not (folder / "engine").is_file():
        raise CannotRun(
            f"There are no data in {settings.data}: ANNALS_DATA names the folder of a service."
        )
    try:
        stack.enter_context(claimed(settings.data))
    except AlreadyRunning:  # somebody starts it just now
        await_redis("", settings.events_url)
    else:
        cut_end = CutEnd(folder, folder / "redis.log")
        stack.enter_context(embedded_redis(folder))
        for sentence in cut_end.sentences():
            click.echo(f"Note: {sentence}", err=True)
