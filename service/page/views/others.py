"""What the page of a match shows of the other players: for whom they wait, and who plays again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from domain.engine.sentences import Words
from domain.match.decisions.absence import all_players, count_days, replaceable_seats
from domain.match.decisions.rematch import can_be_offered
from domain.match.state import Match
from service.accounts.invitations import invitation_to
from service.accounts.people.meeting import may_know
from service.http.context import annals, viewer_id
from service.matches import commands
from service.page.views.match_lists import DAY_S, describe_duration

PATIENCES_DAYS = (3, 7, 14, 30, 90)
"""What a table can choose on the page."""


def describe_patience(match: Match, words: Words) -> str:
    """The patience of a match in words; empty without one."""
    days = count_days(match.patience_ms)
    time = describe_duration(days * DAY_S, words) if days else ""
    return time and words("patience_terms", time=time)


def show_absence(
    match: Match, seats: Sequence[dict[str, Any]], me: str | None
) -> dict[str, Any] | None:
    """Who is absent, and whether it is the visitor, or they may propose how to go on; None if no
    player is absent.
    """
    if not match.absent:
        return None
    absent = match.absent_players
    return {
        "names": [seats[seat]["name"] for seat in sorted(match.absent)],
        "mine": me in absent,
        "may_vote": match.proposal is None and me in match.deciding_players() - absent,
        "may_seek": bool(replaceable_seats(match)),
        "open": [seats[seat]["name"] for seat in sorted(match.replaceable)],
        "may_take": bool(match.replaceable) and me not in all_players(match),
        "link": f"{match.id}{seat_link(match)}",
    }


def seat_link(match: Match) -> str:
    """The query of the page on which a new player can take a seat; that of a private match invites
    who has it.
    """
    is_private = match.visibility == "private"
    return "?" + urlencode({"seat": "", **({"invite": invitation_to(match)} if is_private else {})})


def show_next(match: Match, language: str) -> dict[str, Any]:
    """The next match as the visitor may see it: its `state` (`none`, `offer`, `asked`, `waiting` or
    `open`), its `id`, the `seats` that the visitor has there, and names.
    """
    me = viewer_id() or ""
    latest = annals().matches.latest(match.next_match) if match.next_match else None
    if latest and not may_know(annals().store.redis, latest, viewer_id()):
        latest = None
    table = latest and commands.find_rematch(annals(), match)
    waiting = {one.invited or "" for one in table.chairs if one.free} if table else set[str]()
    declined = {*latest.declined.values()} if latest else set[str]()
    people = {*waiting, *declined, latest.host if latest else ""}
    names = annals().players.names(people, language)
    return {
        "state": _state(match, table, me),
        "id": table.id if table else "",
        "seats": () if table is None or table.host == me else table.seats_of(me),
        "host": names.get(latest.host, "") if latest else "",
        "waiting": sorted(names[who] for who in waiting if who in names),
        "declined": "" if table else ", ".join(names[who] for who in declined if who in names),
    }


def _state(match: Match, table: Match | None, me: str) -> str:
    if table is None:
        return "offer" if match.seats_of(me) and can_be_offered(match) else "none"
    if table.state is not None:
        return "open"
    if table.seats_of(me):
        return "waiting"
    return "asked" if any(chair.invited == me for chair in table.chairs) else "none"
