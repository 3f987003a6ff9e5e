"""The job that shows a match to the channels that see it, once a turn has begun or it is over."""

from __future__ import annotations

from collections.abc import Sequence

from domain.match.state import Match
from domain.notices import Notice
from service.annals import Annals
from service.discord.desk import Desk
from service.discord.errands import Errand
from service.discord.following import name_of, show_at
from service.discord.showing import Showing
from service.webhooks.mail import Head, Mail
from workers import discord

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
        for channel in sorted(self._channels.of(match.id)):
            card = self._channels.card(channel, match.id)
            if card is None or card.version < planned[-1].version:
                self._showing.show(Errand(match.id, "", channel=channel))
        if match.status in OVER:
            self._channels.leave(match.id)
        mail.done_up_to(head, planned[-1])

    def _due(self, match: Match, first: Notice) -> int:
        entries: Sequence[int] = [
            entry.at
            for version in (first.version, match.version)
            for entry in self._annals.matches.entries(match, version - 1, 1)
        ]
        return show_at(entries[0], entries[-1])
