"""Checks of the running service: at its port, and from outside through the proxy."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from functools import partial
from http import HTTPStatus
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    RemoteDisconnected,
)
from ipaddress import IPv6Address
from secrets import randbits
from threading import Timer
from urllib.parse import urlsplit

import msgspec

from workers.host.keeper import Readiness, address_here
from workers.tools.doctor.finding import Finding, Patient
from workers.tools.doctor.unreachable import BEHIND_A_PROXY, explain_answer, explain_error

TIMEOUT_S = 5.0
MAX_BYTES = 100_000
"""How much of a body or of a line is read: another server may send without end."""
DAY_S = 86_400
MIN_SHARE_LEFT = 1 / 6
"""For how much of its life a certificate should still be valid: proxies renew theirs when a third
of it is left, whether it lives for 90 days or, as those of Caddy's own authority, for half a day.
"""
DOCUMENTATION = int(IPv6Address("2001:db8::"))
"""Addresses that no one has (RFC 3849)."""
POLICY = re.compile(r'"(default|address)";q=(\d+)')
"""The name of a rate limit in the header `RateLimit-Policy`, and its requests per minute."""
REMAINING = re.compile(r'"(default|address)";r=(\d+)')
"""The name of a rate limit in the header `RateLimit`, and the requests that are left."""
STREAM = "/v1/lobby/stream"
READY = "/readyz"
CONTRACT = "/openapi/core.json"
FAILURES = (OSError, ValueError, HTTPException, msgspec.MsgspecError)
"""What a request can raise; ValueError is for names that no host can have."""
LIMITED = "/v1/games"
"""A path whose responses have rate limits, if there are any."""
FORGED_REQUESTS = 30
"""More than the web processes of most clusters."""


@dataclass(frozen=True)
class Answer:
    """A whole response."""

    status: int
    headers: Message
    body: bytes


class _Problem(msgspec.Struct, frozen=True):
    """The part of a refusal that says why."""

    detail: str = ""


class Site:
    """The service at a URL."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._prefix = parts.path.rstrip("/")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.netloc, timeout=TIMEOUT_S)
        self._socket: socket.socket | None = None
        self._is_cut = False

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """End the connection if the block takes longer: a proxy can send a byte now and then, which
        is no timeout for a socket.
        """
        self._is_cut = False
        timer = Timer(seconds, self._cut)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        self._is_cut = True
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def stream(self, path: str, **headers: str) -> HTTPResponse:
        """Return an open response. Raises FAILURES."""
        return self._send("GET", path, **headers)

    def send(self, method: str, path: str, **headers: str) -> Answer:
        """Return the response. Raises FAILURES."""
        with self.within(TIMEOUT_S):
            response = self._send(method, path, **headers)
            return Answer(response.status, response.headers, response.read(MAX_BYTES))

    def _send(self, method: str, path: str, **headers: str) -> HTTPResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            return self._send_once(method, path, sent)
        except (RemoteDisconnected, BrokenPipeError):
            if self._is_cut:
                raise
            self.close()  # a proxy closes connections that wait for a request
            return self._send_once(method, path, sent)

    def _send_once(self, method: str, path: str, headers: Mapping[str, str]) -> HTTPResponse:
        if self._connection.sock is None:
            self._connection.connect()
        self._socket = self._connection.sock
        self._connection.request(method, self._prefix + path, headers=dict(headers))
        return self._connection.getresponse()

    def certificate_days(self) -> tuple[float, float] | None:
        """Return how long the certificate is still valid, and how long in all, in days; None
        without TLS.
        """
        self._connection.connect()
        if not isinstance(self._connection.sock, ssl.SSLSocket):
            return None
        found = self._connection.sock.getpeercert() or {}
        start, end = (
            ssl.cert_time_to_seconds(str(found.get(name))) for name in ("notBefore", "notAfter")
        )
        now = time.time()  # noqa: TID251 - of a certificate
        return (end - now) / DAY_S, (end - start) / DAY_S


def check_service(patient: Patient) -> Iterator[Finding]:
    """Yield whether the service is ready at its port."""
    url = f"http://{address_here(patient.settings)}"
    cure = f"See the logs in {patient.settings.data / 'log'}, and docs/operations.md."
    try:
        with closing(Site(url)) as site:
            status = site.send("GET", READY).status
    except ConnectionRefusedError:
        text = f"Nothing answers at {url}: the service is not running."
        yield Finding("service", "warn", text, "annals run")
        return
    except FAILURES as error:
        yield Finding("service", "fail", f"The service at {url} does not answer: {error!r}.", cure)
        return
    if status != HTTPStatus.OK:
        yield Finding("service", "fail", f"The service at {url} is not ready.", cure)
    else:
        yield Finding("service", "ok", f"The service at {url} is ready.")


def check_address(patient: Patient) -> Iterator[Finding]:
    """Yield whether the public address leads here, and the proxy passes on what it must."""
    url = patient.public_url
    if not url:
        cure = "Set it on the page /setup, or with ANNALS_PUBLIC_URL."
        yield Finding("address", "warn", "The public address is not set.", cure)
        return
    here = read_readiness(f"http://{address_here(patient.settings)}")
    if here is None:
        yield Finding("address", "warn", f"{url} is not checked without the service.", "annals run")
        return
    try:
        with closing(Site(url)) as site:
            yield from _check_reachable(patient, site, here)
    except FAILURES as error:
        yield explain_error(url, error)


def read_readiness(url: str) -> Readiness | None:
    """Return what the service at a URL says about itself; None if it does not answer."""
    try:
        with closing(Site(url)) as site:
            return decode_readiness(site.send("GET", READY))
    except FAILURES:
        return None


def decode_readiness(answer: Answer) -> Readiness | None:
    """Return what an answer says about a service; None if it is from another program."""
    try:
        return msgspec.json.decode(answer.body, type=Readiness)
    except msgspec.MsgspecError:
        return None


def _check_reachable(patient: Patient, site: Site, here: Readiness) -> Iterator[Finding]:
    url, days = patient.public_url, site.certificate_days()
    answer = site.send("GET", READY)
    outside = decode_readiness(answer)
    if outside is None or outside.run != here.run:
        location = answer.headers.get("Location", "")
        yield explain_answer(url, address_here(patient.settings), answer.status, location)
        return
    yield Finding("address", "ok", f"{url} leads to this service.")
    if days is None:
        text = f"Players reach {url} without TLS, so others can read their tokens."
        yield Finding("tls", "warn", text, BEHIND_A_PROXY)
    elif days[0] < MIN_SHARE_LEFT * days[1]:
        text = f"The certificate ends in {days[0]:.1f} of {days[1]:.1f} days."
        yield Finding("tls", "warn", text, "Let the proxy renew it.")
    else:
        yield Finding("tls", "ok", f"The certificate is valid for {days[0]:.1f} days.")
    limits = read_limits(f"http://{address_here(patient.settings)}")
    yield (
        check_number(outside.forwarded, patient.settings.proxies)
        or check_headers(site, limits, patient.settings.web_processes, has_tls=days is not None)
        or Finding("proxy", "ok", "The service learns the addresses of callers from the proxy.")
    )
    yield _check_stream(site)


def check_number(forwarded: int | None, trusted: int) -> Finding | None:
    """Return what is wrong with the number of proxies, of which each adds an address to
    `X-Forwarded-For`; None if the service trusts all of them. An older service does not say how
    many there are.
    """
    if forwarded is None or forwarded == trusted:
        return None
    if forwarded == 0:
        text = f"Requests come without X-Forwarded-For, but ANNALS_PROXIES is {trusted}."
        return Finding("proxy", "fail", text, "Let the proxy send it, or set ANNALS_PROXIES=0.")
    what = "count as one" if forwarded > trusted else "count as one, or choose their addresses"
    text = (
        f"X-Forwarded-For comes from {forwarded} proxies, but ANNALS_PROXIES is {trusted}:"
        f" callers {what}."
    )
    return Finding("proxy", "fail", text, f"Set ANNALS_PROXIES={forwarded}.")


def read_limits(url: str) -> Mapping[str, int]:
    """Return the rate limits of the service at a URL, which may run with other settings than this
    command.
    """
    with closing(Site(url)) as site:
        policies = site.send("HEAD", LIMITED).headers.get("RateLimit-Policy", "")
    return {name: int(rate) for name, rate in POLICY.findall(policies)}


def check_headers(
    site: Site, limits: Mapping[str, int], processes: int, *, has_tls: bool
) -> Finding | None:
    """Return why the service does not learn from the proxy who sends a request, and how."""
    is_limited = bool(limits)
    session = site.send("DELETE", "/v1/session")  # signs out no one; its cookie says what it knows
    if has_tls and "Secure" not in session.headers.get("Set-Cookie", ""):
        return Finding(
            "proxy", "fail", "The service does not know that requests come by https.",
            "Let the proxy send X-Forwarded-Proto, and set ANNALS_PROXIES.",
        )  # fmt: skip
    if is_limited and can_forge_address(site, processes, limits):
        return Finding(
            "proxy", "fail", "Callers can choose the address that the service believes.",
            "Let the proxy set X-Forwarded-For itself, as `annals sample nginx.conf` does.",
        )  # fmt: skip
    if dropped := [*find_dropped_headers(site, is_limited=is_limited)]:
        return Finding(
            "proxy", "fail", f"The proxy does not pass on {', '.join(dropped)}.",
            "Let it pass on all headers, as `annals sample nginx.conf` does.",
        )  # fmt: skip
    if not is_limited:
        return Finding(
            "proxy", "warn", "Without rate limits, it is unknown whether callers can choose the"
            " address that the service believes.", "Set ANNALS_RATE_PER_ADDRESS.",
        )  # fmt: skip
    return None


def find_dropped_headers(site: Site, *, is_limited: bool) -> Iterator[str]:
    """Yield the headers of requests and responses that do not come through the proxy."""
    mark = f"doctor-{randbits(64):x}"
    head, contract = (
        site.send("HEAD", path, X_Request_Id=mark).headers for path in (LIMITED, CONTRACT)
    )
    if is_limited and "RateLimit" not in head:
        yield "RateLimit"
    if "X-Request-Id" not in head:
        yield "X-Request-Id"
    if "ETag" not in contract:
        yield "ETag"
    if contract.get("X-Request-Id", mark) != mark:
        yield "X-Request-Id of requests"
    given = site.send("GET", "/v1/me", Authorization="Bearer unknown")
    none = site.send("GET", "/v1/me")
    if _read_detail(given) == _read_detail(none):
        yield "Authorization"
    etag = contract.get("ETag", "")
    again = site.send("HEAD", CONTRACT, If_None_Match=etag)
    if etag and again.status != HTTPStatus.NOT_MODIFIED:
        yield "If-None-Match"


def _read_detail(refused: Answer) -> str:
    return msgspec.json.decode(refused.body, type=_Problem).detail


def can_forge_address(site: Site, processes: int, limits: Mapping[str, int]) -> bool:
    """Return whether requests of one caller with several `X-Forwarded-For` count as those of
    several callers. With more requests than there are processes, on all hosts, two reach the same.
    """
    left: list[tuple[str, str]] = []
    for _ in range(max(FORGED_REQUESTS, processes + 1)):
        forged = IPv6Address(DOCUMENTATION | randbits(64) << 32)
        response = site.send("HEAD", LIMITED, X_Forwarded_For=str(forged))
        left += REMAINING.findall(response.headers.get("RateLimit", ""))
    return bool(left) and all(int(one) >= limits[name] - 1 for name, one in left)


def _check_stream(site: Site) -> Finding:
    with suppress(*FAILURES), site.within(TIMEOUT_S):
        stream = site.stream(STREAM, Accept="text/event-stream")
        lines = iter(partial(stream.readline, MAX_BYTES), b"")
        if any(line.startswith(b"event: beat") for line in lines):
            return Finding("streams", "ok", "Streams come through the proxy at once.")
    text = f"No event of {STREAM} came through the proxy within {TIMEOUT_S:g} seconds."
    return Finding("streams", "fail", text, "Turn off buffering: docs/hosting.md, Streams.")
