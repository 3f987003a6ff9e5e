"""`annals metrics`: what all processes on the same data folder count, told to Prometheus.

A process and an address of their own: metrics are not for players.
"""

import signal
from threading import Event

from prometheus_client import start_wsgi_server

from service.live.exposition import all_metrics
from service.matches.container import open_annals
from service.runtime.metrics_folder import metrics_folder
from service.runtime.settings import Settings
from workers.dispatch.log_once import Trouble
from workers.host.errors import CannotRun

PAUSE_S = 2.0


def main(settings: Settings) -> None:
    """Serve the metrics until told to stop, waiting for the address if somebody else has it."""
    if settings.metrics_address is None:
        raise CannotRun("ANNALS_METRICS is off: no address to serve metrics at.")
    host, port = settings.metrics_address
    metrics = all_metrics(open_annals(settings), metrics_folder(settings.data))
    stop, trouble = Event(), Trouble()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    while not stop.is_set():
        try:
            start_wsgi_server(port, host, metrics)
        except OSError as error:
            trouble.met("listen", error)
            stop.wait(PAUSE_S)
        else:
            trouble.over("listen")
            stop.wait()
