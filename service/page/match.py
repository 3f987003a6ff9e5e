"""The page of a match, as it can be watched without any module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response

from domain.engine.game import Game
from domain.engine.play import Seat
from domain.match import visibility
from domain.match.state import Match
from service import queries
from service.http.context import annals, viewer_id
from service.page import table
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitors_language
from service.telling import teller_for

SHOWN = 50
"""So many entries are told, the last ones."""
SCORE = "score_"
"""How keys of headings of scores begin."""


@bp.get("/matches/<match_id:match_id>")
def match(match_id: str) -> Response:
    """A match as the visitor may see it."""
    found, language = queries.match_for(annals(), match_id, viewer_id()), visitors_language()
    if not table.has_begun(found):
        return table.show(found)
    return render(
        "match",
        modules=("match.js",),
        title=found.game.called(language),
        match=found,
        now=queries.iso(annals().now()),
        told=_told(found.game, language),
        seats=list(_seats(found, language)),
        log=list(_log(found, visibility.viewing_seat(found, viewer_id()), language)),
    )


def _told(game: Game[Any], language: str) -> str:
    """What modules say of a game, as JSON that can stand inside an element of a page."""
    texts = game.words(language).texts
    told = {
        "levels": game.bots(language),
        "scores": {
            key.removeprefix(SCORE): said for key, said in texts.items() if key.startswith(SCORE)
        },
    }
    return msgspec.json.encode(told).decode().replace("<", "\\u003c")


def _seats(match: Match, language: str) -> Iterator[dict[str, Any]]:
    """Who has each seat, and whether they have to decide."""
    names, bots = queries.names_at(annals(), match), match.game.bots(language)
    for seat, chair in enumerate(match.chairs):
        name = names.get(chair.player) if chair.player else bots.get(chair.bot or "")
        yield {"name": name or words_in(language)("free_seat"), "decides": seat in match.awaited}


def _log(match: Match, seat: Seat | None, language: str) -> Iterator[dict[str, Any]]:
    """The last entries as a seat, or a spectator, may read them, the newest first."""
    teller = teller_for(annals(), match, seat, language)
    entries = annals().store.read(match.id, after=max(0, match.version - SHOWN), limit=SHOWN)
    for entry in reversed(entries):
        yield {"version": entry.version, "kind": entry.kind, "says": teller.entry(entry)}
