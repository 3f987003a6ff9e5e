"""My turns: matches that wait for the visitor, their other matches, and invitations."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from projections.core.summary import Summary
from projections.lists.matches import get
from projections.lists.turns import find_turns
from service.accounts.people.visible_lists import find_matches
from service.http.context import annals
from service.page.frame import bp, find_visitor_invitations, render
from service.page.texts import words_in
from service.page.views.match_lists import match_rows
from service.page.visitor import visitor, visitor_language

MAX_MATCHES = 50
MAX_FINISHED = 10


@bp.get("/turns")
def turns() -> Response:
    """Invitations to the visitor, their matches in play, the urgent first, and the latest."""
    me, language = visitor(), visitor_language()
    words = words_in(language)
    playing = _matches_with_status("active", me.id) if me else []
    waiting = _matches_waiting_for(me.id, playing) if me else []
    urgent = {match.id for match in waiting}
    lists = {
        "invited": find_visitor_invitations(),
        "waiting": waiting,
        "others": [match for match in playing if match.id not in urgent],
        "open": _matches_with_status("open", me.id) if me else [],
        "over": _finished_matches(me.id) if me else [],
    }
    known = {match.id: match for found in lists.values() for match in found}
    rows = {row["id"]: row for row in match_rows([*known.values()], words, language)}
    return render(
        "turns",
        modules=("live/mine.js",),
        lists={name: [rows[match.id] for match in found] for name, found in lists.items()},
    )


def _matches_with_status(status: str, player: str) -> list[Summary]:
    """The matches of a player with this status, the newest first."""
    store = annals().store
    found = find_matches(
        store.redis,
        store.partitions,
        status=status,
        player=player,
        viewer=player,
        limit=MAX_MATCHES,
    )
    return list(found.items)


def _finished_matches(player: str) -> list[Summary]:
    """The latest matches of a player that have a result, or that all have agreed to end."""
    agreed = [
        match
        for match in _matches_with_status("aborted", player)
        if match.end_reason in ("agreement", "absence")
    ]
    found = [*_matches_with_status("scored", player), *agreed]
    return sorted(found, key=lambda match: -match.updated_at)[:MAX_FINISHED]


def _matches_waiting_for(player: str, playing: Sequence[Summary]) -> list[Summary]:
    """The matches that wait for a player, the most urgent first."""
    store, known = annals().store, {match.id: match for match in playing}
    turns_page = find_turns(store.redis, store.partitions, player, limit=MAX_MATCHES)
    found = (
        known.get(one.match) or get(store.redis, store.partition_of(one.match), one.match)
        for one in turns_page.items
    )
    return [match for match in found if match]
