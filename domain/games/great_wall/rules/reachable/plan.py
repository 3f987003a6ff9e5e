"""The plan of a season, with which each agenda begins: what is still to come, the last first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.errors import BadPosition, require
from domain.engine.play import Step
from domain.games.great_wall.rules import ending, fall, reed, summer, winter
from domain.games.great_wall.state.position import SEASONS
from domain.games.great_wall.state.steps import requests, year
from domain.games.great_wall.state.table import State

SILENT = (year.EndTurn, year.EndWinter, year.ClearTrack, requests.RefillRequests)
"""What is done at once, without anybody being asked: GW-7.6, GW-12.3, GW-13.7, GW-16.13."""


def planned(state: State) -> int:
    """How many steps of the agenda are the plan of the season; BadPosition if none is: GW-3.1."""
    plan = _plan(state)
    _check_season(state)
    same = 0
    for step, expected in zip(state.agenda, plan, strict=False):
        if step != expected:
            break
        same += 1
    require(same > 0, "The `agenda` does not begin with what is planned for the season.")
    if same < len(plan):
        _check_doing(state, plan, same)
    return same


def _check_season(state: State) -> None:
    """It is the season that its last step ends; before the first Year there is none: GW-3.1."""
    bottom = state.agenda[0]
    setup = isinstance(bottom, year.Fall) and state.season is None
    fits = setup or state.season == SEASONS.get(type(bottom))
    require(fits, "The `season` is another one than that of the `agenda`.")
    turn = isinstance(bottom, year.TakeTurn) and bottom.slot > 0
    require(turn == (state.active is not None), "`active` is whoever has the turn.")
    cleared = isinstance(bottom, year.Fall) and not has(state, year.ClearTrack)
    require(not (cleared and any(state.track)), "The Command track has been cleared: GW-12.3.")


def _check_doing(state: State, plan: Sequence[Step], same: int) -> None:
    """What is not planned any more is going on, and somebody is asked in it."""
    doing = plan[same]
    fulfilled = isinstance(plan[same - 1], requests.FulfilRequests)  # another one: GW-16.11
    asked = not isinstance(doing, SILENT) or fulfilled
    require(asked, f"Nobody is asked in {type(doing).__name__}.")


def _plan(state: State) -> Sequence[Step]:
    """All that is planned in this season from where it is, the last first: GW-3.1, GW-7.3."""
    match state.agenda[0]:
        case year.RevealLeaders() | year.RevealCommands() as bottom:
            return [bottom]
        case year.TakeTurn(slot=slot):
            return [*reversed(list(_fall(state, slot)))]
        case year.EndCheck():
            return [*reversed(list(winter.plan(state)))]
        case year.Spring() if state.setup.requests:
            more = state.slot + 1 < len(state.setup.slots)
            require(more, "After the last Year there is no Spring: GW-13.8.")
            return [*reversed(list(ending.after(state)))]
        case year.Fall() as bottom:
            summers = [] if state.season is None else list(summer.plan(state))
            return [*reversed(summers)] or [bottom]
        case year.Summer():
            return [year.Summer(), year.RenewAdvisors()]
        case _:
            raise BadPosition("The `agenda` begins with what ends the season.")


def _fall(state: State, slot: int) -> Iterator[Step]:
    """A turn of Fall and the next one, or the next one alone while cards are placed: GW-7.3."""
    require(0 <= slot <= len(state.track), "There is no such slot.")
    if slot:
        laid = state.track[slot - 1]
        if laid is None or state.active != laid.clan:
            raise BadPosition("`active` is whoever has the turn.")
        reeds, begun = laid.clan == state.reed, has(state, year.RestOfTurn)
        of_clan = reed.turn(state, slot - 1) if reeds else fall.turn(laid.clan, slot - 1)
        yield from of_clan if begun else fall.rest(state)
    yield year.TakeTurn(slot=slot)


def has(state: State, kind: type[Step]) -> bool:
    """Whether such a step is still to come."""
    return any(isinstance(step, kind) for step in state.agenda)


def question(step: Step) -> Step:
    """The question itself, if it is still to be asked."""
    return step.step if isinstance(step, year.Ask) else step


def ends_soon(state: State) -> bool:
    """Whether it has been Winter and the end check is still to come, or the game has ended there.

    GW-13.8.
    """
    return state.ended is not None or isinstance(state.agenda[0], year.EndCheck)
