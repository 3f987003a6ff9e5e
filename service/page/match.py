"""The page of a match, as it can be watched without any module."""

from __future__ import annotations

from flask import Response

from domain.match import visibility
from service import queries
from service.http.context import annals, viewer_id
from service.page import table
from service.page.frame import bp, render
from service.page.texts import title_of
from service.page.visitor import visitors_language

SHOWN = 50
"""So many entries are told, the last ones."""


@bp.get("/matches/<match_id:match_id>")
def match(match_id: str) -> Response:
    """A match as the visitor may see it."""
    found = queries.match_for(annals(), match_id, viewer_id())
    if not table.has_begun(found):
        return table.show(found)
    seat = visibility.viewing_seat(found, viewer_id())
    told = queries.teller(found, seat, queries.seat_names(annals(), found))
    entries = annals().store.read(match_id, after=max(0, found.version - SHOWN), limit=SHOWN)
    return render(
        "match",
        title=title_of(found.game, visitors_language()),
        match=match_id,
        version=found.version,
        log=[
            {"version": entry.version, "says": " ".join(told(entry))} for entry in reversed(entries)
        ],
    )
