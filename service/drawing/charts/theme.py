"""How charts look: colours for light and dark, and what distinguishes series besides colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    circle,
    definitions,
    group,
    path,
    pattern,
    polygon,
    rect,
    style_sheet,
    text,
)
from service.drawing.charts.text_metrics import text_width, truncate

Theme = Literal["auto", "light", "dark"]
Look = dict[str, Attribute]

COLOURS = {
    "light": {
        "paper": "#ffffff", "ink": "#1b1f24", "soft": "#59636e", "grid": "#d8dee4",
        "s0": "#0072b2", "s1": "#c44e00", "s2": "#007a5a", "s3": "#a8458a", "s4": "#8a6100",
        "s5": "#4d5761",
    },
    "dark": {
        "paper": "#14181d", "ink": "#f0f3f6", "soft": "#a5afba", "grid": "#343c46",
        "s0": "#56b4e9", "s1": "#ff9a57", "s2": "#34c79b", "s3": "#e79bc9", "s4": "#e6c229",
        "s5": "#c3ccd5",
    },
}  # fmt: skip
"""Based on the palette of Okabe and Ito, which works with every colour blindness; darker or lighter
where contrast with the background needs it.
"""
DISTINCT_SERIES = 6
"""How many series differ in both colour and shape; more differ in only one of them."""
_SHAPES = 5
_DASHES = ("", "7 4", "2 3", "10 3 2 3", "12 5", "5 2 1 2 1 2")
_LEGEND_SIZE = 11.5
_LEGEND_LINE_HEIGHT = 20


def make_style_sheet(theme: Theme, colours: Sequence[str] = ()) -> Markup:
    """Return the style sheet of all colours; the first series have these `colours` in both themes.
    Renderers without conditional style sheets use the light theme, or the given one. A page can
    override them, for example `.annals-chart.annals-chart{--ink:navy}`.
    """
    own = {colour_name(series): colour for series, colour in enumerate(colours)}
    light, dark = ({**COLOURS[one], **own} for one in ("light", "dark"))
    plain = dark if theme == "dark" else light
    rules = _rules(plain)
    if theme == "auto":
        live = _rules({name: f"var(--{name})" for name in plain})
        media = f"@media (prefers-color-scheme:dark){{{_properties(dark)}}}"
        rules += f"@supports (color:var(--ink)){{{_properties(light)}{media}{live}}}"
    return style_sheet(rules)


def fill_class(name: str) -> str:
    """Return the class of shapes filled with a colour."""
    return f"f-{name}"


def line_class(name: str) -> str:
    """Return the class of lines of a colour."""
    return f"l-{name}"


def colour_name(series: int) -> str:
    """Return the name of the colour of a series."""
    return f"s{series % DISTINCT_SERIES}"


def dash_pattern(series: int) -> str:
    """Return the dash pattern of a series; "none" for a solid line."""
    return _DASHES[series % len(_DASHES)] or "none"


def make_hatches(count: int) -> Markup:
    """Return the patterns that fill the bars of the second and further series."""
    return definitions(*(_make_hatch(series) for series in range(1, min(count, DISTINCT_SERIES))))


def draw_bar(
    x: float, y: float, length: float, height: float, series: int, *, edged: bool = False
) -> Markup:
    """Return a bar of a series; `edged` if its colour may be that of the paper."""
    shape = series % DISTINCT_SERIES
    fill = (
        {"class": fill_class(colour_name(series))}
        if not shape
        else {"fill": f"url(#annals-hatch{shape})"}
    )
    edge = "ink" if edged else colour_name(series)
    frame: Look = {"class": line_class(edge), "stroke_width": 1.2, "fill": "none"}
    bare = rect(x, y, length, height, **fill)
    return group(bare, rect(x, y, length, height, **frame)) if shape or edged else bare


def draw_dot(x: float, y: float, series: int, size: float = 4.5, *, edged: bool = False) -> Markup:
    """Return the point of a series; its shape depends on the series. It is `edged` if its colour
    may be that of the paper.
    """
    edge = line_class("ink" if edged else "paper")
    look: Look = {
        "class": f"{fill_class(colour_name(series))} {edge}",
        "stroke_width": 1,
    }
    match series % _SHAPES:
        case 0:
            return circle(x, y, size, **look)
        case 1:
            return rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8, **look)
        case 2:
            up, side = size * 1.25, size * 1.15
            return polygon(
                [(x, y - up), (x + side, y + up * 0.8), (x - side, y + up * 0.8)], **look
            )
        case 3:
            far = size * 1.35
            return polygon([(x, y - far), (x + far, y), (x, y + far), (x - far, y)], **look)
        case _:
            near, far = size * 0.45, size * 1.3
            quarter = [(near, far), (near, near), (far, near)]
            turned = [*quarter, *((b, -a) for a, b in quarter)]
            corners = [*turned, *((-a, -b) for a, b in turned)]
            return polygon([(x + a, y + b) for a, b in corners], **look)


def draw_text(
    x: float, y: float, content: str, size: float, name: str = "ink", **more: str
) -> Markup:
    """Text in a colour."""
    return text(x, y, content, size, **{"class": fill_class(name)}, **more)


def draw_line(d: str, name: str, thick: float = 1, **more: str | float) -> Markup:
    """Return a line in a colour."""
    look: Look = {"class": line_class(name), "fill": "none", "stroke_width": thick}
    return path(d, **look, **more)


def draw_series(d: str, series: int, *, edged: bool = False) -> Markup:
    """Return the line of a series; `edged` if its colour may be that of the paper."""
    dashes = dash_pattern(series)
    line = draw_line(d, colour_name(series), 2, stroke_dasharray=dashes)
    return group(draw_line(d, "ink", 4, stroke_dasharray=dashes), line) if edged else line


def draw_legend(
    names: list[str], kind: str, x: float, y: float, room: float, *, edged: bool = False
) -> tuple[Markup, float]:
    """Return the legend of the series on as many lines as needed, and its height, or empty for one
    series without a name.
    """
    if names in ([], [""]):
        return group(), 0
    parts, left, top = [], x, y
    for series, name in enumerate(names):
        label = truncate(name, _LEGEND_SIZE, room - 34)
        wide = 28 + text_width(label, _LEGEND_SIZE) + 16
        if left > x and left + wide > x + room:
            left, top = x, top + _LEGEND_LINE_HEIGHT
        parts.append(_draw_sample(left, top, series, kind, edged=edged))
        parts.append(draw_text(left + 28, top + 4, label, _LEGEND_SIZE))
        left += wide
    return group(*parts), top - y + _LEGEND_LINE_HEIGHT + 4


def _draw_sample(x: float, y: float, series: int, kind: str, *, edged: bool) -> Markup:
    if kind == "bars":
        return draw_bar(x, y - 5, 20, 10, series, edged=edged)
    if kind == "points":
        return draw_dot(x + 10, y, series, edged=edged)
    across = draw_series(f"M{x:g} {y:g}h22", series, edged=edged)
    return group(across, draw_dot(x + 11, y, series, 3.5, edged=edged))


def _make_hatch(series: int) -> Markup:
    name, side = colour_name(series), 8
    ground = rect(0, 0, side, side, fill_opacity=0.3, **{"class": fill_class(name)})
    lines = {
        1: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
        2: "M2 4h4M4 2v4",
        3: "M-2 6L2 10M0 0L8 8M6 -2L10 2",
        4: "M0 4H8",
        5: "M4 0V8",
    }
    return pattern(f"annals-hatch{series}", side, ground, draw_line(lines[series], name, 1.6))


def _properties(colours: Mapping[str, str]) -> str:
    named = ";".join(f"--{name}:{value}" for name, value in colours.items())
    return f".annals-chart{{{named}}}"


def _rules(colours: dict[str, str]) -> str:
    return "".join(
        f".annals-chart .f-{name}{{fill:{value}}}.annals-chart .l-{name}{{stroke:{value}}}"
        for name, value in colours.items()
    )
