"""`annals accept-loss`: continues with a store that has less than its high-water mark."""

from __future__ import annotations

from contextlib import closing
from os import environ

import click

from service.matches.seeds import SEEDS_KEY as SEEDS
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.host.redis.high_water_mark import find_missing, reset_mark
from workers.host.redis.on_demand import running_redis
from workers.tools.admin.admin import confirm
from workers.tools.store.continue_log import continue_log


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def accept_loss(yes: bool) -> None:
    """Continue with an event store that has lost entries.

    A service writes every two seconds how much is known to be on disk. It refuses to start on a
    store that has less, because its file was truncated or replaced by an older one. Lost entries
    stay lost. The transparency log continues, and keeps their leaves.
    """
    settings = read_settings(environ)
    with running_redis(settings), closing(connect(settings.events_url)) as redis:
        store = EventStore(redis, settings.partitions)
        missing = find_missing(settings, redis)
        if not missing:
            click.echo("The store has everything that its high-water mark names.")
            return
        confirm(yes, " ".join([*missing, "Continue without them?"]))
        redis.delete(SEEDS)  # lost entries may have revealed seeds that follow from this key
        reset_mark(settings, redis)
        log = continue_log(settings, store)
    click.echo("The store as it is now is the new high-water mark.")
    if log:
        click.echo(log)
