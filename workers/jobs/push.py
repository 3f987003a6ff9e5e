"""Sends push messages to one browser of a player: what is new in their matches, while it is so.

A message is written when it is sent. Its notices leave the queue once the push service has taken
it, so a process that is killed loses none. If it ends between the two, the message is sent again:
its topic and its tag let it take the place of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import structlog
from redis.exceptions import LockError
from redis.lock import Lock

from domain.notices import Notice
from projections.lists.turns import find_turns
from service.accounts.notices.settings import MatchChoices, read_notice_settings
from service.channels.mail.kinds import kinds_about
from service.channels.notice_channels import EarlierChannels
from service.channels.push.browsers import PushState, PushSubscription, PushSubscriptions
from service.channels.push.encryption import encrypt, from_base64url
from service.channels.push.house import sends_push, subject_of
from service.channels.push.kinds import Device
from service.channels.push.notifications import PushMessage, write_message
from service.channels.push.vapid import VapidKey
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, PendingNotice
from service.channels.webhooks.queue.retry_schedule import read_retry_after
from service.matches.container import Annals
from service.runtime.http_client import Client, ReceiverResponse, RequestError
from workers.jobs.match_news import find_news

DELAY_MS = 10_000
"""How long a player who is there has to see by themselves what is new. Reminders have waited."""
PRESENT_MS = 60_000
"""How long a player counts as there who has acted in a match: of one who plays on, it says nothing.
"""
PAUSES_MS = (
    30_000, 120_000, 600_000, 3_600_000, 14_400_000, 43_200_000, 86_400_000, 86_400_000,
)  # fmt: skip
"""How long a browser gets nothing after each failure in a row; one more ends its subscription."""
MAX_PAUSE_MS = 86_400_000
"""The longest pause that a push service can ask for."""
MAX_BADGE = 99
"""The largest number of waiting matches in a message."""
GONE, TOO_LARGE, TOO_MANY = (404, 410), 413, 429
log = structlog.get_logger()

MayContinue = Callable[[], bool]
OpenClient = Callable[[str, bool], Client]


class PushSender:
    """Sends to one browser after another."""

    def __init__(self, annals: Annals, open_client: OpenClient = Client) -> None:
        self.annals = annals
        self.open_client = open_client
        self.subscriptions = PushSubscriptions(annals.store)
        self.key = VapidKey(annals.store.redis)

    def send_due(self, device: Device, may_continue: MayContinue = lambda: True) -> None:
        """Send what is due to a browser while `may_continue` returns True, unless another process
        is doing so.
        """
        store = self.annals.store
        queue = DeliveryQueue(store.redis, store.partitions, device.outbox_id)
        lock = queue.lock()
        if not lock.acquire(blocking=False):
            return
        try:
            _DeviceRun(self, device, queue, lock).run(may_continue)
        except LockError:
            log.warning("push_lock_lost", player=device.player)
        finally:
            with suppress(LockError):
                lock.release()


class _DeviceRun:
    """The work for one browser while the lock is held."""

    def __init__(
        self, sender: PushSender, device: Device, queue: DeliveryQueue, lock: Lock
    ) -> None:
        self._sender, self._annals = sender, sender.annals
        self._subscriptions, self._device = sender.subscriptions, device
        self._queue, self._lock = queue, lock
        self._now = sender.annals.now()
        self._state = self._subscriptions.state(device)
        redis = sender.annals.store.redis
        self._choices = MatchChoices(redis, device.player).read()
        self._quiet = read_notice_settings(redis, device.player).quiet
        self._earlier = EarlierChannels(sender.annals, device.player, "push")

    def run(self, may_continue: MayContinue) -> None:
        """Send what is due, unless the browser has a pause, or its player quiet hours."""
        subscription, players = self._subscriptions.read(self._device), self._annals.players
        if subscription is None or self._is_over(subscription):
            self._subscriptions.remove(self._device)
            return
        if not sends_push(self._annals) or not players.is_active(subscription.player):
            self._queue.drop_all()
            return
        if self._now >= self._not_before:
            self._send_all(subscription, may_continue)
        if self._subscriptions.read(self._device):
            self._queue.reschedule(self._not_before)

    @property
    def _not_before(self) -> int:
        """The end of the pause, none if the clock was set back since, and of quiet hours."""
        is_set_back = self._state.retry_at > self._now + MAX_PAUSE_MS
        quiet_until = self._quiet and self._quiet.end_after(self._now)
        return max(0 if is_set_back else self._state.retry_at, quiet_until or 0)

    def _is_over(self, subscription: PushSubscription) -> bool:
        """Return whether the player has signed out of the browser, or is deleted."""
        player, players = subscription.player, self._annals.players
        tokens = {one.id for one in players.tokens.of_player(player)}
        return players.is_deleted(player) or subscription.token not in tokens

    def _send_all(self, subscription: PushSubscription, may_continue: MayContinue) -> None:
        loopback = bool(self._annals.settings.webhooks_loopback)
        with self._sender.open_client(subscription.endpoint, loopback) as client:
            while claimed := self._queue.claim_due(self._now):
                for one in claimed:
                    if not may_continue() or not self._send_news(subscription, client, one):
                        return

    def _send_news(
        self, subscription: PushSubscription, client: Client, pending: PendingNotice
    ) -> bool:
        """Send what is new in a match, if it is due; return whether the browser may get more."""
        planned = self._queue.notices_of(pending.match)
        if not planned:  # the player has just unsubscribed the browser
            return False
        wanted = self._choose(subscription, pending.match, planned)
        news = find_news(self._annals, subscription.player, pending.match, wanted, DELAY_MS)
        if news is None:
            self._queue.complete_up_to(pending, planned[-1])
            return True
        due_at = news.due_at and max(news.due_at, news.acted_at + PRESENT_MS)
        if due_at > self._now:
            self._queue.postpone(pending, due_at)
            return True
        self._lock.reacquire()
        message = write_message(self._annals, subscription, news.item, self._count_waiting())
        try:
            answer = client.post(*self._seal(subscription, message))
        except RequestError as error:
            self._fail(str(error), None)
            return False
        return self._conclude(answer, pending, planned[-1])

    def _choose(
        self, subscription: PushSubscription, match: str, planned: Sequence[Notice]
    ) -> list[Notice]:
        """Return the notices of a match that the browser shows, and no other channel."""
        choice = self._choices.get(match, "usual")
        kinds = kinds_about(choice, subscription.kinds)
        return self._earlier.leave(planned, kinds, match, choice)

    def _conclude(self, answer: ReceiverResponse, pending: PendingNotice, last: Notice) -> bool:
        """Record what became of a message; return whether the browser may get more."""
        code = answer.code
        if code in GONE:
            log.info("push_subscription_gone", player=self._device.player, code=code)
            self._subscriptions.remove(self._device)
            return False
        is_sent = 200 <= code < 300
        if is_sent or code == TOO_LARGE:  # another try would be too large, too
            self._queue.complete_up_to(pending, last)
        if not is_sent:
            log.warning("push_refused", player=self._device.player, code=code)
        if is_sent and self._state.failures:
            self._note(PushState())
        if is_sent or code == TOO_LARGE:
            return True
        wait_s = read_retry_after(answer.headers.get("retry-after"), self._now)
        if code == TOO_MANY and wait_s is not None:  # it is well, and says when
            pause_ms = min(max(PAUSES_MS[0], 1000 * wait_s), MAX_PAUSE_MS)
            self._note(PushState(self._state.failures, self._now + pause_ms))
        else:
            self._fail(f"The push service answers {code}.", wait_s)
        return False

    def _fail(self, why: str, wait_s: int | None) -> None:
        """Let the browser rest, at least for as long as its push service asks; or end its
        subscription.
        """
        failures = self._state.failures + 1
        log.warning("push_failed", player=self._device.player, why=why, failures=failures)
        if failures > len(PAUSES_MS):
            self._subscriptions.remove(self._device)
            return
        pause_ms = min(max(PAUSES_MS[failures - 1], 1000 * (wait_s or 0)), MAX_PAUSE_MS)
        self._note(PushState(failures, self._now + pause_ms))

    def _note(self, state: PushState) -> None:
        self._state = state
        self._subscriptions.write_state(self._device, state)

    def _seal(
        self, subscription: PushSubscription, message: PushMessage
    ) -> tuple[Mapping[str, str], bytes]:
        """Return the headers and the body of a request."""
        key, auth = from_base64url(subscription.p256dh), from_base64url(subscription.auth)
        subject = subject_of(self._annals)
        headers = {
            **message.headers,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": self._sender.key.authorize(subscription.endpoint, subject, self._now),
        }
        return headers, encrypt(message.content, key, auth)

    def _count_waiting(self) -> int:
        store, player = self._annals.store, self._device.player
        return len(find_turns(store.redis, store.partitions, player, limit=MAX_BADGE).items)
