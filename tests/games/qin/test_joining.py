"""Chapters 6 and 14: judge, deeds and bots agree on the owner of joined areas."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from domain.games.qin.board import MAJOR
from domain.games.qin.rules.joining import TIED, Forbidden, heir, touching
from domain.games.qin.state.table import RUINED
from tests.games.qin.table import at, table
from tests.support.for_each import for_each

OWNERS = "012x"
AREAS = st.lists(
    st.tuples(st.sampled_from(OWNERS), st.integers(2, 6)), min_size=1, max_size=4
)  # at most four meet around a space


def apart(*areas, joining_majors="mutual_removal"):
    """Red areas that do not touch, given by owner and size; and their numbers."""
    rows = [row for owner, size in areas for row in (("r" * size, owner * size), ("", ""))]
    cells = [cells.ljust(7, ".") for cells, _ in rows]
    owners = tuple(owners.ljust(7, ".") for _, owners in rows)
    state = table(*cells, owners=owners, seats=3, joining_majors=joining_majors)
    return state, [state.area((2 * number, 0)) for number in range(len(areas))]


def whose(*areas, joining_majors="mutual_removal"):
    """The sign of the owner of the whole, or the rule and the fault."""
    verdict = heir(*apart(*areas, joining_majors=joining_majors))
    if isinstance(verdict, Forbidden):
        return verdict.refusal[:2]
    return "x" if verdict == RUINED else str(verdict - 1)


def by_the_book(areas, joining_majors):
    """The owner or the refusal, written as in the rule book."""
    owners = {owner for owner, _ in areas}
    if owners == {"x"}:
        return "x"
    if "x" in owners:
        return ("QIN-14.3", "joins_ruined")
    majors = [owner for owner, size in areas if size >= MAJOR]
    if len(majors) >= 2:
        forbidden = joining_majors == "forbidden"
        return ("QIN-6.1", "joins_majors") if forbidden else "x"
    if majors:
        return majors[0]
    spaces = Counter()
    for owner, size in areas:
        spaces[owner] += size
    (first, most), *others = spaces.most_common()
    return ("QIN-6.4", "tied_absorb") if others and others[0][1] == most else first


@given(AREAS)
def test_the_owner_of_the_whole_is_the_one_of_the_rule_book(areas):
    """QIN-6.1, QIN-6.2, QIN-6.3, QIN-6.4, QIN-14.2, QIN-14.3"""
    assert whose(*areas) == by_the_book(areas, "mutual_removal")
    if "x" not in dict(areas):
        assert whose(*areas, joining_majors="forbidden") == by_the_book(areas, "forbidden")


@given(AREAS)
def test_it_makes_no_difference_in_which_order_areas_are_named(areas):
    state, numbers = apart(*areas)
    verdicts = {heir(state, order) for order in permutations(numbers)}
    assert len(verdicts) == 1


@given(AREAS, st.permutations("012"))
def test_it_makes_no_difference_who_sits_where(areas, seats):
    """QIN-6.6, QIN-6.7: whose turn it is does not matter, either."""
    moved = dict(zip("012x", [*seats, "x"], strict=True))
    verdict = whose(*areas)
    expected = moved.get(verdict, verdict) if isinstance(verdict, str) else verdict
    assert whose(*((moved[owner], size) for owner, size in areas)) == expected


@for_each("size", [2, 4, 5, 6])
@for_each("owner", OWNERS)
def test_an_area_that_joins_nothing_keeps_its_owner(owner, size):
    """QIN-5.5"""
    assert whose((owner, size)) == owner


@for_each(
    ("areas", "verdict"),
    [
        (["0 5", "1 5"], ("QIN-6.1", "joins_majors")),
        (["0 5", "0 6"], ("QIN-6.1", "joins_majors")),
        (["0 5", "1 5", "1 4"], ("QIN-6.1", "joins_majors")),
        (["0 5", "1 4"], "0"),
        (["0 5", "1 4", "1 4"], "0"),
        (["0 4", "1 3"], "0"),
        (["0 4", "1 3", "1 2"], "1"),
        (["0 4", "1 4"], ("QIN-6.4", "tied_absorb")),
        (["0 4", "1 2", "1 2"], ("QIN-6.4", "tied_absorb")),
        (["0 4", "1 3", "2 3"], "0"),
        (["0 2", "1 4", "2 4"], ("QIN-6.4", "tied_absorb")),
        (["0 2", "0 2", "0 3"], "0"),
    ],
)
def test_examples_when_majors_may_not_be_joined(areas, verdict):
    """QIN-6.1, QIN-6.2, QIN-6.3, QIN-6.4, QIN-6.7"""
    assert whose(*read(areas), joining_majors="forbidden") == verdict


@for_each(
    ("areas", "verdict"),
    [
        (["0 5", "1 5"], "x"),
        (["0 5", "0 5"], "x"),
        (["0 5", "1 5", "2 2"], "x"),
        (["0 5", "1 4"], "0"),
        (["0 4", "1 4"], ("QIN-6.4", "tied_absorb")),
        (["x 5", "x 6"], "x"),
        (["x 5", "0 2"], ("QIN-14.3", "joins_ruined")),
        (["x 5", "0 5", "1 5"], ("QIN-14.3", "joins_ruined")),
        (["x 5", "0 2", "1 2"], ("QIN-14.3", "joins_ruined")),
    ],
)
def test_examples_when_majors_fall_together(areas, verdict):
    """QIN-14.1, QIN-14.2, QIN-14.3"""
    assert whose(*read(areas)) == verdict


def read(areas):
    return [(area[0], int(area[2:])) for area in areas]


def test_a_tie_says_how_many_spaces_each_has():
    """QIN-6.4"""
    verdict = heir(*apart(("0", 3), ("1", 2), ("2", 3)))
    assert verdict == (TIED, 3)


@for_each(
    ("spaces", "colour", "found"),
    [
        ("b2", 1, {"a1"}),
        ("b2", 2, {"c1"}),
        ("b2", 3, set()),
        ("b3", 1, {"c3"}),
        ("a2 b2", 1, {"a1"}),
        ("b2 b3", 1, {"a1", "c3"}),
        ("a3", 1, set()),
    ],
)
def test_what_is_laid_meets_the_areas_of_its_colour_beside_it_each_once(spaces, colour, found):
    """QIN-2.3, QIN-2.5, QIN-5.2"""
    state = table("rry", "..y", "..R", owners=("001", "..1", "..."))
    near = state.board.neighbours
    around = [n for name in spaces.split() for n in near[state.board.cell(*at(name))]]
    assert touching(state, colour, around) == {state.area(at(name)) for name in found}
