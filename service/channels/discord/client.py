"""Discord's REST API, as far as messages and commands go.

It is called at one address, which whoever runs the service has set, so no caller has a say in where
a request goes. Tokens are in what is sent, and in nothing that is logged or raised.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from math import inf
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from service.channels.chat.multipart import File, Json, packed

REQUEST_S = 10.0
ANSWER_BYTES = 1_000_000
MOST_WAIT_S = 5.0
"""A longer wait than this is not waited for."""
TRIES = 4
GONE = (10003, 10008, 10015, 10062, 50001, 50013, 50027)
"""Codes: no such channel, message, webhook or interaction, no access to it; the token has ended."""


class Attached(Struct, frozen=True):
    """A file of a message in Discord."""

    id: str


class Sent(Struct, frozen=True):
    """A message in Discord."""

    id: str
    attachments: tuple[Attached, ...] = ()


class Named(Struct, frozen=True):
    """A command that Discord knows."""

    name: str


class Application(Struct, frozen=True):
    """The application, as Discord knows it."""

    id: str
    verify_key: str
    interactions_endpoint_url: str | None = None


_SENT = msgspec.json.Decoder(Sent)


class DiscordFailed(Exception):
    """Discord refused something, or did not answer; the message names no token."""

    def __init__(self, status: int, code: int, about: str) -> None:
        super().__init__(f"Discord: {about} (status {status}, code {code}).")
        self.status = status
        self.code = code

    @property
    def gone(self) -> bool:
        """Whether there is nothing any more where this was sent to."""
        return self.code in GONE or self.status == 404

    @property
    def final(self) -> bool:
        """Whether it would be refused again, however often it is sent."""
        return self.gone or (400 <= self.status < 500 and self.status != 429)


class _Error(Struct):
    code: int = 0
    message: str = ""
    retry_after: float = inf  # whoever is shut out is not told how long: not to be tried again


class Client:
    """Calls Discord as an application, whose bot has a token."""

    def __init__(
        self, api: str, app: str, token: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._api = urlsplit(api.rstrip("/"))
        self._app = app
        self._token = token
        self._sleep = sleep
        self._refused = False  # the token of the bot: who tries on and on is shut out

    @property
    def has_bot(self) -> bool:
        """Whether the bot can speak by itself."""
        return bool(self._token) and not self._refused

    def edit_original(self, token: str, message: Json, files: Sequence[File] = ()) -> Sent:
        """Put a message in the place of the first answer to an interaction; DiscordFailed."""
        path = f"{self._hook(token)}/messages/@original"
        return _SENT.decode(self._call("PATCH", path, message, files))

    def follow_up(self, token: str, message: Json, files: Sequence[File] = ()) -> Sent:
        """Send one more message to an interaction; DiscordFailed."""
        path = f"{self._hook(token)}?wait=true"
        return _SENT.decode(self._call("POST", path, message, files))

    def post(self, channel: str, nonce: str, message: Json, files: Sequence[File] = ()) -> Sent:
        """Let the bot say something, once for each nonce; DiscordFailed."""
        once = {**message, "nonce": nonce, "enforce_nonce": True}
        path = f"/channels/{quote(channel)}/messages"
        return _SENT.decode(self._as_bot("POST", path, once, files))

    def edit(self, channel: str, message_id: str, message: Json) -> None:
        """Change what the bot has said; DiscordFailed."""
        path = f"/channels/{quote(channel)}/messages/{quote(message_id)}"
        self._as_bot("PATCH", path, message)

    def register(self, commands: Sequence[Json]) -> None:
        """Let these be all commands of the application; DiscordFailed."""
        self._as_bot("PUT", self._commands, list(commands))

    def commands(self) -> list[Named]:
        """All commands that the application has; DiscordFailed."""
        return msgspec.json.decode(self._as_bot("GET", self._commands, None), type=list[Named])

    def application(self) -> Application:
        """The application itself, as Discord knows it; DiscordFailed."""
        return msgspec.json.decode(self._as_bot("GET", "/applications/@me", None), type=Application)

    @property
    def _commands(self) -> str:
        return f"/applications/{quote(self._app)}/commands"

    def _hook(self, token: str) -> str:
        return f"/webhooks/{quote(self._app)}/{quote(token, safe='')}"

    def _as_bot(self, method: str, path: str, body: object, files: Sequence[File] = ()) -> bytes:
        if not self.has_bot:
            raise DiscordFailed(401, 0, "there is no token of the bot that is good")
        try:
            return self._call(method, path, body, files, {"Authorization": f"Bot {self._token}"})
        except DiscordFailed as failed:
            self._refused = failed.status == 401
            raise

    def _call(
        self,
        method: str,
        path: str,
        body: object,
        files: Sequence[File] = (),
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """What is answered; after 429 it is sent again once it may be."""
        kind, content = packed(body, files)
        sent = {"User-Agent": "DiscordBot (annals, 1)", **(headers or {}), **kind}
        for tries_left in reversed(range(TRIES)):
            status, answer = self._sent(method, path, content, sent)
            if status < 300:
                return answer
            error = _error(answer)
            if status != 429 or not tries_left or error.retry_after > MOST_WAIT_S:
                raise DiscordFailed(status, error.code, _about(method, error))
            self._sleep(error.retry_after)
        raise AssertionError

    def _sent(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        connection = self._connection()
        try:
            connection.request(method, f"{self._api.path}{path}", content, dict(headers))
            with connection.getresponse() as answer:
                return answer.status, answer.read(ANSWER_BYTES)
        except (OSError, HTTPException) as error:  # its text may name the path, and so a token
            raise DiscordFailed(0, 0, f"no answer ({type(error).__name__})") from None
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        host, port = self._api.hostname or "", self._api.port
        if self._api.scheme == "http":  # a stand-in on this machine
            return HTTPConnection(host, port, timeout=REQUEST_S)
        return HTTPSConnection(host, port, timeout=REQUEST_S, context=_tls())


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _error(answer: bytes) -> _Error:
    try:
        return msgspec.json.decode(answer, type=_Error)
    except msgspec.MsgspecError:
        return _Error()


def _about(method: str, error: _Error) -> str:
    return f"{method} failed: {error.message or 'no reason given'}"
