"""What players choose to get mail about, and the notices behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, get_args

from domain.notice_types import NoticeName
from projections.outbox.plan import SubscriptionFilter
from service.accounts.notices.settings import MatchChoice

Kind = Literal["turn", "reminder", "request", "start", "end", "message"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which pages list them."""
USUAL_KINDS: tuple[Kind, ...] = ("turn", "reminder", "request")
"""What a player gets who chooses nothing: what waits for them."""
TYPES: Mapping[Kind, frozenset[NoticeName]] = {
    "turn": frozenset({"turn.started", "undo.done", "match.resumed"}),
    "reminder": frozenset(
        {"clock.warning", "match.idle", "pause.ending", "patience.warning", "patience.ended"}
    ),
    "request": frozenset({"undo.requested", "proposal.made"}),
    "start": frozenset({"match.started"}),
    "end": frozenset({"match.scored", "match.aborted"}),
    "message": frozenset(),  # talk is no part of a match: it has a plan of its own
}
WAITS_FOR_NO_ONE = frozenset(
    {
        *("match.idle", "pause.ending", "patience.ended"),
        *("match.started", "match.scored", "match.aborted"),
    }
)
"""Notices that a player gets although the match does not wait for them."""
DELAY_MS = 300_000
"""How long a player has to see by themselves what is new. Reminders have waited already."""
ID_PREFIX = "mail:"
"""The prefix of the ids of the subscriptions of players who get mail."""


def kinds_about(choice: MatchChoice, usual: Collection[Kind]) -> Collection[Kind]:
    """Return what a player gets about a match for which they have chosen this."""
    return {"usual": usual, "all": KINDS, "none": ()}[choice]


def types_of(kinds: Iterable[Kind]) -> frozenset[NoticeName]:
    """Return the types of the notices behind some kinds."""
    return frozenset[NoticeName]().union(*(TYPES[kind] for kind in kinds))


def filter_of(player: str, kinds: Collection[Kind]) -> SubscriptionFilter:
    """Return which notices about these kinds wait for a player."""
    types = types_of(kinds)
    return SubscriptionFilter(player, types, my_turn=True, always=types & WAITS_FOR_NO_ONE)


def subscription_id_of(player: str) -> str:
    """Return the id of the subscription of a player."""
    return f"{ID_PREFIX}{player}"


def player_of(subscription_id: str) -> str | None:
    """Return the player of a subscription id, or None if it is no subscription to mail."""
    is_mail = subscription_id.startswith(ID_PREFIX)
    return subscription_id.removeprefix(ID_PREFIX) if is_mail else None
