"""Raised shapes: a shadow at the lower right, the body, and light inside its upper left edge."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from domain.engine.drawing import relief, svg
from tests.games.picture_boxes import Box, things_of
from tests.support.for_each import for_each

STYLE: dict[str, svg.Attribute] = {"fill": "#123456", "stroke": "#000000"}
SHAPES = {
    "sharp": relief.raised_rect(10, 20, 30, 40, **STYLE),
    "round": relief.raised_rect(10, 20, 30, 40, rx=6, depth=3, **STYLE),
    "disc": relief.raised_disc(25, 40, 15, depth=1, **STYLE),
    "path": relief.raised_path("M10 20H40V60H10Z", "M12 58V22H38", **STYLE),
}


def parts(drawn: str) -> list[Element]:
    return list(ElementTree.fromstring(f"<g>{drawn}</g>"))


def box(part: Element) -> Box:
    thing = ElementTree.Element("g")
    ElementTree.SubElement(thing, "g", {"data-at": "it"}).append(part)
    [[_, found]] = things_of(thing)
    return found


@for_each("drawn", SHAPES.values())
def test_a_raised_shape_lies_between_its_shadow_and_its_light(drawn: str) -> None:
    shadow, body, light = parts(drawn)
    assert [body.get(name) for name in STYLE] == list(STYLE.values())
    assert box(shadow).left > box(body).left
    assert box(shadow).bottom > box(body).bottom
    inside, around = box(light), box(body)
    assert around.left < inside.left
    assert around.top < inside.top
    assert inside.right < around.right
    assert inside.bottom < around.bottom


@for_each("drawn", SHAPES.values())
def test_pages_take_a_raised_shape_for_no_piece_of_its_own(drawn: str) -> None:
    assert all(part.tag != "g" for part in parts(drawn))


def test_a_higher_shape_casts_a_longer_shadow() -> None:
    low, high = (
        box(parts(relief.raised_disc(0, 0, 9, depth=depth, **STYLE))[0]) for depth in (1, 4)
    )
    assert high.bottom - low.bottom == pytest.approx(3)


def test_a_path_without_an_upper_edge_has_no_light() -> None:
    assert len(parts(relief.raised_path("M0 0H9V9Z", **STYLE))) == 2
