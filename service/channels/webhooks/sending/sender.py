"""The sender: works off the mail of one subscription, one request at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from time import monotonic

import structlog
from msgspec.structs import replace
from redis.exceptions import LockError
from redis.lock import Lock

from domain.match.log import Damaged
from service.channels.webhooks.messages.formats import Format, Verdict, message_id
from service.channels.webhooks.queue.delivery_log import Deliveries, Delivery
from service.channels.webhooks.queue.delivery_queue import Errand, Head, Mail
from service.channels.webhooks.queue.replay import plan_again
from service.channels.webhooks.queue.retry_schedule import (
    NOTICE_AFTER,
    OFF_AFTER_MS,
    RETRY_AFTER_S,
    Chance,
    next_try_s,
    pause_s,
)
from service.channels.webhooks.sending.attempts import attempt
from service.channels.webhooks.subscriptions import Health, Known, Subscriptions, WhyOff
from service.channels.webhooks.unsubscribe import leave_nothing
from service.matches.container import Annals
from service.runtime.errors import NotFound
from service.runtime.http_client import Client
from service.runtime.logs import of_redis

RENEW_S = 3.0
"""How often the lock is renewed: what is left of it is longer than a request may take."""
WRITE_S = 0.25
"""How soon what arrived is written down, all of it at once: a Redis that keeps everything waits for
the disk each time. Whoever is killed before has sent that in vain, and it comes again.
"""
WAIT_S = 0.05
"""How long to wait for whoever is just letting go of the lock."""
MOST_WAITING = 10_000
"""Matches that may wait to be told to one receiver, as what waits is in memory; and matches that
are looked at to tell again what was missed.
"""
MOST_NOTICES = 100_000
"""Notices that may wait to be told to one receiver: a match may have many."""
RANDOM = Random()
log = structlog.get_logger()


class Sender:
    """Works for subscriptions, with what is known of each format."""

    def __init__(
        self,
        annals: Annals,
        subscriptions: Subscriptions,
        formats: Mapping[str, Format],
        chance: Chance = RANDOM.random,
        client: Callable[[str, bool], Client] = Client,
    ) -> None:
        self.annals = annals
        self.subscriptions = subscriptions
        self.formats = formats
        self.chance = chance
        self.client = client

    def work(self, name: str, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Send what is due for a subscription, as long as it may go on, unless somebody else is at
        it.
        """
        store = self.annals.store
        mail = Mail(store.redis, store.partitions, name)
        lock = mail.lock()
        if not lock.acquire(blocking_timeout=WAIT_S):
            return
        try:
            _Pass(self, name, mail, lock, goes_on).run()
        except LockError:
            log.warning("webhook_taken_over", webhook=name)
        finally:
            with suppress(LockError):
                lock.release()


class _Pass:
    """What is done for a subscription while its lock is held."""

    def __init__(
        self, sender: Sender, name: str, mail: Mail, lock: Lock, goes_on: Callable[[], bool]
    ) -> None:
        self._annals, self._chance = sender.annals, sender.chance
        self._formats, self._open = sender.formats, sender.client
        self._subscriptions, self._name = sender.subscriptions, name
        self._mail, self._lock, self._renewed = mail, lock, monotonic()
        self._deliveries = Deliveries(sender.annals.store.redis, name)
        self._success_at: int | None = None
        self._goes_on = goes_on
        self._settled: list[tuple[Head, Delivery | None]] = []
        self._written = monotonic()

    def run(self) -> None:
        """Do what was asked for, and send what is due."""
        try:
            known = self._subscriptions.known(self._name)
        except NotFound:
            self._bury()
            return
        loopback = bool(self._annals.settings.webhooks_loopback)
        written = self._formats[known.subscription.format]
        with self._open(written.address(known.subscription), loopback) as client:
            self._errands(known, client)
            self._rounds(known.subscription.url, client)
        if self._success_at:
            self._subscriptions.note(self._name, success_at=self._success_at)

    def _bury(self) -> None:
        """Let nothing be left of a subscription that was removed."""
        self._subscriptions.bury(self._name)
        leave_nothing(self._annals.store, self._name)

    def _errands(self, known: Known, client: Client) -> None:
        for errand in self._mail.errands():
            if errand.kind == "sample":
                self._sample(known, client, errand)
            elif not plan_again(
                self._annals, known.subscription, self._mail, errand, MOST_WAITING, self._renew
            ):
                self._turn_off("behind")

    def _sample(self, known: Known, client: Client, errand: Errand) -> None:
        """Send a message that tells nothing: once, even if nothing else may be sent now."""
        self._renew()
        now, written = self._annals.now(), self._formats[known.subscription.format]
        before = Delivery(errand.name, errand.type, "waiting", now, now, 0)
        subscription = replace(known.subscription, game=errand.game or known.subscription.game)
        outgoing = written.sample(subscription, errand.name, errand.type)
        after, verdict = attempt(written, client, outgoing, before, self._annals.now)
        outcome = after if verdict.what == "arrived" else replace(after, status="dead")
        self._deliveries.note(outcome)

    def _rounds(self, url: str, client: Client) -> None:
        """Send what is due until nothing is."""
        known = self._able()
        while known and known.subscription.url == url and self._goes_on():
            heads = self._mail.heads(self._annals.now())
            if not heads:
                break
            try:
                self._round(known, client, heads)
            finally:
                self._write()
            known = self._able()
        if self._mail.waiting() > MOST_WAITING or self._mail.notices() > MOST_NOTICES:
            self._turn_off("behind")
        self._mail.settle(self._health().wait_until or 0)

    def _health(self) -> Health:
        with suppress(NotFound):
            return self._subscriptions.known(self._name).health
        return Health()

    def _able(self) -> Known | None:
        """The subscription as it is now, if anything may be sent for it."""
        try:
            known = self._subscriptions.known(self._name)
        except NotFound:
            self._bury()
            return None
        if known.health.off is None and self._is_out(known.subscription.player):
            self._turn_off("banned")
            return None
        if known.health.off is not None:
            self._subscriptions.withdraw(self._name)
            self._mail.drop()
            return None
        return known if (known.health.wait_until or 0) <= self._annals.now() else None

    def _is_out(self, player: str) -> bool:
        account = self._annals.players.account(player)
        return account.banned is not None or account.deleted_at is not None

    def _round(self, known: Known, client: Client, heads: Sequence[Head]) -> None:
        """Send the first message of each match; if it fails again and again, of one match only."""
        some = heads[:1] if known.health.failures >= NOTICE_AFTER else heads
        restored_at = known.health.restored_at
        names = {
            head: message_id(head.match, head.notice, self._name, restored_at) for head in some
        }
        before = self._deliveries.known(list(names.values()))
        health: Health | None = known.health
        for head, name in names.items():
            if health is None or not self._goes_on():
                return
            self._renew()
            delivery = before.get(name) or self._fresh(name, head)
            health = self._tried(replace(known, health=health), client, head, delivery)
            if monotonic() - self._written >= WRITE_S:
                self._write()

    def _fresh(self, name: str, head: Head) -> Delivery:
        now = self._annals.now()
        text = head.text.decode()
        return Delivery(name, head.notice.type, "waiting", now, now, 0, head.match, text)

    def _tried(self, known: Known, client: Client, head: Head, before: Delivery) -> Health | None:
        """The same as to send it; if we fail ourselves, its match waits, and others go on."""
        try:
            return self._send(known, client, head, before)
        except Exception as error:
            if of_redis(error):
                raise
            log.exception("cannot_tell", webhook=self._name, match=head.match)
            failed = Verdict("failed", "The message could not be made or sent.")
            tried = replace(
                before,
                attempts=before.attempts + 1,
                last_at=self._annals.now(),
                error=failed.error,
            )
            self._again_or_never(head, tried, failed)
            return known.health

    def _send(self, known: Known, client: Client, head: Head, before: Delivery) -> Health | None:
        """Try to send a message: the health after it; None if nothing else may be sent now."""
        written = self._formats[known.subscription.format]
        try:
            outgoing = written.about(known.subscription, before.id, head.match, head.notice)
        except NotFound:  # its owner may not know of the match any more
            outgoing = None
        except Damaged:
            self._give_up(head, replace(before, error="The match cannot be read."))
            return known.health
        if outgoing is None:
            self._settled.append((head, None))
            return known.health
        after, verdict = attempt(written, client, outgoing, before, self._annals.now)
        if verdict.what == "arrived":
            well = self._arrived(known.health, head, after)
            if not verdict.retry_after_s:
                return well
        if verdict.what in ("arrived", "early"):
            self._rest(verdict)
            return None
        return self._failed(known.health, head, after, verdict)

    def _arrived(self, health: Health, head: Head, after: Delivery) -> Health:
        self._settled.append((head, after))
        self._success_at = after.last_at
        if not health.failures:
            return health
        self._subscriptions.note(
            self._name, failures=None, failing_since=None, wait_until=None, success_at=after.last_at
        )
        self._write()
        if health.failures >= NOTICE_AFTER:
            self._mail.release()
        return Health(success_at=after.last_at)

    def _rest(self, verdict: Verdict) -> None:
        """Leave the receiver alone for as long as it asks for: nothing has failed."""
        wait_ms = 1000 * (verdict.retry_after_s or 0)
        self._subscriptions.note(self._name, wait_until=self._annals.now() + wait_ms)

    def _failed(
        self, health: Health, head: Head, after: Delivery, verdict: Verdict
    ) -> Health | None:
        now, failures = after.last_at, health.failures + 1
        since = health.failing_since or now
        if verdict.what == "gone" or now - since >= OFF_AFTER_MS:
            self._give_up(head, after)
            self._subscriptions.note(self._name, error=after.error, error_at=now)
            self._turn_off("gone" if verdict.what == "gone" else "failing")
            return None
        self._again_or_never(head, after, verdict)
        asked = min(verdict.retry_after_s or 0, RETRY_AFTER_S)
        pause = max(pause_s(failures, self._chance), asked)
        sick = Health(
            failures=failures,
            failing_since=since,
            error=after.error,
            error_at=now,
            wait_until=now + int(1000 * pause) if pause else None,
        )
        self._write_down(sick)
        return None if pause else sick

    def _write_down(self, sick: Health) -> None:
        self._subscriptions.note(
            self._name,
            failures=sick.failures,
            failing_since=sick.failing_since,
            error=sick.error,
            error_at=sick.error_at,
            wait_until=sick.wait_until,
        )
        if sick.failures == NOTICE_AFTER:
            log.warning("webhook_failing", webhook=self._name)

    def _again_or_never(self, head: Head, after: Delivery, verdict: Verdict) -> None:
        delay = next_try_s(after.attempts, verdict.retry_after_s, self._chance)
        if delay is None or verdict.what == "refused":
            self._give_up(head, after)
            return
        at = after.last_at + int(1000 * delay)
        self._deliveries.note(replace(after, next_try=at))
        self._mail.postpone(head, at)

    def _give_up(self, head: Head, after: Delivery) -> None:
        self._settled.append((head, replace(after, status="dead", next_try=None)))

    def _write(self) -> None:
        """Write down what arrived, or is given up, so that what follows may be sent."""
        with self._annals.store.redis.pipeline(transaction=False) as pipe:
            for head, delivery in self._settled:
                if delivery:
                    self._deliveries.note_with(pipe, delivery)
                self._mail.done_with(pipe, head)
            pipe.execute()
        self._settled, self._written = [], monotonic()

    def _turn_off(self, why: WhyOff) -> None:
        self._subscriptions.turn_off(self._name, why, self._annals.now())
        self._mail.drop()
        log.warning("webhook_off", webhook=self._name, why=why)

    def _renew(self) -> None:
        """Keep the lock; LockError if somebody else has it by now."""
        if monotonic() - self._renewed >= RENEW_S:
            self._lock.reacquire()
            self._renewed = monotonic()
