"""What the last deed leaves on the table."""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.errors import require
from domain.engine.play import Seat
from domain.games.hansa_teutonica.scoring import offices_in
from domain.games.hansa_teutonica.state.table import FREE, LastDeed, State, owner_of


def check_last(state: State, last: LastDeed) -> None:
    """Refuse a last deed that left no trace on the table, and one before the first turn: HT-3.1."""
    require(state.turn > 1, f"Before `turn` {state.turn} nothing was done: leave out `last`.")
    trace = "does not show: give `route`, `posts` and `city` as it left them."
    require(_leaves_trace(state, last), f"This `last` {last.deed} {trace}")


def _leaves_trace(state: State, last: LastDeed) -> bool:
    chart, bare = state.board, not (last.route or last.posts or last.city)
    standing = _owners(state.posts[at] for at in last.posts)
    offices = _owners(offices_in(state, chart.city_number[last.city])) if last.city else []
    markers = [state.markers[chart.route_number[last.route]]] if last.route else []
    traces = {
        "income": bare,
        "marker": bare,
        "pawn": bare and state.pawn is not None,
        "ability": not (last.posts or last.city),
        "place": standing == [last.seat],
        "displace": standing == [last.seat],
        "relocate": last.seat in standing,
        "deploy": last.seat in standing,
        "move": bool(standing),
        "remove": bool(last.posts) and not standing,
        "establish": bool(last.posts) and not standing,
        "office": last.seat in offices and not standing,
        "extra_office": last.seat in offices and not standing,
        "green_office": last.seat in offices,
        "special": last.seat in _owners(state.special),
        "swap": len(offices) > 1,
        "refill": any(markers),
    }
    return traces[last.deed]


def _owners(codes: Iterable[int]) -> list[Seat]:
    return [owner_of(code) for code in codes if code != FREE]
