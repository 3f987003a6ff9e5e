"""Sends mail to one player: the link that confirms an address, and what is new in their
matches.

A mail is written when it is sent, so it says what is so then. Before a mail is sent, the try is
recorded; when the server has taken it, first the positions of its notices, then the rest. So a
process that is killed loses no mail, and repeats one only if it ends between the answer of the
server and the next command.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from email.message import EmailMessage
from typing import NamedTuple

import structlog
from msgspec.structs import replace
from redis.exceptions import LockError
from redis.lock import Lock

from domain.notices import Notice
from projections.lists.turns import find_turns
from projections.outbox.plan import DUE_NOW, write_notice
from service.accounts.notices.settings import MatchChoices, read_notice_settings
from service.accounts.quota import DAY_S, Quota
from service.channels.mail.addresses import MailAddress, MailAddresses, PendingAddress, SendingState
from service.channels.mail.digest import (
    MAX_LISTED,
    MailItem,
    MailWriter,
    find_item,
    still_holds,
    talk_of,
    turn_of,
)
from service.channels.mail.kinds import DELAY_MS, Kind, kinds_about, subscription_id_of
from service.channels.mail.links import sends_mail
from service.channels.mail.smtp import open_mail_server
from service.channels.mail.talk import TalkMail, UnreadTalk
from service.channels.mail_removal import remove_mail
from service.channels.notice_channels import EarlierChannels
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, PendingNotice
from service.matches.container import Annals
from service.runtime.errors import TooManyRequests
from workers.jobs.mail_delivery import PAUSES_MS, MailDelivery, OpenServer, Outcome
from workers.jobs.match_news import find_news, read_match

INTERVAL_MS = 3_600_000
"""The shortest time between two mails about matches."""
CONFIRMATIONS_PER_ADDRESS = 3
"""How many mails to confirm it an address gets a day, from all players together."""
MAX_TURNS = 200
"""How many waiting matches a mail counts."""
log = structlog.get_logger()


class _Due(NamedTuple):
    """A match of which a mail has something to say, and the last of its notices."""

    item: MailItem
    first: PendingNotice
    last: Notice


class _Contents(NamedTuple):
    """What a mail is about: matches that are due, talk, and other matches that wait for the player,
    each with the last of its notices that were not due yet.
    """

    ready: Sequence[_Due]
    talk: Sequence[UnreadTalk]
    also: Sequence[tuple[MailItem, Notice | None]]
    waiting: frozenset[str]
    """The matches that wait for the player, some of which the mail only counts."""

    @property
    def items(self) -> list[MailItem]:
        """What the mail can say, the most important first."""
        due = [one.item for one in self.ready]
        return [*due, *map(talk_of, self.talk), *(item for item, _ in self.also)]

    @property
    def positions(self) -> Mapping[str, int]:
        """Up to where the player knows all once they have the mail."""
        found = {one.item.match.id: one.last.position for one in self.ready}
        found |= {one.position_key: one.last for one in self.talk}
        return found | {one.match.id: last.position for one, last in self.also if last}


class MailSender:
    """Sends to one player after another."""

    def __init__(self, annals: Annals, open_server: OpenServer = open_mail_server) -> None:
        self.annals = annals
        self.addresses = MailAddresses(annals.store)
        self.delivery = MailDelivery(annals, open_server)
        self.confirmations = Quota(
            annals.store.redis, "confirmations", CONFIRMATIONS_PER_ADDRESS, DAY_S
        )

    def send_due(self, player: str) -> None:
        """Send what is due to a player, unless another process is doing so."""
        store = self.annals.store
        queue = DeliveryQueue(store.redis, store.partitions, subscription_id_of(player))
        lock = queue.lock()
        if not lock.acquire(blocking=False):
            return
        try:
            _PlayerRun(self, player, queue, lock).run()
        except LockError:
            log.warning("mail_lock_lost", player=player)
        finally:
            with suppress(LockError):
                lock.release()


class _PlayerRun:
    """The work for one player while the lock is held."""

    def __init__(self, sender: MailSender, player: str, queue: DeliveryQueue, lock: Lock) -> None:
        self._sender, self._annals, self._addresses = sender, sender.annals, sender.addresses
        self._player, self._queue, self._lock = player, queue, lock
        self._talk = TalkMail(sender.annals, player)
        self._choices = MatchChoices(sender.annals.store.redis, player).read()
        self._quiet = read_notice_settings(sender.annals.store.redis, player).quiet
        self._earlier = EarlierChannels(sender.annals, player, "mail")
        self._now = sender.annals.now()

    def run(self) -> None:
        """Send the link that confirms an address, then what is new."""
        pause = self._sender.delivery.pause
        if self._annals.players.is_deleted(self._player):
            remove_mail(self._annals.store, self._player)
            return
        may_send = sends_mail(self._annals) and self._annals.players.is_active(self._player)
        if may_send and pause.ends_at(self._now) <= self._now:
            self._send_confirmation()
        address = self._addresses.read(self._player)
        if may_send and address and address.refused_at is None:
            self._send_digest(address)
        else:
            self._drop_all()
        self._queue.reschedule()
        self._wake_later(may_send)

    def _wake_later(self, may_send: bool) -> None:
        """Say when the dispatcher has to look again at what is not in the queue."""
        pending, at = self._addresses.read_pending(self._player), self._talk.next_at()
        if may_send and pending and not pending.sent:
            retry_at = min(pending.retry_at, self._now + PAUSES_MS[-1])
            pause_ends_at = self._sender.delivery.pause.ends_at(self._now)
            self._addresses.wake(self._player, max(retry_at, pause_ends_at))
        if at is not None:
            not_before = self._not_before(self._addresses.state(self._player))
            self._addresses.wake(self._player, max(at, not_before))

    def _drop_all(self) -> None:
        self._queue.drop_all()
        self._talk.drop()

    def _send_confirmation(self) -> None:
        pending = self._addresses.read_pending(self._player)
        if pending is None or pending.sent:
            return
        if self._now < pending.retry_at <= self._now + PAUSES_MS[-1]:  # else it was set back
            return
        is_first = pending.retry_at == DUE_NOW
        may_try = not is_first or self._count_confirmation(pending)
        is_refused = pending.tries > len(PAUSES_MS)
        is_over = is_refused or not may_try
        retry_at = self._now + PAUSES_MS[min(pending.tries, len(PAUSES_MS) - 1)]
        tried = replace(
            pending, tries=pending.tries + 1, retry_at=retry_at, sent=is_over, refused=is_refused
        )
        if not self._addresses.change_pending(self._player, pending, tried) or is_over:
            return
        writer = MailWriter(self._annals, self._player, tried.wanted)
        outcome = self._deliver(writer.write_confirmation(tried), tried.wanted.address, tried.tries)
        is_last = outcome == "later" and tried.tries > len(PAUSES_MS)
        is_refused = outcome == "refused" or is_last
        is_over = outcome == "sent" or is_refused
        if outcome == "unknown":  # another try is another mail, perhaps
            is_over = not self._count_confirmation(tried)
        after = replace(tried, sent=is_over, refused=is_refused)
        if outcome == "failed":
            after = replace(after, tries=pending.tries)
        self._addresses.change_pending(self._player, tried, after)

    def _count_confirmation(self, pending: PendingAddress) -> bool:
        """Return whether the address may get one more mail: no crowd of players can flood it. The
        player does not learn it, or they would learn that others named the address.
        """
        try:
            self._sender.confirmations.use(_hash_inbox(pending.wanted.address), self._now)
        except TooManyRequests:
            log.info("mail_confirmation_not_sent", player=self._player)
            return False
        return True

    def _send_digest(self, address: MailAddress) -> None:
        state = self._addresses.state(self._player)
        if state.tries > len(PAUSES_MS):
            log.warning("mail_given_up", player=self._player)
            self._drop_all()
            self._addresses.write_state(self._player, SendingState(state.sent_at))
            return
        contents = self._find_contents(address, self._not_before(state))
        if contents is None:
            return
        message = self._write(contents, address)
        tried = SendingState(state.sent_at, self._now, state.tries + 1)
        self._addresses.write_state(self._player, tried)
        outcome = self._deliver(message, address.address, tried.tries)
        if outcome == "sent":
            self._note_sent(contents)
        elif outcome == "refused":
            self._addresses.change(self._player, address, replace(address, refused_at=self._now))
            self._drop_all()
        else:
            if outcome == "failed":  # that is not the fault of this mail
                self._addresses.write_state(self._player, tried := state)
            elif outcome == "unknown":
                tried = SendingState(self._now, tried.tried_at, tried.tries)
                self._addresses.write_state(self._player, tried)
            for one in contents.ready:
                self._queue.postpone(one.first, self._not_before(tried))

    def _find_contents(self, address: MailAddress, not_before: int) -> _Contents | None:
        """Return what a mail would be about now, or None."""
        ready, talk = self._claim(address, not_before), self._find_talk(address, not_before)
        if not (ready or talk):
            return None
        waiting, room = self._turns(address), MAX_LISTED - len(ready) - len(talk)
        also = self._find_other_turns(address, waiting, ready, room)
        return _Contents(ready, talk, also, frozenset(waiting))

    def _write(self, contents: _Contents, address: MailAddress) -> EmailMessage:
        """Return the mail, which names MAX_LISTED matches and counts the others."""
        listed = contents.items[:MAX_LISTED]
        matches = contents.waiting.union(one.match.id for one in contents.items)
        more = len(matches - {one.match.id for one in listed})
        writer = MailWriter(self._annals, self._player, address)
        return writer.write_digest(listed, more, contents.positions)

    def _not_before(self, state: SendingState) -> int:
        """Return the time before which no mail about matches is sent (ms). If the clock was set
        back since the last one, it says nothing.
        """
        quiet_until = self._quiet and self._quiet.end_after(self._now)
        times = [self._sender.delivery.pause.ends_at(self._now), quiet_until or 0]
        is_set_back = max(state.sent_at, state.tried_at) > self._now + INTERVAL_MS
        if state.sent_at and not is_set_back:
            times.append(state.sent_at + INTERVAL_MS)
        if state.tries and not is_set_back:
            times.append(state.tried_at + PAUSES_MS[min(state.tries, len(PAUSES_MS)) - 1])
        return max(times)

    def _claim(self, address: MailAddress, not_before: int) -> list[_Due]:
        """Return the matches that are due, and complete the notices that no longer hold."""
        ready, seen = list[_Due](), self._addresses.seen(self._player)
        while claimed := self._queue.claim_due(self._now):
            for one in claimed:
                planned = self._queue.notices_of(one.match)
                if not planned:  # the player has just removed their address
                    continue
                unseen = [it for it in planned if it.position > seen.get(one.match, -1)]
                wanted = self._choose(address, one.match, unseen)
                news = find_news(self._annals, self._player, one.match, wanted, DELAY_MS)
                if news is None:
                    self._queue.complete_up_to(one, planned[-1])
                    continue
                at = max(news.due_at, not_before)
                if at <= self._now:
                    ready.append(_Due(news.item, one, planned[-1]))
                    at = self._now + PAUSES_MS[0]  # if this process is killed
                self._queue.postpone(one, at)
        return ready

    def _kinds(self, address: MailAddress, match: str) -> list[Kind]:
        """Return what the player gets by mail about a match, and not over another channel."""
        choice = self._choices.get(match, "usual")
        wanted = kinds_about(choice, address.kinds)
        return [kind for kind in wanted if not self._earlier.say(kind, match, choice)]

    def _choose(self, address: MailAddress, match: str, planned: Sequence[Notice]) -> list[Notice]:
        """Return the notices of a match that the player gets by mail."""
        choice = self._choices.get(match, "usual")
        return self._earlier.leave(planned, kinds_about(choice, address.kinds), match, choice)

    def _find_talk(self, address: MailAddress, not_before: int) -> list[UnreadTalk]:
        """Return the talk that a mail can be about now."""
        if not_before > self._now:
            return []
        return self._talk.find_due(lambda match: "message" in self._kinds(address, match))

    def _find_other_turns(
        self, address: MailAddress, waiting: Sequence[str], ready: Sequence[_Due], room: int
    ) -> list[tuple[MailItem, Notice | None]]:
        """Return the other matches that wait for the player, as many as the mail has room for, each
        with the last of its notices that were not due yet, and what is most urgent in it.
        """
        named, found = {one.item.match.id for one in ready}, list[tuple[MailItem, Notice | None]]()
        for match_id in waiting:
            if len(found) >= room:
                break
            match = None if match_id in named else read_match(self._annals, match_id)
            if match and (turn := turn_of(match, self._player)):
                planned = self._queue.notices_of(match_id)
                wanted = self._choose(address, match_id, planned)
                held = [one for one in wanted if still_holds(match, self._player, one)]
                item = find_item(match, self._player, held) or turn
                found.append((item, planned[-1] if planned else None))
        return found

    def _turns(self, address: MailAddress) -> list[str]:
        """Return the matches that wait for the player and of whose turns they want mail."""
        store = self._annals.store
        page = find_turns(store.redis, store.partitions, self._player, limit=MAX_TURNS)
        return [one.match for one in page.items if "turn" in self._kinds(address, one.match)]

    def _note_sent(self, contents: _Contents) -> None:
        """Record that the server has taken a mail, first what keeps it from being sent again."""
        self._addresses.mark_seen(self._player, contents.positions)
        self._addresses.write_state(self._player, SendingState(self._now))
        for one in contents.ready:
            self._queue.complete_up_to(one.first, one.last)
        for item, last in contents.also:
            if last:
                first = PendingNotice(item.match.id, write_notice(last).encode(), 0)
                self._queue.complete_up_to(first, last)
        for unread in contents.talk:
            self._talk.end_plan(unread.match.id)

    def _deliver(self, message: EmailMessage, recipient: str, number: int) -> Outcome:
        """Send a message while the lock is held."""
        self._lock.reacquire()
        return self._sender.delivery.deliver(self._player, message, recipient, number)


def _hash_inbox(address: str) -> str:
    """Return a hash of the inbox behind an address: what follows a plus, and the case, do not
    matter.
    """
    local, _, domain = address.lower().partition("@")
    return hashlib.sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()[:32]
