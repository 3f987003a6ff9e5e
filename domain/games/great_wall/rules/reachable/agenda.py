"""Agendas that a game can come to: the plan of the season, and what is going on above it."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require, require_different
from domain.games.great_wall.rules.coop import agreement
from domain.games.great_wall.rules.reachable import chores, coop, questions, requests
from domain.games.great_wall.rules.reachable.plan import has, planned, question
from domain.games.great_wall.rules.reachable.questions import seat_known
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.effects import PlayReactions, React, SpendTactic
from domain.games.great_wall.state.steps.requests import AgreeOrder, DeclareRequests, PayRequest
from domain.games.great_wall.state.table import State

QUESTIONS = {
    **questions.QUESTIONS,
    **requests.QUESTIONS,
    **coop.QUESTIONS,
}
CHORES = {**chores.CHORES, **requests.CHORES, **coop.CHORES}
TOGETHER = (
    year.ChooseLeaders,
    year.ChooseCommand,
    React,
    AgreeOrder,
    DeclareRequests,
    PayRequest,
)
"""What several are asked at once: GW-2.8, GW-7.1, GW-9.4, GW-16.3, GW-16.11."""
MOST_STEPS = 60
"""More is never planned at once; whenever somebody is asked, all of it is recorded."""
DEALING = (year.RevealLeaders, year.ChooseLeaders)
CHOOSING = (year.RevealCommands, year.ChooseCommand)


def check_agenda(state: State) -> None:
    """Refuse an agenda that no game comes to: GW-3.1, GW-7.3, GW-12.1, GW-13.1."""
    _check_waiting(state)
    _check_secrets(state)
    for at in range(planned(state), len(state.agenda)):
        _check_step(state, at)
    spent = [step.card for step in state.agenda if isinstance(step, SpendTactic)]
    require(sorted(spent) == sorted(state.played), "`played` are the tactic cards being resolved.")
    _check_reactions(state)


def _check_waiting(state: State) -> None:
    """Only the last step waits, for seats that are all different; what is chosen in secret is
    revealed right after: GW-2.8, GW-7.1, GW-9.4.
    """
    require(len(state.agenda) <= MOST_STEPS, f"The `agenda` has {MOST_STEPS} steps at most.")
    *planned, last = state.agenda
    require(not any(step.seats for step in planned), "Only the last step of the `agenda` waits.")
    require(bool(last.seats), "The last step of the `agenda` waits for a seat.")
    require_different(last.seats, "seats")
    secret = any(isinstance(step, DEALING + CHOOSING) for step in state.agenda)
    alone = tuple(map(type, state.agenda)) in (DEALING, CHOOSING)
    require(alone or not secret, "What is chosen in secret is revealed next, and nothing else.")


def _check_step(state: State, at: int) -> None:
    """Refuse a step above the plan that cannot be there, or not like this."""
    step = state.agenda[at]
    asked = question(step)
    if type(asked) in QUESTIONS:
        require(bool(asked.seats), f"{type(asked).__name__} waits for a seat.")
        together = isinstance(step, TOGETHER)
        require(len(asked.seats) == 1 or together, "One seat is asked at a time.")
        for seat in asked.seats:
            seat_known(state, seat)
        QUESTIONS[type(asked)](state, at, asked)
    elif type(step) in CHORES:
        require(not step.seats, f"{type(step).__name__} waits for nobody.")
        CHORES[type(step)](state, at, step)
    else:
        raise BadPosition(f"{type(step).__name__} is not planned now.")


def _check_secrets(state: State) -> None:
    """Whoever still chooses has chosen nothing, and the others have: GW-2.8, GW-7.1, GW-7.2."""
    kinds, last = tuple(map(type, state.agenda)), state.agenda[-1]
    for seat in range(state.seats):
        clan, waits = state.clans[seat], seat in last.seats
        dealing, choosing = kinds == DEALING, kinds == CHOOSING
        dealt = len(clan.dealt_generals) == len(clan.dealt_advisors) == 2
        none = not (clan.dealt_generals or clan.dealt_advisors)
        require(dealt if dealing else none, "Generals and advisors are dealt before the game.")
        require(not (dealing and clan.general), "Nobody has a General before the game.")
        require((clan.leaders is not None) == (dealing and not waits), "Who has `leaders`?")
        fits = not waits or bool(clan.hand)
        chosen = choosing and not waits and (clan.command is not None or not clan.hand)
        require(not choosing or (fits and (waits or chosen)), "Who chooses a `command`?")
        require(clan.command is None or (choosing and not waits), "`command` is a secret choice.")
    fresh = isinstance(last, year.ChooseLeaders | year.ChooseCommand)
    require(not (fresh and any(state.track)), "The Command track is empty before the choice.")
    _check_shown(state)


def _check_shown(state: State) -> None:
    """Shown command cards are still to be placed, each by its owner: GW-7.2."""
    waiting: list[int] = []
    for step in map(question, state.agenda):
        if isinstance(step, year.PlaceCommand):
            waiting += step.seats
        elif isinstance(step, AgreeOrder):
            waiting += agreement.holders(state)
        elif isinstance(step, year.PlaceQinCommand) and state.qin is not None:
            waiting.append(state.qin)
    shown = [clan for clan in range(len(state.clans)) if state.clans[clan].shown]
    if has(state, year.PlaceCommands):
        begun = waiting or has(state, year.PlaceReedCommand)
        require(not begun, "Cards are placed once, all of them: GW-7.2.")
        require(state.qin is None or state.qin in shown, "The card of Qin Jiushao is `shown`, too.")
    else:
        require(sorted(waiting) == shown, "`shown` command cards are placed next.")
    free = state.track.count(None) - (state.reed is not None and not _reed_laid(state))
    require(len(shown) <= free, "There is no slot for a `shown` command card.")
    require(not shown or state.agenda[0] == year.TakeTurn(slot=0), "Nothing is `shown` now.")


def _reed_laid(state: State) -> bool:
    return any(laid and laid.clan == state.reed for laid in state.track)


def _check_reactions(state: State) -> None:
    """Answers are kept until the moment that is going on is over: GW-9.4."""
    moments = [step for step in state.agenda if isinstance(step, PlayReactions)]
    asked = {seat for moment in moments for seat, _ in moment.windows}
    answered = {seat for seat in range(state.seats) if state.clans[seat].reaction is not None}
    require(answered <= asked, "A `reaction` is kept for a moment that is going on.")
