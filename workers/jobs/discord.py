"""The job that shows a match in Discord."""

from __future__ import annotations

from functools import cache
from math import inf
from os import environ

import structlog
from redis import Redis
from rq import Queue

from service.channels.discord.client import Client, DiscordFailed
from service.channels.discord.context import Desk
from service.channels.discord.follow_up_jobs import QUEUE, read_errand
from service.channels.discord.renderer import Showing
from service.drawing.pictures.cache import Gallery
from service.matches.container import open_annals
from service.runtime.settings import Settings, read_settings

PICTURES_WAITING = 4
log = structlog.get_logger()


class NotShown(Exception):
    """Discord was not told; the log says why, and what rq logs of it names no token."""


def show(text: bytes) -> None:
    """Show a match as it stands now."""
    errand = read_errand(text)
    try:
        _showing().show(errand)
    except DiscordFailed as failed:
        log.warning("discord_failed", match=errand.match, status=failed.status, code=failed.code)
        raise NotShown from None
    except Exception:
        log.exception("discord_failed", match=errand.match)
        raise NotShown from None


def open_desk() -> Showing:
    """Open the event store now, not with the first job; BadSetting if it cannot be used."""
    return _showing()


def take_up(queue_redis: Redis) -> None:
    """Put back the errands that a process took and did not end: there is one of its kind at a time,
    so whoever begins knows that the one before has ended.
    """
    queue = Queue(QUEUE, connection=queue_redis)
    while queue_redis.lmove(queue.intermediate_queue_key, queue.key, "RIGHT", "LEFT"):
        pass
    queue.started_job_registry.cleanup(inf)


def client_of(settings: Settings) -> Client:
    """Discord, called as the application that is set."""
    return Client(settings.discord_api, settings.discord_app, settings.discord_token)


@cache
def _showing() -> Showing:
    settings = read_settings(environ)
    gallery = Gallery(1, PICTURES_WAITING, settings.picture_mb * 1_000_000)
    return Showing(Desk(open_annals(settings)), client_of(settings), gallery)
