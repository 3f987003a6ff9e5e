"""What a push message says: the game, and why it comes; never what was done.

All browsers get the same declarative message: some show it by themselves, others let the service
worker of the page read it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from domain.engine.sentences import Words
from service.channels.mail.digest import TEXTS, MailItem
from service.channels.push.browsers import PushSubscription
from service.matches.container import Annals

DECLARATIVE = 8030
"""What marks a declarative message: the number of the RFC of Web Push."""
MAX_TTL_S, MIN_TTL_S = 3 * 86_400, 60
"""How long a push service keeps a message for a browser that is off."""
WAITS_FOR_PLAYER = ("turn", "reminder", "request")
"""Kinds that may wake a sleeping device."""
TOPIC_CHARS = 20


class PushMessage(NamedTuple):
    """The text of a message, before encryption, and the headers that a push service reads."""

    content: bytes
    headers: Mapping[str, str]


def write_message(
    annals: Annals, subscription: PushSubscription, item: MailItem, waiting: int
) -> PushMessage:
    """Return the message about a match, with the number of matches that wait for the player."""
    game, language, match = item.match.game, subscription.language, item.match.id
    notification = {
        "title": game.title_in(language),
        "body": Words(TEXTS[language])(item.sentence),
        "navigate": f"{annals.public_url}/matches/{match}",
        "tag": match,
        "lang": language,
    }
    content = {
        "web_push": DECLARATIVE, "notification": notification, "app_badge": waiting,
    }  # fmt: skip
    headers = {
        "TTL": str(_ttl_s(item, annals.now())),
        "Urgency": "high" if item.kind in WAITS_FOR_PLAYER else "normal",
        "Topic": topic_of(subscription.player, match),
    }
    return PushMessage(msgspec.json.encode(content), headers)


def topic_of(player: str, match: str) -> str:
    """Return what lets a later message about a match replace an earlier one that the browser has
    not got yet; it reveals neither to the push service.
    """
    return hashlib.sha256(f"{player} {match}".encode()).hexdigest()[:TOPIC_CHARS]


def _ttl_s(item: MailItem, now: int) -> int:
    """Return how long a message is worth something: until the time of the player runs out."""
    left_s = MAX_TTL_S if item.until is None else (item.until - now) // 1000
    return min(max(left_s, MIN_TTL_S), MAX_TTL_S)
