"""What everything in Discord works with, and one visit: who came, from where, with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.play import Seat
from domain.match import visibility
from domain.match.state import Match
from service.accounts.players import Player
from service.channels.discord.account_links import Links
from service.channels.discord.channels import Channels
from service.channels.discord.components import Json
from service.channels.discord.follow_up_jobs import Errand, Shown
from service.channels.discord.payloads import Interaction
from service.matches import queries
from service.matches.commands import Decision, Metadata, Receipt, carry_out
from service.matches.container import Annals
from service.runtime.errors import NotFound

HIDDEN = "This channel sees no such match."


class Desk:
    """What all visits work with."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        self.links = Links(annals.store.redis, annals.players)
        self.channels = Channels(annals.store)


@dataclass(frozen=True)
class Answer:
    """The first answer, and what is to be done later."""

    body: Json
    errands: Sequence[Errand] = ()


@dataclass(frozen=True)
class Visit:
    """Somebody in Discord who used something."""

    desk: Desk
    asked: Interaction
    player: Player
    user: str

    @property
    def annals(self) -> Annals:
        """The service."""
        return self.desk.annals

    @property
    def channel(self) -> str | None:
        """Where it was."""
        return self.asked.channel_id

    def typed(self, name: str) -> str:
        """What was typed into the command under a name; nothing if nothing was."""
        return str(self.asked.filled.get(name, ""))

    def number(self, name: str) -> int | None:
        """The number that was filled in under a name."""
        value = self.asked.filled.get(name)
        return value if isinstance(value, int) else None

    def yes(self, name: str) -> bool | None:
        """Whether yes was filled in under a name; None if nothing was."""
        value = self.asked.filled.get(name)
        return value if isinstance(value, bool) else None

    def seen(self, match_id: str) -> Match:
        """A match that this channel sees, or in which they have a part; NotFound if neither is so:
        then nobody learns here whether it exists.
        """
        try:
            match = queries.match_for(self.annals, match_id, self.player.id)
        except NotFound:
            raise NotFound(HIDDEN) from None
        if not self.public(match) and not self.has_part(match):
            raise NotFound(HIDDEN)
        return match

    def public(self, match: Match) -> bool:
        """Whether this channel sees a match."""
        return self.desk.channels.sees(self.channel, match.id)

    def has_part(self, match: Match) -> bool:
        """Whether they have a seat in a match, or are invited to one."""
        return any(self.player.id in (chair.player, chair.invited) for chair in match.chairs)

    def record(
        self, match_id: str, decision: Decision, expected: tuple[int, ...] | None = None
    ) -> Receipt:
        """Record a decision of theirs; however often Discord sends it, it is one."""
        return carry_out(self.annals, match_id, self.metadata(expected), decision)

    def metadata(self, expected: tuple[int, ...] | None = None) -> Metadata:
        """Who they are, and what they sent."""
        return Metadata(self.player.id, expected, f"discord-{self.asked.id}", self.asked.id)

    def seat(self, match: Match) -> Seat | None:
        """The seat as which they see a match."""
        return visibility.viewing_seat(match, self.player.id)

    def errand(self, match: Match, shown: Shown, note: str = "", original: bool = True) -> Errand:
        """To show a match to them, or to the channel."""
        return Errand(
            match.id,
            self.asked.token,
            shown,
            original,
            self.channel,
            self.user,
            "" if shown == "card" else self.player.id,
            note,
            self.asked.attachment_size_limit,
        )
