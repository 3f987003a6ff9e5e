"""The format `discord`: messages to the incoming webhook of a Discord channel.

A channel is public, so messages show only what spectators see. Each notice
is a new message; it mentions only players whose turn has just begun.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.play import Seat
from domain.match.state import Match
from domain.notice_types import NOTICE_TYPES
from domain.notices import Notice
from service.channels.chat.markup import code_block, truncate
from service.channels.chat.multipart import File, Json, attachments, encode_body
from service.channels.chat.preferences import DiscordUsers, users_about
from service.channels.chat.summary import ChatSummary, summarize, turns_since
from service.channels.webhooks.messages.bodies import load_context
from service.channels.webhooks.messages.discord_addresses import request_url
from service.channels.webhooks.messages.formats import USER_AGENT, DeliveryAttempt, Outcome
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.queue.retry_schedule import (
    MAX_RETRY_AFTER_S,
    chosen_delay_s,
    read_retry_after,
)
from service.channels.webhooks.subscriptions import Subscription
from service.drawing.pictures.cache import PictureCache
from service.drawing.pictures.inputs import draw_picture
from service.drawing.pictures.painter import DrawingFailed
from service.matches.container import Annals
from service.runtime.errors import NotFound, PaintersBusy
from service.runtime.http_client import ReceiverResponse

SILENT = 1 << 12
"""Message flag: no notification sound."""
COLOUR = 0x9B59B6
MAX_EVENTS_CHARS, MAX_STATE_CHARS, MAX_BOARD_CHARS = 1_500, 600, 1_900
"""An embed holds 4,096 characters in its description and 6,000 in all."""
MAX_FILE_BYTES = 10_485_760
TOO_MANY_REQUESTS = 429
GONE_REASONS = {
    401: "its token is no longer valid",
    404: "it no longer exists",
    410: "it has been deleted",
}
"""Status codes after which the webhook is disabled, with the reason."""
REJECTION_CODES = (400, 413)
"""Status codes that mean that Discord would reject the same message again."""


class _Error(Struct):
    code: int = 0
    message: str = ""
    retry_after: float = 0.0


class DiscordFormat:
    """Builds messages with pictures for a Discord channel."""

    def __init__(self, annals: Annals, gallery: PictureCache) -> None:
        self._annals = annals
        self._gallery = gallery

    def url_for(self, subscription: Subscription) -> str:
        """Return the URL to send to."""
        return request_url(subscription.url)

    def build(
        self, subscription: Subscription, message_id: str, match: str, notice: Notice
    ) -> DeliveryAttempt | None:
        """Return the request for a notice, or None if another message covers it.

        Raises NotFound if a channel may not see the match, CorruptEntry if it is corrupt.
        """
        if _has_no_message(subscription, notice):
            return None
        context = load_context(self._annals, subscription.player, match, notice)
        if not _may_see(subscription, context.match):
            raise NotFound("There is no such match.")
        sent = self._notices_with_message(subscription, context.match)
        if notice not in sent and not notice.is_warning:
            return None
        since = max((one.version for one in sent if one.position < notice.position), default=0)
        return self._message(
            subscription, self._summary(subscription, context.match, notice, since)
        )

    def build_test(self, subscription: Subscription, message_id: str, kind: str) -> DeliveryAttempt:
        """Return the request for a ping or an example; its text says that it is a test."""
        text = "Annals reaches this channel." if kind == "ping" else f"An example of `{kind}`."
        return _build_attempt({"embeds": [{"description": text, "color": COLOUR}], "flags": SILENT})

    def outcome_of(self, answer: ReceiverResponse) -> Outcome:
        """Return the outcome of a response: 2xx is delivered, 429 is a rate limit and
        no failure.
        """
        if 200 <= answer.code < 300:
            return Outcome("delivered", retry_after_s=_rate_limit_pause_s(answer))
        error = _read_error(answer)
        retry_after_s = math.ceil(error.retry_after) or self._retry_after_s(answer)
        pause_s = chosen_delay_s(retry_after_s)
        if answer.code == TOO_MANY_REQUESTS and pause_s is not None:
            return Outcome("rate_limited", "Discord limits the rate of messages.", pause_s)
        codes = f"{answer.code}, code {error.code}"
        if reason := GONE_REASONS.get(answer.code):
            return Outcome(
                "gone", f"Discord accepts no messages for this webhook: {reason} ({codes})."
            )
        if answer.code in REJECTION_CODES:
            return Outcome("rejected", f"Discord rejects this message ({codes}).")
        return Outcome("failed", f"Discord answered {codes}.", retry_after_s)

    def _retry_after_s(self, answer: ReceiverResponse) -> int | None:
        return read_retry_after(answer.headers.get("retry-after"), self._annals.now())

    def _notices_with_message(self, subscription: Subscription, match: Match) -> list[Notice]:
        """Return the notices so far that have a message, at most one per entry,
        without warnings.
        """
        entries = self._annals.matches.entries(match, 0, match.version)
        found: list[Notice] = []
        for one in notices_since(match.id, entries, subscription.filter, 1, 0):
            is_first = not found or found[-1].version != one.version
            if is_first and not _has_no_message(subscription, one):
                found.append(one)
        return found

    def _summary(
        self, subscription: Subscription, match: Match, notice: Notice, since: int
    ) -> ChatSummary:
        turns: Collection[Seat] = ()
        if notice.share and notice.seat is not None:
            turns = (notice.seat,)
        elif "turn.started" in subscription.types:
            turns = turns_since(self._annals, match, since)
        return summarize(
            self._annals, match, None, self._discord_users(subscription, match), since, turns
        )

    def _discord_users(self, subscription: Subscription, match: Match) -> DiscordUsers:
        """Return the Discord users of the players, or empty unless the owner of the webhook plays
        in the match.

        The owner could otherwise learn the Discord accounts of strangers.
        """
        if not match.seats_of(subscription.player):
            return {}
        players = {chair.player for chair in match.chairs if chair.player}
        redis, now = self._annals.store.redis, self._annals.now()
        return users_about(redis, match.id, players, now)

    def _message(self, subscription: Subscription, summary: ChatSummary) -> DeliveryAttempt:
        embed: Json = {
            "title": summary.title,
            "description": _description(summary),
            "color": COLOUR,
            "footer": {"text": summary.match},
        }
        if summary.page:
            embed["url"] = summary.page
        message: Json = {"embeds": [embed], "flags": 0 if summary.mentions else SILENT}
        if summary.mentions:
            message["content"] = " ".join(f"<@{user}>" for user in summary.mentions)
        with suppress(PaintersBusy, DrawingFailed):
            content = self._gallery.draw(summary.picture, subscription.id)
            if len(content) <= MAX_FILE_BYTES:
                embed["image"] = {"url": f"attachment://{summary.file}"}
                files = [File(summary.file, content, summary.alt)]
                message["attachments"] = attachments(files)
                return _build_attempt(message, summary.mentions, files)
        embed["description"] += (
            f"\n{code_block(draw_picture(summary.text).decode(), MAX_BOARD_CHARS)}"
        )
        return _build_attempt(message, summary.mentions)


def _description(summary: ChatSummary) -> str:
    """Return the last events that fit, and the state of the match."""
    lines: list[str] = []
    for one in reversed(summary.events):
        if sum(map(len, lines)) + len(one) > MAX_EVENTS_CHARS:
            break
        lines.insert(0, f"- {one}")
    return "\n".join([*lines, truncate("\n".join(summary.state), MAX_STATE_CHARS)]) or "\u2026"


def _build_attempt(
    message: Json, users: Sequence[str] = (), files: Sequence[File] = ()
) -> DeliveryAttempt:
    allowed: dict[str, Any] = {"parse": []}
    if users:
        allowed["users"] = list(users)
    headers, body = encode_body({**message, "allowed_mentions": allowed}, files)
    assert body is not None
    return DeliveryAttempt({**headers, "User-Agent": USER_AGENT}, body)


def _may_see(subscription: Subscription, match: Match) -> bool:
    """Return whether a channel may see a match: it is public, or one of its players named it in the
    filter.
    """
    is_shared = subscription.match == match.id and bool(match.seats_of(subscription.player))
    return match.visibility == "public" or is_shared


def _has_no_message(subscription: Subscription, notice: Notice) -> bool:
    """Return whether a notice has no message, or that of another notice covers it."""
    notice_type = NOTICE_TYPES[notice.type]
    return not notice_type.posted or notice_type.covered_by in subscription.types


def _rate_limit_pause_s(answer: ReceiverResponse) -> int | None:
    """Return the seconds to wait if the rate limit is used up, or None if it is not."""
    if answer.headers.get("x-ratelimit-remaining") != "0":
        return None
    with suppress(ValueError):
        wait_s = float(answer.headers.get("x-ratelimit-reset-after", "0"))
        return math.ceil(wait_s) if 0 < wait_s <= MAX_RETRY_AFTER_S else None
    return None


def _read_error(answer: ReceiverResponse) -> _Error:
    try:
        return msgspec.json.decode(answer.body, type=_Error)
    except msgspec.MsgspecError:
        return _Error()
