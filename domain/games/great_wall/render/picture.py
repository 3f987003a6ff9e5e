"""The table as a picture: the Wall, the Locations, and the players below."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK, PAPER
from domain.engine.svg import Markup, document, group, rect, text
from domain.engine.telling import Words
from domain.games.great_wall.render import panel, pieces, places, wall, words
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.telling import ENGLISH
from domain.games.great_wall.view import View

WIDTH = 1200
MARGIN = 20
HEAD = 62


def svg(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it; small words can be read where it is half as wide."""
    across = WIDTH - 2 * MARGIN
    heights = (
        _head_height(view, across),
        wall.height(view),
        places.height(view, across),
        panel.height(view, across),
    )
    shapes = (_head, wall.parts, places.parts, panel.parts)
    tops = [MARGIN + sum(heights[:number]) for number in range(len(heights))]
    height = MARGIN + sum(heights)
    return document(
        WIDTH,
        int(height),
        "The Great Wall",
        words.summary(view),
        rect(0, 0, WIDTH, height, fill=PAPER),
        *(
            group(*draw(view, across), at=(MARGIN, top))
            for draw, top in zip(shapes, tops, strict=True)
        ),
    )


def _head_height(view: View, across: float) -> float:
    return HEAD - LINE + LINE * len(_status(view, across))


def _status(view: View, across: float) -> list[str]:
    return pieces.folded(words.status(view), across - 260, 15)


def _head(view: View, across: float) -> Iterator[Markup]:
    """The title, the Year, who has to decide what, and the Tea order."""
    yield text(0, 20, "The Great Wall", 24, fill=INK, font_weight=700)
    yield text(across, 20, words.moment(view), 15, fill=FAINT, text_anchor="end")
    yield text(across - 24 * len(view.tea) - 8, 44, "Tea order", 13, fill=FAINT, text_anchor="end")
    for place, clan in enumerate(view.tea):
        yield group(pieces.token(view, clan), at=(across - 24 * (len(view.tea) - place) + 12, 40))
    for number, line in enumerate(_status(view, across)):
        yield text(0, 46 + LINE * number, line, 15, fill=INK, font_weight=700)
