"""`annals web`: the REST service behind granian, in several processes."""

from collections.abc import Callable
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from service.metrics.shared_folder import forget_ended, share_metrics
from service.settings import Settings
from workers.host.die_with_parent import die_with_parent
from workers.host.redis_check import await_both
from workers.host.run import refuse_taken_port

STOP_SECONDS = 2  # open streams end when their process does


def main(settings: Settings) -> None:
    """Serve until told to stop."""
    refuse_taken_port(settings.host, settings.port)
    await_both(settings)
    forget_ended(settings.data / "metrics")
    share_metrics(settings.data / "metrics")
    serve(settings, load_app)


def serve(settings: Settings, load: Callable[[], Callable[..., Any]]) -> None:
    """Serve what `load` gives in each process."""
    Server(
        "annals",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.web_processes,
        blocking_threads=settings.threads,
        websockets=False,
        log_level=LogLevels(settings.log_level),
        respawn_failed_workers=True,
        respawn_interval=0.1,
        workers_kill_timeout=STOP_SECONDS,
    ).serve(target_loader=load, wrap_loader=False)


def load_app() -> Callable[..., Any]:
    """The application, in a process that ends with its server."""
    die_with_parent()
    from service.wsgi import app

    return app
