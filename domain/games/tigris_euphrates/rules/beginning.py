"""Before the game: who begins, and the first hands."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.tigris_euphrates.board import HAND_SIZE
from domain.games.tigris_euphrates.events.turn import StartPlayerChosen
from domain.games.tigris_euphrates.rules.swaps import draw_tiles
from domain.games.tigris_euphrates.rules.turns import begin_turn
from domain.games.tigris_euphrates.state.table import State


def begin(p: Play[State]) -> None:
    """Draw lots for who begins if nobody was named, and fill the hands: TE-2.2, TE-2.4, TE-2.6."""
    first = p.state.setup.first_player
    if first is None:
        first = p.dice.below(len(p.state.hands))
    p.emit(StartPlayerChosen(first))
    for seat in p.state.turn_order(first):
        draw_tiles(p, seat, HAND_SIZE)
    begin_turn(p, first)
