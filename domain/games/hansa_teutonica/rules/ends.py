"""The end of the game: chapter 9."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board, scoring
from domain.games.hansa_teutonica.events import course
from domain.games.hansa_teutonica.rules.pieces.places import own_codes
from domain.games.hansa_teutonica.state.steps import CheckEnd
from domain.games.hansa_teutonica.state.table import KINDS, EndReason, State


def check_end(p: Play[State], step: CheckEnd) -> None:
    """End the game if the established route causes the end: HT-9.1, HT-9.2, HT-13.3."""
    if reason := reason_to_end(p.state):
        end(p, reason, "HT-9.1")
    elif step.short:
        end(p, "markers", "HT-13.3")


def reason_to_end(state: State) -> EndReason | None:
    """Why the game ends: enough prestige or complete cities; None if it does not: HT-9.1."""
    if max(state.prestige) >= board.ENOUGH_PRESTIGE:
        return "prestige"
    if state.complete >= state.setup.map.completed_city_limit:
        return "cities"
    return None


def are_pieces_exhausted(state: State) -> bool:
    """Whether all seats have too few pieces left for the shortest route: HT-9.5."""
    return all(_pieces_left(state, seat) < state.board.shortest for seat in range(state.seats))


def _pieces_left(state: State, seat: Seat) -> int:
    """How many pieces can still go to a route; a marker can bring one from the desk: HT-9.5."""
    left = sum(
        state.stock[code] + state.supply[code] + state.posts.count(code) for code in own_codes(seat)
    )
    return left + state.ready[seat * KINDS + board.MARKER_NUMBER["improve_ability"]]


def end(p: Play[State], reason: EndReason, rule: str) -> None:
    """End the game by this rule, and drop everything on the agenda: HT-9.2, HT-10.7."""
    final = scoring.scoring(p.state)
    p.state.agenda.clear()
    points = tuple(line.points for line in final.lines)
    p.emit(course.GameEnded(reason, final.winners, points, rule))
