"""Agendas that a game can reach: the plan of the season, and the current steps above it."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require, require_distinct
from domain.games.great_wall.rules.coop import agreement
from domain.games.great_wall.rules.reachable import automatic_steps, coop, questions, requests
from domain.games.great_wall.rules.reachable.plan import count_planned, has_step, question_of
from domain.games.great_wall.rules.reachable.questions import check_seat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.effects import PlayReactions, React, SpendTactic
from domain.games.great_wall.state.agenda.requests import AgreeOrder, DeclareRequests, PayRequest
from domain.games.great_wall.state.table import State

QUESTION_CHECKS = {
    **questions.QUESTION_CHECKS,
    **requests.QUESTION_CHECKS,
    **coop.QUESTION_CHECKS,
}
AUTOMATIC_STEP_CHECKS = {
    **automatic_steps.AUTOMATIC_STEP_CHECKS,
    **requests.AUTOMATIC_STEP_CHECKS,
    **coop.AUTOMATIC_STEP_CHECKS,
}
JOINT_QUESTIONS = (
    steps.ChooseLeaders,
    steps.ChooseCommand,
    React,
    AgreeOrder,
    DeclareRequests,
    PayRequest,
)
"""The questions that several seats answer at once: GW-2.8, GW-7.1, GW-9.4, GW-16.3, GW-16.11."""
MAX_STEPS = 60
"""Limit of steps on an agenda. Games never plan more, and every entry stores them all."""
DEALING = (steps.RevealLeaders, steps.ChooseLeaders)
CHOOSING = (steps.RevealCommands, steps.ChooseCommand)


def check_agenda(state: State) -> None:
    """Refuse an agenda that no game reaches: GW-3.1, GW-7.3, GW-12.1, GW-13.1."""
    _check_waiting(state)
    _check_secrets(state)
    for at in range(count_planned(state), len(state.agenda)):
        _check_step(state, at)
    spent = [step.card for step in state.agenda if isinstance(step, SpendTactic)]
    require(sorted(spent) == sorted(state.played), "`played` are the tactic cards being resolved.")
    _check_reactions(state)


def _check_waiting(state: State) -> None:
    """Check that only the last step waits, for different seats, and that secret choices are
    revealed right after it: GW-2.8, GW-7.1, GW-9.4.
    """
    require(len(state.agenda) <= MAX_STEPS, f"The `agenda` has at most {MAX_STEPS} steps.")
    *planned, last = state.agenda
    require(not any(step.seats for step in planned), "Only the last step of the `agenda` waits.")
    require(bool(last.seats), "The last step of the `agenda` waits for a seat.")
    require_distinct(last.seats, "seats")
    secret = any(isinstance(step, DEALING + CHOOSING) for step in state.agenda)
    alone = tuple(map(type, state.agenda)) in (DEALING, CHOOSING)
    require(alone or not secret, "A secret choice is followed only by its reveal.")


def _check_step(state: State, at: int) -> None:
    """Refuse a step above the plan that cannot be there, or not with these members."""
    step = state.agenda[at]
    asked = question_of(step)
    if type(asked) in QUESTION_CHECKS:
        require(bool(asked.seats), f"{type(asked).__name__} waits for a seat.")
        together = isinstance(step, JOINT_QUESTIONS)
        require(len(asked.seats) == 1 or together, "This question is for one seat at a time.")
        for seat in asked.seats:
            check_seat(state, seat)
        QUESTION_CHECKS[type(asked)](state, at, asked)
    elif type(step) in AUTOMATIC_STEP_CHECKS:
        require(not step.seats, f"{type(step).__name__} waits for no seat.")
        AUTOMATIC_STEP_CHECKS[type(step)](state, at, step)
    else:
        raise BadPosition(f"{type(step).__name__} is not possible now.")


def _check_secrets(state: State) -> None:
    """Check that secrets belong to the seats that have chosen: GW-2.8, GW-7.1, GW-7.2."""
    kinds, last = tuple(map(type, state.agenda)), state.agenda[-1]
    for seat in range(state.seats):
        clan, waits = state.clans[seat], seat in last.seats
        dealing, choosing = kinds == DEALING, kinds == CHOOSING
        dealt = len(clan.dealt_generals) == len(clan.dealt_advisors) == 2
        none = not (clan.dealt_generals or clan.dealt_advisors)
        require(dealt if dealing else none, "Generals and advisors are dealt before the game.")
        require(not (dealing and clan.general), "No seat has a General before the game.")
        require(
            (clan.leaders is not None) == (dealing and not waits),
            "Exactly the seats that have chosen have `leaders`.",
        )
        fits = not waits or bool(clan.hand)
        chosen = choosing and not waits and (clan.command is not None or not clan.hand)
        require(
            not choosing or (fits and (waits or chosen)),
            "Exactly the seats that have chosen have a `command`.",
        )
        require(clan.command is None or (choosing and not waits), "`command` is a secret choice.")
    fresh = isinstance(last, steps.ChooseLeaders | steps.ChooseCommand)
    require(not (fresh and any(state.track)), "The Command track is empty before the choice.")
    _check_shown(state)


def _check_shown(state: State) -> None:
    """Check that owners of shown command cards are still to place them: GW-7.2."""
    waiting: list[int] = []
    for step in map(question_of, state.agenda):
        if isinstance(step, steps.PlaceCommand):
            waiting += step.seats
        elif isinstance(step, AgreeOrder):
            waiting += agreement.holders(state)
        elif isinstance(step, steps.PlaceQinCommand) and state.qin is not None:
            waiting.append(state.qin)
    shown = [clan for clan in range(len(state.clans)) if state.clans[clan].shown]
    if has_step(state, steps.PlaceCommands):
        begun = waiting or has_step(state, steps.PlaceReedCommand)
        require(not begun, "Each card is placed once: GW-7.2.")
        require(state.qin is None or state.qin in shown, "The card of Qin Jiushao is also `shown`.")
    else:
        require(sorted(waiting) == shown, "`shown` command cards are placed next.")
    free = state.track.count(None) - (state.reed is not None and not _reed_laid(state))
    require(len(shown) <= free, "There is no slot for a `shown` command card.")
    require(not shown or state.agenda[0] == steps.TakeTurn(slot=0), "No card can be `shown` now.")


def _reed_laid(state: State) -> bool:
    return any(laid and laid.clan == state.reed for laid in state.track)


def _check_reactions(state: State) -> None:
    """Check that answers are kept only until their moment is over: GW-9.4."""
    moments = [step for step in state.agenda if isinstance(step, PlayReactions)]
    asked = {seat for moment in moments for seat, _ in moment.windows}
    answered = {seat for seat in range(state.seats) if state.clans[seat].reaction is not None}
    require(answered <= asked, "A `reaction` needs a moment in progress.")
