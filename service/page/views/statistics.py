"""Charts of what is known of finished public matches of a game."""

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
from service.page.visitor import visitors_language


class Question(NamedTuple):
    """A question to the statistics, and what it asks in words."""

    says: str
    metric: str
    by: Sequence[str]
    options: Sequence[str] = ()

    @property
    def query(self) -> str:
        """The question as the query of an address."""
        return urlencode(
            {"metric": self.metric, "by": ",".join(self.by), "option": self.options}, True
        )


def questions(game: Game[Any], words: Words) -> Iterator[Question]:
    """What is asked of every game; where it has modes, by these, and how often tables win."""
    modes = ("option.mode",) if game.modes else ()
    yield Question(words("chart_seats"), "win_share", ("seat",))
    yield Question(words("chart_levels"), "win_share", ("level",))
    if together := [f"mode:{mode}" for mode in game.modes if game.plays_together(mode)]:
        yield Question(words("chart_together"), "win_rate", ("level", *modes), together)
    yield Question(words("chart_ends"), "matches", ("end", *modes))
    yield Question(words("chart_scores"), "score", ("seats", *modes))
    yield Question(words("chart_length"), "length", ("seats", *modes))
    yield Question(words("chart_months"), "matches", ("month",))


@bp.get("/statistics/<game>")
def statistics(game: str) -> Response:
    """The charts of a game."""
    known, language = annals().game(game), visitors_language()
    return render(
        "statistics",
        game={"key": known.key, "title": known.called(language)},
        questions=list(questions(known, words_in(language))),
    )
