"""A table for each step of the game and for each map: every kind of decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.dice import Luck
from domain.engine.game import new_state, seats_to_move
from domain.engine.play import Move
from domain.games.hansa_teutonica import GAME, board, moves
from domain.games.hansa_teutonica.state.table import State
from tests.games.hansa_teutonica.table import (
    COELLEN,
    DUISBURG,
    KAMPEN,
    after,
    full_refusal,
    player,
    table,
)

WISMAR, VISBY, DANZIG = "stralsund--wismar", "malmo--visby", "danzig--malmo"
EAST, BRITANNIA, OTHERS = {"map": "east"}, {"map": "britannia"}, {"remove_three": "move"}
ALL_MARKERS = dict.fromkeys(board.MARKERS, 1)
ABLE = {"levels": {"book": 3, "privilege": 2}, "ready": ALL_MARKERS}
POOR = {"supply": {}, "stock": {}, "levels": {}}


def turn(**options: Any) -> State:
    """A turn with everything: a full route, others' pieces, offices to swap, all markers.""" ""
    return table(
        player("ttm", **ABLE),
        player("t"),
        player(),
        options=options,
        routes={KAMPEN: ["0t", "0m"], "bremen--hannover": ["1t", "2m", "0t"]},
        cities={"osnabruck": {"offices": ["1t", "0t", None]}, "kampen": {"offices": ["2t", None]}},
    )


def prize() -> State:
    """The route to special prestige is full, and one of its spaces is taken."""
    row = {COELLEN: ["0t", "0t", "0m", "0t"]}
    return table(player("t", **ABLE), player(), player(), routes=row, special=["1m", *[None] * 3])


def improvable(**options: Any) -> State:
    """The route to a city that improves an ability is full."""
    rows = {"gottingen--quedlinburg": ["0t", "0t", "0t"]}
    return table(player("t", levels={"bag": 3}), player(), player(), options=options, routes=rows)


def complete() -> State:
    """The route to a city whose offices are all taken is full."""
    city = {"duisburg": {"offices": ["1t"]}}
    return table(
        player("t", **ABLE), player(), player(), routes={DUISBURG: ["0t"] * 2}, cities=city
    )


def spent() -> State:
    """No action is left, but markers are."""
    return table(
        player("ttm", **ABLE), player(), player(), actions=0, routes={KAMPEN: ["0t", "0t"]}
    )


def duel(**position: Any) -> State:
    """Two players; a full route in the province of the pawn, another one outside."""
    rows = {"goslar--magdeburg": ["0t", "0t"], KAMPEN: ["0t", "0t"], DUISBURG: ["1t", None]}
    return table(player("tt", **ABLE), player("t"), routes=rows, pawn="P16", **position)


def displace(piece: str, owner: dict[str, Any] | None = None, **routes: Any) -> State:
    """Seat 0 has displaced a piece of seat 1 between Coellen and Warburg."""
    rows = {COELLEN: [f"1{piece}", None, None, None], KAMPEN: ["1t", "2t"], **routes}
    state = table(player("ttttt"), owner or player("t"), player(), routes=rows)
    cost = 1 + (piece == "m")
    return after(state, moves.DisplacePiece(0, "trader", (COELLEN, 0), cost, 0))


def displace_without_extra() -> State:
    """The extra piece is placed, and the displaced piece is not."""
    return after(
        displace("t"), moves.RelocatePiece(1, "stock", "trader", ("paderborn--warburg", 0))
    )


def displace_without_stock() -> State:
    """The extra pieces of the displaced player come from the board."""
    rows = {f"{route}": ["1t"] * 4 for route in ("bremen--hamburg", "brunswiek--minden")}
    state = displace("m", POOR, **rows, **{"hannover--minden": ["1t", "1t", None]})
    return after(state, moves.RelocatePiece(1, "displaced", "merchant", ("paderborn--warburg", 0)))


def holding(**options: Any) -> State:
    """A merchant and a trader are held, and the seat may lift more."""
    state = table(
        player(**ABLE),
        player(),
        player(),
        options=options,
        routes={KAMPEN: ["0t", "0m"], "bremen--hannover": ["1t", "2m", "0t"]},
    )
    return after(state, moves.LiftPiece(0, (KAMPEN, 1)), moves.LiftPiece(0, (KAMPEN, 0)))


def taking(**options: Any) -> State:
    """A marker takes pieces from posts, or moves them."""
    return after(turn(**options), moves.UseMarker(0, "remove_three"))


def east(**rows: list[str | None]) -> State:
    """A table of the east, with posts for merchants, and the green city Waren."""
    seats = (player("tm", **ABLE), player("t"), player())
    return table(*seats, options=EAST, routes={"halle--wittenberg": ["1t", "0t"], **rows})


def bonus(route: str, *row: str | None) -> State:
    """A table of the east, where a seat has established a route with a permanent bonus."""
    return after(east(**{route: [*row]}), moves.EstablishRoute(0, route))


def britannia(**position: Any) -> State:
    """Seat 0 may place in Wales, once."""
    return table(
        player("tm", **ABLE),
        player("t"),
        player(),
        options=BRITANNIA,
        cities={"cardiff": {"offices": ["1t", "0t", None, None]}},
        routes={"cardiff--pembroke": ["0t", "1t", None], "carlisle--richmond": ["1t", None, "0m"]},
        **position,
    )


def placing_two() -> State:
    """A bonus brings pieces to Wales."""
    step = {"type": "Deploying", "seats": [0], "bonus": "place_2", "left": 2}
    return britannia(pending=step)


def hold_in_wales() -> State:
    """A piece from Wales and one from England are held."""
    lifts = (
        moves.LiftPiece(0, ("cardiff--pembroke", 0)),
        moves.LiftPiece(0, ("carlisle--richmond", 2)),
    )
    return after(britannia(), *lifts)


def laying_out() -> State:
    """Markers are drawn at the end of a turn."""
    markers = {KAMPEN: "extra_office", DUISBURG: "extra_office"}
    return after(table(markers=markers, pile={"swap_offices": 1}), moves.EndTurn(0))


def before_the_first_turn() -> State:
    """The second of two players places the pawn."""
    return new_state(GAME, GAME.setup(GAME.options(), 2), 2, Luck(0))


MOMENTS: dict[str, Callable[[], State]] = {
    "turn": turn,
    "turn with other options": lambda: turn(income="up_to", swap="one_own"),
    "special prestige": prize,
    "ability": improvable,
    "any ability": lambda: improvable(ability_choice="any"),
    "complete city": complete,
    "no actions left": spent,
    "pawn": duel,
    "pawn after its free move": lambda: after(duel(), moves.MovePawn(0, "P15")),
    "turn that is closed": lambda: duel(acted=True, actions=1, pawn_moved=True, closed=True),
    "displaced trader": lambda: displace("t"),
    "displaced merchant": lambda: displace("m"),
    "displaced trader after its extra piece": displace_without_extra,
    "extra pieces from the board": displace_without_stock,
    "moving": holding,
    "moving by a marker": lambda: taking(**OTHERS),
    "removing": taking,
    "removing more": lambda: after(taking(), moves.RemovePiece(0, (KAMPEN, 0))),
    "turn in the east": lambda: east(**{WISMAR: ["0m", None, "0t"]}),
    "moving any two": lambda: bonus(WISMAR, "0m", "0m", "0t"),
    "green office": lambda: bonus(VISBY, "0t", "0m", "0t"),
    "redeploying": lambda: bonus(DANZIG, "0t", "0t", "0t", "0m"),
    "turn in Britannia": britannia,
    "placing in Wales": placing_two,
    "moving out of Wales": hold_in_wales,
    "laying out": laying_out,
    "placing the pawn": before_the_first_turn,
}


def refusal_at(name: str, move: Move) -> tuple[str, str, str]:
    """The rule, fault and reason for refusing a move of the seat that decides at this moment."""
    state = MOMENTS[name]()
    assert seats_to_move(state) == (move.seat,)
    return full_refusal(state, move)
