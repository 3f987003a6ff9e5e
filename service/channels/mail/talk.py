"""Mail about what others have said at a table: planned when they say it, and sent only if it is
still unread then.

A mail says how many messages there are, never their words: a mail can't be taken back when their
author removes them, an account is erased, or the time of the talk is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.match.log import CorruptEntry
from domain.match.state import Match
from service.accounts.notices.settings import MatchChoices
from service.channels.mail.addresses import STATE_FOR_S, MailAddresses, talk_key
from service.channels.mail.kinds import DELAY_MS, kinds_about
from service.channels.mail.links import sends_mail
from service.matches.container import Annals
from service.runtime.errors import NotFound
from service.talk.messages import Room
from service.talk.reading import find_unread

ROOM: Room = "players"
"""What spectators say is no mail: a match can have any number of them."""


class UnreadTalk(NamedTuple):
    """What a player has not read at a table: how many messages, and the number of the last."""

    match: Match
    messages: int
    last: int

    @property
    def position_key(self) -> str:
        """Under which key it is remembered up to which message a player got mail."""
        return _position_key(self.match.id)


def plan_talk_mail(annals: Annals, match: Match, room: Room, author: str) -> None:
    """Plan mail about a message that was just said, to the others who want it.

    The message comes first. If the process is killed in between, it has not answered, and the
    request that comes again plans the mail.
    """
    if room != ROOM or not sends_mail(annals):
        return
    addresses = MailAddresses(annals.store)
    others = sorted({chair.player for chair in match.chairs if chair.player} - {author})
    for player, address in addresses.read_some(others).items():
        choice = MatchChoices(annals.store.redis, player).of_match(match.id)
        if "message" in kinds_about(choice, address.kinds):
            TalkMail(annals, player).plan(match.id)


class TalkMail:
    """The tables at which something was said that one player may get mail about, in Redis."""

    def __init__(self, annals: Annals, player: str) -> None:
        self._annals, self._player = annals, player
        self._redis, self._addresses = annals.store.redis, MailAddresses(annals.store)
        self._key = talk_key(player)

    def plan(self, match: str) -> None:
        """Plan a mail about what was said now, or earlier and is planned already."""
        now = self._annals.now()
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.zadd(self._key, {match: now}, nx=True)
            pipe.expire(self._key, STATE_FOR_S)
            pipe.execute()
        self._addresses.wake(self._player, now + DELAY_MS)  # last: the mail must find the plan

    def find_due(self, wants: Callable[[str], bool]) -> list[UnreadTalk]:
        """Return what is due and unread, was not mailed before, and in a match of which the player
        still wants to hear of it; end the plans of the rest.
        """
        now, found = self._annals.now(), list[UnreadTalk]()
        for match, said_at in self._planned():
            if now - DELAY_MS < said_at <= now:  # if it is later, the clock was set back
                continue
            if not wants(match):
                self._redis.zrem(self._key, match)
            elif unread := self._find_unread(match):
                found.append(unread)
            else:
                self.end_plan(match)
        return found

    def end_plan(self, match: str) -> None:
        """End the plan for a table, unless there is something new since it was looked at."""
        self._redis.zrem(self._key, match)
        if self._find_unread(match) is not None:
            self.plan(match)

    def next_at(self) -> int | None:
        """Return when the next mail is due (ms since the epoch), or None."""
        now = self._annals.now()
        return min((min(said_at, now) + DELAY_MS for _, said_at in self._planned()), default=None)

    def drop(self) -> None:
        """End all plans."""
        self._redis.delete(self._key)

    def _planned(self) -> list[tuple[str, int]]:
        found: Any = self._redis.zrange(self._key, 0, -1, withscores=True)
        return [(match.decode(), int(said_at)) for match, said_at in found]

    def _find_unread(self, match_id: str) -> UnreadTalk | None:
        """Return what the player has not read at a table since the last mail about it, without
        those whom they leave out.
        """
        try:
            match = self._annals.matches.latest(match_id)
        except (CorruptEntry, NotFound):
            return None
        if not match.seats_of(self._player):
            return None
        [unread] = find_unread(self._annals, self._player, [(match_id, ROOM)])
        mailed = self._addresses.seen(self._player).get(_position_key(match_id), 0)
        if unread.newest <= mailed:
            return None
        return UnreadTalk(match, unread.messages, unread.newest)


def _position_key(match: str) -> str:
    return f"talk:{match}"  # no id of a match has a colon
