"""Names of touches, and the tree of all paths to the moves."""

from __future__ import annotations

import pytest

from domain.engine.touches import MAX_CHOICES, TouchKind, TouchTree, id_of, kind_of, no_part
from tests.support.for_each import for_each

SPACE = TouchKind("space", "thing", "a space")
ROW = TouchKind("row", "part", "a row")
BOARD = TouchKind("board", "part", "the board")
PASS = TouchKind("pass", "word", "pass")
ROWS, COLUMNS = 26, 24


def in_row(name):
    match kind_of(name):
        case "space":
            return ROW.of(id_of(name).partition(":")[0])
        case "row":
            return BOARD.of()


@pytest.fixture
def wide():
    """A move for each space of a board that is too large, and one to pass."""
    ways = {(SPACE.of(row, col),): f"{row}-{col}" for row in range(ROWS) for col in range(COLUMNS)}
    return TouchTree({**ways, (PASS.of(),): "pass"}, in_row)


def test_names_contain_their_kind_and_number():
    assert SPACE.of(3, "f") == "space:3:f"
    assert (kind_of(SPACE.of(3, "f")), id_of(SPACE.of(3, "f"))) == ("space", "3:f")
    assert (kind_of(PASS.of()), id_of(PASS.of())) == ("pass", "")


def test_what_can_come_next_follows_what_was_touched():
    two = TouchTree(
        {("tile", "a"): 1, ("tile", "b"): 2, ("pass",): 3}, lambda name: no_part(0, name)
    )
    assert two.choices([]) == ("tile", "pass")
    assert two.choices(["tile"]) == ("a", "b")
    assert two.moves_at(["tile"]) == (1, 2)
    assert two.moves_at(["tile", "b"]) == (2,)
    assert two.choices(["tile", "b"]) == ()


def test_several_ways_lead_to_the_same_move():
    either = TouchTree({("a", "b"): 1, ("b", "a"): 1}, lambda name: None)
    assert either.moves_at([]) == (1,)
    assert either.choices(["b"]) == ("a",)


@for_each("path", [["nowhere"], ["tile", "nowhere"], ["tile", "a", "further"]])
def test_a_path_that_leads_nowhere_leaves_nothing(path):
    tree = TouchTree({("tile", "a"): 1}, lambda name: None)
    assert (tree.moves_at(path), tree.choices(path)) == ((), ())


def test_too_many_names_are_taken_together_by_the_smallest_part_that_helps(wide):
    assert wide.choices([]) == (BOARD.of(), PASS.of())
    assert len(wide.choices([BOARD.of()])) == ROWS > MAX_CHOICES  # no larger part can group them
    assert wide.choices([BOARD.of(), ROW.of(2)]) == tuple(SPACE.of(2, n) for n in range(COLUMNS))
    assert wide.moves_at([BOARD.of(), ROW.of(2), SPACE.of(2, 5)]) == ("2-5",)


def test_parts_list_what_they_hold(wide):
    assert wide.parts[ROW.of(2)] == [SPACE.of(2, col) for col in range(COLUMNS)]
    assert wide.parts[BOARD.of()] == [ROW.of(row) for row in range(ROWS)]
    assert len(wide.parts) == ROWS + 1


def test_a_part_narrows_the_next_touch_and_no_other(wide):
    assert set(wide.moves_at([ROW.of(2)])) == {f"2-{col}" for col in range(COLUMNS)}
    assert wide.moves_at([ROW.of(2), PASS.of()]) == ()
