"""Charts of all sorts: few and many marks, several series, long and hostile texts."""

from __future__ import annotations

from functools import cache, partial

from service.drawing.charts.calibration import Reading, draw_calibration
from service.drawing.charts.chart import Chart, Mark
from service.drawing.charts.match_graph import MatchGraph, draw_match_graph
from service.drawing.charts.points_graph import PointsGraph, draw_points_graph
from service.drawing.charts.renderer import render_svg

HOSTILE = "<script>alert('&amp;\"')</script>"
LONG = "the first decision of a player who places many tiles at once " * 4
SERIES = ("quick bots", "strong bots", "people", HOSTILE, LONG, "漢字漢字", "a seventh")


def chart(labels: int, series: int = 1, label: str = "label", baseline: float | None = 1) -> Chart:
    marks = tuple(
        Mark(
            f"{label} {one}",
            value,
            value - 1,
            value + 1.5,
            one * 100,
            SERIES[of] if series > 1 else "",
        )
        for one in range(labels)
        for of in range(series)
        for value in [(one * 7 + of) % 13 - 3.25]
    )
    return Chart(f"{LONG} by label", "label", "points", marks, baseline)


CHARTS = {
    "nothing": Chart("Nothing", "seat", "points", ()),
    "one": Chart("One", "seat", "points", (Mark("seat 1", 3),)),
    "without intervals": Chart("Few", "seat", "points", (Mark("a", 0), Mark("b", -2)), 0),
    "several": chart(3),
    "forty": chart(40),
    "many": chart(1000),
    "series": chart(6, 7),
    "long words": chart(5, 2, LONG),
    "hostile words": chart(2, 4, HOSTILE),
    "tiny": Chart("Tiny", "x", "y", (Mark("a", 1e-9), Mark("b", 2e-9))),
    "huge": Chart("Huge", "x", "y", (Mark("a", 1e15, n=10**9), Mark("b", -1e15))),
    "equal": Chart("Equal", "x", "y", (Mark("a", 5, 5, 5), Mark("b", 5))),
}


def graph(seats: int, versions: int) -> MatchGraph:
    names = ["Ada", "strong bot (1)", "strong bot (2)", HOSTILE, LONG][:seats]
    chances = [
        (version, [(1 + (version * seat) % 5) / 10 for seat in range(seats)])
        for version in range(3, 3 + versions)
    ]
    luck = [0.1 * seat - 0.2 for seat in range(seats)]
    return MatchGraph(LONG, names, chances, [4, 5, versions, 10_000], luck)


def points_graph(seats: int, versions: int) -> PointsGraph:
    names = ["Ada", "strong bot (1)", "strong bot (2)", HOSTILE, LONG][:seats]
    points = [
        (3 * version, [version * seat - 7 for seat in range(seats)]) for version in range(versions)
    ]
    return PointsGraph(LONG, names, points)


READINGS = [
    Reading(tenth / 10, tenth / 10, tenth / 20, 0.5 + tenth / 20, tenth * 50, f"{seats} seats")
    for seats in (2, 3)
    for tenth in range(11)
]
PICTURES = {
    **{
        f"{name} as {kind}": partial(render_svg, one, kind)
        for name, one in CHARTS.items()
        for kind in ("bars", "points", "lines")
    },
    **{
        f"narrow {name} as {kind}": partial(render_svg, one, kind, narrow=True)
        for name, one in CHARTS.items()
        for kind in ("bars", "points", "lines")
    },
    **{
        f"graph of {n} over {m}": partial(draw_match_graph, graph(n, m))
        for n in (2, 5)
        for m in (0, 1, 300)
    },
    **{
        f"points of {n} over {m}": partial(draw_points_graph, points_graph(n, m))
        for n in (1, 5)
        for m in (0, 1, 400)
    },
    "calibration": partial(draw_calibration, "Calibration", READINGS),
    "calibration of nothing": partial(draw_calibration, "Calibration", []),
}
"""How each picture is drawn."""


@cache
def draw_picture(name: str) -> str:
    """The picture of this name."""
    return PICTURES[name]()
