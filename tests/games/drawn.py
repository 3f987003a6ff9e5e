"""Pictures and texts of a random game, drawn once for all checks that read them."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle
from typing import NamedTuple

from tests.games.record import record
from tests.games.seen import AnyGame

MOMENTS = 2


class Drawing(NamedTuple):
    """The table as a picture and as a text."""

    svg: str
    text: str


@lru_cache(maxsize=3)  # the languages of one table
def draw_moments(game: AnyGame, seats: int, language: str) -> list[Drawing]:
    """Draw moments of a game, as seat 0 and spectators see them in turn, and its end."""
    played, words = record(game, seats, 0), game.words(language)
    states = [*(moment.state for moment in played.some(MOMENTS)), played.end]
    views = [game.view(state, viewer) for state, viewer in zip(states, cycle((0, None)))]
    return [Drawing(game.render_svg(view, words), game.render_text(view, words)) for view in views]
