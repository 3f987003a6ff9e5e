"""The format `discord`: what is told as messages of an incoming webhook of a channel.

A channel is public, so it sees as a spectator: never a hand, whoever owns the webhook. Each message
is a new one, and calls whoever's turn has just begun, and nobody else.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.play import Seat
from domain.match.state import Match
from domain.notices import Notice, NoticeType
from service.channels.chat.markup import cut, fenced
from service.channels.chat.multipart import File, Json, packed
from service.channels.chat.preferences import Called, users_of
from service.channels.chat.summary import Story, story, turns_since
from service.channels.webhooks.messages.bodies import moment_of
from service.channels.webhooks.messages.discord_addresses import called as called_address
from service.channels.webhooks.messages.formats import AGENT, Outgoing, Verdict
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.queue.retry_schedule import RETRY_AFTER_S
from service.channels.webhooks.subscriptions import Subscription
from service.drawing.pictures.cache import Gallery
from service.drawing.pictures.inputs import drawn
from service.drawing.pictures.painter import DrawingFailed
from service.matches.container import Annals
from service.runtime.errors import NotFound, PaintersBusy
from service.runtime.http_client import Answer

SILENT = 1 << 12
"""A flag: nobody's device makes a sound."""
COLOUR = 0x9B59B6
MOST_NEWS, MOST_STATE, MOST_BOARD, MOST_ALT = 1_500, 600, 1_900, 1_024
"""Letters of one message: an embed has 4,096 in its description, and 6,000 in all."""
FILE_BYTES = 10_485_760
INSTEAD: dict[NoticeType, NoticeType] = {
    "move.made": "turn.started",
    "match.ended": "match.scored",
    "match.started": "turn.started",
}
"""What is not told if the other is to be told: that tells it, too."""
ASIDE: frozenset[NoticeType] = frozenset({"undo.answered"})
"""What is no message: what comes of it is one."""
TOO_OFTEN = 429
GONE = {401: "its token is not valid any more", 404: "it is not there any more", 410: "it is gone"}
"""Answers after which a webhook is never called again, and why."""
HOPELESS = (400, 413)
"""Answers after which the same message would be refused again."""


class _Error(Struct):
    code: int = 0
    message: str = ""
    retry_after: float = 0.0


class Channel:
    """Messages for a channel in Discord, with pictures."""

    def __init__(self, annals: Annals, gallery: Gallery) -> None:
        self._annals = annals
        self._gallery = gallery

    def address(self, subscription: Subscription) -> str:
        """Where it is sent."""
        return called_address(subscription.url)

    def about(
        self, subscription: Subscription, name: str, match: str, notice: Notice
    ) -> Outgoing | None:
        """The request that tells of a notice; None if another message tells it. NotFound if a
        channel may not see the match, Damaged.
        """
        if _told_elsewhere(subscription, notice):
            return None
        moment = moment_of(self._annals, subscription.player, match, notice)
        if not _may_see(subscription, moment.match):
            raise NotFound("There is no such match.")
        told = self._told(subscription, moment.match)
        if notice not in told and not notice.share:
            return None
        since = max((one.version for one in told if one.place < notice.place), default=0)
        return self._message(subscription, self._story(subscription, moment.match, notice, since))

    def sample(self, subscription: Subscription, name: str, kind: str) -> Outgoing:
        """The request that tells of nothing, and says so."""
        words = "Annals reaches this channel." if kind == "ping" else f"An example of `{kind}`."
        return _packed({"embeds": [{"description": words, "color": COLOUR}], "flags": SILENT})

    def judged(self, answer: Answer) -> Verdict:
        """2xx has arrived; what is wrong is said in words, and 429 is no failure."""
        if 200 <= answer.code < 300:
            return Verdict("arrived", retry_after_s=_rest_s(answer))
        error = _error(answer)
        if answer.code == TOO_OFTEN and 0 < error.retry_after <= RETRY_AFTER_S:
            return Verdict("early", "Discord wants to wait.", math.ceil(error.retry_after))
        said = f"{answer.code}, code {error.code}"
        if why := GONE.get(answer.code):
            return Verdict("gone", f"Discord takes nothing for this webhook: {why} ({said}).")
        if answer.code in HOPELESS:
            return Verdict("refused", f"Discord refuses this message ({said}).")
        return Verdict("failed", f"Discord answered {said}.", math.ceil(error.retry_after) or None)

    def _told(self, subscription: Subscription, match: Match) -> list[Notice]:
        """What is told by messages up to now: of each entry one thing at most. A warning is told
        besides.
        """
        entries = self._annals.matches.entries(match, 0, match.version)
        found: list[Notice] = []
        for one in notices_since(match.id, entries, subscription.wish, 1, 0):
            is_first = not found or found[-1].version != one.version
            if is_first and not _told_elsewhere(subscription, one):
                found.append(one)
        return found

    def _story(self, subscription: Subscription, match: Match, notice: Notice, since: int) -> Story:
        turns: Collection[Seat] = ()
        if notice.share and notice.seat is not None:
            turns = (notice.seat,)
        elif "turn.started" in subscription.types:
            turns = turns_since(self._annals, match, since)
        return story(self._annals, match, None, self._people(subscription, match), since, turns)

    def _people(self, subscription: Subscription, match: Match) -> Called:
        """Who in Discord the players are, if the owner of the webhook is one of them: nobody else
        learns that here.
        """
        if not match.seats_of(subscription.player):
            return {}
        players = {chair.player for chair in match.chairs if chair.player}
        return users_of(self._annals.store.redis, players)

    def _message(self, subscription: Subscription, told: Story) -> Outgoing:
        embed: Json = {
            "title": told.title,
            "description": _words(told),
            "color": COLOUR,
            "footer": {"text": told.match},
        }
        if told.page:
            embed["url"] = told.page
        message: Json = {"embeds": [embed], "flags": 0 if told.users else SILENT}
        if told.users:
            message["content"] = " ".join(f"<@{user}>" for user in told.users)
        with suppress(PaintersBusy, DrawingFailed):
            content = self._gallery.draw(told.picture, subscription.id)
            if len(content) <= FILE_BYTES:
                embed["image"] = {"url": f"attachment://{told.file}"}
                about = {"id": 0, "filename": told.file, "description": cut(told.alt, MOST_ALT)}
                message["attachments"] = [about]
                return _packed(message, told.users, [File(told.file, content)])
        embed["description"] += f"\n{fenced(drawn(told.text).decode(), MOST_BOARD)}"
        return _packed(message, told.users)


def _words(told: Story) -> str:
    """What happened, as much of the end of it as there is room for, and how it stands."""
    lines: list[str] = []
    for one in reversed(told.news):
        if sum(map(len, lines)) + len(one) > MOST_NEWS:
            break
        lines.insert(0, f"- {one}")
    return "\n".join([*lines, cut("\n".join(told.state), MOST_STATE)]) or "\u2026"


def _packed(message: Json, users: Sequence[str] = (), files: Sequence[File] = ()) -> Outgoing:
    allowed: dict[str, Any] = {"parse": []}
    if users:
        allowed["users"] = list(users)
    headers, body = packed({**message, "allowed_mentions": allowed}, files)
    assert body is not None
    return Outgoing({**headers, "User-Agent": AGENT}, body)


def _may_see(subscription: Subscription, match: Match) -> bool:
    """Whether a channel may see a match: a public one, or one that somebody who has a seat in it
    has named.
    """
    is_shared = subscription.match == match.id and bool(match.seats_of(subscription.player))
    return match.visibility == "public" or is_shared


def _told_elsewhere(subscription: Subscription, notice: Notice) -> bool:
    """Whether another message says it, too."""
    return notice.type in ASIDE or INSTEAD.get(notice.type) in subscription.types


def _rest_s(answer: Answer) -> int | None:
    """How long to wait because nothing more may be sent now."""
    if answer.headers.get("x-ratelimit-remaining") != "0":
        return None
    with suppress(ValueError):
        asked = float(answer.headers.get("x-ratelimit-reset-after", "0"))
        return math.ceil(asked) if 0 < asked <= RETRY_AFTER_S else None
    return None


def _error(answer: Answer) -> _Error:
    try:
        return msgspec.json.decode(answer.body, type=_Error)
    except msgspec.MsgspecError:
        return _Error()
