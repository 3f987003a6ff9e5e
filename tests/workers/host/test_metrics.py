"""The keeper serves the metrics of all processes."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from threading import Event
from urllib.request import urlopen

import pytest

from service.runtime.errors import StoreUnavailable
from service.runtime.settings import Settings, read_settings
from tests.support.patience import eventually
from tests.support.ports import free_port
from tests.support.whole_service import Service, running_service
from workers.host import metrics

pytestmark = pytest.mark.slow


def read_metrics(service: Service) -> str:
    """The metrics; OSError if no one serves them."""
    with urlopen(service.metrics_url) as answer:
        return str(answer.read().decode())


def test_metrics_are_served_again_after_the_keeper_has_ended(tmp_path: Path) -> None:
    with running_service(tmp_path, ANNALS_METRICS=f"127.0.0.1:{free_port()}") as service:
        eventually(lambda: "annals_queue_length{" in read_metrics(service))
        [keeper] = service.processes()["keeper"]
        os.kill(keeper, signal.SIGKILL)
        eventually(lambda: "annals_queue_length{" in read_metrics(service))


def test_the_container_of_the_metrics_is_built_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, listens = [], iter([StoreUnavailable("loading"), None])
    attempts = iter([OSError("taken"), OSError("taken"), None])

    def open_annals(settings: Settings) -> Settings:
        if error := next(listens):
            raise error
        built.append(settings)
        return settings

    def start_server(*_: object) -> None:
        if error := next(attempts):
            raise error

    for name, value in {
        "RETRY_S": 0, "REDIS_RETRY_S": 0, "open_annals": open_annals,
        "all_metrics": lambda *_: "metrics", "start_wsgi_server": start_server,
    }.items():  # fmt: skip
        monkeypatch.setattr(metrics, name, value)
    reported: list[Exception] = []
    settings = read_settings({"ANNALS_DATA": str(tmp_path)})
    metrics.serve_metrics(settings, Event(), reported.append)
    assert built == [settings]
    assert [str(error) for error in reported] == ["loading", "taken", "taken"]


def test_metrics_wait_until_their_address_is_free(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = "{}:{}".format(*taken.getsockname())
        with running_service(tmp_path, ANNALS_METRICS=address) as service:
            eventually(lambda: service.call("GET", "/readyz")[0] == 200)
            taken.close()
            eventually(lambda: "annals_queue_length{" in read_metrics(service))
        assert "The metrics have to wait" in "".join([*service.notes, service.said])
