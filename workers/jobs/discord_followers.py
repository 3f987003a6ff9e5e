"""The job that shows a match to the channels that see it, once a turn has begun or it is over."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from domain.match.state import Match
from domain.notices import Notice
from service.channels.discord.channel_followers import name_of, show_again_at, show_at
from service.channels.discord.client import DiscordFailed
from service.channels.discord.context import Desk
from service.channels.discord.follow_up_jobs import Errand
from service.channels.discord.renderer import Showing
from service.channels.webhooks.queue.delivery_queue import Head, Mail
from service.matches.container import Annals
from workers.jobs import discord

log = structlog.get_logger()
OVER = ("scored", "aborted")


def follow(match: str) -> None:
    """Show a match to its channels, if that is due."""
    showing = discord.open_desk()
    Follower(showing.desk, showing).follow(match)


class Follower:
    """Shows what is planned to be told to channels."""

    def __init__(self, desk: Desk, showing: Showing) -> None:
        self._annals: Annals = desk.annals
        self._channels, self._showing = desk.channels, showing

    def follow(self, match_id: str) -> None:
        """Show a match as it stands at the end of a run of moves, unless somebody is at it."""
        store = self._annals.store
        mail = Mail(store.redis, store.partitions, name_of(match_id))
        lock = mail.lock()
        if not lock.acquire(blocking=False):
            return
        try:
            for head in mail.heads(self._annals.now()):
                self._tell(mail, head)
            mail.settle()
        finally:
            lock.release()

    def _tell(self, mail: Mail, head: Head) -> None:
        match = self._annals.matches.latest(head.match)
        planned = mail.planned(head.match)
        at = self._due(match, planned[0])
        if at > self._annals.now():
            mail.postpone(head, at)
            return
        again = None if self._shown(match, planned[-1]) else show_again_at(at, self._annals.now())
        if again is not None:
            mail.postpone(head, again)
            return
        if match.status in OVER:
            self._channels.leave(match.id)
        mail.done_up_to(head, planned[-1])

    def _shown(self, match: Match, last: Notice) -> bool:
        """Show it to each channel that has not seen as much; whether Discord took all."""
        taken = True
        for channel in sorted(self._channels.of(match.id)):
            card = self._channels.card(channel, match.id)
            if card is None or card.version < last.version:
                taken &= self._told(Errand(match.id, "", channel=channel))
        return taken

    def _told(self, errand: Errand) -> bool:
        try:
            self._showing.show(errand)
        except DiscordFailed as failed:
            log.warning("discord_failed", match=errand.match, status=failed.status)
            return False
        return True

    def _due(self, match: Match, first: Notice) -> int:
        entries: Sequence[int] = [
            entry.at
            for version in (first.version, match.version)
            for entry in self._annals.matches.entries(match, version - 1, 1)
        ]
        return show_at(entries[0], entries[-1])
