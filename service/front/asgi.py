"""The application that an ASGI server loads, configured from the environment."""

from __future__ import annotations

import gc
from functools import partial
from os import environ

import structlog

from service.drawing.pictures.painter import Painter
from service.front.app import create_app
from service.front.asgi_adapter import AsgiAdapter
from service.front.fast_path import MoveFastPath
from service.http.context import Context
from service.matches.container import open_annals
from service.runtime import metrics
from service.runtime.async_redis import LoopPool
from service.runtime.logs import configure_logs
from service.runtime.settings import read_settings
from service.runtime.shares.cache_shares import PACES, STEPS
from service.runtime.shares.pace import Pace
from service.runtime.shares.step_queue import StepQueue
from service.store.uptime import keep_beating

MAX_BLOCKING_S = 0.02
COLLECT_YOUNG_AFTER = 4
"""Number of smallest collections of garbage before a larger one, which blocks the event loop for as
long as the objects since the last one are many: up to 10 ms with Python's default of 10.
"""
FULL_COLLECTION_AFTER = 500
"""Number of larger collections before a full one, which blocks the event loop for 10 to 50 ms: with
Python's default it came every few seconds where many connections open and close. What waits for it
are cycles that lived long, some thousand objects every ten seconds at most.

The first threshold is Python's. With 5,000 objects instead of 700, the collector took 4.6 instead
of 5.4 % of the processor time of moves and streams, and blocked the event loop for 75 instead of
11 ms of processor time at worst.
"""
log = structlog.get_logger("annals.web")


def record_blocked(seconds: float) -> None:
    """Count and log a step that blocked the event loop: it belongs in a thread or a process."""
    if seconds > MAX_BLOCKING_S:
        metrics.LOOP_BLOCKED.inc()
        log.debug("loop_blocked", ms=round(seconds * 1000))


def load(painter: Painter | None = None) -> AsgiAdapter:
    """Return the ASGI application of this process, with a painter that runs already, if given."""
    settings = read_settings(environ)
    configure_logs(settings.log_level)
    annals = open_annals(settings, pool=LoopPool)
    app = create_app(annals)
    context: Context = app.extensions["annals"]
    if painter:
        context.picture_cache.use(painter)
    gc.collect()
    gc.set_threshold(gc.get_threshold()[0], COLLECT_YOUNG_AFTER, FULL_COLLECTION_AFTER)
    gc.freeze()  # these objects live as long as the process: the collector skips them
    cache_mb = settings.cache_mb
    pace = Pace(settings.processor_seconds, max_addresses=PACES.max_entries(cache_mb))
    steps = StepQueue(pace.charge, record_blocked, max_addresses=STEPS.max_entries(cache_mb))
    return AsgiAdapter(
        app,
        settings,
        steps,
        pace,
        context.close,
        MoveFastPath(context),
        partial(keep_beating, annals.store.uptime, annals.now),
    )
