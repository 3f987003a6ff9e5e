"""The moving picture of the README shows each frame as it was."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from bench.rules.moving_picture import MAX_BYTES, TARGET, Part, merge, style

FRAMES = (
    '<g id="board"><a/><b/><c/></g><t>1</t>',
    '<g id="board"><a/><d/><c/></g><t>2</t>',
    '<g id="board"><a/><b/><d/><c/></g><t>1</t><e/>',
)


def elements_of(parts: list[Part], frame: int) -> Iterator[str]:
    """The elements that a frame of the merged picture shows, in their order."""
    for one in parts:
        if frame in one.frames:
            yield from elements_of(one.parts, frame) if one.parts else [as_text(one.element)]


def elements_before(elements: Element) -> Iterator[str]:
    """The elements of a frame before it was merged."""
    for one in elements:
        yield from elements_before(one) if len(one) else [as_text(one)]


def as_text(element: Element) -> str:
    return ElementTree.tostring(element, encoding="unicode")


def merge_frames() -> tuple[list[Part], list[Element]]:
    svg = 'svg xmlns="http://www.w3.org/2000/svg"'
    frames = [ElementTree.fromstring(f"<{svg}>{frame}</svg>") for frame in FRAMES]
    parts: list[Part] = []
    for number, frame in enumerate(frames):
        merge(parts, list(frame), number)
    return parts, frames


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_each_frame_shows_what_it_showed_before(number: int) -> None:
    parts, frames = merge_frames()
    assert list(elements_of(parts, number)) == list(elements_before(frames[number]))


def test_what_stays_is_in_the_picture_once() -> None:
    parts, _ = merge_frames()
    [board] = [one for one in parts if one.parts]
    assert sum("}a" in one.element.tag for one in board.parts or []) == 1


def test_without_motion_the_last_frame_is_shown() -> None:
    parts, _ = merge_frames()
    rules = style(parts, len(FRAMES))
    assert ".f1{visibility:hidden;" in rules  # the text of the second frame
    assert ".f2{animation-name" in rules  # what only the last frame has
    assert "prefers-reduced-motion" in rules


def test_the_picture_of_the_readme_is_small() -> None:
    assert TARGET.stat().st_size < MAX_BYTES
