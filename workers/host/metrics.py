"""Serves the metrics of all processes on one data folder to Prometheus.

They have a separate address, because metrics are not for players.
"""

import signal
from collections.abc import Callable
from threading import Event

from prometheus_client import start_wsgi_server

from service.live.exposition import all_metrics
from service.matches.container import open_annals
from service.runtime.errors import REDIS_ERRORS, StoreUnavailable
from service.runtime.metrics_folder import metrics_folder
from service.runtime.settings import Settings
from workers.dispatch.log_once import FailureLog
from workers.host.errors import CannotRun

RETRY_S, REDIS_RETRY_S = 2.0, 0.2
"""How long to wait before the next attempt to listen, and while Redis does not answer."""


def main(settings: Settings) -> None:
    """Serve the metrics until a signal; wait for the address while another process uses it."""
    if settings.metrics_address is None:
        raise CannotRun("ANNALS_METRICS is off, so there is no address for the metrics.")
    stop, failures = Event(), FailureLog()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    serve_metrics(settings, stop, lambda error: failures.log_failure("listen", error))
    failures.log_recovery("listen")
    stop.wait()


def serve_metrics(settings: Settings, stop: Event, report: Callable[[Exception], None]) -> None:
    """Start to serve the metrics in threads, once Redis answers and the address is free.

    Calls `report` with the error of each attempt that fails.
    """
    assert settings.metrics_address
    host, port = settings.metrics_address
    metrics = None
    while not stop.is_set():
        try:
            if metrics is None:
                metrics = all_metrics(open_annals(settings), metrics_folder(settings.data))
            start_wsgi_server(port, host, metrics)
        except (OSError, *REDIS_ERRORS, StoreUnavailable) as error:
            report(error)
            stop.wait(RETRY_S if isinstance(error, OSError) else REDIS_RETRY_S)
        else:
            return
