"""Charts of finished public matches of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Response

from domain.engine.game import Game
from domain.engine.sentences import Words
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitor_language


class ChartQuery(NamedTuple):
    """A query to the statistics, and its title."""

    title: str
    metric: str
    by: Sequence[str]
    options: Sequence[str] = ()

    @property
    def query_string(self) -> str:
        """The query string."""
        return urlencode(
            {"metric": self.metric, "by": ",".join(self.by), "option": self.options}, True
        )


def chart_queries(game: Game[Any], words: Words) -> Iterator[ChartQuery]:
    """The charts of every game; grouped by mode where it has modes, with win rates of cooperative
    modes.
    """
    modes = ("option.mode",) if game.seats_by_mode else ()
    yield ChartQuery(words("chart_seats"), "win_share", ("seat",))
    yield ChartQuery(words("chart_levels"), "win_share", ("level",))
    if together := [
        f"mode:{mode}" for mode in game.seats_by_mode if game.is_cooperative_mode(mode)
    ]:
        yield ChartQuery(words("chart_together"), "win_rate", ("level", *modes), together)
    yield ChartQuery(words("chart_ends"), "matches", ("end", *modes))
    yield ChartQuery(words("chart_scores"), "score", ("seats", *modes))
    yield ChartQuery(words("chart_length"), "length", ("seats", *modes))
    yield ChartQuery(words("chart_months"), "matches", ("month",))


@bp.get("/statistics/<game>")
def statistics(game: str) -> Response:
    """The charts of a game."""
    known, language = annals().game(game), visitor_language()
    return render(
        "statistics",
        game={"key": known.key, "title": known.title_in(language)},
        queries=list(chart_queries(known, words_in(language))),
    )
