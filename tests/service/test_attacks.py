"""The real server, while somebody without an account holds on to connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection

import pytest

from tests.patience import PATIENCE_S
from tests.whole_service import Service, running_service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("attacks")]
HEAD = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
WITHHELD = HEAD + b"Content-Length: 100\r\n\r\n{"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"
ELSEWHERE = "127.0.0.2"
"""Another address of this machine, at which somebody honest is."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running_service(tmp_path_factory.mktemp("service")) as service:
        yield service


@contextmanager
def connected(service: Service, sent: bytes, times: int) -> Iterator[list[socket.socket]]:
    """Connections that send this and then nothing more."""
    with ExitStack() as stack:
        found = []
        for _ in range(times):
            one = socket.create_connection(("127.0.0.1", port(service)), timeout=PATIENCE_S)
            found.append(stack.enter_context(one))
            one.sendall(sent)
        yield found


def port(service: Service) -> int:
    return int(service.environ["ANNALS_PORT"])


def register(service: Service, name: str) -> int:
    """What somebody honest at another address is answered."""
    at = HTTPConnection("127.0.0.1", port(service), PATIENCE_S, source_address=(ELSEWHERE, 0))
    with closing(at) as server:
        head = {"Content-Type": "application/json"}
        server.request("POST", "/v1/players", f'{{"name": "{name}"}}', head)
        with server.getresponse() as answer:
            return answer.status


@pytest.mark.parametrize(
    ("sent", "times"), [(WITHHELD, 136), (CHUNKED, 200), (HEAD, 136), (b"", 136)]
)
def test_whoever_holds_connections_stops_nobody_elsewhere(
    service: Service, sent: bytes, times: int
) -> None:
    name = f"honest {len(sent)}"
    with connected(service, sent, times):
        assert register(service, name) == 201
        assert service.call("GET", "/healthz")[0] == 200


def test_a_connection_that_sends_nothing_is_closed(service: Service) -> None:
    with connected(service, b"", 3) as idle:
        assert [one.recv(1) for one in idle] == [b"", b"", b""]
