"""Formats: how a message is built and signed, and what a response to it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

from domain.notices import Notice
from service.channels.webhooks.messages.bodies import build_message, build_ping
from service.channels.webhooks.messages.examples import build_example
from service.channels.webhooks.queue.delivery_log import MessageType
from service.channels.webhooks.queue.retry_schedule import read_retry_after
from service.channels.webhooks.signing import SigningKey, signature_headers
from service.channels.webhooks.subscriptions import Subscription
from service.matches.container import Annals
from service.runtime.http_client import ReceiverResponse
from service.runtime.program_version import VERSION

GONE = 410
THROTTLED_CODES = (429, 502, 503, 504)
"""Status codes after which `Retry-After` applies."""
USER_AGENT = f"Annals/{VERSION}"


class DeliveryAttempt(msgspec.Struct, frozen=True):
    """A POST request."""

    headers: Mapping[str, str]
    body: bytes


class Outcome(msgspec.Struct, frozen=True):
    """The meaning of a response, and the pause in seconds that the receiver asks for.

    A `rejected` message would be rejected again; after `gone` the webhook is disabled.
    """

    kind: Literal["delivered", "failed", "rate_limited", "rejected", "gone"]
    error: str | None = None
    retry_after_s: int | None = None


class Format(Protocol):
    """Builds the messages of one format."""

    def url_for(self, subscription: Subscription) -> str:
        """Return the URL to send to."""
        ...

    def build(
        self, subscription: Subscription, message_id: str, match: str, notice: Notice
    ) -> DeliveryAttempt | None:
        """Return the request for a notice, or None if it has no message. Raises NotFound or
        CorruptEntry.
        """
        ...

    def build_test(
        self, subscription: Subscription, message_id: str, kind: MessageType
    ) -> DeliveryAttempt:
        """Return the request for a `ping`, or for an example of a notice type in the game of the
        subscription.
        """
        ...

    def outcome_of(self, answer: ReceiverResponse) -> Outcome:
        """Return the outcome that a response means."""
        ...


class StandardFormat:
    """Standard Webhooks 1.0.0: JSON, signed with the subscriber's secrets and the service's key."""

    def __init__(self, annals: Annals, key: SigningKey) -> None:
        self._annals = annals
        self._key = key

    def url_for(self, subscription: Subscription) -> str:
        """Return the URL to send to."""
        return subscription.url

    def build(
        self, subscription: Subscription, message_id: str, match: str, notice: Notice
    ) -> DeliveryAttempt:
        """Return the request for a notice."""
        body = build_message(self._annals, subscription.player, match, notice)
        return self._sign(subscription, message_id, body)

    def build_test(
        self, subscription: Subscription, message_id: str, kind: MessageType
    ) -> DeliveryAttempt:
        """Return the request for a ping or an example, marked as such."""
        game = subscription.game or next(iter(self._annals.games))
        body = (
            build_ping(self._annals) if kind == "ping" else build_example(self._annals, kind, game)
        )
        return self._sign(subscription, message_id, body)

    def outcome_of(self, answer: ReceiverResponse) -> Outcome:
        """Return the outcome of a response: 2xx is delivered, 410 is gone, all others failed."""
        if 200 <= answer.code < 300:
            return Outcome("delivered")
        error = f"The receiver answered {answer.code}."
        if answer.code == GONE:
            return Outcome("gone", "The receiver answered 410: the endpoint is gone.")
        if answer.code not in THROTTLED_CODES:
            return Outcome("failed", error)
        retry_after_s = read_retry_after(answer.headers.get("retry-after"), self._annals.now())
        return Outcome("failed", error, retry_after_s)

    def _sign(self, subscription: Subscription, message_id: str, body: bytes) -> DeliveryAttempt:
        """Build a request with a fresh timestamp and fresh signatures."""
        now = self._annals.now()
        secrets = subscription.valid_secrets(now)
        headers = {
            **subscription.headers,
            "content-type": "application/json",
            "user-agent": USER_AGENT,
            **signature_headers(message_id, now // 1000, body, secrets, self._key),
        }
        return DeliveryAttempt(headers, body)


def build_message_id(
    match: str, notice: Notice, subscription_id: str, restored_at: int | None = None
) -> str:
    """Return the id of a message: the same in all attempts and replays.

    After a restore (at a time in ms) the same versions may hold other events, so the ids differ.
    """
    message_id = f"msg_{match}_{notice.version}_{notice.number}_{subscription_id}"
    return message_id if restored_at is None else f"{message_id}_{restored_at}"
