"""The state of the stand-in: channels, messages, interactions with tokens, and the clock."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.discord.checks import (
    EPHEMERAL,
    SILENT,
    Wrong,
    check_commands,
    check_hook_message,
    check_message,
)

APP, BOT_TOKEN = "900000000000000001", "bot.secret-token"
TOKEN_S, OLD_S = 15 * 60, 60 * 60
OLD_EDITS = 3
"""How often a client may edit an old message; Discord does not document the number."""


class CallRefused(Exception):
    """Discord refuses the call."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.body = status, {"code": code, "message": message, **more}


UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
UNAUTHORIZED = (401, 0, "401: Unauthorized")


@dataclass
class Message:
    """A message for all of a channel or for one user."""

    id: str
    channel: str
    only: str | None
    created: int
    components: Any = None
    users: list[str] = field(default_factory=list)
    files: dict[str, tuple[str, str]] = field(default_factory=dict)  # by id: name, hash
    late_edits: int = 0
    content: str = ""
    embeds: list[Any] = field(default_factory=list)
    silent: bool = False
    alts: list[str] = field(default_factory=list)

    def as_json(self) -> Any:
        files = [
            {"id": id_, "filename": name, "sha": sha} for id_, (name, sha) in self.files.items()
        ]
        return {
            "id": self.id, "channel": self.channel, "only": self.only,
            "components": self.components, "users": self.users, "attachments": files,
            "content": self.content, "embeds": self.embeds, "silent": self.silent,
            "alts": self.alts,
        }  # fmt: skip


@dataclass
class Use:
    """An interaction."""

    id: str
    token: str
    user: str
    channel: str
    created: int
    user_only: bool
    original: str | None = None
    follow_ups: int = 0


class State:
    """The whole state; times are in seconds."""

    def __init__(self) -> None:
        self.now = 0
        self._numbers = itertools.count(1_000_000_000_000)
        self.messages: dict[str, Message] = {}
        self.uses: dict[str, Use] = {}
        self.commands: list[Any] = []
        self.too_many: list[float | None] = []
        self.calls: list[tuple[str, str, int]] = []
        self.hooks: dict[str, tuple[str, str]] = {}
        self.threads: set[str] = set()
        self.nonces: dict[str, str] = {}
        self.channels_without_bot: set[str] = set()
        self.lost: tuple[str, str] | None = None

    def new_id(self) -> str:
        return str(next(self._numbers))

    def begin(self, user: str, channel: str, user_only: bool) -> Use:
        number = self.new_id()
        use = Use(number, f"aW50ZXJhY3Rpb24.{number}-_x", user, channel, self.now, user_only)
        self.uses[use.token] = use
        return use

    def store_answer(self, use: Use, answer: Any, pressed: str | None) -> None:
        """Store the first answer."""
        data = answer.get("data", {})
        if answer["type"] in (4, 5):
            private = bool(data.get("flags", 0) & EPHEMERAL)
            made = self.put(use.channel, use.user if private else None)
            use.original = made.id
            if answer["type"] == 4:
                self._fill(made, data, {})
        if answer["type"] == 7 and pressed:
            use.original = pressed
            self._fill(self.messages[pressed], data, {})

    def put(self, channel: str, only: str | None) -> Message:
        made = Message(self.new_id(), channel, only, self.now)
        self.messages[made.id] = made
        return made

    def edit_original(self, token: str, body: Any, files: Mapping[str, bytes]) -> Any:
        use = self._use(token)
        if use.original is None:
            raise CallRefused(*UNKNOWN_WEBHOOK)
        message = self.messages[use.original]
        check_or_refuse(check_message, body, files, _names(message))
        if body.get("flags", 0) & EPHEMERAL:
            raise CallRefused(400, 50035, "Invalid Form Body", errors="the visibility stays")
        self._fill(message, body, files)
        return message.as_json()

    def follow_up(self, token: str, body: Any, files: Mapping[str, bytes]) -> Any:
        use = self._use(token)
        if use.original is None:
            raise CallRefused(*UNKNOWN_WEBHOOK)
        use.follow_ups += 1
        if use.user_only and use.follow_ups > 5:
            raise CallRefused(400, 40094, "Maximum number of follow up messages reached")
        check_or_refuse(check_message, body, files, {})
        private = body["flags"] & EPHEMERAL
        made = self.put(use.channel, use.user if private else None)
        self._fill(made, body, files)
        return made.as_json()

    def post(self, channel: str, body: Any, files: Mapping[str, bytes]) -> Any:
        self._must_be_in(channel)
        check_or_refuse(check_message, body, files, {})
        nonce = f"{channel} {body.get('nonce')}"
        if body.get("enforce_nonce") and nonce in self.nonces:
            return self.messages[self.nonces[nonce]].as_json()
        made = self.put(channel, None)
        self.nonces[nonce] = made.id
        self._fill(made, body, files)
        return made.as_json()

    def new_hook(self, channel: str) -> str:
        """Create an incoming webhook of a channel; returns its id and its token."""
        number = self.new_id()
        self.hooks[number] = (f"t0ken-{number}", channel)
        return f"{number}/t0ken-{number}"

    def run_hook(
        self, number: str, token: str, thread: str, body: Any, files: Mapping[str, bytes]
    ) -> Any:
        if number not in self.hooks:
            raise CallRefused(*UNKNOWN_WEBHOOK)
        kept, channel = self.hooks[number]
        if token != kept:
            raise CallRefused(401, 50027, "Invalid Webhook Token")
        if thread and thread not in self.threads:
            raise CallRefused(*UNKNOWN_CHANNEL)
        check_or_refuse(check_hook_message, body, files)
        made = self.put(thread or channel, None)
        self._fill(made, body, files)
        return made.as_json()

    def edit(self, channel: str, message_id: str, body: Any, files: Mapping[str, bytes]) -> Any:
        self._must_be_in(channel)
        message = self.messages.get(message_id)
        if message is None or message.channel != channel or message.only:
            raise CallRefused(*UNKNOWN_MESSAGE)
        if self.now - message.created > OLD_S:
            message.late_edits += 1
            if message.late_edits > OLD_EDITS:
                raise CallRefused(400, 30046, "Maximum number of edits to old messages reached")
        check_or_refuse(check_message, body, files, _names(message))
        self._fill(message, body, files)
        return message.as_json()

    def register(self, commands: Any) -> Any:
        try:
            check_commands(commands)
        except Wrong as wrong:
            raise CallRefused(400, 50035, "Invalid Form Body", errors=str(wrong)) from wrong
        self.commands = commands
        return commands

    def _must_be_in(self, channel: str) -> None:
        if channel in self.channels_without_bot:
            raise CallRefused(403, 50001, "Missing Access")

    def _use(self, token: str) -> Use:
        use = self.uses.get(token)
        if use is None:
            raise CallRefused(*UNKNOWN_WEBHOOK)
        if self.now - use.created > TOKEN_S:
            raise CallRefused(401, 50027, "Invalid Webhook Token")
        return use

    def _fill(self, message: Message, body: Any, files: Mapping[str, bytes]) -> None:
        kept = {one["id"] for one in body.get("attachments", []) if isinstance(one["id"], str)}
        message.files = {id_: file for id_, file in message.files.items() if id_ in kept}
        message.files |= {
            self.new_id(): (name, hashlib.sha256(content).hexdigest())
            for name, content in files.items()
        }
        message.components = body.get("components")
        message.content, message.embeds = body.get("content", ""), body.get("embeds", [])
        message.silent = bool(body.get("flags", 0) & SILENT)
        message.alts = [one.get("description", "") for one in body.get("attachments", [])]
        message.users = body["allowed_mentions"].get("users", [])


def check_or_refuse(check: Callable[..., None], *sent: Any) -> None:
    try:
        check(*sent)
    except (Wrong, KeyError, TypeError, AttributeError) as wrong:
        raise CallRefused(400, 50035, "Invalid Form Body", errors=repr(wrong)) from wrong


def _names(message: Message) -> Mapping[str, str]:
    return {id_: name for id_, (name, _) in message.files.items()}
