"""The keeper serves the metrics of all processes."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.patience import eventually
from tests.support.ports import free_port
from tests.support.whole_service import Service, running_service

pytestmark = pytest.mark.slow


def read_metrics(service: Service) -> str:
    """The metrics; OSError if no one serves them."""
    with urlopen(service.metrics_url) as answer:
        return str(answer.read().decode())


def test_metrics_are_served_again_after_the_keeper_has_ended(tmp_path: Path) -> None:
    with running_service(tmp_path, ANNALS_METRICS=f"127.0.0.1:{free_port()}") as service:
        assert "annals_queue_length{" in read_metrics(service)
        [keeper] = service.processes()["keeper"]
        os.kill(keeper, signal.SIGKILL)
        eventually(lambda: "annals_queue_length{" in read_metrics(service))


def test_metrics_wait_until_their_address_is_free(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = "{}:{}".format(*taken.getsockname())
        with running_service(tmp_path, ANNALS_METRICS=address) as service:
            assert [note for note in service.notes if "The metrics have to wait" in note]
            taken.close()
            eventually(lambda: "annals_queue_length{" in read_metrics(service))
