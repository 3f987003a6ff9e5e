"""The channels over which players get notices: one record each, from which the table of a player,
its page and its contract follow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from domain.notices import Notice
from service.accounts.notices.settings import MatchChoice, NoticeSettings, read_notice_settings
from service.accounts.quota import Quota
from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.channels import Channels
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.changes import choose_kinds
from service.channels.mail.kinds import KINDS, Kind, kinds_about, types_of
from service.channels.mail.links import sends_mail
from service.channels.push.browsers import PushSubscriptions
from service.channels.push.house import sends_push
from service.channels.push.kinds import KINDS as PUSH_KINDS
from service.matches.container import Annals

ChannelName = Literal["discord", "push", "mail"]
CHANGES_PER_HOUR = 120
"""How often a player may change what they get: each projector reads some changes anew."""
MAX_LAG_MS = 60_000
"""How long after a notice a channel that does not wait may say it, and so in quiet hours."""


@dataclass(frozen=True, kw_only=True)
class NoticeChannel:
    """A channel: all that is particular to it."""

    name: ChannelName
    kinds: tuple[Kind, ...]
    """What it can say."""
    is_offered: Callable[[Annals], bool]
    """Whether the service has it."""
    read: Callable[[Annals, str], frozenset[Kind] | None]
    """Return what a player has chosen; None if the channel does not lead to them yet."""
    choose: Callable[[Annals, str, frozenset[Kind]], object]
    """Record what a player chooses."""
    reaches: Callable[[Annals, str], bool] = lambda *_: True
    """Whether it says anything about a match, to players who have chosen it."""
    arrives: Callable[[Annals, str], frozenset[Kind] | None] | None = None
    """Return what it says over ways whose last message has arrived, as far as the service knows;
    None if none has. Without it, all that is chosen arrives.
    """
    waits: bool = True
    """Whether what it has to say in quiet hours waits for their end; else it calls nobody then."""


def _mentions(annals: Annals, player: str) -> frozenset[Kind] | None:
    found = users_of(annals.store.redis, [player])
    if player not in found:
        return None
    return frozenset[Kind](("turn",) if found[player][1].ping else ())


def _choose_mentions(annals: Annals, player: str, kinds: frozenset[Kind]) -> None:
    found = users_of(annals.store.redis, [player])
    if player in found:
        links = AccountLinks(annals.store.redis, annals.players)
        links.set_preferences(found[player][0], "turn" in kinds, None)


def _is_posted(annals: Annals, match: str) -> bool:
    """Whether a channel of Discord to which the bot can post shows a match."""
    channels = Channels(annals.store)
    return any(not channels.is_unwritable(one) for one in channels.channels_of(match))


def _pushed(annals: Annals, player: str) -> frozenset[Kind] | None:
    return PushSubscriptions(annals.store).kinds_of(player)


def _choose_pushed(annals: Annals, player: str, kinds: frozenset[Kind]) -> None:
    PushSubscriptions(annals.store).choose_kinds(player, kinds)


def _taken(annals: Annals, player: str) -> frozenset[Kind] | None:
    """What the browsers of a player say that took their last message, or have had none yet."""
    subscriptions = PushSubscriptions(annals.store)
    known = subscriptions.list_for(player)
    found = [one.kinds for one in known if not subscriptions.state(one.device).failures]
    return frozenset[Kind]().union(*found) if found else None


def _mailed(annals: Annals, player: str) -> frozenset[Kind] | None:
    address = MailAddresses(annals.store).read(player)
    return None if address is None or address.refused_at else frozenset(address.kinds)


CHANNELS: Mapping[ChannelName, NoticeChannel] = {
    one.name: one
    for one in (
        NoticeChannel(
            name="discord",
            kinds=("turn",),
            is_offered=lambda annals: bool(annals.settings.discord_app),
            read=_mentions,
            choose=_choose_mentions,
            reaches=_is_posted,
            waits=False,
        ),
        NoticeChannel(
            name="push",
            kinds=PUSH_KINDS,
            is_offered=sends_push,
            read=_pushed,
            choose=_choose_pushed,
            arrives=_taken,
        ),
        NoticeChannel(
            name="mail",
            kinds=KINDS,
            is_offered=sends_mail,
            read=_mailed,
            choose=choose_kinds,
        ),
    )
}
"""In the order of preference: what comes sooner first. Unless a player wants notices twice, a
channel says only what none before it does.
"""


def count_change(annals: Annals, player: str) -> None:
    """Count a change of what a player gets. Raises TooManyRequests, so ask before you store any."""
    quota = Quota(annals.store.redis, "changes of notices", CHANGES_PER_HOUR)
    quota.use(player, annals.now())


def offered_channels(annals: Annals) -> Sequence[NoticeChannel]:
    """Return the channels that the service has."""
    return [one for one in CHANNELS.values() if one.is_offered(annals)]


class EarlierChannels:
    """What the channels before one say to a player, so that it need not."""

    def __init__(self, annals: Annals, player: str, name: ChannelName) -> None:
        self._annals, self._player, self._name = annals, player, name

    @cached_property
    def _settings(self) -> NoticeSettings:
        return read_notice_settings(self._annals.store.redis, self._player)

    @cached_property
    def _chosen(self) -> list[tuple[NoticeChannel, frozenset[Kind]]]:
        """The channels before this one that work and lead to the player, with what they say."""
        if self._settings.twice:
            return []
        order = list(CHANNELS)
        earlier = [CHANNELS[one] for one in order[: order.index(self._name)]]
        offered = [one for one in earlier if one.is_offered(self._annals)]
        found = [(one, (one.arrives or one.read)(self._annals, self._player)) for one in offered]
        return [(one, kinds) for one, kinds in found if kinds is not None]

    def leave(
        self, notices: Sequence[Notice], kinds: Collection[Kind], match: str, choice: MatchChoice
    ) -> list[Notice]:
        """Return the notices of a match that are of these kinds and that none of them says."""
        are_quiet = [self._is_quiet(one) for one in notices]
        types = {
            is_quiet: types_of(one for one in kinds if not self.say(one, match, choice, is_quiet))
            for is_quiet in set(are_quiet)
        }
        found = zip(notices, are_quiet, strict=True)
        return [one for one, is_quiet in found if one.type in types[is_quiet]]

    def say(self, kind: Kind, match: str, choice: MatchChoice, is_quiet: bool = False) -> bool:
        """Return whether one of them says something of this kind about a match, and calls the
        player with it also if they have quiet hours.
        """
        return any(
            kind in one.kinds
            and kind in kinds_about(choice, kinds)
            and (one.waits or not is_quiet)
            and one.reaches(self._annals, match)
            for one, kinds in self._chosen
        )

    def _is_quiet(self, notice: Notice) -> bool:
        """Return whether the player had quiet hours when channels that do not wait said it."""
        quiet, at = self._settings.quiet, notice.at
        return quiet is not None and any(map(quiet.end_after, (at, at + MAX_LAG_MS)))
