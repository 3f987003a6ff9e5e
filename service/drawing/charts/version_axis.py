"""The axis of charts over the versions of a match."""

from __future__ import annotations

from domain.engine.drawing.svg import Markup, group
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width
from service.drawing.charts.theme import draw_line, draw_text


def make_version_scale(first: int, last: int, left: float, right: float, about: int = 8) -> Scale:
    """Return a scale from one version to another, with about this many steps."""
    last = max(last, first + 1)
    inner = make_scale(first, last, left, right, about).ticks
    ticks = sorted({first, last, *(int(tick) for tick in inner if first < tick < last)})
    return Scale(tuple(map(float, ticks)), 0, left, right)


def draw_version_axis(across: Scale, y: float, name: str, size: float) -> Markup:
    """Version numbers below the lines, as many as fit, and the name of the axis."""
    parts, free = [], 0.0
    labels = across.labels()
    last = labels[-1][0] - text_width(labels[-1][1], size) - 8
    for place, (x, label) in enumerate(labels):
        wide = text_width(label, size)
        parts.append(draw_line(f"M{x:.2f} {y:g}v5", "soft"))
        if x - wide / 2 < free or (place < len(labels) - 1 and x + wide / 2 > last):
            continue
        parts.append(draw_text(x, y + 18, label, size, "soft", text_anchor="middle"))
        free = x + wide / 2 + 8
    middle = (across.start + across.end) / 2
    parts.append(draw_text(middle, y + 38, name, size, "soft", text_anchor="middle"))
    return group(*parts)
