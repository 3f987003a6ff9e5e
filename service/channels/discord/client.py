"""Client of Discord's REST API, for messages and commands.

It calls only the address that the operator has configured. Tokens are never logged, and never part
of an error.
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

from service.channels.chat.multipart import File, Json, encode_body

REQUEST_TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 1_000_000
MAX_WAIT_S = 5.0
"""If Discord asks for a longer wait, the call fails."""
MAX_TRIES = 4
GONE_CODES = (10003, 10008, 10015, 10062, 50001, 50013, 50027)
"""Error codes: unknown channel, message, webhook or interaction, no access, or an expired token."""


class Attachment(Struct, frozen=True):
    """A file of a message in Discord."""

    id: str


class SentMessage(Struct, frozen=True):
    """A message in Discord."""

    id: str
    attachments: tuple[Attachment, ...] = ()


class CommandName(Struct, frozen=True):
    """A command that is registered with Discord."""

    name: str


class Application(Struct, frozen=True):
    """The application, as Discord describes it."""

    id: str
    verify_key: str
    interactions_endpoint_url: str | None = None


_SENT = msgspec.json.Decoder(SentMessage)


class DiscordError(Exception):
    """Discord refused a call, or did not answer; the message contains no token."""

    def __init__(self, status: int, code: int, about: str) -> None:
        answer = f" (status {status}, code {code})" if status else ""
        super().__init__(f"Discord: {about}{answer}.")
        self.status = status
        self.code = code

    @property
    def is_gone(self) -> bool:
        """Whether the target of the call no longer exists."""
        return self.code in GONE_CODES or self.status == 404

    @property
    def is_permanent(self) -> bool:
        """Whether Discord would refuse the same call again."""
        return self.is_gone or (400 <= self.status < 500 and self.status != 429)


class _Error(Struct):
    code: int = 0
    message: str = ""
    retry_after: float = inf  # Discord gives blocked clients no time: do not retry


class DiscordClient:
    """Calls Discord as an application, with the token of its bot."""

    def __init__(
        self, api: str, application_id: str, token: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._api = urlsplit(api.rstrip("/"))
        self._app = application_id
        self._token = token
        self._sleep = sleep
        self._token_rejected = False  # Discord blocks clients that retry a bad bot token

    @property
    def has_bot(self) -> bool:
        """Whether the bot can post messages."""
        return bool(self._token) and not self._token_rejected

    def edit_original(self, token: str, message: Json, files: Sequence[File] = ()) -> SentMessage:
        """Replace the first answer to an interaction. Raises DiscordError."""
        path = f"{self._webhook_path(token)}/messages/@original"
        return _SENT.decode(self._call("PATCH", path, message, files))

    def follow_up(self, token: str, message: Json, files: Sequence[File] = ()) -> SentMessage:
        """Add a message to an interaction. Raises DiscordError."""
        path = f"{self._webhook_path(token)}?wait=true"
        return _SENT.decode(self._call("POST", path, message, files))

    def post(
        self, channel: str, nonce: str, message: Json, files: Sequence[File] = ()
    ) -> SentMessage:
        """Post a message as the bot, once per nonce. Raises DiscordError."""
        once = {**message, "nonce": nonce, "enforce_nonce": True}
        path = f"/channels/{quote(channel)}/messages"
        return _SENT.decode(self._call_as_bot("POST", path, once, files))

    def edit(self, channel: str, message_id: str, message: Json) -> None:
        """Edit a message of the bot. Raises DiscordError."""
        path = f"/channels/{quote(channel)}/messages/{quote(message_id)}"
        self._call_as_bot("PATCH", path, message)

    def register_commands(self, commands: Sequence[Json]) -> None:
        """Replace all commands of the application. Raises DiscordError."""
        self._call_as_bot("PUT", self._commands_path, list(commands))

    def commands(self) -> list[CommandName]:
        """Return the registered commands of the application. Raises DiscordError."""
        return msgspec.json.decode(
            self._call_as_bot("GET", self._commands_path, None), type=list[CommandName]
        )

    def application(self) -> Application:
        """Return the application, as Discord describes it. Raises DiscordError."""
        return msgspec.json.decode(
            self._call_as_bot("GET", "/applications/@me", None), type=Application
        )

    @property
    def _commands_path(self) -> str:
        return f"/applications/{quote(self._app)}/commands"

    def _webhook_path(self, token: str) -> str:
        return f"/webhooks/{quote(self._app)}/{quote(token, safe='')}"

    def _call_as_bot(
        self, method: str, path: str, body: object, files: Sequence[File] = ()
    ) -> bytes:
        if not self.has_bot:
            raise DiscordError(401, 0, "there is no token of the bot that is good")
        try:
            return self._call(method, path, body, files, {"Authorization": f"Bot {self._token}"})
        except DiscordError as failed:
            self._token_rejected = failed.status == 401
            raise

    def _call(
        self,
        method: str,
        path: str,
        body: object,
        files: Sequence[File] = (),
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """Return the response body; after 429 wait and retry."""
        kind, content = encode_body(body, files)
        sent = {"User-Agent": "DiscordBot (annals, 1)", **(headers or {}), **kind}
        for tries_left in reversed(range(MAX_TRIES)):
            status, answer = self._send_once(method, path, content, sent)
            if status < 300:
                return answer
            error = _read_error(answer)
            if status != 429 or not tries_left or error.retry_after > MAX_WAIT_S:
                raise DiscordError(status, error.code, _failure_text(method, error))
            self._sleep(error.retry_after)
        raise AssertionError

    def _send_once(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        connection = self._connection()
        try:
            connection.request(method, f"{self._api.path}{path}", content, dict(headers))
            with connection.getresponse() as answer:
                return answer.status, answer.read(MAX_ANSWER_BYTES)
        except (OSError, HTTPException) as error:  # its text may contain the path, and so a token
            about = f"no answer from {self._api.hostname} ({type(error).__name__})"
            raise DiscordError(0, 0, f"{about}: see whether this machine can reach it") from None
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        host, port = self._api.hostname or "", self._api.port
        if self._api.scheme == "http":  # a stand-in for Discord on this machine
            return HTTPConnection(host, port, timeout=REQUEST_TIMEOUT_S)
        return HTTPSConnection(host, port, timeout=REQUEST_TIMEOUT_S, context=_tls())


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _read_error(answer: bytes) -> _Error:
    try:
        return msgspec.json.decode(answer, type=_Error)
    except msgspec.MsgspecError:
        return _Error()


def _failure_text(method: str, error: _Error) -> str:
    return f"{method} failed: {error.message or 'no reason given'}"
