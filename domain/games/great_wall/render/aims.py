"""Tracks of the solo and the cooperative game, below the others. They decide these games."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, path, rect, text
from domain.games.great_wall.render import sentences
from domain.games.great_wall.render.places import LABEL, TRACK, track_slot
from domain.games.great_wall.render.sentences import Table

DONE = "#d5e5c8"
"""The background of a fulfilled Request."""
SHAME = "#eccfca"
"""The background of the Shame tokens that are left."""
HIGH = 30
"""The height of the boxes of a track."""


def panels(table: Table, across: float) -> Iterator[Panel]:
    """The tracks, one below the other, each after its name; none in a standard game."""
    rows = [
        group(
            text(0, 22, table.words(name), 14, fill=INK, font_weight=700),
            group(*draw(table, across - LABEL), at=(LABEL, 0)),
            at=(0, TRACK * number),
        )
        for number, (name, draw) in enumerate(_tracks(table))
    ]
    if rows:
        yield plain_panel(table.words, "table", (across, TRACK * len(rows)), rows)


def _tracks(table: Table) -> Iterator[tuple[str, Callable[[Table, float], Iterator[Markup]]]]:
    view = table.view
    if view.qin is not None:
        yield "location_track", _locations
    if view.mode == "coop":
        yield "requests_track", _requests
    if view.mode != "standard":
        yield "shame_track", _shame


def _locations(table: Table, across: float) -> Iterator[Markup]:
    """The Location track of Qin Jiushao, the highest Location first: GW-14.3."""
    view, words = table
    places = list(sentences.location_track(view))
    width = across / len(places)
    ends = {0: words("highest"), len(places) - 1: words("lowest")}
    for number, place in enumerate(places):
        name = text(10, 21, words(place), 13, fill=INK, font_weight=700)
        note = text(width - 16, 21, ends.get(number, ""), 11.5, fill=FAINT, text_anchor="end")
        yield group(track_slot(width, "#ece4f4"), name, note, at=(width * number, 0))


def _requests(table: Table, across: float) -> Iterator[Markup]:
    """A box for each Request needed to win, with a tick if it is fulfilled: GW-16.2."""
    view = table.view
    width = across / view.requests_to_win
    for number in range(view.requests_to_win):
        done = number < len(view.fulfilled)
        count = text(12, 22, str(number + 1), 13, fill=INK if done else FAINT)
        tick = path("M 32 17 l 6 7 l 12 -14", fill="none", stroke=INK, stroke_width=3)
        box = track_slot(width, DONE if done else "#ffffff")
        yield group(box, count, *[tick] * done, at=(width * number, 0))


def _shame(table: Table, across: float) -> Iterator[Markup]:
    """How many of the Shame tokens are left: GW-14.14, GW-16.7."""
    view, words = table
    left = (across - 8) * view.shame / view.shame_pool
    yield track_slot(across, "#ffffff")
    yield rect(2, 2, left, HIGH, rx=5, fill=SHAME, stroke=INK, stroke_width=1)
    said = words("tokens_left", left=view.shame, all=view.shame_pool)
    yield text(12, 22, said, 13, fill=INK, font_weight=700)
