"""The end of the game: GW-13.8."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.events import course
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import EndReason, State


def check(p: Play[State], _step: steps.EndCheck) -> None:
    """End the game, or begin the next Year: GW-13.8."""
    if why := reason(p.state):
        score = scoring(p.state)
        honor = tuple(line.points for line in score.lines)
        p.emit(course.GameEnded(why, score.winners, honor))
    else:
        p.then(steps.Spring())


def reason(state: State) -> EndReason | None:
    """Why the game is over: complete Walls, no Shame left, or no time: GW-13.8, GW-15.1."""
    enough = state.setup.table.walls_to_end
    if enough is not None and state.walls.count(board.TOP_LEVEL) >= enough:
        return "walls"
    if not state.shame:
        return "shame"
    return "time" if state.slot == len(state.setup.slots) - 1 else None
