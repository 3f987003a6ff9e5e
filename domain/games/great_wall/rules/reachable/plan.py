"""The plan of a season, with which each agenda begins: the steps to come, the last first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.errors import BadPosition, require
from domain.engine.play import Step
from domain.games.great_wall.rules import ending, fall, reed, summer, winter
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests
from domain.games.great_wall.state.position import SEASONS
from domain.games.great_wall.state.table import State

STEPS_WITHOUT_QUESTION = (steps.EndTurn, steps.EndWinter, steps.ClearTrack, requests.RefillRequests)
"""Steps that are done at once, without a question: GW-7.6, GW-12.3, GW-13.7, GW-16.13."""


def count_planned(state: State) -> int:
    """How many steps of the agenda are the plan of the season; BadPosition if none: GW-3.1."""
    plan = _plan(state)
    _check_season(state)
    same = 0
    for step, expected in zip(state.agenda, plan, strict=False):
        if step != expected:
            break
        same += 1
    require(same > 0, "The `agenda` does not begin with the plan of a season.")
    if same < len(plan):
        _check_doing(state, plan, same)
    return same


def _check_season(state: State) -> None:
    """Check the season against the last step of the plan; none before the first Year: GW-3.1."""
    bottom = state.agenda[0]
    setup = isinstance(bottom, steps.Fall) and state.season is None
    fits = setup or state.season == SEASONS.get(type(bottom))
    require(fits, "The `season` differs from that of the `agenda`.")
    turn = isinstance(bottom, steps.TakeTurn) and bottom.slot > 0
    require(turn == (state.active is not None), "`active` must be the clan that has the turn.")
    cleared = isinstance(bottom, steps.Fall) and not has_step(state, steps.ClearTrack)
    require(not (cleared and any(state.track)), "The Command track must be empty: GW-12.3.")


def _check_doing(state: State, plan: Sequence[Step], same: int) -> None:
    """Check that steps missing from the plan are in progress, and that one of them asks a seat."""
    doing = plan[same]
    fulfilled = isinstance(plan[same - 1], requests.FulfilRequests)  # a different step: GW-16.11
    asked = not isinstance(doing, STEPS_WITHOUT_QUESTION) or fulfilled
    require(asked, f"{type(doing).__name__} asks no seat.")


def _plan(state: State) -> Sequence[Step]:
    """Everything still planned in this season, the last first: GW-3.1, GW-7.3."""
    match state.agenda[0]:
        case steps.RevealLeaders() | steps.RevealCommands() as bottom:
            return [bottom]
        case steps.TakeTurn(slot=slot):
            return [*reversed(list(_plan_fall(state, slot)))]
        case steps.EndCheck():
            return [*reversed(list(winter.plan(state)))]
        case steps.Spring() if state.setup.requests:
            more = state.slot + 1 < len(state.setup.slots)
            require(more, "After the last Year there is no Spring: GW-13.8.")
            return [*reversed(list(ending.plan_after_check(state)))]
        case steps.Fall() as bottom:
            summers = [] if state.season is None else list(summer.plan(state))
            return [*reversed(summers)] or [bottom]
        case steps.Summer():
            return [steps.Summer(), steps.RenewAdvisors()]
        case _:
            raise BadPosition("The `agenda` must begin with the step that ends the season.")


def _plan_fall(state: State, slot: int) -> Iterator[Step]:
    """A turn of Fall and the next one, or only the next one while clans place cards: GW-7.3."""
    require(0 <= slot <= len(state.track), "There is no such slot.")
    if slot:
        laid = state.track[slot - 1]
        if laid is None or state.active != laid.clan:
            raise BadPosition("`active` must be the clan that has the turn.")
        reeds, begun = laid.clan == state.reed, has_step(state, steps.RestOfTurn)
        of_clan = reed.plan_turn(state, slot - 1) if reeds else fall.plan_turn(laid.clan, slot - 1)
        yield from of_clan if begun else fall.plan_rest(state)
    yield steps.TakeTurn(slot=slot)


def has_step(state: State, kind: type[Step]) -> bool:
    """Whether the agenda has a step of this kind."""
    return any(isinstance(step, kind) for step in state.agenda)


def question_of(step: Step) -> Step:
    """The step, or the question that it will ask."""
    return step.step if isinstance(step, steps.Ask) else step


def ends_soon(state: State) -> bool:
    """Whether Winter is over and the end check is next, or ended the game.

    GW-13.8.
    """
    return state.ended is not None or isinstance(state.agenda[0], steps.EndCheck)
