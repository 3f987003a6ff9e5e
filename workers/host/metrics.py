"""Serves the metrics of all processes on one data folder to Prometheus.

They have a separate address, because metrics are not for players.
"""

import signal
from threading import Event

from prometheus_client import start_wsgi_server

from service.live.exposition import all_metrics
from service.matches.container import open_annals
from service.runtime.metrics_folder import metrics_folder
from service.runtime.settings import Settings
from workers.dispatch.log_once import FailureLog
from workers.host.errors import CannotRun

RETRY_S = 2.0


def main(settings: Settings) -> None:
    """Serve the metrics until a signal; wait for the address while another process uses it."""
    if settings.metrics_address is None:
        raise CannotRun("ANNALS_METRICS is off, so there is no address for the metrics.")
    stop, failures = Event(), FailureLog()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.is_set():
        try:
            start_metrics(settings)
        except OSError as error:
            failures.log_failure("listen", error)
            stop.wait(RETRY_S)
        else:
            failures.log_recovery("listen")
            stop.wait()


def start_metrics(settings: Settings) -> None:
    """Start to serve the metrics in threads. Raises OSError if another process uses their address,
    StoreUnavailable if there is no Redis.
    """
    assert settings.metrics_address
    host, port = settings.metrics_address
    metrics = all_metrics(open_annals(settings), metrics_folder(settings.data))
    start_wsgi_server(port, host, metrics)
