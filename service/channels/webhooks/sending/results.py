"""What the attempts of one run led to: deliveries, retries, pauses and the health of a receiver."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import structlog
from msgspec.structs import replace

from service.channels.webhooks.messages.formats import Outcome
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, PendingNotice
from service.channels.webhooks.queue.retry_schedule import (
    DISABLE_AFTER_MS,
    FAILURES_BEFORE_WARNING,
    RandomSource,
    chosen_delay_s,
    next_attempt_delay_s,
    pause_s,
)
from service.channels.webhooks.subscriptions import DisabledReason, Health, Subscriptions
from service.channels.webhooks.turned_off import turn_off
from service.matches.container import Annals

FLUSH_INTERVAL_S = 0.25
"""How often completed deliveries are written, all in one batch: with AOF `always`, each write waits
for the disk. If the process dies before, the same messages are sent again.
"""
STUCK_PAUSE_MS = 3_600_000
"""How long a match waits whose notice stays in the queue although it was removed."""
log = structlog.get_logger()


class DeliveryResults:
    """Records results for one subscription while a sender holds its lock."""

    def __init__(
        self,
        annals: Annals,
        subscriptions: Subscriptions,
        subscription_id: str,
        queue: DeliveryQueue,
        random: RandomSource,
    ) -> None:
        self._annals, self._random = annals, random
        self._subscriptions, self._subscription_id = subscriptions, subscription_id
        self._queue = queue
        self._log = DeliveryLog(annals.store.redis, subscription_id)
        self._last_success_at: int | None = None
        self._completed: list[tuple[PendingNotice, Delivery | None]] = []
        self._removed: set[tuple[str, bytes]] = set()
        """Match and text of each notice that was removed since the last batch was claimed."""
        self._flushed_at = monotonic()

    def succeed(self, health: Health, pending: PendingNotice, after: Delivery) -> Health:
        """Complete a delivered notice; return the health after it."""
        self._completed.append((pending, after))
        self._last_success_at = after.last_at
        if not health.failures:
            return health
        self._subscriptions.update_health(
            self._subscription_id,
            failures=None,
            failing_since=None,
            last_success_at=after.last_at,
        )
        self.flush()
        if health.failures >= FAILURES_BEFORE_WARNING:
            self._queue.retry_all()
        return Health(last_success_at=after.last_at)

    def fail(
        self, health: Health, pending: PendingNotice, after: Delivery, outcome: Outcome
    ) -> Health | None:
        """Record a failure; return the health after it, or None if nothing else may be sent now."""
        now, failures = after.last_at, health.failures + 1
        since = health.failing_since or now
        failing_ms = self._annals.store.uptime.elapsed_ms(since, now)
        if outcome.kind == "gone" or failing_ms >= DISABLE_AFTER_MS:
            self._lose(pending, after)
            self._subscriptions.update_health(
                self._subscription_id, last_error=after.error, last_error_at=now
            )
            self.disable("gone" if outcome.kind == "gone" else "failing")
            return None
        self.retry_or_give_up(pending, after, outcome, failures)
        pause = pause_s(failures, outcome.retry_after_s, self._random, after.response_code)
        health_after = Health(
            failures=failures,
            failing_since=since,
            last_error=after.error,
            last_error_at=now,
        )
        self._record_failure(health_after)
        if pause:
            self._subscriptions.pause(self._subscription_id, now + int(1000 * pause))
        return None if pause else health_after

    def _record_failure(self, health_after: Health) -> None:
        self._subscriptions.update_health(
            self._subscription_id,
            failures=health_after.failures,
            failing_since=health_after.failing_since,
            last_error=health_after.last_error,
            last_error_at=health_after.last_error_at,
        )
        if health_after.failures == FAILURES_BEFORE_WARNING:
            log.warning("webhook_failing", webhook=self._subscription_id)

    def retry_or_give_up(
        self, pending: PendingNotice, after: Delivery, outcome: Outcome, failures: int
    ) -> None:
        """Set the next attempt of a notice after this number of failures in a row, if there is
        one.
        """
        requested = outcome.retry_after_s
        delay = next_attempt_delay_s(after.attempts, failures, requested, self._random)
        if outcome.kind == "rejected":
            self.give_up(pending, after)
            return
        if delay is None:
            self._lose(pending, after)
            return
        at = after.last_at + int(1000 * delay)
        attempts = after.attempts - (chosen_delay_s(requested, failures) is not None)
        self._log.record(replace(after, attempts=attempts, next_attempt_at=at))
        self._queue.postpone(pending, at)

    def _lose(self, pending: PendingNotice, after: Delivery) -> None:
        """Give up a notice that a recovery sends again."""
        if pending.notice.at:
            self._subscriptions.note_undelivered(self._subscription_id, pending.notice.at)
        self.give_up(pending, after)

    def give_up(self, pending: PendingNotice, after: Delivery) -> None:
        """Complete a notice that was not delivered."""
        self._completed.append((pending, replace(after, status="dead", next_attempt_at=None)))

    def skip(self, pending: PendingNotice) -> None:
        """Complete a notice without a message."""
        self._completed.append((pending, None))

    def pause(self, outcome: Outcome) -> None:
        """Pause for as long as the receiver asked; this is not a failure."""
        wait_ms = 1000 * (outcome.retry_after_s or 0)
        self._subscriptions.pause(self._subscription_id, self._annals.now() + wait_ms)

    def disable(self, reason: DisabledReason) -> None:
        """Turn the subscription off."""
        now = self._annals.now()
        turn_off(self._subscriptions, self._queue, self._subscription_id, reason, now)
        log.warning("webhook_disabled", webhook=self._subscription_id, reason=reason)

    def flush_if_due(self) -> None:
        """Flush if the last time was FLUSH_INTERVAL_S ago."""
        if monotonic() - self._flushed_at >= FLUSH_INTERVAL_S:
            self.flush()

    def flush(self) -> None:
        """Write the completed deliveries and remove their notices from the queues."""
        with self._annals.store.redis.pipeline(transaction=False) as pipe:
            for pending, delivery in self._completed:
                if delivery:
                    self._log.add_record(pipe, delivery)
                self._queue.complete_with(pipe, pending)
                self._removed.add((pending.match, pending.text))
            pipe.execute()
        self._completed, self._flushed_at = [], monotonic()

    def postpone_stuck(self, batch: Sequence[PendingNotice]) -> list[PendingNotice]:
        """Return the notices of a batch without those that should have been removed. They would be
        sent without end: their matches wait for an hour.
        """
        fresh: list[PendingNotice] = []
        for one in batch:
            if (one.match, one.text) not in self._removed:
                fresh.append(one)
                continue
            log.error("webhook_notice_stuck", webhook=self._subscription_id, match=one.match)
            self._queue.postpone(one, self._annals.now() + STUCK_PAUSE_MS)
        self._removed.clear()
        return fresh

    def save_last_success(self) -> None:
        """Write when the last message was delivered, if one was."""
        if self._last_success_at:
            self._subscriptions.update_health(
                self._subscription_id, last_success_at=self._last_success_at
            )
