"""What the page of a finished match offers: to play it again, to answer an offer, or a link."""

from __future__ import annotations

from typing import Any

from domain.match.decisions.rematch import can_be_offered
from domain.match.state import Match
from service.accounts.people.meeting import may_know
from service.http.context import annals, viewer_id
from service.matches import commands


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
