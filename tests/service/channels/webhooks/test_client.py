"""The guarded client: what it calls, how long it waits, what it reads."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from service.runtime import http_client as guarded
from service.runtime.address_guard import Address
from service.runtime.http_client import Client, RequestError, resolve
from tests.support.certificates import write_certificate
from tests.support.patience import eventually
from tests.support.receiver import Receiver

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@contextmanager
def server(
    talk: Callable[[socket.socket], None], tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """A server that talks to each connection; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    one, _ = listening.accept()
                    threading.Thread(target=talk_to, args=(one,), daemon=True).start()

        def talk_to(one: socket.socket) -> None:
            with (
                suppress(OSError, ssl.SSLError),
                tls.wrap_socket(one, server_side=True) if tls else one as talking,
            ):
                talk(talking)

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


def read_request(one: socket.socket) -> bytes:
    """Read a whole request."""
    got = b""
    while not got.endswith(b"{}"):
        got += one.recv(65_536)
    return got


def answering(one: socket.socket) -> None:
    read_request(one)
    one.sendall(ANSWER)


def refusal_of(url: str, seconds: float = 10, **more) -> str:
    loopback = more.pop("loopback", True)
    with (
        Client(url, loopback=loopback, seconds=seconds, **more) as client,
        pytest.raises(RequestError) as caught,
    ):
        client.post({}, b"{}")
    return str(caught.value)


def names(*answers: list[str]) -> Callable[[str, int], list[Address]]:
    """A resolver that returns these answers, one after another."""
    left = list(answers)
    return lambda host, port: [ip_address(one) for one in left.pop(0)]


def unknown(host: str, port: int) -> list[Address]:
    raise socket.gaierror


def test_requests_arrive_over_one_connection(receiver: Receiver) -> None:
    receiver.answers(200, b"fine", X_Seen="1")
    with Client(receiver.url, loopback=True) as client:
        for _ in range(3):
            answer = client.post({"x-mine": "1"}, b"{}")
    assert (answer.code, answer.body, answer.headers["x-seen"]) == (200, b"fine", "1")
    assert receiver.connections == 1
    assert receiver.got[0].headers["x-mine"] == "1"


def test_a_closed_connection_is_reopened() -> None:
    with server(answering) as port, Client(f"http://127.0.0.1:{port}/", loopback=True) as client:
        assert [client.post({}, b"{}").code for _ in range(3)] == [200] * 3


@pytest.mark.parametrize(
    "found", [["10.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::1"], ["::ffff:10.0.0.1"], ["fe80::1"]]
)
def test_a_name_in_our_own_network_is_not_called(found: list[str]) -> None:
    called: list[object] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "create_connection", lambda where, *_: called.append(where))
        said = refusal_of("https://example.com/", loopback=False, resolver=names(found))
    assert called == []
    assert said == refusal_of("https://example.com/", loopback=False, resolver=names([]))
    assert said == refusal_of("https://example.com/", loopback=False, resolver=unknown), (
        "the answer shows whether a name exists in our own network"
    )


def test_a_rebound_name_is_not_called(receiver: Receiver) -> None:
    """The name is public at the check and private afterwards; the client resolves it only once."""
    asked = []

    def rebinding(host: str, port: int) -> list[Address]:
        asked.append(host)
        return [ip_address("203.0.114.1" if len(asked) == 1 else "127.0.0.1")]

    called = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            socket, "create_connection", lambda where, *_: called.append(where) or fail()
        )
        refusal_of(f"https://example.com:{port_of(receiver)}/", loopback=False, resolver=rebinding)
        refusal_of(f"https://example.com:{port_of(receiver)}/", loopback=False, resolver=rebinding)
    assert called == [("203.0.114.1", port_of(receiver))]
    assert asked == ["example.com", "example.com"]
    assert receiver.got == []


def fail() -> None:
    raise OSError


def port_of(receiver: Receiver) -> int:
    return int(receiver.url.rsplit(":", 1)[1].split("/")[0])


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers(302, location="http://127.0.0.1:1/")
    with Client(receiver.url, loopback=True) as client:
        assert client.post({}, b"{}").code == 302
    assert len(receiver.got) == 1


def drip(one: socket.socket) -> None:
    read_request(one)
    for byte in ANSWER:
        one.sendall(bytes([byte]))
        time.sleep(0.2)


@pytest.mark.parametrize("talk", [drip, lambda one: time.sleep(60)], ids=["slow", "silent"])
def test_a_slow_receiver_cannot_exceed_the_timeout(talk: Callable[[socket.socket], None]) -> None:
    with server(talk) as port:
        said = refusal_of(f"http://127.0.0.1:{port}/", seconds=0.5)
    assert said == "The receiver did not respond within 0.5 seconds."


def test_a_silent_name_server_cannot_exceed_the_timeout() -> None:
    over = threading.Event()

    def silent(host: str, port: int) -> list[Address]:
        over.wait()
        return []

    assert "did not respond within 0.2" in refusal_of("https://example.com/", 0.2, resolver=silent)
    over.set()


def test_other_names_resolve_while_name_servers_are_silent() -> None:
    over, asked = threading.Event(), list[str]()

    def silent(host: str, port: int) -> list[Address]:
        asked.append(host)
        over.wait()
        return []

    waiting = [
        threading.Thread(
            target=refusal_of, args=("https://example.com/",), kwargs={"resolver": silent}
        )
        for _ in range(40)
    ]
    for thread in waiting:
        thread.start()
    eventually(lambda: len(asked) == len(waiting))
    assert "no address" in refusal_of("https://example.com/", resolver=names(["10.0.0.1"]))
    over.set()
    for thread in waiting:
        thread.join()


def test_all_addresses_together_respect_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for the lookup counts against the time for the addresses."""
    now, allowed = [0.0], list[float]()

    def slow(host: str, port: int) -> list[Address]:
        now[0] += 4
        return [ip_address("1.1.1.1"), ip_address("1.0.0.1")]

    def unreachable(where: object, seconds: float) -> None:
        allowed.append(seconds)
        now[0] += seconds
        raise OSError

    monkeypatch.setattr(guarded, "monotonic", lambda: now[0])
    monkeypatch.setattr(socket, "create_connection", unreachable)
    refusal_of("https://example.com/", seconds=10, resolver=slow)
    assert allowed == [3, 3]


@pytest.mark.parametrize("head", [b"", b"content-length: 1000000000\r\n"], ids=["endless", "huge"])
def test_only_the_beginning_of_a_huge_response_is_read(head: bytes) -> None:
    def flood(one: socket.socket) -> None:
        read_request(one)
        one.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
        while True:
            one.sendall(b"x" * 65_536)

    with server(flood) as port, Client(f"http://127.0.0.1:{port}/", loopback=True) as client:
        answer = client.post({}, b"{}")
    assert len(answer.body) == 20_000


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"SSH-2.0-OpenSSH\r\n", "The response is not valid HTTP."),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 1_000, "The response is not valid HTTP."),
        (b"", "The connection failed or broke."),
    ],
)
def test_an_invalid_response_is_described_in_a_sentence(said: bytes, reason: str) -> None:
    def talk(one: socket.socket) -> None:
        read_request(one)
        one.sendall(said)

    with server(talk) as port:
        assert refusal_of(f"http://127.0.0.1:{port}/") == reason


def test_a_refused_connection_is_described() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert refusal_of(f"http://127.0.0.1:{port}/") == "The receiver refused the connection."
    assert resolve("127.0.0.1", port) == [ip_address("127.0.0.1")]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for hook.example with its key."""
    return write_certificate(tmp_path, "hook.example")


def test_tls_and_host_header_use_the_name(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    names_asked: list[str] = []
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    theirs.sni_callback = lambda _, name, __: names_asked.append(name)

    def talk(one: socket.socket) -> None:
        asked.append(read_request(one))
        one.sendall(ANSWER)

    ours = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(guarded, "_tls", lambda: ours)
    here = names(["127.0.0.1"], ["127.0.0.1"])
    with server(talk, theirs) as port:
        with Client(f"https://hook.example:{port}/x", True, resolver=here) as client:
            assert client.post({}, b"{}").code == 200
        assert refusal_of(f"https://other.example:{port}/", resolver=here).startswith(
            "TLS failed: "
        )
    assert f"Host: hook.example:{port}".encode() in asked[0]
    assert names_asked == ["hook.example", "other.example"]


def test_an_unknown_certificate_is_not_trusted(certificate: Path) -> None:
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    with server(answering, theirs) as port:
        said = refusal_of(f"https://hook.example:{port}/", resolver=names(["127.0.0.1"]))
    assert said.startswith("TLS failed: ")
