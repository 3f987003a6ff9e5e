"""The REST service behind uvicorn: one process of it, and `annals web`, which runs several."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from multiprocessing import Pipe
from subprocess import TimeoutExpired

import structlog
from uvicorn import Config, Server

from service.drawing.pictures.painter import Painter
from service.drawing.pictures.painter import serve as paint
from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection
from service.runtime.event_loop import start_turn
from service.runtime.logs import configure_logs
from service.runtime.metrics_folder import delete_dead_files, metrics_folder
from service.runtime.settings import Settings, read_settings
from workers.host.children.forks import fork
from workers.host.errors import CannotRun
from workers.host.exits import exit_on_error
from workers.host.redis.checks import await_both
from workers.host.signals import SignalQueue
from workers.host.supervisor import WEB_RANK, Heartbeat, Program, Supervisor

STOP_SECONDS = 2
"""How long requests may take to finish at shutdown; streams end at once, and their clients
reconnect.
"""
LINGER_S = 0.5
"""How long idle connections stay open at shutdown: a request may be under way on them."""
POLL_S = 0.01
"""How often a process that waits for a painter to end looks."""
BACKLOG = 2048
"""How many connections wait to be accepted."""
MAX_ACCEPTED_AT_ONCE = 4
"""How many connections the event loop accepts before it does anything else."""


class BeatingServer(Server):
    """A server whose event loop beats while it runs."""

    def __init__(
        self, config: Config, heartbeat: Heartbeat, background: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._heartbeat = heartbeat
        self._background = background

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, and run the background work of the application."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)
        start_turn(self._background)

    async def on_tick(self, counter: int) -> bool:
        """Beat ten times a second; return whether to stop."""
        self._heartbeat.beat()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, ask clients to reconnect with their next response, and stop."""
        for server in self.servers:
            server.close()
        state = self.server_state
        state.default_headers = [*state.default_headers, (b"connection", b"close")]
        if state.connections:
            await asyncio.sleep(LINGER_S)
        await super().shutdown(sockets)


def main(settings: Settings) -> None:
    """Serve in several processes until a signal."""
    with listen(settings.host, settings.port) as listener:
        await_both(settings)
        delete_dead_files(metrics_folder(settings.data))
        from workers.host.warm_up import warm_up

        for _ in warm_up(settings):
            pass
        serve_in_processes(settings, listener, partial(load_service, listener))


def serve_in_processes(
    settings: Settings, listener: socket.socket, load: Callable[[], AsgiAdapter]
) -> None:
    """Serve the ASGI application that `load` returns, in several processes, until a signal."""
    signals = SignalQueue()
    programs = list(web_programs(settings, listener, load))
    log, most = structlog.get_logger(), settings.process_mb
    supervisor = Supervisor(programs, signals, log, sockets=[listener], max_mb=most)
    try:
        supervisor.start(programs)
        supervisor.run()
    finally:
        supervisor.stop()


def web_programs(
    settings: Settings, listener: socket.socket, load: Callable[[], AsgiAdapter]
) -> Iterator[Program]:
    """Yield a program for each web process; all accept connections from the same socket."""
    for number in range(settings.web_processes):
        heartbeat = Heartbeat()
        name = f"web-{number}" if settings.web_processes > 1 else "web"
        main = partial(serve, settings, listener, heartbeat, load)
        yield Program(name, main, WEB_RANK, heartbeat, serves=True)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this address. Raises CannotRun."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        is_name = isinstance(error, socket.gaierror)  # its numbers are not those of the system
        why = error.strerror if is_name else os.strerror(error.errno or 0)
        raise CannotRun(f"Cannot listen on {host}:{port} ({why}): {_way_out(error)}") from None


def _way_out(error: OSError) -> str:
    """Return what an operator can do when the web server cannot listen."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "set ANNALS_HOST to an address of this machine."
    if error.errno == errno.EACCES:
        return "choose a port from 1024 on with ANNALS_PORT, and put a proxy in front of it."
    return "choose another port with ANNALS_PORT, or stop the process that uses it."


def serve(
    settings: Settings,
    listener: socket.socket,
    heartbeat: Heartbeat,
    load: Callable[[], AsgiAdapter],
) -> None:
    """Serve the ASGI application that `load` returns, in this process, until a signal."""
    configure_logs(settings.log_level)
    allow_connections()
    app = load()
    config = Config(
        app,
        loop="asyncio",
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_level=settings.log_level,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=MAX_ACCEPTED_AT_ONCE,
        timeout_keep_alive=int(settings.idle_seconds) + 1,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    BeatingServer(config, heartbeat, app.background).run(sockets=[listener])


def load_service(listener: socket.socket) -> AsgiAdapter:
    """Return the application of this process; it opens connections that processes cannot share.

    Its painter is forked first, so that it shares the memory of all that is loaded.
    """
    from service.front.asgi import load

    painter = fork_painter(listener)
    with exit_on_error():
        await_both(read_settings(os.environ))
    return load(painter)


class ChildProcess:
    """A forked child of this process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended. Raises TimeoutExpired after so many seconds."""
        until = time.monotonic() + (inf if timeout is None else timeout)
        while not (found := os.waitpid(self._pid, os.WNOHANG))[0]:
            if time.monotonic() > until:
                raise TimeoutExpired("painter", timeout or 0)
            time.sleep(POLL_S)
        return found[1]


def fork_painter(listener: socket.socket) -> Painter:
    """Return a painter that is a copy of this process, but does not hold its listening socket."""
    ours, theirs = Pipe()
    with theirs:
        process = ChildProcess(
            fork("painter", partial(paint, theirs), not_inherited=[listener, ours])
        )
    return Painter.running(process, ours)


def allow_connections() -> None:
    """Raise the limit of open files, so that idle connections do not block new ones."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
