"""Positions from which a match may start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.starting.starts import require_agenda, require_going_on
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import table
from domain.games.tigris_euphrates.state.steps import EndTurn, Turn


def check_position(state: table.State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: TE-1.5, TE-1.9,
    TE-2.3, TE-2.4, TE-3.1, TE-5.7, TE-9.6, TE-11.11, TE-15.1.
    """
    require_going_on(state)
    seat = next((step.seat for step in state.agenda if isinstance(step, EndTurn)), state.first)
    require_agenda(state, [EndTurn(seat=seat), Turn((seat,), left=board.ACTIONS)])
    hand = max(map(sum, state.hands))
    require(hand <= board.HAND_SIZE, f"A hand has at most {board.HAND_SIZE} tiles.")
    placed, left = state.cells.count(board.CATASTROPHE), state.catastrophes_left
    few = placed + sum(left) <= board.CATASTROPHES * len(left)
    require(few, "There are more catastrophe tiles than the players have.")
    treasures, most = state.treasures.bit_count(), len(state.board.temples)
    over = f"With {board.LAST_TREASURES} `treasures` or fewer on the board the game is over."
    require(treasures > board.LAST_TREASURES, over)
    treasures += sum(state.treasures_taken)
    require(treasures <= most, f"There are {treasures} treasures; the game has {most}.")
    for leaders, *_ in state.kingdoms:
        for at in (state.leaders[leader] for leader in leaders):
            beside = state.temples_beside(at) > 0
            require(beside, f"A leader is beside a temple; that on {state.board.names[at]} is not.")
        alone = len({leader % 4 for leader in leaders}) == len(leaders)
        require(alone, "A kingdom has two leaders of one colour; it has at most one of each.")
