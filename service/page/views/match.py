"""The page of a match, as it can be watched without any module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from flask import Response

from domain.engine.scoring import Line, Rival
from domain.match import visibility
from domain.match.state import Match
from service.http.context import annals, context, viewer_id
from service.matches import queries
from service.matches.sentences import Teller, teller_for
from service.page.frame import bp, render
from service.page.views import table
from service.page.visitor import visitors_language

by_rank = attrgetter("rank")
SHOWN = 50
"""So many entries are told, the last ones."""


@bp.get("/matches/<match_id:match_id>")
def match(match_id: str) -> Response:
    """A match as the visitor may see it."""
    found, language = queries.match_for(annals(), match_id, viewer_id()), visitors_language()
    if not table.has_begun(found):
        return table.show(found)
    seats, own = list(_seats(found, language)), found.seats_of(viewer_id())
    seat = visibility.viewing_seat(found, viewer_id())
    teller = teller_for(annals(), found, seat, language)
    return render(
        "match",
        modules=("match.js",),
        title=found.game.called(language),
        match=found,
        now=queries.iso(annals().now()),
        seats=seats,
        asking=[seat for seat in seats if seat["asks"]],
        eyes=[seat for seat in seats if found.revealed or own == (seat["seat"],)],
        result=_result(found, language, [seat["name"] for seat in seats]),
        analysed=_is_analysed(found),
        teller=teller,
        log=list(_log(found, teller)),
    )


def _is_analysed(match: Match) -> bool:
    """Whether there is an analysis; the page asks for none by itself."""
    return match.scoring is not None and context().analyses.find(match.game, match.id) is not None


def _seats(match: Match, language: str) -> Iterator[dict[str, Any]]:
    """Who has each seat, whether they have to decide, and whether they ask for an undo."""
    names, me = queries.seat_names(annals(), match, language), viewer_id()
    bots = match.game.bots(language)
    asks = match.undo_request and match.undo_request.player
    for seat, chair in enumerate(match.chairs):
        bot = bots.get(chair.bot or "", "")
        yield {
            "seat": seat,
            "name": names[seat] or "",
            "bot": bot if chair.player else "",
            "mine": chair.player is not None and chair.player == me,
            "resigned": chair.resigned,
            "decides": seat in match.awaited,
            "asks": chair.player is not None and chair.player == asks,
        }


def _result(match: Match, language: str, names: Sequence[str]) -> dict[str, Any] | None:
    """The points of all seats, from the first place on, and of those without a seat, with where
    they come from in words; what brought nobody anything is left out. Who have lost together have
    no places. None while there is none.
    """
    if match.scoring is None:
        return None
    texts, lines = match.game.words(language).texts, match.scoring.lines
    place = "" if match.scoring.won is False else "{}."
    who: list[tuple[str, str, Line | Rival]] = [
        *((place.format(line.rank), names[line.seat], line) for line in sorted(lines, key=by_rank)),
        *(("", texts[f"rival_{one.key}"], one) for one in match.scoring.rivals),
    ]
    told = [counted.breakdown for _, _, counted in who]
    parts = [part for part in dict.fromkeys(chain(*told)) if any(one.get(part) for one in told)]
    return {
        "parts": [texts[f"score_{part}"] for part in parts],
        "lines": [
            {
                "place": place,
                "name": name,
                "points": counted.points,
                "counts": [counted.breakdown.get(part, "") for part in parts],
            }
            for place, name, counted in who
        ],
    }


def _log(match: Match, teller: Teller) -> Iterator[dict[str, Any]]:
    """The last entries as they are told, the newest first."""
    entries = annals().store.read(match.id, after=max(0, match.version - SHOWN), limit=SHOWN)
    for entry in reversed(entries):
        yield {
            "version": entry.version,
            "kind": entry.kind,
            "actor": entry.actor,
            "says": teller.entry(entry),
        }
