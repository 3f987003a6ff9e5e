"""What a position says about the past: the last deed, and its traces on the board."""

from __future__ import annotations

from typing import Literal, NamedTuple

from domain.engine.errors import require, require_distinct
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules.offices import has_privilege
from domain.games.hansa_teutonica.scoring import is_connected
from domain.games.hansa_teutonica.state.steps import PlaceMarkers
from domain.games.hansa_teutonica.state.table import (
    FREE,
    KINDS,
    Deed,
    LastDeed,
    State,
    owner_of,
)


class Shape(NamedTuple):
    """What the record of a deed contains: a route, how many of its posts or others, and a city."""

    route: bool = False
    posts: Literal["none", "one", "some", "all"] = "none"
    city: bool = False


SHAPES: dict[Deed, tuple[Shape, ...]] = {
    "income": (Shape(),),
    "place": (Shape(True, "one"),),
    "displace": (Shape(True, "one"),),
    "relocate": (Shape(True, "some"),),
    "move": (Shape(True, "some"),),
    "establish": (Shape(True, "all"),),
    "office": (Shape(True, "all", True),),
    "extra_office": (Shape(True, "all", True),),
    "ability": (Shape(), Shape(True)),
    "special": (Shape(True, "all", True),),
    "marker": (Shape(),),
    "swap": (Shape(city=True),),
    "remove": (Shape(True, "some"),),
    "pawn": (Shape(),),
    "refill": (Shape(True),),
    "deploy": (Shape(True, "some"),),
    "green_office": (Shape(city=True),),
}
"""By deed: chapters 4, 6, 8, 11 and 14."""


def check_past(state: State) -> None:
    """Refuse a past that cannot lead to this table: HT-6.10, HT-6.13, HT-8.3."""
    if state.last is not None:
        _check_last(state, state.last)
    _check_extra_offices(state)
    for seat in state.connected:
        right = is_connected(state, seat)
        require(right, f"No offices of seat {seat}, which is `connected`, join the red cities.")
    prizes = zip(state.special, state.board.prize_colours, strict=True)
    right = all(
        code == FREE or has_privilege(state, owner_of(code), color) for code, color in prizes
    )
    require(right, "A seat on `special` must have uncovered the colour of its space.")
    fresh = state.acted or not any(state.fresh)
    require(fresh, "A seat with `fresh` markers must have `acted`.")


def _check_last(state: State, last: LastDeed) -> None:
    """Refuse a last deed that does not fit this map or its kind: HT-1.3, HT-1.9, HT-1.10."""
    chart = state.board
    known = last.route in (None, *chart.route_number) and last.city in (None, *chart.city_number)
    known = known and all(0 <= post < len(state.posts) for post in last.posts)
    require(known, "`last` must name routes, cities and posts of this map.")
    require_distinct(last.posts, "last.posts")
    right = any(_fits(state, last, shape) for shape in SHAPES[last.deed])
    require(right, f"This `last` {last.deed} does not fit these routes, posts and city.")


def _fits(state: State, last: LastDeed, shape: Shape) -> bool:
    """Whether a deed records just this, with posts and a city of its route."""
    if (last.route is not None, last.city is not None) != (shape.route, shape.city):
        return False
    if last.route is None:
        return not last.posts
    route = state.board.route_number[last.route]
    own = tuple(state.board.posts[route])
    counts = {"none": (0,), "one": (1,), "some": range(1, len(state.posts)), "all": (len(own),)}
    if len(last.posts) not in counts[shape.posts] or not {*last.posts[:1]} <= {*own}:
        return False
    ends = {state.setup.map.cities[city].id for city in state.board.ends[route]}
    return (shape.posts != "all" or last.posts == own) and last.city in {None, *ends}


def _check_extra_offices(state: State) -> None:
    """Refuse more extra offices than markers can account for: HT-8.3, HT-14.8.

    A marker that is nowhere may have been used. In green cities a bonus can also open offices.
    """
    by_bonus = state.board.green if "office_in_green_city" in state.board.bonuses.values() else ()
    extras = [extra for city, extra in enumerate(state.extras) if city not in by_bonus]
    owners = [owner_of(code) for code in b"".join(extras)]
    kind = board.MARKER_NUMBER["extra_office"]
    used = state.used[kind::KINDS]
    more = sum(max(0, owners.count(seat) - count) for seat, count in enumerate(used))
    step = state.agenda[-1] if state.agenda else None
    drawn = step.kinds.count("extra_office") if isinstance(step, PlaceMarkers) else 0
    few = more <= state.setup.markers[kind] - state.count_markers(kind) - drawn
    require(few, "There are more `extra` offices than used markers extra_office.")
