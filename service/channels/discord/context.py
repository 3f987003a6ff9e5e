"""Contexts for handlers of interactions: the service, and one interaction with its player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.contract.refusals import refusal_reason
from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.match import visibility
from domain.match.errors import Impossible
from domain.match.outages import Decision
from domain.match.state import Match
from service.accounts.players import Player
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.channels import Channels
from service.channels.discord.components import Json
from service.channels.discord.follow_up_jobs import CardView, FollowUpJob
from service.channels.discord.payloads import Interaction
from service.matches import queries
from service.matches.commands import Metadata, Receipt, execute
from service.matches.container import Annals
from service.runtime.errors import NotFound

NO_SUCH_MATCH = "This channel shows no such match."


class DiscordContext:
    """What all handlers need."""

    def __init__(self, annals: Annals) -> None:
        self.annals = annals
        self.links = AccountLinks(annals.store.redis, annals.players)
        self.channels = Channels(annals.store)


@dataclass(frozen=True)
class FirstAnswer:
    """The first answer to an interaction, and the jobs that follow it."""

    body: Json
    jobs: Sequence[FollowUpJob] = ()


@dataclass(frozen=True)
class InteractionContext:
    """One interaction, with the player who sent it."""

    discord: DiscordContext
    interaction: Interaction
    player: Player
    user: str

    @property
    def annals(self) -> Annals:
        """The service."""
        return self.discord.annals

    @property
    def channel(self) -> str | None:
        """The channel of the interaction."""
        return self.interaction.channel_id

    def text(self, name: str) -> str:
        """Return the text of a command option, or empty if it was left out."""
        return str(self.interaction.values.get(name, ""))

    def number(self, name: str) -> int | None:
        """Return the number of a command option, or None if it was left out."""
        value = self.interaction.values.get(name)
        return value if isinstance(value, int) else None

    def flag(self, name: str) -> bool | None:
        """Return the yes or no of a command option, or None if it was left out."""
        value = self.interaction.values.get(name)
        return value if isinstance(value, bool) else None

    def visible_match(self, match_id: str) -> Match:
        """Return a match that this channel shows or that the player takes part in.

        Raises NotFound otherwise, so that the response does not reveal whether the match exists.
        """
        try:
            match = queries.match_for(self.annals, match_id, self.player.id)
        except NotFound:
            raise NotFound(NO_SUCH_MATCH) from None
        if not self.channel_shows(match) and not self.takes_part(match):
            raise NotFound(NO_SUCH_MATCH)
        return match

    def channel_shows(self, match: Match) -> bool:
        """Return whether this channel shows a match."""
        return self.discord.channels.shows(self.channel, match.id)

    def takes_part(self, match: Match) -> bool:
        """Return whether the player has a seat in a match, or an invitation to one."""
        return any(self.player.id in (chair.player, chair.invited) for chair in match.chairs)

    def record(
        self, match_id: str, decision: Decision, expected: tuple[int, ...] | None = None
    ) -> Receipt:
        """Record a decision of the player, once for each interaction even if Discord sends it
        again. Raises Refusal, which calls players by their names if the rules refuse.
        """
        try:
            return execute(self.annals, match_id, self.metadata(expected), decision)
        except RuleBroken as refusal:
            match, games = self.annals.matches.latest(match_id), self.annals.games.values()
            names = queries.seat_names(self.annals, match)
            reason = refusal_reason(games, refusal, names=names)
            raise Impossible(refusal.code, reason) from refusal

    def metadata(self, expected: tuple[int, ...] | None = None) -> Metadata:
        """Return the metadata of a command by this player."""
        return Metadata(
            self.player.id, expected, f"discord-{self.interaction.id}", self.interaction.id
        )

    def seat(self, match: Match) -> Seat | None:
        """Return the seat from which the player sees a match."""
        return visibility.default_viewer_seat(match, self.player.id)

    def show_job(
        self, match: Match, view: CardView, note: str = "", original: bool = True
    ) -> FollowUpJob:
        """Return a job that shows a match to the player or to the channel."""
        return FollowUpJob(
            match.id,
            self.interaction.token,
            view,
            original,
            self.channel,
            self.user,
            "" if view == "card" else self.player.id,
            note,
            self.interaction.attachment_size_limit,
        )
