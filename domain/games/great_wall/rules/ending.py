"""The end of the game: GW-13.8."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play, Step
from domain.games.great_wall import board
from domain.games.great_wall.events import course
from domain.games.great_wall.events.solo import QinScored
from domain.games.great_wall.scoring import scored
from domain.games.great_wall.state.steps import coop, requests, year
from domain.games.great_wall.state.table import EndReason, State


def check(p: Play[State], _step: year.EndCheck) -> None:
    """End the game, or begin the next Year: GW-13.8."""
    if why := reason(p.state):
        end(p, why)
    else:
        p.then(*after(p.state))


def after(state: State) -> Iterator[Step]:
    """What follows the end check of a Winter: GW-13.8, GW-16.10."""
    if state.setup.requests:
        yield requests.BlameRequests()
        yield requests.RefillRequests()
        yield coop.EventStep()
    yield year.Spring()


def check_shame(p: Play[State]) -> None:
    """End a solo game at once when the last Shame token has left the pool: GW-11.2, GW-14.14."""
    if p.state.qin is not None and not p.state.shame:
        end(p, "shame")


def end(p: Play[State], why: EndReason) -> None:
    """End the game, whatever was still to be done: GW-13.9, GW-14.14, GW-16.7."""
    score = scored(p.state, why)
    if p.state.qin is not None:
        p.emit(QinScored(p.state.qin, score.rivals[0].points))
    honor = tuple(line.points for line in score.lines)
    p.emit(course.GameEnded(why, score.winners, honor))
    p.state.agenda.clear()


def reason(state: State) -> EndReason | None:
    """Why the game is over: enough Requests, complete Walls, no Shame left, or no time.

    GW-13.8, GW-15.1, GW-16.2, GW-16.12. Alone a game without Shame was over at once, whatever the
    Walls: GW-14.14.
    """
    if state.setup.requests and len(state.fulfilled) >= state.setup.table.requests_to_win:
        return "requests"
    if state.qin is not None and not state.shame:
        return "shame"
    enough = state.setup.table.walls_to_end
    if enough is not None and state.walls.count(board.TOP_LEVEL) >= enough:
        return "walls"
    if not state.shame:
        return "shame"
    return "time" if state.slot == len(state.setup.slots) - 1 else None
