"""The result of a match on its page: places, points by category and over time, and luck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from domain.analysis.analysis import Analysis
from domain.engine.resources.texts import figures
from domain.engine.scoring import Rival, ScoreLine
from domain.match.decisions.rematch import totals_of
from domain.match.state import Match
from service.http.context import annals, context, payer
from service.matches import results
from service.runtime.errors import ExportsBusy

by_rank = attrgetter("rank")
MAX_ROWS = 60
"""Number of rows of the table of points over time; the chart and the API have all."""


def show_result(
    match: Match, analysis: Analysis | None, names: Sequence[str], language: str
) -> dict[str, Any] | None:
    """The points of all seats by rank, and of rivals without a seat, with a breakdown that omits
    parts worth 0 to all. Players who lost together have no rank. None before the end.
    """
    if match.scoring is None:
        return None
    texts, lines = match.game.words(language).texts, match.scoring.lines
    rank_format = "" if match.scoring.won is False else "{}"
    luck = [format_luck(seat.luck) for seat in analysis.seats] if analysis else []
    totals = totals_of(match)
    scored: list[tuple[str, str, ScoreLine | Rival, str]] = [
        *(
            (rank_format.format(line.rank), names[line.seat], line, luck[line.seat] if luck else "")
            for line in sorted(lines, key=by_rank)
        ),
        *(("", texts[f"rival_{one.key}"], one, "") for one in match.scoring.rivals),
    ]
    breakdowns = [line.breakdown for _, _, line, _ in scored]
    parts = [
        part
        for part in dict.fromkeys(chain(*breakdowns))
        if any(one.get(part) for one in breakdowns)
    ]
    return {
        "heading": texts[match.game.score_parts.heading],
        "parts": [
            {
                "name": texts[f"score_{part}"],
                "counts": [one.get(part, "") for one in breakdowns],
            }
            for part in parts
        ],
        "has_ranks": bool(rank_format),
        "has_luck": bool(luck),
        "played": totals.played if totals else 0,
        "can_analyse": analysis is None and match.rules == match.game.rules,
        "lines": [
            {
                "rank": rank,
                "name": name,
                "points": line.points,
                "luck": its_luck,
                "won": totals.won[line.seat] if totals and isinstance(line, ScoreLine) else "",
            }
            for rank, name, line, its_luck in scored
        ],
        "history": _history(match, language),
    }


def format_luck(share: float) -> str:
    """A share of the win that chance gave or took, as a percentage with its sign; as the scripts
    of the page write it.
    """
    percent = round(100 * share)
    return figures(percent, "+" if percent else "") + "%"


def _history(match: Match, language: str) -> dict[str, Any]:
    """The points over time as a table of at most MAX_ROWS rows; without rows if too many pages of
    other matches are being computed.
    """
    try:
        changes = context().point_histories.read(match, payer())
    except ExportsBusy:
        changes = ()
    shown = [*changes[: -1 : -(-len(changes) // MAX_ROWS) or 1], *changes[-1:]]
    return {"labels": results.point_labels(annals(), match, language), "rows": shown}
