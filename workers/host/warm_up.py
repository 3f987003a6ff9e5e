"""Imports everything and fills all caches, so that forked processes share them."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from importlib import import_module

from service.runtime.settings import Settings, read_settings

MODULES = (
    "service.front.asgi",
    "workers.host.metrics",
    "workers.jobs.discord",
    "workers.jobs.match_jobs",
    "workers.processes.analyst",
    "workers.processes.deliveries",
    "workers.processes.mailer",
    "workers.processes.notary",
    "workers.processes.projector",
    "workers.processes.pusher",
    "workers.processes.worker",
)
"""What the processes of a service import; they import the rest."""


def warm_up(settings: Settings) -> Iterator[str]:
    """Import all modules and fill caches; yield a sentence before each of these steps."""
    gc.disable()  # almost nothing of this is garbage
    yield "Loading the games"
    import_all()
    warm_up_processes(settings)
    if settings.warm_up:
        yield "Preparing pages, texts and the contract"
        from domain.games import GAMES
        from service.front.warm_up import warm_up as fill_caches

        fill_caches(GAMES.values())
    gc.collect()
    gc.freeze()  # or the first collection in each child would copy the memory of all objects


def import_all() -> None:
    """Import all modules of a service."""
    for name in MODULES:
        import_module(name)


def warm_up_processes(settings: Settings) -> None:
    """Compute and load what each process would need first."""
    from domain.audit.notes import KEY_BYTES, Signer  # loaded by now
    from domain.games import GAMES
    from service.accounts.names import reserved_names
    from service.store.redis_client import server_urls

    reserved_names.warm_up(GAMES.values())
    read_settings(os.environ)
    for url in (settings.events_url, settings.queue_url):
        server_urls(url)
    Signer("annals", bytes(KEY_BYTES)).sign("")  # OpenSSL takes 3 MB for its algorithms
