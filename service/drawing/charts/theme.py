"""How charts look: colours by light and dark, and what tells series apart besides colour."""

from __future__ import annotations

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
    sheet,
    text,
)
from service.drawing.charts.text_metrics import cut, width

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
"""After Okabe and Ito, whose colours people with any colour blindness can tell apart, but darker or
lighter where needed to stand out from the paper.
"""
SERIES = 6
"""So many series differ in both colour and shape; more only in one of the two."""
_SHAPES = 5
_DASHES = ("", "7 4", "2 3", "10 3 2 3", "12 5", "5 2 1 2 1 2")
_LEGEND = 11.5
_LINE = 20


def style(theme: Theme) -> Markup:
    """The rules of all colours. Whatever knows no style sheets with conditions draws it light, or
    as the theme says; a page can set others, say `.annals-chart.annals-chart{--ink:navy}`.
    """
    plain = COLOURS["dark" if theme == "dark" else "light"]
    rules = _rules(plain)
    if theme == "auto":
        light, dark = _properties("light"), _properties("dark")
        live = _rules({name: f"var(--{name})" for name in plain})
        media = f"@media (prefers-color-scheme:dark){{{dark}}}"
        rules += f"@supports (color:var(--ink)){{{light}{media}{live}}}"
    return sheet(rules)


def filled(name: str) -> str:
    """The class of what is filled with a colour."""
    return f"f-{name}"


def lined(name: str) -> str:
    """The class of what is drawn as a line of a colour."""
    return f"l-{name}"


def colour(series: int) -> str:
    """The name of the colour of a series."""
    return f"s{series % SERIES}"


def dashes(series: int) -> str:
    """How the line of a series is broken; "none" if it is whole."""
    return _DASHES[series % len(_DASHES)] or "none"


def hatches(count: int) -> Markup:
    """What the bars of so many series are filled with; the first is filled without."""
    return definitions(*(_hatch(series) for series in range(1, min(count, SERIES))))


def bar(x: float, y: float, length: float, height: float, series: int) -> Markup:
    """A bar of a series."""
    shape = series % SERIES
    fill = (
        {"class": filled(colour(series))} if not shape else {"fill": f"url(#annals-hatch{shape})"}
    )
    frame: Look = {"class": lined(colour(series)), "stroke_width": 1.2, "fill": "none"}
    bare = rect(x, y, length, height, **fill)
    return bare if not shape else group(bare, rect(x, y, length, height, **frame))


def dot(x: float, y: float, series: int, size: float = 4.5) -> Markup:
    """The point of a series: each has a shape of its own."""
    look: Look = {"class": f"{filled(colour(series))} {lined('paper')}", "stroke_width": 1}
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


def words(x: float, y: float, said: str, size: float, name: str = "ink", **more: str) -> Markup:
    """Words in a colour."""
    return text(x, y, said, size, **{"class": filled(name)}, **more)


def line(d: str, name: str, thick: float = 1, **more: str | float) -> Markup:
    """A line in a colour."""
    look: Look = {"class": lined(name), "fill": "none", "stroke_width": thick}
    return path(d, **look, **more)


def legend(names: list[str], kind: str, x: float, y: float, room: float) -> tuple[Markup, float]:
    """Which series is which, on as many lines as needed, and how high that is; nothing for one
    series without a name.
    """
    if names in ([], [""]):
        return group(), 0
    parts, left, top = [], x, y
    for series, name in enumerate(names):
        said = cut(name or "other", _LEGEND, room - 34)
        wide = 28 + width(said, _LEGEND) + 16
        if left > x and left + wide > x + room:
            left, top = x, top + _LINE
        parts.append(_sample(left, top, series, kind))
        parts.append(words(left + 28, top + 4, said, _LEGEND))
        left += wide
    return group(*parts), top - y + _LINE + 4


def _sample(x: float, y: float, series: int, kind: str) -> Markup:
    if kind == "bars":
        return bar(x, y - 5, 20, 10, series)
    if kind == "points":
        return dot(x + 10, y, series)
    across = line(f"M{x:g} {y:g}h22", colour(series), 2, stroke_dasharray=dashes(series))
    return group(across, dot(x + 11, y, series, 3.5))


def _hatch(series: int) -> Markup:
    name, side = colour(series), 8
    ground = rect(0, 0, side, side, fill_opacity=0.3, **{"class": filled(name)})
    lines = {
        1: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
        2: "M2 4h4M4 2v4",
        3: "M-2 6L2 10M0 0L8 8M6 -2L10 2",
        4: "M0 4H8",
        5: "M4 0V8",
    }
    return pattern(f"annals-hatch{series}", side, ground, line(lines[series], name, 1.6))


def _properties(theme: str) -> str:
    named = ";".join(f"--{name}:{value}" for name, value in COLOURS[theme].items())
    return f".annals-chart{{{named}}}"


def _rules(colours: dict[str, str]) -> str:
    return "".join(
        f".annals-chart .f-{name}{{fill:{value}}}.annals-chart .l-{name}{{stroke:{value}}}"
        for name, value in colours.items()
    )
