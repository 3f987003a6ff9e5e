"""The job that shows a match in Discord."""

from __future__ import annotations

from functools import cache
from math import inf
from os import environ

import structlog
from redis import Redis
from rq import Queue

from service.channels.discord.client import DiscordClient, DiscordError
from service.channels.discord.context import DiscordContext
from service.channels.discord.follow_up_jobs import QUEUE, read_job
from service.channels.discord.renderer import CardRenderer
from service.drawing.pictures.cache import PictureCache
from service.matches.container import open_annals
from service.runtime.settings import Settings, read_settings

MAX_WAITING_PICTURES = 4
log = structlog.get_logger()


class DiscordUpdateError(Exception):
    """The match was not shown in Discord. The log says why; this error, which RQ logs, has no token
    in it.
    """


def show(text: bytes) -> None:
    """Show the current state of a match."""
    job = read_job(text)
    try:
        _renderer().show(job)
    except DiscordError as failed:
        log.warning("discord_failed", match=job.match, status=failed.status, code=failed.code)
        raise DiscordUpdateError from None
    except Exception:
        log.exception("discord_failed", match=job.match)
        raise DiscordUpdateError from None


def open_renderer() -> CardRenderer:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
    return _renderer()


def requeue_unfinished(queue_redis: Redis) -> None:
    """Requeue the jobs that an earlier process took and did not finish.

    Only one process of this kind runs at a time, so at startup the earlier one has ended.
    """
    queue = Queue(QUEUE, connection=queue_redis)
    while queue_redis.lmove(queue.intermediate_queue_key, queue.key, "RIGHT", "LEFT"):
        pass
    queue.started_job_registry.cleanup(inf)


def discord_client(settings: Settings) -> DiscordClient:
    """Return the Discord client of the application in the settings."""
    return DiscordClient(settings.discord_api, settings.discord_app, settings.discord_token)


@cache
def _renderer() -> CardRenderer:
    settings = read_settings(environ)
    gallery = PictureCache(1, MAX_WAITING_PICTURES, settings.picture_mb * 1_000_000)
    return CardRenderer(DiscordContext(open_annals(settings)), discord_client(settings), gallery)
