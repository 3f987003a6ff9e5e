"""The job that updates a match in the channels that follow it, when a turn begins or the match
ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import structlog
from redis.exceptions import LockError

from domain.match.state import Match
from domain.notices import Notice
from service.channels.discord.channel_followers import retry_at, show_at, subscription_id_of
from service.channels.discord.client import DiscordError
from service.channels.discord.context import DiscordContext
from service.channels.discord.follow_up_jobs import FollowUpJob
from service.channels.discord.renderer import CardRenderer
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, PendingNotice
from service.matches.container import Annals
from workers.jobs import discord

log = structlog.get_logger()
FINAL_STATUSES = ("scored", "aborted")


def follow(match: str) -> None:
    """Update a match in its channels, if that is due."""
    renderer = discord.open_renderer()
    Follower(renderer.discord, renderer).follow(match)


class Follower:
    """Delivers the due notices of channels."""

    def __init__(self, context: DiscordContext, renderer: CardRenderer) -> None:
        self._annals: Annals = context.annals
        self._channels, self._renderer = context.channels, renderer

    def follow(self, match_id: str) -> None:
        """Show a match as it is after a run of moves, unless another process is doing so."""
        store = self._annals.store
        queue = DeliveryQueue(store.redis, store.partitions, subscription_id_of(match_id))
        lock = queue.lock()
        if not lock.acquire(blocking=False):
            return
        try:
            for notice in queue.claim_due(self._annals.now()):
                self._deliver(queue, notice)
            queue.reschedule()
        finally:
            with suppress(LockError):  # it has expired, since a picture may take longer
                lock.release()

    def _deliver(self, queue: DeliveryQueue, notice: PendingNotice) -> None:
        match = self._annals.matches.latest(notice.match)
        planned = queue.notices_of(notice.match)
        at = self._due_at(match, planned[0])
        if at > self._annals.now():
            queue.postpone(notice, at)
            return
        retry = (
            None if self._update_channels(match, planned[-1]) else retry_at(at, self._annals.now())
        )
        if retry is not None:
            queue.postpone(notice, retry)
            return
        if match.status in FINAL_STATUSES:
            self._channels.stop_updates(match.id)
        queue.complete_up_to(notice, planned[-1])

    def _update_channels(self, match: Match, last: Notice) -> bool:
        """Show the match in each channel whose card is outdated; returns whether Discord accepted
        all.
        """
        taken = True
        for channel in sorted(self._channels.channels_of(match.id)):
            card = self._channels.card(channel, match.id)
            if card is None or card.version < last.version:
                taken &= self._update_channel(FollowUpJob(match.id, "", channel=channel))
        return taken

    def _update_channel(self, job: FollowUpJob) -> bool:
        try:
            self._renderer.show(job)
        except DiscordError as failed:
            log.warning("discord_failed", match=job.match, status=failed.status)
            return False
        return True

    def _due_at(self, match: Match, first: Notice) -> int:
        entries: Sequence[int] = [
            entry.at
            for version in (first.version, match.version)
            for entry in self._annals.matches.entries(match, version - 1, 1)
        ]
        return show_at(entries[0], entries[-1])
