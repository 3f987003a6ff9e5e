"""Delivers the queue of one subscription, one request at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from time import monotonic

import structlog
from msgspec.structs import replace
from redis.exceptions import LockError
from redis.lock import Lock

from domain.match.log import CorruptEntry
from service.channels.webhooks.messages.formats import Format, Outcome, build_message_id
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.channels.webhooks.queue.delivery_queue import (
    DeliveryQueue,
    PendingNotice,
    ResendRequest,
)
from service.channels.webhooks.queue.replay import plan_resend
from service.channels.webhooks.queue.retry_schedule import FAILURES_BEFORE_WARNING, RandomSource
from service.channels.webhooks.sending.attempts import send_attempt
from service.channels.webhooks.sending.results import DeliveryResults
from service.channels.webhooks.subscriptions import Health, SubscriptionRecord, Subscriptions
from service.channels.webhooks.turned_off import drop_pending
from service.channels.webhooks.unsubscribe import delete_deliveries
from service.matches.container import Annals
from service.runtime.errors import NotFound
from service.runtime.http_client import Client
from service.runtime.logs import is_redis_error

LOCK_RENEWAL_S = 3.0
"""How often the lock is renewed; the rest of its lifetime is longer than a request may take."""
LOCK_WAIT_S = 0.05
"""How long to wait for a sender that is just releasing the lock."""
MAX_PENDING_MATCHES = 10_000
"""Maximum number of matches with pending notices per subscription, since they take memory in Redis;
also the maximum number of matches that a recovery covers.
"""
MAX_PENDING_NOTICES = 100_000
"""Maximum number of pending notices per subscription, in all matches."""
RANDOM = Random()
log = structlog.get_logger()


class Sender:
    """Delivers notices for subscriptions, with one implementation of each format."""

    def __init__(
        self,
        annals: Annals,
        subscriptions: Subscriptions,
        formats: Mapping[str, Format],
        random: RandomSource = RANDOM.random,
        client: Callable[[str, bool], Client] = Client,
    ) -> None:
        self.annals = annals
        self.subscriptions = subscriptions
        self.formats = formats
        self.random = random
        self.client = client

    def send_due(
        self, subscription_id: str, may_continue: Callable[[], bool] = lambda: True
    ) -> None:
        """Send what is due for a subscription while `may_continue` returns True.

        Does nothing if another sender holds the lock of the subscription.
        """
        store = self.annals.store
        queue = DeliveryQueue(store.redis, store.partitions, subscription_id)
        lock = queue.lock()
        if not lock.acquire(blocking_timeout=LOCK_WAIT_S):
            return
        try:
            _SenderRun(self, subscription_id, queue, lock, may_continue).run()
        except LockError:
            log.warning("webhook_lock_lost", webhook=subscription_id)
        finally:
            with suppress(LockError):
                lock.release()


class _SenderRun:
    """The work for one subscription while its lock is held."""

    def __init__(
        self,
        sender: Sender,
        subscription_id: str,
        queue: DeliveryQueue,
        lock: Lock,
        may_continue: Callable[[], bool],
    ) -> None:
        self._annals = sender.annals
        self._formats, self._open_client = sender.formats, sender.client
        self._subscriptions, self._subscription_id = sender.subscriptions, subscription_id
        self._queue, self._lock, self._lock_renewed_at = queue, lock, monotonic()
        self._log = DeliveryLog(sender.annals.store.redis, subscription_id)
        self._results = DeliveryResults(
            sender.annals, sender.subscriptions, subscription_id, queue, sender.random
        )
        self._may_continue = may_continue

    def run(self) -> None:
        """Handle resend requests, then send what is due."""
        try:
            record = self._subscriptions.get(self._subscription_id)
        except NotFound:
            self._purge()
            return
        loopback = bool(self._annals.settings.webhooks_loopback)
        message_format = self._formats[record.subscription.format]
        with self._open_client(message_format.url_for(record.subscription), loopback) as client:
            self._handle_resend_requests(record, client)
            self._send_until_done(record.subscription.url, client)
        self._results.save_last_success()

    def _purge(self) -> None:
        """Delete everything that belongs to a deleted subscription."""
        self._subscriptions.purge(self._subscription_id)
        delete_deliveries(self._annals.store, self._subscription_id)

    def _handle_resend_requests(self, record: SubscriptionRecord, client: Client) -> None:
        for request in self._queue.resend_requests():
            if request.kind == "test":
                self._send_test(record, client, request)
            elif not plan_resend(
                self._annals,
                record.subscription,
                self._queue,
                request,
                MAX_PENDING_MATCHES,
                self._renew_lock,
            ):
                self._subscriptions.note_undelivered(self._subscription_id, request.since)
                self._results.disable("queue_full")

    def _send_test(
        self, record: SubscriptionRecord, client: Client, request: ResendRequest
    ) -> None:
        """Send a ping or an example once, even while the subscription is paused or disabled."""
        self._renew_lock()
        now, message_format = self._annals.now(), self._formats[record.subscription.format]
        before = Delivery(request.message_id, request.type, "waiting", now, now, 0)
        subscription = replace(record.subscription, game=request.game or record.subscription.game)
        attempt = message_format.build_test(subscription, request.message_id, request.type)
        after, outcome = send_attempt(message_format, client, attempt, before, self._annals.now)
        delivery = after if outcome.kind == "delivered" else replace(after, status="dead")
        self._log.record(delivery)

    def _send_until_done(self, url: str, client: Client) -> None:
        """Send batches until nothing is due."""
        record = self._sendable()
        while record and record.subscription.url == url and self._may_continue():
            batch = self._results.postpone_stuck(self._queue.claim_due(self._annals.now()))
            if not batch:
                break
            try:
                self._send_batch(record, client, batch)
            finally:
                self._results.flush()
            record = self._sendable()
        if (
            self._queue.pending_matches() > MAX_PENDING_MATCHES
            or self._queue.pending_notices() > MAX_PENDING_NOTICES
        ):
            self._results.disable("queue_full")
        self._queue.reschedule(self._health().paused_until or 0)

    def _health(self) -> Health:
        with suppress(NotFound):
            return self._subscriptions.get(self._subscription_id).health
        return Health()

    def _sendable(self) -> SubscriptionRecord | None:
        """Return the current subscription, or None if nothing may be sent for it now."""
        try:
            record = self._subscriptions.get(self._subscription_id)
        except NotFound:
            self._purge()
            return None
        if record.health.disabled_reason is None and self._is_owner_excluded(
            record.subscription.player
        ):
            self._results.disable("banned")
            return None
        if record.health.disabled_reason is not None:
            self._subscriptions.remove_filter(self._subscription_id)
            drop_pending(self._subscriptions, self._queue, self._subscription_id)
            return None
        return record if (record.health.paused_until or 0) <= self._annals.now() else None

    def _is_owner_excluded(self, player: str) -> bool:
        account = self._annals.players.account(player)
        return account.banned is not None or account.deleted_at is not None

    def _send_batch(
        self, record: SubscriptionRecord, client: Client, batch: Sequence[PendingNotice]
    ) -> None:
        """Send the first notice of each match; of one match only if the receiver keeps failing."""
        chosen = batch[:1] if record.health.failures >= FAILURES_BEFORE_WARNING else batch
        restored_at = record.health.restored_at
        ids = {
            pending: build_message_id(
                pending.match, pending.notice, self._subscription_id, restored_at
            )
            for pending in chosen
        }
        before = self._log.get_many(list(ids.values()))
        health: Health | None = record.health
        for pending, message_id in ids.items():
            if health is None or not self._may_continue():
                return
            self._renew_lock()
            delivery = before.get(message_id) or self._new_delivery(message_id, pending)
            health = self._try_send(replace(record, health=health), client, pending, delivery)
            self._results.flush_if_due()

    def _new_delivery(self, message_id: str, pending: PendingNotice) -> Delivery:
        now = self._annals.now()
        text = pending.text.decode()
        return Delivery(
            message_id, pending.notice.type, "waiting", now, now, 0, pending.match, text
        )

    def _try_send(
        self, record: SubscriptionRecord, client: Client, pending: PendingNotice, before: Delivery
    ) -> Health | None:
        """Send a notice; on an error of our own, postpone its match and go on with others."""
        try:
            return self._send(record, client, pending, before)
        except Exception as error:
            if is_redis_error(error):
                raise
            log.exception(
                "webhook_delivery_error", webhook=self._subscription_id, match=pending.match
            )
            failed = Outcome("failed", "Annals could not build or send the message.")
            now, attempts = self._annals.now(), before.attempts + 1
            failed_delivery = replace(before, attempts=attempts, last_at=now, error=failed.error)
            self._results.retry_or_give_up(pending, failed_delivery, failed, record.health.failures)
            return record.health

    def _send(
        self, record: SubscriptionRecord, client: Client, pending: PendingNotice, before: Delivery
    ) -> Health | None:
        """Send a notice and return the health after it; None if nothing else may be sent now."""
        message_format = self._formats[record.subscription.format]
        try:
            attempt = message_format.build(
                record.subscription, before.id, pending.match, pending.notice
            )
        except NotFound:  # the owner can no longer see the match
            attempt = None
        except CorruptEntry:
            self._results.give_up(pending, replace(before, error="The match is corrupt."))
            return record.health
        if attempt is None:
            self._results.skip(pending)
            return record.health
        after, outcome = send_attempt(message_format, client, attempt, before, self._annals.now)
        if outcome.kind == "delivered":
            health = self._results.succeed(record.health, pending, after)
            if not outcome.retry_after_s:
                return health
        if outcome.kind in ("delivered", "rate_limited"):
            self._results.pause(outcome)
            return None
        return self._results.fail(record.health, pending, after, outcome)

    def _renew_lock(self) -> None:
        """Renew the lock if that is due; LockError if another sender has taken it."""
        if monotonic() - self._lock_renewed_at >= LOCK_RENEWAL_S:
            self._lock.reacquire()
            self._lock_renewed_at = monotonic()
