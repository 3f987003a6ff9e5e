"""The picture of a finished match that links show: the final board, who won and why, the places."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from domain.engine.drawing.layout import Picture
from domain.engine.drawing.panel import FAINT, INK, PAPER
from domain.engine.drawing.svg import Attribute, Markup, document, group, rect, text
from domain.engine.play import Seat
from domain.engine.sentences import Sentence, Words, seat_number
from service.drawing.charts.text_metrics import text_width, truncate, wrap
from service.drawing.pictures.fonts import code_points

WIDTH, HEIGHT = 1200, 630
"""The size that chats and social networks expect of a picture of a link, in pixels."""
_MARGIN = 30
_BOARD_WIDTH = 600
_LEFT = _MARGIN + _BOARD_WIDTH + 36
_ROOM = WIDTH - _MARGIN - _LEFT
_TITLE_SIZE, _TEXT_SIZE, _LINE_SIZE, _SMALL_SIZE = 44, 25, 28, 21
_MAX_OUTCOME_LINES = 5
_LINE_HEIGHT = 44
_SEAT_WIDTH = 130
"""Room for the number of the seat, which the board shows too."""
_HIGHLIGHT: Mapping[str, Attribute] = {"fill": "#f1e2b4", "stroke": "#d8ccae"}
"""High contrast shows the edge, where the ground becomes white."""


class ResultLine(Struct, frozen=True):
    """A place in the result: of a seat, or of a rival without one."""

    rank: int | None  # None where players have lost together
    seat: Seat | None
    rival: str  # the key of the rival; "" for a seat
    points: int
    has_won: bool


class ResultCard(Struct, frozen=True):
    """What the picture says beside the board."""

    outcome: Sentence
    lines: tuple[ResultLine, ...]
    date: str
    house: str  # the name of the service

    def draw(self, picture: Picture, words: Words) -> Markup:
        """Return the final board with the card beside it, as an SVG document of WIDTH by HEIGHT."""
        outcome = words.line(self.outcome)
        return document(
            WIDTH,
            HEIGHT,
            picture.title,
            outcome,
            *picture.definitions,
            rect(0, 0, WIDTH, HEIGHT, fill=PAPER),
            fit_map(picture, _MARGIN, _MARGIN, _BOARD_WIDTH, HEIGHT - 2 * _MARGIN),
            _draw_text(self, words, outcome),
        )


def fit_map(picture: Picture, x: float, y: float, width: float, height: float) -> Markup:
    """Return the map of a picture, as large as it fits into this place."""
    board = next(panel for panel in picture.panels if panel.role == "map")
    scale = min(width / board.width, height / board.height)
    x += (width - board.width * scale) / 2
    y += (height - board.height * scale) / 2
    return group(*board.parts, at=(x, y), scale=scale)


def _draw_text(card: ResultCard, words: Words, outcome: str) -> Markup:
    title = truncate(words.texts["title"], _TITLE_SIZE, _ROOM)
    parts = [text(_LEFT, _MARGIN + 44, title, _TITLE_SIZE, font_weight="bold", fill=INK)]
    y = _MARGIN + 98
    for line in wrap(outcome, _TEXT_SIZE, _ROOM, _MAX_OUTCOME_LINES):
        parts.append(text(_LEFT, y, line, _TEXT_SIZE, fill=INK))
        y += 34
    y += 20
    for place in card.lines:
        parts.append(_draw_line(place, words, y))
        y += _LINE_HEIGHT
    known = code_points().issuperset(map(ord, card.house))  # to our fonts
    foot = truncate(f"{card.house} · {card.date}" if known else card.date, _SMALL_SIZE, _ROOM)
    parts.append(text(_LEFT, HEIGHT - _MARGIN - 4, foot, _SMALL_SIZE, fill=FAINT))
    return group(*parts)


def _draw_line(place: ResultLine, words: Words, y: float) -> Markup:
    """Return a place: its number, the player and their points."""
    points = str(place.points)
    weight = {"font_weight": "bold"} if place.has_won else {}
    indent = 48 if place.rank is not None else 0
    room = _ROOM - indent - text_width(points, _LINE_SIZE) - _SEAT_WIDTH
    known = words.texts[f"rival_{place.rival}"] if place.seat is None else words.heading(place.seat)
    name = truncate(known, _LINE_SIZE, room)
    parts = []
    if place.has_won:
        parts.append(rect(_LEFT - 12, y - 31, _ROOM + 12, _LINE_HEIGHT - 2, rx=8, **_HIGHLIGHT))
    if place.rank is not None:
        parts.append(text(_LEFT, y, f"{place.rank}.", _LINE_SIZE, fill=INK, **weight))
    parts.append(text(_LEFT + indent, y, name, _LINE_SIZE, fill=INK, **weight))
    if place.seat is not None:
        after = _LEFT + indent + text_width(name, _LINE_SIZE) + 14
        seat = words.texts["person"].format(seat=seat_number(place.seat))
        parts.append(text(after, y, seat, _SMALL_SIZE, fill=FAINT))
    end = WIDTH - _MARGIN - 12
    parts.append(text(end, y, points, _LINE_SIZE, text_anchor="end", fill=INK, **weight))
    return group(*parts)
