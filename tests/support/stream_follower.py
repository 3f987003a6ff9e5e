"""A client that follows a change feed of a running service and keeps each last row."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE_S, eventually


class Follower:
    """The rows of the matches in the feed, by id."""

    def __init__(self, url: str, path: str, token: str = "") -> None:
        self.rows: dict[str, Any] = {}
        self.seen = ""
        self.resets = self.breaks = 0
        self._address = urlsplit(url).netloc
        self._path = path
        self._token = token
        self._connection: HTTPConnection | None = None
        self._over = False
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()
        eventually(lambda: self.seen)

    def drop(self) -> None:
        """Break the connection; the follower reconnects."""
        self.breaks += 1
        if self._connection is not None and self._connection.sock is not None:
            with suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop following."""
        self._over = True
        self.drop()
        self._thread.join(PATIENCE_S)

    def _follow(self) -> None:
        while not self._over:
            with suppress(OSError, HTTPException), self._open() as answer:
                for fields in events(answer):
                    self._hear(fields)

    @contextmanager
    def _open(self) -> Iterator[HTTPResponse]:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if self.seen:
            headers["Last-Event-ID"] = self.seen
        self._connection = HTTPConnection(self._address, timeout=PATIENCE_S)
        try:
            self._connection.request("GET", self._path, headers=headers)
            answer = self._connection.getresponse()
            assert answer.status in (200, 503), answer.read()
            yield answer
        finally:
            self._connection.close()

    def _hear(self, fields: dict[str, str]) -> None:
        data = json.loads(fields.get("data", "null"))
        match fields.get("event"):
            case "match":
                row = data.get("match", data)
                self.rows[row["id"]] = row
            case "gone":
                del self.rows[data["id"]]
            case "reset":
                self.resets += 1
        self.seen = fields.get("id", self.seen)


def events(answer: HTTPResponse) -> Iterator[dict[str, str]]:
    """Server-sent events, as their fields."""
    fields: dict[str, str] = {}
    while line := answer.readline():
        if text := line.decode().rstrip("\n"):
            name, _, value = text.partition(": ")
            fields[name] = value
        else:
            yield fields
            fields = {}
