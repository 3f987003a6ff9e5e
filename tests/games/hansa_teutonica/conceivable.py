"""All moves that a player could write, legal or not, and what the judge says of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from domain.engine.errors import RuleBroken
from domain.engine.game import judge
from domain.engine.play import Move
from domain.games.hansa_teutonica import GAME, board
from domain.games.hansa_teutonica.state.table import State


def conceivable(
    state: State, kind: type[Move], seat: int, *, every_post: bool = False
) -> Iterator[Move]:
    """All moves of a kind with fields that name anything on this table, and some values beyond. Of
    interchangeable posts of a route, and of posts beyond routes, they name one, or every one.
    """
    chart = state.setup.map
    posts = [(route.id, post) for route in chart.routes for post in range(-1, route.posts + 1)]
    if not every_post:
        posts = list({_kind_of_post(state, post): post for post in posts}.values())
    standing = [(name, at) for name, at in posts if at >= 0 and post_alike(state, (name, at))[1]]
    values: dict[str, Any] = {
        "traders": range(-1, 13),
        "merchants": range(-1, 5),
        "pay_traders": range(-1, 4),
        "pay_merchants": range(-1, 4),
        "piece": board.PIECES,
        "post": posts,
        "lifted": [None, posts[1], *standing],
        "source": ["displaced", "stock", "supply", "board"],
        "owner": range(-1, state.seats + 1),
        "country": sorted(set(state.board.lands)) if state.board.divided else [None],
        "route": [*state.board.route_number, "nowhere"],
        "city": [*state.board.city_number, "nowhere"],
        "ability": board.ABILITIES,
        "space": range(-1, 5),
        "kind": board.MARKERS,
        "left": range(-1, 4),
        "province": [*(each.id for each in state.setup.provinces), "P00"],
    }
    fields = kind.__struct_fields__[1:]
    return (kind(seat, *chosen) for chosen in product(*(values[field] for field in fields)))


def find_fault(state: State, move: Move) -> tuple[str, str] | None:
    """The rule that forbids a move, and the fault; None if it is legal."""
    try:
        judge(GAME, state, move)
    except RuleBroken as error:
        return error.rule, error.fault
    return None


def alike(state: State, move: Move) -> tuple[Any, ...]:
    """A move as its kind and fields; equal for interchangeable posts: HT-1.3."""
    fields = [getattr(move, name) for name in move.__struct_fields__]
    return (type(move), *(post_alike(state, value) for value in fields))


def post_alike(state: State, value: Any) -> Any:
    """A post as its route, its piece, and whether it is for merchants: HT-14.1."""
    if not isinstance(value, tuple):
        return value
    span = state.board.posts[state.board.route_number[value[0]]]
    at = span.start + value[1]
    if at not in span:
        return value
    return value[0], state.posts[at], at in state.board.reserved


def _kind_of_post(state: State, post: tuple[str, int]) -> Any:
    """What interchangeable posts have in common, or posts before or after those of any route."""
    kind = post_alike(state, post)
    return kind if kind != post else post[1] < 0
