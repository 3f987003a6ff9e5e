"""`annals web`: the REST service behind uvicorn, in several processes."""

import multiprocessing
import resource

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection
from service.runtime.metrics_folder import delete_dead_files, metrics_folder, share_metrics
from service.runtime.settings import Settings
from workers.host.die_with_parent import die_with_parent
from workers.host.redis_check import await_both
from workers.host.run import refuse_taken_port

START_SECONDS = 60
"""A process that is not up after this time is restarted."""
STOP_SECONDS = 2
"""How long requests may take to finish at shutdown; streams end at once, and their clients
reconnect.
"""


def main(settings: Settings) -> None:
    """Serve until a signal."""
    refuse_taken_port(settings.host, settings.port)
    await_both(settings)
    folder = metrics_folder(settings.data)
    delete_dead_files(folder)
    share_metrics(folder)
    serve(settings, f"{__name__}:load")


def serve(settings: Settings, load: str) -> None:
    """Serve the ASGI application that the function named `load` returns, in each process."""
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
        log_config=None,  # each process configures its logs
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=int(settings.idle_seconds) + 1,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
    )
    Processes(config, [config.bind_socket()]).run()


class Processes(Multiprocess):
    """The processes of a web server; each is restarted as soon as it has ended."""

    def init_processes(self) -> None:
        """Start all processes."""
        super().init_processes()
        self._close_child_pipes()

    def keep_subprocess_alive(self) -> None:
        """Restart processes that have ended or do not answer."""
        super().keep_subprocess_alive()
        self._close_child_pipes()

    def _close_child_pipes(self) -> None:
        """Close this process's copies of the children's pipe ends.

        Otherwise the health check of a child that has ended would block, and with it all others.
        """
        for process in self.processes:
            process.child_conn.close()


def allow_connections() -> None:
    """Raise the limit of open files, so that idle connections do not block new ones."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def load() -> AsgiAdapter:
    """Return the application, in a process that ends with its server."""
    die_with_server()
    from service.front.asgi import (
        load as load_service,  # it opens connections that processes cannot share
    )

    return load_service()


def die_with_server() -> None:
    """End this process as soon as its parent ends."""
    if server := multiprocessing.parent_process():
        assert server.pid
        die_with_parent(server.pid)
