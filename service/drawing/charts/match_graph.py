"""The graph of a match: how likely each seat was to win, when that turned, and who was lucky."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group, polygon
from domain.engine.resources.rulebook import ENGLISH
from service.drawing.charts.chart import Chart, Mark, figure
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, WIDTH, framed, heading
from service.drawing.charts.lines import beside, grid
from service.drawing.charts.rows import rows
from service.drawing.charts.scale import Scale, scale
from service.drawing.charts.text_metrics import width
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import Theme, colour, dashes, dot, filled, legend, line, words

_HEIGHT = 250.0
_SMALL = 11.0
_LEFT = 58.0
_DOTS = 12
"""About so many points of each line have a shape."""


class MatchGraph(Struct, frozen=True):
    """What the graph shows: the labels of the seats, no two alike; their chances to win (by seat,
    from 0 to 1) at versions of the match, in order; when it turned; and the luck of each seat,
    in shares of the win, if it is known.
    """

    title: str
    seats: Sequence[str]
    chances: Sequence[tuple[int, Sequence[float]]]
    turning: Sequence[int] = ()
    luck: Sequence[float] = ()
    together: bool = False  # whether all win or none does
    language: str = ENGLISH


def match_graph(graph: MatchGraph, theme: Theme = "auto") -> str:
    """Lines of all seats over the versions, turning points marked; the luck of each seat below."""
    say = words_in(graph.language)
    head, y = heading(graph.title)
    names, below = legend(list(graph.seats), "lines", MARGIN, y + BELOW_TITLE, WIDTH - 2 * MARGIN)
    top = y + BELOW_TITLE + below + 26
    even = 0.5 if graph.together else 1 / max(1, len(graph.seats))
    up = scale(0, 1, top + _HEIGHT, top)
    right = WIDTH - MARGIN - beside(even)
    versions = [version for version, _ in graph.chances] or [0]
    across = _versions(versions, right)
    turns = _turns([one for one in graph.turning if one in versions], across, up)
    lines = [_line(graph, seat, across, up) for seat in range(len(graph.seats))]
    ticks = _ticks(across, up.start, say("version"))
    parts = [head, names, grid(even, up, _LEFT, right), ticks, turns, *lines]
    parts.append(words(MARGIN, top - 26, say("chance_to_win"), _SMALL, "soft"))
    end = up.start + 56
    if graph.luck:
        luck, end = _luck(graph, end + 14)
        parts.append(luck)
    return framed(graph.title, _said(graph), end, theme, *parts, series=len(graph.seats))


def _versions(versions: Sequence[int], right: float) -> Scale:
    """A scale that begins and ends with the match."""
    first, last = versions[0], max(versions[-1], versions[0] + 1)
    inner = scale(first, last, _LEFT, right, 8).ticks
    ticks = sorted({first, last, *(int(tick) for tick in inner if first < tick < last)})
    return Scale(tuple(map(float, ticks)), 0, _LEFT, right)


def _ticks(across: Scale, y: float, name: str) -> Markup:
    """Versions below the lines, those that have room, and what they are called."""
    parts, free = [], 0.0
    labels = across.labels()
    last = labels[-1][0] - width(labels[-1][1], _SMALL) - 8
    for place, (x, said) in enumerate(labels):
        wide = width(said, _SMALL)
        parts.append(line(f"M{x:.2f} {y:g}v5", "soft"))
        if x - wide / 2 < free or (place < len(labels) - 1 and x + wide / 2 > last):
            continue
        parts.append(words(x, y + 18, said, _SMALL, "soft", text_anchor="middle"))
        free = x + wide / 2 + 8
    middle = (across.start + across.end) / 2
    parts.append(words(middle, y + 38, name, _SMALL, "soft", text_anchor="middle"))
    return group(*parts)


def _line(graph: MatchGraph, seat: int, across: Scale, up: Scale) -> Markup:
    """The chances of a seat; the shapes of the seats stand side by side, not on one another."""
    corners = [(across.at(version), up.at(chances[seat])) for version, chances in graph.chances]
    if not corners:
        return group()
    d = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)
    every = max(1, len(corners) // _DOTS)
    begin = seat * every // max(1, len(graph.seats))
    dots = [dot(x, y, seat, 3.5) for x, y in corners[begin::every]]
    return group(line(d, colour(seat), 2, stroke_dasharray=dashes(seat)), *dots)


def _turns(turning: Sequence[int], across: Scale, up: Scale) -> Markup:
    """A mark above each turning point, with its version if there is room."""
    parts, free, top = [], 0.0, up.end
    for version in sorted(turning):
        x, said = across.at(version), str(version)
        corners = [(x - 5, top - 9), (x + 5, top - 9), (x, top - 1)]
        parts.append(line(f"M{x:.2f} {top:g}V{up.start:g}", "ink", stroke_dasharray="1 3"))
        parts.append(polygon(corners, **{"class": filled("ink")}))
        if x - width(said, _SMALL) / 2 > free:
            parts.append(words(x, top - 13, said, _SMALL, text_anchor="middle"))
            free = x + width(said, _SMALL) / 2 + 4
    return group(*parts)


def _luck(graph: MatchGraph, top: float) -> tuple[Markup, float]:
    """A bar for the luck of each seat."""
    pairs = zip(graph.seats, graph.luck, strict=True)
    marks = tuple(Mark(seat, luck, series=seat) for seat, luck in pairs)
    say = words_in(graph.language)
    chart = Chart("", say("luck"), say("luck_unit"), marks, language=graph.language)
    return rows(chart, "bars", top)


def _said(graph: MatchGraph) -> str:
    """The graph in words: beginning, turning points and end."""
    chances = dict(graph.chances)
    shown = [*list(chances)[:1], *(v for v in sorted(graph.turning) if v in chances)]
    steps = [*dict.fromkeys([*shown, *list(chances)[-1:]])]
    say = words_in(graph.language)
    told = say("then").join(
        say("numbered", version=version, told=_each(graph, chances[version])) for version in steps
    )
    lucky = say("luck_of_each", told=_each(graph, graph.luck)) if graph.luck else ""
    return say("chances", told=told or say("nothing_told")) + lucky


def _each(graph: MatchGraph, values: Sequence[float]) -> str:
    pairs = zip(graph.seats, values, strict=True)
    comma = words_in(graph.language)("list_more")
    return comma.join(f"{seat} {figure(value)}" for seat, value in pairs)
