"""The web application as an ASGI server loads it, set up from the environment."""

from __future__ import annotations

import gc
from os import environ

import structlog

from service.front.app import create_app
from service.front.asgi_adapter import Gateway
from service.front.fast_path import QuickMoves
from service.front.warm_up import work_out
from service.http.context import Context
from service.matches.container import open_annals
from service.runtime import metrics
from service.runtime.async_redis import LoopPool
from service.runtime.logs import write_logs
from service.runtime.settings import read_settings

LONG_S = 0.02
log = structlog.get_logger("annals.web")


def held(seconds: float) -> None:
    """Count what kept the loop from everybody else for long: it belongs in a thread or process."""
    if seconds > LONG_S:
        metrics.HELD.inc()
        log.debug("held", ms=round(seconds * 1000))


def load() -> Gateway:
    """The application of this process."""
    settings = read_settings(environ)
    write_logs(settings.log_level)
    app = create_app(open_annals(settings, pool=LoopPool))
    context: Context = app.extensions["annals"]
    if settings.beforehand:
        work_out(context.annals.games.values())
        context.gallery.get_ready()
    gc.collect()
    gc.freeze()  # all this stays: whoever collects garbage need not look at it again
    return Gateway(app, settings, held, context.close, QuickMoves(context))
