"""My turns: what waits for the visitor, what else they play, and what they are invited to."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from projections.core.summary import Summary
from projections.lists.matches import find, get
from projections.lists.turns import waiting_for
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views.match_lists import rows
from service.page.visitor import visitor, visitors_language

LIMIT = 50


@bp.get("/turns")
def turns() -> Response:
    """The matches of the visitor that are not over, the most urgent first, and the last ones."""
    me, language = visitor(), visitors_language()
    words = words_in(language)
    playing = _of("active", me.id) if me else []
    waiting = _waiting(me.id, playing) if me else []
    urgent = {match.id for match in waiting}
    lists = {
        "waiting": waiting,
        "others": [match for match in playing if match.id not in urgent],
        "open": _of("open", me.id) if me else [],
        "over": _of("scored", me.id)[:10] if me else [],
    }
    return render(
        "turns",
        modules=("mine.js",),
        lists={name: rows(found, words, language) for name, found in lists.items()},
    )


def _of(status: str, player: str) -> list[Summary]:
    """The matches of a player with a status, the newest first."""
    store = annals().store
    found = find(
        store.redis, store.partitions, status=status, player=player, viewer=player, limit=LIMIT
    )
    return list(found.items)


def _waiting(player: str, playing: Sequence[Summary]) -> list[Summary]:
    """What waits for a player, in the order in which it is urgent."""
    store, known = annals().store, {match.id: match for match in playing}
    asked = waiting_for(store.redis, store.partitions, player, limit=LIMIT)
    found = (
        known.get(one.match) or get(store.redis, store.partition_of(one.match), one.match)
        for one in asked.items
    )
    return [match for match in found if match]
