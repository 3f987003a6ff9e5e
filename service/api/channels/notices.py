"""Over which channels the caller gets notices: of each kind, and about single matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from flask import Blueprint, Response
from marshmallow import ValidationError

from domain.match.errors import Forbidden
from domain.match.state import Match
from projections.lists.matches import find_unfinished
from service.accounts.notices.quiet_hours import QuietHours, read_minute, write_minute
from service.accounts.notices.settings import (
    MatchChoices,
    NoticeSettings,
    read_notice_settings,
    write_notice_settings,
)
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.kinds import KINDS
from service.channels.notice_channels import count_change, offered_channels
from service.http.addresses import MATCH
from service.http.context import annals, authenticate
from service.http.json_responses import NO_STORE, json_response
from service.http.requests import parse_body, parse_query
from service.http.schemas.common import EmptyObject
from service.http.schemas.notices import NewMatchNotices, NewNotices
from service.matches import queries

bp = Blueprint("notices", __name__)
OWN, OF_MATCH = "/v1/me/notices", f"{MATCH}/notices"
NOTHING, NOTICES, MATCH_NOTICES = EmptyObject(), NewNotices(), NewMatchNotices()


@bp.get(OWN)
def read() -> Response:
    """Return the channels, and what the caller gets over each."""
    player = authenticate("read")
    parse_query(NOTHING)
    return _show(player.id)


@bp.put(OWN)
def choose() -> Response:
    """Change what the caller gets over each channel. Idempotent."""
    player, data = authenticate("account"), parse_body(NOTICES)
    parse_query(NOTHING)
    chosen: dict[str, list[str]] = data["kinds"]
    offered = [(one, one.read(annals(), player.id)) for one in offered_channels(annals())]
    ready = {one.name for one, kinds in offered if kinds is not None}
    _check_ready(chosen, ready)
    count_change(annals(), player.id)
    settings = NoticeSettings(data.get("twice", False), _read_quiet(data.get("quiet_hours")))
    write_notice_settings(annals().store.redis, player.id, settings)
    for channel, before in offered:
        kinds = frozenset(kind for kind in KINDS if channel.name in chosen.get(kind, ()))
        if before is not None and before != kinds:
            channel.choose(annals(), player.id, kinds)
    return _show(player.id)


@bp.get(OF_MATCH)
def about_match(match_id: str) -> Response:
    """Return what the caller gets about a match."""
    player = authenticate("read")
    parse_query(NOTHING)
    match = _own_match(match_id, player.id)
    choice = MatchChoices(annals().store.redis, player.id).of_match(match.id)
    return json_response({"notices": choice}, headers=NO_STORE)


@bp.put(OF_MATCH)
def choose_about_match(match_id: str) -> Response:
    """Change what the caller gets about a match. Idempotent."""
    player, choice = authenticate("play"), parse_body(MATCH_NOTICES)["notices"]
    parse_query(NOTHING)
    store, match = annals().store, _own_match(match_id, player.id)
    count_change(annals(), player.id)
    choices = MatchChoices(store.redis, player.id)
    choices.choose(match.id, choice)
    if choices.is_full():
        choices.keep([match.id, *find_unfinished(store.redis, store.partitions, player.id)])
    MailAddresses(store).put_filter(player.id)
    return json_response({"notices": choice}, headers=NO_STORE)


def _read_quiet(given: Mapping[str, str] | None) -> QuietHours | None:
    if given is None:
        return None
    return QuietHours(read_minute(given["start"]), read_minute(given["end"]), given["time_zone"])


def _show_quiet(quiet: QuietHours | None) -> dict[str, str] | None:
    if quiet is None:
        return None
    return {
        "from": write_minute(quiet.start),
        "until": write_minute(quiet.end),
        "time_zone": quiet.time_zone,
    }


def _check_ready(chosen: dict[str, list[str]], ready: Collection[str]) -> None:
    """Raise ValidationError for a channel that does not lead to the player."""
    faults = {
        kind: [f"Set up {name} first."]
        for kind, names in chosen.items()
        for name in names
        if name not in ready
    }
    if faults:
        raise ValidationError({"kinds": faults})


def _own_match(match_id: str, player: str) -> Match:
    match = queries.match_for(annals(), match_id, player)
    if not match.seats_of(player):
        raise Forbidden("not_seated", "You have no seat in this match.")
    return match


def _show(player: str) -> Response:
    chosen = [(one, one.read(annals(), player)) for one in offered_channels(annals())]
    settings = read_notice_settings(annals().store.redis, player)
    content: dict[str, Any] = {
        "channels": [
            {"name": one.name, "kinds": one.kinds, "ready": kinds is not None}
            for one, kinds in chosen
        ],
        "kinds": {
            kind: [one.name for one, kinds in chosen if kinds and kind in kinds] for kind in KINDS
        },
        "twice": settings.twice,
        "quiet_hours": _show_quiet(settings.quiet),
    }
    return json_response(content, headers=NO_STORE)
