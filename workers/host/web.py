"""`annals web`: the REST service behind granian, in several processes."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from service.logs import library_logs
from service.metrics.shared_folder import forget_ended, metrics_folder, share_metrics
from service.settings import Settings
from workers.host.die_with_parent import die_with_parent
from workers.host.redis_check import await_both
from workers.host.run import refuse_taken_port

HEAD_MS = 10_000
"""How long a connection may take to send the head of a request, or stay idle after one."""
STOP_SECONDS = 2  # open streams end when their process does


def main(settings: Settings) -> None:
    """Serve until told to stop."""
    refuse_taken_port(settings.host, settings.port)
    await_both(settings)
    folder = metrics_folder(settings.data)
    forget_ended(folder)
    share_metrics(folder)
    serve(settings, load_app)


def serve(settings: Settings, load: Callable[[int], Callable[..., Any]]) -> None:
    """Serve what `load` gives in each process; it is told the number of this one, their parent."""
    Server(
        "annals",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,  # else connections that send nothing are never closed
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_MS),
        workers=settings.web_processes,
        blocking_threads=settings.threads,
        websockets=False,
        log_level=LogLevels(settings.log_level),
        log_dictconfig=library_logs(settings.log_level),
        respawn_failed_workers=True,
        respawn_interval=0.1,
        workers_kill_timeout=STOP_SECONDS,
    ).serve(target_loader=partial(load, os.getpid()), wrap_loader=False)


def load_app(server: int) -> Callable[..., Any]:
    """The application, in a process that ends with its server."""
    die_with_parent(server)
    from service.wsgi import app  # here, since the app opens connections that cannot be shared

    return app
