"""The Redis of a data folder, while a command needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import click

from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import Settings
from service.store.redis_client import connect
from workers.host.errors import CannotRun
from workers.host.folder_lock import AlreadyRunning, hold_folder, refuse_foreign
from workers.host.redis.checks import await_redis
from workers.host.redis.high_water_mark import find_missing
from workers.host.redis.server import run_redis, state_of
from workers.host.redis.truncated_tail import TruncatedTail


@contextmanager
def running_redis(settings: Settings, create: bool = False) -> Iterator[None]:
    """Make sure that the Redis of the events answers; start the embedded one if it is not running.

    CannotRun if there is no data to start it on, unless `create` is set.
    """
    with ExitStack() as stack:
        ours = settings.events_url == own_redis_url(settings.data)
        if ours and state_of(settings.events_url) == "silent":
            _start_embedded(settings, create, stack)
        elif ours:
            await_redis("", settings.events_url)  # it may still load its data
        if not create:
            _warn_about_loss(settings)
        yield


def _warn_about_loss(settings: Settings) -> None:
    with closing(connect(settings.events_url)) as redis:
        for sentence in find_missing(settings, redis):
            click.echo(f"Note: {sentence} See `annals accept-loss --help`.", err=True)


def _start_embedded(settings: Settings, create: bool, stack: ExitStack) -> None:
    folder = settings.data / "redis"
    if not create and not (folder / "engine").is_file():
        raise CannotRun(
            f"There is no data in {settings.data}: set ANNALS_DATA to the folder of a service."
        )
    try:
        stack.enter_context(hold_folder(settings.data))
    except AlreadyRunning:  # another process is starting it
        await_redis("", settings.events_url)
    else:
        refuse_foreign(settings.data)
        cut_end = TruncatedTail(folder, folder / "redis.log")
        stack.enter_context(run_redis(folder))
        for sentence in cut_end.describe():
            click.echo(f"Note: {sentence}", err=True)
