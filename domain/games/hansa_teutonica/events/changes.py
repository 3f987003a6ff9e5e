"""Changes of the state that several events share."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import Post, Source
from domain.games.hansa_teutonica.state.table import FREE, Deed, LastDeed, State


def number_of(state: State, post: Post) -> int:
    """The number of a post on the whole board."""
    board = state.board
    return board.posts[board.route_number[post[0]]].start + post[1]


def take_from(state: State, source: Source, code: int, lifted: Post | None) -> None:
    """Take a piece out of the stock, the supply, or off its post."""
    if source == "stock":
        state.stock[code] -= 1
    elif source == "supply":
        state.supply[code] -= 1
    elif lifted is not None:
        state.posts[number_of(state, lifted)] = FREE


def note_post(state: State, seat: Seat, deed: Deed, route: str, post: int) -> None:
    """Record a post as touched last, together with earlier posts of the same deed."""
    last = state.last
    follows = (deed, "displace") if deed == "relocate" else (deed,)
    if last is not None and last.deed in follows:
        posts = tuple(dict.fromkeys((*last.posts, post)))
        state.last = LastDeed(seat, deed, last.route, posts)
    else:
        state.last = LastDeed(seat, deed, route, (post,))


def note_city(state: State, seat: Seat, deed: Deed, city: str) -> None:
    """Record the city where establishing a route led to something."""
    last = state.last
    route, posts = (last.route, last.posts) if last is not None else (None, ())
    state.last = LastDeed(seat, deed, route, posts, city)
