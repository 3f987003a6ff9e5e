"""Accept: a store that has less than was noted is gone on with."""

from __future__ import annotations

from contextlib import closing
from os import environ

import click

from service.matches.seeds import KEY as SEEDS
from service.runtime.settings import read_settings
from service.store.redis_client import connect
from service.store.store_format import admit
from workers.host.high_water_mark import accept_loss, missing_in
from workers.host.redis_up import redis_up
from workers.tools.admin.admin import confirm


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def accept(yes: bool) -> None:
    """Go on with an event store that has lost something, with what is there.

    A service notes every two seconds how much is recorded for sure, and does not start on a store
    that has less: its file was cut, or an older one stands in its place. What is lost stays lost.
    """
    settings = read_settings(environ)
    with redis_up(settings), closing(connect(settings.events_url)) as redis:
        admit(redis, settings.partitions)
        missing = missing_in(settings, redis)
        if not missing:
            click.echo("All is there that was noted.")
            return
        confirm(yes, " ".join([*missing, "Go on without that?"]))
        redis.delete(SEEDS)  # of those that follow from it, some may be known from what is lost
        accept_loss(settings, redis)
    click.echo("What is there is taken for the whole from now on.")
