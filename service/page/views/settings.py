"""The settings: the account and its devices, and the preferences of this browser."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from projections.core.summary import Summary
from service.accounts.forced_moves import has_automatic_moves
from service.accounts.notices.quiet_hours import write_minute
from service.accounts.notices.settings import MATCH_CHOICES, MatchChoices, read_notice_settings
from service.accounts.people.visible_lists import find_matches
from service.accounts.players import Player
from service.accounts.tokens import SCOPES, Token
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.kinds import KINDS, USUAL_KINDS
from service.channels.mail.links import sends_mail
from service.channels.notice_channels import offered_channels
from service.channels.push.house import sends_push
from service.http.context import annals, context
from service.matches.lists import names_in
from service.matches.queries import iso
from service.page.frame import bp, render
from service.page.visitor import visitor, visitor_language

MAX_MATCHES = 50
"""How many matches of each status the table of notices lists."""


@bp.get("/settings")
def settings() -> Response:
    """The settings of the visitor and of this browser."""
    me = visitor()
    tokens = annals().players.tokens.of_player(me.id) if me else []
    return render(
        "settings",
        modules=("settings.js",),
        automatic=me is not None and has_automatic_moves(annals().store.redis, me.id),
        tokens=[_token(one) for one in tokens],
        mail=_mail(me) if me and sends_mail(annals()) else None,
        notices=_notices(me, visitor_language()) if me else None,
        has_push=me is not None and sends_push(annals()),
        is_operator=me is not None and context().operators.has(me.id),
    )


def _mail(me: Player) -> dict[str, Any]:
    """The mail address of the visitor, or the one that they have to confirm, and its kinds."""
    addresses = MailAddresses(annals().store)
    confirmed, pending = addresses.read(me.id), addresses.read_pending(me.id)
    shown = pending.wanted if pending else confirmed
    return {
        "address": shown.address if shown else "",
        "is_pending": pending is not None and not pending.refused,
        "is_refused": pending.refused if pending else bool(confirmed and confirmed.refused_at),
        "kinds": shown.kinds if shown else USUAL_KINDS,
    }


def _notices(me: Player, language: str) -> dict[str, Any] | None:
    """The channels of the service and what the visitor has chosen over each and about single
    matches; None without a channel.
    """
    offered = [(one, one.read(annals(), me.id)) for one in offered_channels(annals())]
    if not offered:
        return None
    settings = read_notice_settings(annals().store.redis, me.id)
    quiet = settings.quiet
    return {
        "channels": [
            {"name": one.name, "kinds": one.kinds, "chosen": kinds} for one, kinds in offered
        ],
        "kinds": KINDS,
        "twice": settings.twice,
        "quiet": quiet and {"from": write_minute(quiet.start), "until": write_minute(quiet.end)},
        "zone": quiet.time_zone if quiet else "",
        "choices": MATCH_CHOICES,
        "matches": _unfinished(me, language),
    }


def _unfinished(me: Player, language: str) -> list[dict[str, Any]]:
    """The matches in which the visitor sits and that are not over, with what they have chosen."""
    store, choices = annals().store, MatchChoices(annals().store.redis, me.id).read()
    found = list[Summary]()
    for status in ("active", "open"):
        page = find_matches(
            store.redis,
            store.partitions,
            status=status,
            player=me.id,
            viewer=me.id,
            limit=MAX_MATCHES,
        )
        found += (one for one in page.items if me.id in one.holders)
    names = names_in(annals().players, found, language)
    return [
        {
            "id": one.id,
            "title": annals().games[one.game].title_in(language),
            "others": [
                names[seat.player] for seat in one.seats if seat.player not in (None, me.id)
            ],
            "choice": choices.get(one.id, "usual"),
        }
        for one in found
    ]


def _kind(one: Token) -> str:
    """What the token of a program allows most, or `session`; "" for the token of the account."""
    if one.session or one.name is None:
        return "session" if one.session else ""
    return max(one.scopes, key=SCOPES.index)


def _token(one: Token) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "kind": _kind(one),
        "at": iso(one.created_at),
        "until": None if one.expires_at is None else iso(one.expires_at),
        "current": one.id == g.session.token.id,
    }
