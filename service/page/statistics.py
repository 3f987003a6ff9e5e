"""Charts of what is known of finished public matches of a game."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from flask import Response

from domain.engine.telling import Words
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitors_language


class Question(NamedTuple):
    """A question to the statistics, and what it asks in words."""

    says: str
    metric: str
    by: str

    @property
    def query(self) -> str:
        """The question as the query of an address."""
        return urlencode({"metric": self.metric, "by": self.by})


def questions(words: Words) -> tuple[Question, ...]:
    """What is asked of every game."""
    return (
        Question(words("chart_seats"), "win_share", "seat"),
        Question(words("chart_levels"), "win_share", "level"),
        Question(words("chart_ends"), "matches", "end"),
        Question(words("chart_scores"), "score", "seats"),
        Question(words("chart_length"), "length", "seats"),
        Question(words("chart_months"), "matches", "month"),
    )


@bp.get("/statistics/<game>")
def statistics(game: str) -> Response:
    """The charts of a game."""
    known, language = annals().game(game), visitors_language()
    return render(
        "statistics",
        game={"key": known.key, "title": known.called(language)},
        questions=questions(words_in(language)),
    )
