"""The room that shapes take in a picture."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.games.every_panel import surface_faults
from tests.games.picture_boxes import path_points, things_of
from tests.support.for_each import for_each


@for_each(
    ("shape", "box"),
    [
        ('<rect x="1" y="2" width="3" height="4"/>', (1, 2, 4, 6)),
        ('<rect x="1" y="2" width="3" height="4" stroke="red" stroke-width="2"/>', (0, 1, 5, 7)),
        ('<circle cx="5" cy="6" r="2"/>', (3, 4, 7, 8)),
        ('<polygon points="1,2 5,3 4,9"/>', (1, 2, 5, 9)),
        ('<path d="M1 2H5V9"/>', (1, 2, 5, 9)),
        (
            '<g transform="translate(10 0) scale(2)"><circle cx="5" cy="6" r="2"/></g>',
            (16, 8, 24, 16),
        ),
    ],
)
def test_a_thing_takes_the_room_of_its_shapes(shape, box):
    [thing] = things_of(ElementTree.fromstring(f'<svg><g data-at="post:1">{shape}</g></svg>'))
    assert (thing.name, thing.box) == ("post:1", box)


@for_each(
    ("drawn", "points"),
    [
        ("M1 2L3-4", [(1, 2), (3, -4)]),
        ("M1 2h3v.5h-1", [(1, 2), (4, 2), (4, 2.5), (3, 2.5)]),
        ("M0 8q6-5 12 0", [(0, 8), (6, 3), (12, 8)]),
        ("M1 1V5Zl2 2", [(1, 1), (1, 5), (3, 3)]),
    ],
)
def test_a_path_has_the_points_that_it_names(drawn, points):
    assert list(path_points(drawn)) == points


@for_each(
    ("shape", "fault"),
    [
        ('<rect fill="url(#silk)"/>', "is defined so often"),
        ('<defs><pattern id="silk"/></defs><rect fill="url(#silk)"/>', None),
        ('<rect filter="blur(1px)"/>', "is slow to draw"),
        ('<defs><filter id="dim"/></defs>', "is slow to draw"),
    ],
)
def test_a_surface_that_is_missing_or_slow_is_found(shape, fault):
    found = {one.rule for one in surface_faults(ElementTree.fromstring(f"<svg>{shape}</svg>"))}
    assert found == ({fault} if fault else set())
