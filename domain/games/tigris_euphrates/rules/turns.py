"""The course of the game: the first player, the actions of a turn, drawing from the bag."""

from __future__ import annotations

from domain.engine.answers import Deed, M
from domain.engine.dice import draw
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events import course
from domain.games.tigris_euphrates.state.steps import EndTurn, ServeTraders, Turn
from domain.games.tigris_euphrates.state.table import State


def begin(p: Play[State]) -> None:
    """Choose who begins, and fill the hands: TE-2.4, TE-2.2."""
    first = _choose_first_player(p)
    for seat in p.state.turn_order(first):
        draw_tiles(p, seat, board.HAND_SIZE, "TE-2.4")
    begin_turn(p, first)


def begin_turn(p: Play[State], seat: Seat) -> None:
    """Give this seat its actions; its turn ends after them: TE-3.1, TE-3.4."""
    p.then(Turn((seat,), left=board.ACTIONS), EndTurn(seat=seat))


def action(deed: Deed[State, Turn, M]) -> Deed[State, Turn, M]:
    """Make a deed an action of the turn, after which traders take treasures: TE-3.1, TE-3.3.

    The deed runs last, so that the steps it adds come before the traders.
    """

    def act(p: Play[State], turn: Turn, move: M) -> None:
        use_up(p, turn)
        p.then(ServeTraders(seat=move.seat))
        deed(p, turn, move)

    return act


def use_up(p: Play[State], turn: Turn) -> None:
    """Use one action: TE-3.1."""
    if turn.left > 1:
        p.then(Turn(turn.seats, left=turn.left - 1))


@action
def pass_by(p: Play[State], _turn: Turn, move: moves.Pass) -> None:
    """Pass an action: TE-3.2."""
    p.emit(course.ActionPassed(move.seat))


def _choose_first_player(p: Play[State]) -> Seat:
    """Take the seat that the host named, or draw one: TE-2.6."""
    first = p.state.setup.first_player
    if first is None:
        first = p.dice.below(len(p.state.hands))
    p.emit(course.StartPlayerChosen(first))
    return first


def draw_tiles(p: Play[State], seat: Seat, wanted: int, rule: str) -> None:
    """Draw random tiles by this rule, as far as the bag goes: TE-15.1, TE-2.2, TE-8.3, TE-16.3."""
    if not wanted:
        return
    bag = p.state.bag[:]  # `draw` takes from this copy, the event takes from the bag
    count = min(wanted, sum(bag))
    if count:
        colors = tuple(board.COLORS[draw(p.dice, bag)] for _ in range(count))
        p.emit(course.TilesDrawn(seat, colors, rule))
    if count < wanted:
        p.emit(course.BagRanOut(seat, wanted - count))
