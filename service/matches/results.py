"""What clients show of a result: labels, and the picture for links."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from domain.engine.drawing.themes import Theme
from domain.match import visibility
from domain.match.sentences import outcome, texts_of
from domain.match.state import Match
from service.drawing.pictures.inputs import Drawing, GameTexts
from service.drawing.pictures.result_card import ResultCard, ResultLine
from service.matches import queries
from service.matches.container import Annals


def seat_colours(match: Match) -> list[str]:
    """Return the colours of the seats in the pictures of the game."""
    view = visibility.view(match, None)
    return [match.game.seat_mark(view, seat).colour for seat in range(len(match.chairs))]


def point_labels(annals: Annals, match: Match, language: str) -> list[str]:
    """Return whose points are counted, in a language: the seats, then rivals without a seat."""
    names = queries.seat_names(annals, match, language)
    words = match.game.words(language, names)
    rivals = match.scoring.rivals if match.scoring else ()
    seats = [words.heading(seat) for seat in range(len(match.chairs))]
    return [*seats, *(words.texts[f"rival_{rival.key}"] for rival in rivals)]


def result_drawing(
    annals: Annals, match: Match, form: Literal["svg", "png"], language: str, theme: Theme
) -> Drawing:
    """Return the picture of a scored match for links to it."""
    texts = GameTexts(language, texts_of(match, language))
    names = queries.seat_names(annals, match, language)
    card = _make_card(annals, match)
    view = visibility.view(match, None)
    return Drawing(match.game.draw, view, form, names, texts=texts, card=card, theme=theme)


def _make_card(annals: Annals, match: Match) -> ResultCard:
    scoring, spoken = match.scoring, outcome(match)
    assert scoring
    assert spoken
    ranked = scoring.won is None
    seats = [
        ResultLine(
            line.rank if ranked else None, line.seat, "", line.points, line.seat in scoring.winners
        )
        for line in sorted(scoring.lines, key=lambda one: one.rank)
    ]
    beaten = scoring.won is False
    rivals = [ResultLine(None, None, one.key, one.points, beaten) for one in scoring.rivals]
    date = datetime.fromtimestamp(match.updated_at // 1000, UTC).date().isoformat()
    return ResultCard(spoken, (*seats, *rivals), date, annals.house.read().name or "Annals")
