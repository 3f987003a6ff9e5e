"""The store and the settings of a service, for commands that need them only if it runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, nullcontext

from redis import Redis
from redis.exceptions import RedisError

from service.accounts.house import House, HouseRecord
from service.admin.running_settings import recorded_settings
from service.runtime.settings import Settings, read_settings
from service.store.redis_client import connect
from workers.host.folder_lock import holder
from workers.host.redis.server import state_of


def read_service_settings(environ: Mapping[str, str]) -> Settings:
    """Return the settings with which a service runs on the data folder of these variables, with the
    secrets of these; all from these if none runs there. Raises BadSetting.
    """
    own = read_settings(environ)
    return recorded_settings(own) if holder(own.data) else own


def open_redis(settings: Settings) -> closing[Redis] | nullcontext[None]:
    """Return a client for the events; nothing if their Redis does not answer."""
    try:
        if settings.owns_redis and state_of(settings.events_url) != "up":
            return nullcontext()
        client = connect(settings.events_url)
        client.ping()
    except RedisError:
        return nullcontext()
    return closing(client)


def read_house(redis: Redis | None) -> House:
    """Return what operators have set on the page; nothing without a store."""
    return HouseRecord(redis, 0).read() if redis else House()
