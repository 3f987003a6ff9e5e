"""Names of what is touched, and the tree of all ways to the moves."""

from __future__ import annotations

import pytest

from domain.engine.touches import MOST, Kind, Tree, in_no_part, kind_of, which

SPACE = Kind("space", "thing", "a space")
ROW = Kind("row", "part", "a row")
BOARD = Kind("board", "part", "the board")
PASS = Kind("pass", "word", "pass")
ROWS, COLUMNS = 26, 24


def in_row(name):
    match kind_of(name):
        case "space":
            return ROW.of(which(name).partition(":")[0])
        case "row":
            return BOARD.of()


@pytest.fixture
def wide():
    """A move for each space of a board that is too large, and one to pass."""
    ways = {(SPACE.of(row, col),): f"{row}-{col}" for row in range(ROWS) for col in range(COLUMNS)}
    return Tree({**ways, (PASS.of(),): "pass"}, in_row)


def test_names_tell_their_kind_and_which_they_are():
    assert SPACE.of(3, "f") == "space:3:f"
    assert (kind_of(SPACE.of(3, "f")), which(SPACE.of(3, "f"))) == ("space", "3:f")
    assert (kind_of(PASS.of()), which(PASS.of())) == ("pass", "")


def test_what_can_come_next_follows_what_was_touched():
    two = Tree({("tile", "a"): 1, ("tile", "b"): 2, ("pass",): 3}, lambda name: in_no_part(0, name))
    assert two.choices([]) == ("tile", "pass")
    assert two.choices(["tile"]) == ("a", "b")
    assert two.left(["tile"]) == (1, 2)
    assert two.left(["tile", "b"]) == (2,)
    assert two.choices(["tile", "b"]) == ()


def test_several_ways_lead_to_the_same_move():
    either = Tree({("a", "b"): 1, ("b", "a"): 1}, lambda name: None)
    assert either.left([]) == (1,)
    assert either.choices(["b"]) == ("a",)


@pytest.mark.parametrize("path", [["nowhere"], ["tile", "nowhere"], ["tile", "a", "further"]])
def test_a_path_that_leads_nowhere_leaves_nothing(path):
    tree = Tree({("tile", "a"): 1}, lambda name: None)
    assert (tree.left(path), tree.choices(path)) == ((), ())


def test_too_many_names_are_taken_together_by_the_smallest_part_that_helps(wide):
    assert wide.choices([]) == (BOARD.of(), PASS.of())
    assert len(wide.choices([BOARD.of()])) == ROWS > MOST  # no larger part is left to help
    assert wide.choices([BOARD.of(), ROW.of(2)]) == tuple(SPACE.of(2, n) for n in range(COLUMNS))
    assert wide.left([BOARD.of(), ROW.of(2), SPACE.of(2, 5)]) == ("2-5",)


def test_parts_tell_what_they_hold(wide):
    assert wide.parts[ROW.of(2)] == [SPACE.of(2, col) for col in range(COLUMNS)]
    assert wide.parts[BOARD.of()] == [ROW.of(row) for row in range(ROWS)]
    assert len(wide.parts) == ROWS + 1


def test_a_part_narrows_the_next_touch_and_no_other(wide):
    assert set(wide.left([ROW.of(2)])) == {f"2-{col}" for col in range(COLUMNS)}
    assert wide.left([ROW.of(2), PASS.of()]) == ()
