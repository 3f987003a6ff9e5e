"""The end of the game: GW-13.8."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play, Step
from domain.engine.scoring import Scoring
from domain.games.great_wall import board
from domain.games.great_wall.events import course
from domain.games.great_wall.events.solo import QinScored
from domain.games.great_wall.scoring import score_at_end
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import coop, requests
from domain.games.great_wall.state.table import EndReason, State


def check(p: Play[State], _step: steps.EndCheck) -> None:
    """End the game, or begin the next Year: GW-13.8, GW-14.14, GW-16.12, GW-16.13."""
    if why := reason(p.state):
        end(p, why, "GW-16.12" if p.state.coop else "GW-13.8")
    else:
        p.then(*plan_after_check(p.state))


def plan_after_check(state: State) -> Iterator[Step]:
    """The steps after the end check of a Winter: GW-13.8, GW-16.10."""
    if state.setup.requests:
        yield requests.BlameRequests()
        yield requests.RefillRequests()
        yield coop.EventStep()
    yield steps.Spring()


def check_shame(p: Play[State]) -> None:
    """End a solo game as soon as the last Shame token leaves the pool: GW-11.2, GW-14.14."""
    if p.state.qin is not None and not p.state.shame:
        end(p, "shame", "GW-14.14")


def end(p: Play[State], why: EndReason, rule: str) -> None:
    """End the game by this rule, and drop everything on the agenda: GW-13.9."""
    score = score_at_end(p.state, why)
    _score_qin(p, score)
    honor = tuple(line.points for line in score.lines)
    p.emit(course.GameEnded(why, score.winners, honor, rule))
    p.state.agenda.clear()


def _score_qin(p: Play[State], score: Scoring) -> None:
    """Score Qin Jiushao in a solo game: GW-14.14."""
    if p.state.qin is not None:
        p.emit(QinScored(p.state.qin, score.rivals[0].points))


def reason(state: State) -> EndReason | None:
    """Why the game is over: enough Requests, complete Walls, no Shame left, or no time left.

    GW-13.8, GW-15.1, GW-16.2, GW-16.12. A solo game without Shame has ended before: GW-14.14.
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
