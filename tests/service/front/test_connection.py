"""The real server, while a client without an account holds connections open."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

import pytest
from httptools import HttpRequestParser

from service.front.upgrades import UpgradeFilter
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import Service, fresh_addresses, running_service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("attacks")]
HEAD = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
WITHHELD = HEAD + b"Content-Length: 100\r\n\r\n{"
CHUNKED_REQUEST = HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"
TOO_LARGE = HEAD + b"Content-Length: 100000\r\n\r\n"
LAST_CHUNK = HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
INNER = b"\r\nUpgrade: h2c\r\n\r\n"
LIKE_A_HEAD = HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (
    len(INNER),
    INNER,
)
LARGE = b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
OFFERED = b'{"name": "Offers h2c"}'
OFFER = (
    HEAD
    + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
    + b"Content-Length: %d\r\n\r\n%b" % (len(OFFERED), OFFERED)
)
CLOSING = b"GET /v1/games/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
ESTABLISHED = "01"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    seconds = {
        "ANNALS_REQUEST_SECONDS": "5",
        "ANNALS_IDLE_SECONDS": "5",
        "ANNALS_SLOW_SECONDS": "5",
        "ANNALS_METRICS": fresh_addresses()["ANNALS_METRICS"],
    }
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, **seconds) as service:
        service.sign_up("Ada")
        yield service


@contextmanager
def connect(service: Service, *sent: bytes) -> Iterator[list[socket.socket]]:
    """A connection for each of these byte strings, which sends it and nothing more."""
    port = int(service.environ["ANNALS_PORT"])
    with ExitStack() as stack:
        found = []
        for what in sent:
            one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            found.append(stack.enter_context(one))
            one.sendall(what)
        yield found


def open_connections(service: Service) -> int:
    """The number of connections that the server holds, according to the kernel."""
    port = f":{int(service.environ['ANNALS_PORT']):04X}"
    lines = Path("/proc/net/tcp").read_text().splitlines()
    found = [line.split() for line in lines if port in line]
    return sum(words[1].endswith(port) and words[3] == ESTABLISHED for words in found)


def read_to_end(connection: socket.socket) -> bytes:
    """All bytes until the server closes the connection."""
    answer = b""
    while part := connection.recv(65_536):
        answer += part
    return answer


def table(service: Service) -> str:
    """The id of a new table with an empty seat."""
    seats = [{"me": True}, {"open": True}]
    answer = service.call("POST", "/v1/matches", {"game": "qin", "seats": seats})[1]
    return str(answer["id"])


def request_bytes(service: Service, match: str, what: str) -> bytes:
    """A request for a resource of a match, as sent over the wire."""
    head = f"GET /v1/matches/{match}/{what} HTTP/1.1\r\nHost: a\r\n"
    return f"{head}Authorization: Bearer {service.token}\r\n\r\n".encode()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param([WITHHELD] * 136, id="withheld bodies"),
        pytest.param([CHUNKED_REQUEST] * 200, id="chunks that never end"),
        pytest.param([b""] * 1_200, id="idle"),
        pytest.param([HEAD] * 136, id="half a head"),
        pytest.param([b"\r\n"] * 136, id="nothing but an empty line"),
        pytest.param([LARGE * 100] * 20, id="answers that nobody reads"),
    ],
)
def test_others_are_answered_and_the_attacker_is_cut_off(
    service: Service, sent: list[bytes]
) -> None:
    with connect(service, *sent):
        assert open_connections(service) >= len(sent)
        assert service.call("GET", "/v1/me")[0] == 200
        assert service.call("GET", "/v1/matches")[0] == 200
        eventually(lambda: open_connections(service) == 0)


def test_all_attacks_at_once_block_no_other_client(service: Service) -> None:
    with connect(service, *[WITHHELD, CHUNKED_REQUEST, b"", HEAD, LARGE * 50] * 60):
        for _ in range(20):
            assert service.call("GET", "/v1/me")[0] == 200


def test_a_client_that_withholds_a_body_gets_an_error(service: Service) -> None:
    with connect(service, WITHHELD) as [connection]:
        head, _, body = read_to_end(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["code"] == "too_slow"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"GET / HTTP/1.1\r\n" + b"X-Long: 0123456789\r\n" * 10_000, 431, "too_large"),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n", 431, "too_large"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431, "too_large"),
        (b"GET / HTTP/1.1\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400, "malformed"),
        (HEAD, 408, "too_slow"),
        (b"\x16\x03\x01 this is TLS\r\n\r\n", 400, "malformed"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "malformed"),
    ],
    ids=[
        "a head without end",
        "a large head",
        "many lines",
        "no host",
        "two hosts",
        "another version",
        "half a head",
        "TLS",
        "HTTP/2",
    ],
)
def test_what_no_server_takes_is_refused(
    service: Service, sent: bytes, status: int, code: str
) -> None:
    with connect(service, sent) as [connection]:
        head, _, body = read_to_end(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    problem = json.loads(body)
    assert problem["code"] == code
    assert f"x-request-id: {problem['instance']}".encode() in head


@pytest.mark.parametrize("protocol", ["h2c", "TLS/1.2", "websocket"])
@pytest.mark.parametrize("apart", [(), (3,), (60,), (-1,)], ids=str)
def test_the_body_of_an_upgrade_request_is_no_request(
    service: Service, protocol: str, apart: tuple[int, ...]
) -> None:
    inner = b"GET /v1/games/x HTTP/1.1\r\nHost: a\r\nX-Request-Id: inner\r\n\r\n"
    head = (
        f"POST /v1/players HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: {protocol}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(inner)}\r\n\r\n"
    ).encode()
    place = sum(apart) % len(head) or len(head)
    with connect(service, head[:place]) as [connection]:
        time.sleep(0.2)  # or the system sends both in one packet
        connection.sendall(head[place:] + inner)
        answer = read_to_end(connection)
    assert answer.count(b"HTTP/1.1 400 ") == 1
    assert b"inner" not in answer


@pytest.mark.parametrize("cut", [0, OFFER.index(b"h2c") - 5], ids=["whole", "in two segments"])
def test_an_upgrade_request_is_answered_in_http_1(service: Service, cut: int) -> None:
    with connect(service, OFFER[:cut]) as [connection]:
        time.sleep(0.2 if cut else 0)  # or the system sends both in one packet
        connection.sendall(OFFER[cut:] + OFFER + CLOSING)
        answers = read_to_end(connection)
    assert len(re.findall(rb"HTTP/1.1 (?:201|409) ", answers)) == 2  # then the name is taken


class Requests:
    """What a parser finds in the bytes of a connection."""

    def __init__(self) -> None:
        self.found: list[tuple[bytes, bytes]] = []
        self.url = self.body = b""
        self.length: int | None = None
        self.body_left: int | None = 0

    def on_message_begin(self) -> None:
        self.url, self.body, self.length = b"", b"", None

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if name == b"Content-Length":
            self.length = int(value)

    def on_headers_complete(self) -> None:
        self.body_left = self.length

    def on_body(self, body: bytes) -> None:
        self.body += body
        if self.body_left is not None:
            self.body_left -= len(body)

    def on_message_complete(self) -> None:
        self.found.append((self.url, self.body))
        self.body_left = 0


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (OFFER, [(b"/v1/players", OFFERED)]),
        (b"\r\n" + OFFER, [(b"/v1/players", OFFERED)]),
        (LARGE + OFFER, [(b"/openapi.yaml", b""), (b"/v1/players", OFFERED)]),
        (OFFER + OFFER, [(b"/v1/players", OFFERED), (b"/v1/players", OFFERED)]),
        (LAST_CHUNK + b"\r\n" + OFFER, [(b"/v1/players", b"{}"), (b"/v1/players", OFFERED)]),
        (LIKE_A_HEAD + OFFER, [(b"/v1/players", INNER), (b"/v1/players", OFFERED)]),
    ],
    ids=[
        "an offer",
        "behind an empty line",
        "behind another request",
        "behind a body",
        "behind chunks",
        "behind chunks like a head",
    ],
)
def test_an_offer_of_http_2_may_be_cut_anywhere(
    sent: bytes, found: Sequence[tuple[bytes, bytes]]
) -> None:
    for cuts in (*((n,) for n in range(len(sent))), range(len(sent)), range(0, len(sent), 3)):
        assert parse_segments(sent, cuts) == found, cuts


def parse_segments(sent: bytes, cuts: Sequence[int]) -> Sequence[tuple[bytes, bytes]]:
    requests, upgrades = Requests(), UpgradeFilter()
    parser = HttpRequestParser(requests)
    for start, end in pairwise((0, *cuts, len(sent))):
        for piece in upgrades.pieces(sent[start:end], lambda: requests.body_left):
            parser.feed_data(piece)
    return requests.found


def test_lines_behind_a_body_are_no_headers(service: Service) -> None:
    with connect(service, LAST_CHUNK + b"X-Request-Id: mine\r\n\r\n") as [connection]:
        assert b"mine" not in read_to_end(connection)


def test_lines_behind_a_body_have_an_end(service: Service) -> None:
    lines = (b"X: " + b"x" * 60_000 + b"\r\n") * 200
    with connect(service, LAST_CHUNK) as [connection], pytest.raises(OSError, match=r"."):
        connection.sendall(lines)


@pytest.mark.parametrize("body", [b"", b"x" * 50_000, b"x" * 100_000], ids=len)
def test_no_connection_stays_whose_body_was_too_large(service: Service, body: bytes) -> None:
    with connect(service, TOO_LARGE + body) as [connection]:
        assert read_to_end(connection).startswith(b"HTTP/1.1 413 ")


def test_a_client_that_disconnects_leaves_no_stream_behind(service: Service) -> None:
    listening = (
        request_bytes(service, table(service), "stream")
        + b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    with connect(service, *[listening] * 3):
        eventually(lambda: _streams(service) == 3)
    eventually(lambda: _streams(service) == 0)


@pytest.mark.parametrize("what", ["stream", "events?after=1&wait=25"])
def test_half_a_request_behind_another_is_not_answered_before_it(
    service: Service, what: str
) -> None:
    with connect(service, request_bytes(service, table(service), what) + WITHHELD) as [connection]:
        answer = b""
        with suppress(ConnectionResetError):
            while part := connection.recv(65_536):
                answer += part
    assert b" 408 " not in answer


def test_an_answer_comes_in_one_piece(service: Service) -> None:
    port = int(service.environ["ANNALS_PORT"])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
        for _ in range(20):
            caller.sendall(b"GET /v1/games/qin HTTP/1.1\r\nHost: a\r\n\r\n")
            head, _, body = caller.recv(1 << 20).partition(b"\r\n\r\n")
            [length] = [
                int(line[15:])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            ]
            assert len(body) == length


def test_a_client_that_disconnects_ends_no_other_stream(service: Service) -> None:
    match = table(service)
    listening = request_bytes(service, match, "stream")
    with connect(service, listening, listening + WITHHELD) as [honest, _]:
        eventually(lambda: _streams(service) == 2)
        eventually(lambda: _streams(service) == 1)
        assert service.call("DELETE", f"/v1/matches/{match}")[0] < 300
        assert b"event: entry" in read_to_end(honest)


def test_requests_on_one_connection_are_answered_in_their_order(service: Service) -> None:
    paths = ["/healthz", "/v1/games/nothing", "/healthz"]
    wire = b"".join(b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % path.encode() for path in paths)
    with connect(service, wire) as [connection]:
        answer = read_to_end(connection)
    statuses = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"404", b"200"]


def test_a_waiting_client_is_answered_when_the_server_stops(service: Service) -> None:
    match = table(service)
    waits = [request_bytes(service, match, what) for what in ("events?after=1&wait=25", "stream")]
    with connect(service, *waits) as [events, stream]:
        begun = stream.recv(65_536)
        eventually(lambda: _streams(service) == 1)
        [web] = service.processes()["web"]
        os.kill(web, signal.SIGTERM)
        assert json.loads(read_to_end(events).partition(b"\r\n\r\n")[2])["events"] == []
        assert (begun + read_to_end(stream)).endswith(b"0\r\n\r\n")
    eventually(lambda: service.call("GET", "/healthz")[0] == 200)


def _streams(service: Service) -> float:
    with urlopen(service.metrics_url, timeout=PATIENCE_S) as answer:
        lines = answer.read().decode().splitlines()
    [line] = [line for line in lines if line.startswith("annals_streams_open ")]
    return float(line.split()[1])
