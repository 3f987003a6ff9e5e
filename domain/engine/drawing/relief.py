"""Relief: what lies on a table has a shadow at its lower right, and light on its upper left edge.

All games draw raised pieces with these functions, so that light falls from one side everywhere.
None of them moves a group: pages take the innermost moved group for a piece that can travel.
"""

from __future__ import annotations

from domain.engine.drawing.svg import Attribute, Markup, Point, circle, path, rect

DEPTH = 2.0
"""How far the shadow of a piece reaches, in pixels; a card is half as thick."""
SHADOW: dict[str, Attribute] = {"fill": "#0004"}
LIGHT: dict[str, Attribute] = {"fill": "none", "stroke": "#fff7"}
_SHARP = 3
"""The largest radius of a corner that light does not follow, since it would hardly be seen."""
_EDGE = 1.3
"""From the middle of an outline to the middle of the light inside it."""


def raised_rect(
    x: float,
    y: float,
    width: float,
    height: float,
    rx: float = 0,
    depth: float = DEPTH,
    **style: Attribute,
) -> Markup:
    """A rectangle that lies on the table, by its top left corner."""
    left, top = x + _EDGE, y + _EDGE
    bend = f"q0-{rx:.3g} {rx:.3g}-{rx:.3g}" if rx > _SHARP else ""
    turn = rx if bend else 0
    light = (
        f"M{left:.4g} {y + height - turn - _EDGE:.4g}V{top + turn:.4g}"
        f"{bend}H{x + width - turn - _EDGE:.4g}"
    )
    return join(
        rect(x + depth * 0.6, y + depth, width, height, rx=rx, **SHADOW),
        rect(x, y, width, height, rx=rx, **style),
        path(light, **LIGHT),
    )


def raised_disc(
    x: float, y: float, radius: float, depth: float = DEPTH, **style: Attribute
) -> Markup:
    """A disc that lies on the table, by its centre."""
    inner = radius - _EDGE
    light = f"M{x - inner:.4g} {y:.4g}q0-{inner:.3g} {inner:.3g}-{inner:.3g}"
    return join(
        circle(x + depth * 0.6, y + depth, radius, **SHADOW),
        circle(x, y, radius, **style),
        path(light, **LIGHT),
    )


def raised_path(d: str, light: str = "", depth: float = DEPTH, **style: Attribute) -> Markup:
    """A shape that lies on the table, and the line where light falls on it."""
    return join(
        cast_shadow(d, (depth * 0.6, depth)),
        path(d, **style),
        *([path(light, **LIGHT)] if light else []),
    )


def cast_shadow(d: str, by: Point = (DEPTH * 0.6, DEPTH)) -> Markup:
    """The shadow of a shape, by which its light is moved."""
    return path(d, transform=f"translate({by[0]:.3g} {by[1]:.3g})", **SHADOW)


def join(*parts: Markup) -> Markup:
    """Several parts one after the other, without a group around them."""
    return Markup("".join(parts))
