"""A client that records how quickly its host answers, for the shares of threads."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from urllib.parse import urlsplit

from service.runtime.http_client import Client, ReceiverResponse
from workers.processes.sender_pool import ReceiverSpeeds


class TimedClient(Client):
    """A client that records how quickly its host answers."""

    def __init__(self, speeds: ReceiverSpeeds, url: str, loopback: bool) -> None:
        super().__init__(url, loopback)
        self._speeds, self._host = speeds, host_of(url)

    def post(self, headers: Mapping[str, str], body: bytes) -> ReceiverResponse:
        """Send a request and return the response. Raises RequestError."""
        began = monotonic()
        try:
            return super().post(headers, body)
        finally:
            self._speeds.record(self._host, monotonic() - began)


def host_of(url: str) -> str:
    """Return the host that a URL names."""
    return urlsplit(url).hostname or ""
