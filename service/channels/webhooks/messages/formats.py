"""Formats: how what is told is written and signed, and what an answer to it means."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Literal, Protocol

import msgspec

from domain.notices import Notice
from service.channels.webhooks.messages.bodies import message, ping
from service.channels.webhooks.messages.examples import example
from service.channels.webhooks.queue.delivery_log import MessageType
from service.channels.webhooks.queue.retry_schedule import read_retry_after
from service.channels.webhooks.signing import SigningKey, signed_headers
from service.channels.webhooks.subscriptions import Subscription
from service.matches.container import Annals
from service.runtime.http_client import Answer

GONE = 410
THROTTLING = (429, 502, 503, 504)
"""Answers after which nothing else is sent before it is time."""
AGENT = f"Annals/{version('annals')}"


class Outgoing(msgspec.Struct, frozen=True):
    """A request: what is sent by POST."""

    headers: Mapping[str, str]
    body: bytes


class Verdict(msgspec.Struct, frozen=True):
    """What an answer means: whether the message arrived, failed, came too early, is refused
    whenever it comes, or nobody wants any more; and for how many seconds its receiver asks to be
    left alone.
    """

    what: Literal["arrived", "failed", "early", "refused", "gone"]
    error: str | None = None
    retry_after_s: int | None = None


class Format(Protocol):
    """How what is told is written."""

    def address(self, subscription: Subscription) -> str:
        """Where it is sent."""
        ...

    def about(
        self, subscription: Subscription, name: str, match: str, notice: Notice
    ) -> Outgoing | None:
        """The request that tells of a notice, with the id of the message; None if there is none.
        NotFound, Damaged.
        """
        ...

    def sample(self, subscription: Subscription, name: str, kind: MessageType) -> Outgoing:
        """The request that tells of nothing: a `ping`, or an example of a type of notice, of the
        game that the subscription is about.
        """
        ...

    def judged(self, answer: Answer) -> Verdict:
        """What an answer means."""
        ...


class Standard:
    """Standard Webhooks 1.0.0: JSON, signed with the subscriber's secret and with our key."""

    def __init__(self, annals: Annals, key: SigningKey) -> None:
        self._annals = annals
        self._key = key

    def address(self, subscription: Subscription) -> str:
        """Where it is sent."""
        return subscription.url

    def about(self, subscription: Subscription, name: str, match: str, notice: Notice) -> Outgoing:
        """The request that tells of a notice."""
        body = message(self._annals, subscription.player, match, notice)
        return self._signed(subscription, name, body)

    def sample(self, subscription: Subscription, name: str, kind: MessageType) -> Outgoing:
        """The request that tells of nothing, and says so."""
        game = subscription.game or next(iter(self._annals.games))
        body = ping(self._annals) if kind == "ping" else example(self._annals, kind, game)
        return self._signed(subscription, name, body)

    def judged(self, answer: Answer) -> Verdict:
        """2xx has arrived, 410 wants no more; anything else failed."""
        if 200 <= answer.code < 300:
            return Verdict("arrived")
        error = f"The receiver answered {answer.code}."
        if answer.code == GONE:
            return Verdict("gone", "The receiver answered 410: it wants no more.")
        if answer.code not in THROTTLING:
            return Verdict("failed", error)
        asked = read_retry_after(answer.headers.get("retry-after"), self._annals.now())
        return Verdict("failed", error, asked)

    def _signed(self, subscription: Subscription, name: str, body: bytes) -> Outgoing:
        """The timestamp and the signatures are made anew with every try."""
        now = self._annals.now()
        shared = subscription.good_secrets(now)
        headers = {
            **subscription.headers,
            "content-type": "application/json",
            "user-agent": AGENT,
            **signed_headers(name, now // 1000, body, shared, self._key),
        }
        return Outgoing(headers, body)


def message_id(
    match: str, notice: Notice, subscription: str, restored_at: int | None = None
) -> str:
    """The id of a message: the same in all tries, and when it is sent again. After a restore (at a
    time in ms) other things happen in the same versions of a match: their ids are others.
    """
    name = f"msg_{match}_{notice.version}_{notice.number}_{subscription}"
    return name if restored_at is None else f"{name}_{restored_at}"
