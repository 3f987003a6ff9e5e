"""Tables in the middle of a move."""

from __future__ import annotations

from domain.games.hansa_teutonica import moves
from domain.games.hansa_teutonica.state.table import State
from tests.games.hansa_teutonica.moments import DANZIG, EAST, VISBY, WISMAR
from tests.games.hansa_teutonica.table import COELLEN, HAMBURG, KAMPEN, after, calm, player, table


def relocating() -> State:
    """A trader of seat 1 has been displaced."""
    state = calm(player("ttt"), player(), player(), routes={COELLEN: ["1t", None, None, None]})
    return after(state, moves.DisplacePiece(0, "trader", (COELLEN, 0), 1, 0))


def moving() -> State:
    """Seat 0 has lifted a trader and may lift the merchant beside it."""
    state = calm(routes={KAMPEN: ["0t", "0m"]})
    return after(state, moves.LiftPiece(0, (KAMPEN, 0)))


def removing() -> State:
    """A marker takes up to three pieces, and two are there."""
    one = player(ready={"remove_three": 1})
    state = calm(one, player(), player(), routes={KAMPEN: ["1t", "1m"]})
    return after(state, moves.UseMarker(0, "remove_three"))


def east(route: str, routes: dict[str, list[str | None]]) -> State:
    """A table of the east, where a seat establishes one of these routes."""
    one = player("t", levels={"book": 3})
    state = table(one, player(), player(), options=EAST, routes=routes)
    return after(state, moves.EstablishRoute(0, route))


def east_moving() -> State:
    """A permanent bonus moves two pieces of any owner."""
    return east(WISMAR, {WISMAR: ["0m", "0m", "0t"], VISBY: ["1t", None, None]})


def deploying() -> State:
    """A permanent bonus brings two pieces of the route back to posts."""
    return east(DANZIG, {DANZIG: ["0t", "0t", "0t", "0m"]})


def green_office() -> State:
    """A permanent bonus opens an office in a green city."""
    return east(VISBY, {VISBY: ["0t", "0m", "0t"]})


def laying() -> State:
    """A marker has been drawn at the end of a turn."""
    markers = {HAMBURG: "extra_office", "bremen--minden": "extra_office"}
    return after(calm(markers=markers, pile={"swap_offices": 1}), moves.EndTurn(0))


def placing_the_pawn() -> State:
    """The second of two players places the pawn."""
    step = {"type": "PlacePawn", "seats": [1]}
    return table(player(), player(), actions=0, pending=step)
