"""The store and the settings of a service, for commands that need them only if it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext

from redis import Redis

from service.accounts.house import House, HouseRecord
from service.admin.running_settings import RECORDED, recorded_settings
from service.runtime.config.fields import SETTINGS
from service.runtime.config.sources import ENVIRONMENT, find_given
from service.runtime.errors import REDIS_ERRORS
from service.runtime.settings import Settings, read_settings
from service.store.redis_client import connect
from workers.host.folder_lock import holder
from workers.host.redis.server import state_of

UNREAD = "The service runs with other values than its file of settings has"
UNREAD_CURE = "Run `annals reload`. If they stay, the environment of the service sets them."


def read_service_settings(environ: Mapping[str, str]) -> Settings:
    """Return the settings with which a service runs on the data folder of these variables, with the
    secrets of these; all from these if none runs there. Raises BadSetting.
    """
    own = read_settings(environ)
    return recorded_settings(own) if holder(own.data) else own


def find_unread(environ: Mapping[str, str]) -> Sequence[str]:
    """Return the settings in the file of these variables of which a service that runs has other
    values: they were edited since, or its environment counts more. Secrets are left out, because
    the service records none.
    """
    own = read_settings(environ)
    runs_with = read_service_settings(environ)
    fields = {field for field, found in find_given(environ).items() if found.source != ENVIRONMENT}
    differing = (field for field in RECORDED if getattr(own, field) != getattr(runs_with, field))
    return [SETTINGS[field].name for field in differing if field in fields]


def open_redis(settings: Settings) -> closing[Redis] | nullcontext[None]:
    """Return a client for the events; nothing if their Redis does not answer."""
    try:
        if settings.owns_redis and state_of(settings.events_url) != "up":
            return nullcontext()
        client = connect(settings.events_url)
        client.ping()
    except REDIS_ERRORS:
        return nullcontext()
    return closing(client)


def read_house(redis: Redis | None) -> House:
    """Return what operators have set on the page; nothing without a store."""
    return HouseRecord(redis, 0).read() if redis else House()
