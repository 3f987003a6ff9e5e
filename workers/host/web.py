"""`annals web`: the REST service behind uvicorn, in several processes."""

import multiprocessing
import resource

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from service.front.asgi_adapter import Gateway
from service.front.connection import Connection
from service.runtime.metrics_folder import forget_ended, metrics_folder, share_metrics
from service.runtime.settings import Settings
from workers.host.die_with_parent import die_with_parent
from workers.host.redis_check import await_both
from workers.host.run import refuse_taken_port

START_SECONDS = 60
"""A process that does not come up in this time is started anew."""
STOP_SECONDS = 2
"""For answers under way; streams end at once, and their clients connect again."""


def main(settings: Settings) -> None:
    """Serve until told to stop."""
    refuse_taken_port(settings.host, settings.port)
    await_both(settings)
    folder = metrics_folder(settings.data)
    forget_ended(folder)
    share_metrics(folder)
    serve(settings, f"{__name__}:load")


def serve(settings: Settings, load: str) -> None:
    """Serve in each process what the function of this name returns."""
    allow_connections()
    config = Config(
        load,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.web_processes,
        loop="asyncio",
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_level=settings.log_level,
        log_config=None,  # each process sets up its own
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=int(settings.idle_seconds) + 1,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
    )
    Processes(config, [config.bind_socket()]).run()


class Processes(Multiprocess):
    """The processes of a web server, each of which is started again as soon as it has ended."""

    def init_processes(self) -> None:
        """Start all."""
        super().init_processes()
        self._hear_their_ends()

    def keep_subprocess_alive(self) -> None:
        """Start those again that have ended, or do not answer."""
        super().keep_subprocess_alive()
        self._hear_their_ends()

    def _hear_their_ends(self) -> None:
        """Leave to each process alone its end of the pipe through which it is asked whether it is
        there. Else one that ended before it could answer would be waited for, and all others with
        it.
        """
        for process in self.processes:
            process.child_conn.close()


def allow_connections() -> None:
    """Let as many connections be open as the system permits: idle ones must not keep others out."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def load() -> Gateway:
    """The application, in a process that ends with its server."""
    die_with_server()
    from service.front.asgi import (
        load as load_service,  # it opens connections that cannot be shared
    )

    return load_service()


def die_with_server() -> None:
    """End this process as soon as the one that started it ends."""
    if server := multiprocessing.parent_process():
        assert server.pid
        die_with_parent(server.pid)
