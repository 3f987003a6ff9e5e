"""What is still to be done in a position must fit the table."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.games.chang_cheng.board import CHINA_NUMBER, EMPERORS, GREAT_ARCHITECT
from domain.games.chang_cheng.state.steps import (
    AfterCard,
    ChooseOrder,
    Extend,
    Majority,
    Neutral,
    NextCard,
    NextTurn,
    OfferNeutral,
    Score,
    Second,
    SecondSingle,
    UseCard,
)
from domain.games.chang_cheng.state.table import State


def check_agenda(state: State) -> None:
    """CC-3.1: one seat decides now, the rest needs nobody, and at the bottom is the next turn."""
    if state.ended is not None or not state.wall.row:
        _must(not state.agenda, "After the end, or before the boards are laid, it is empty.")
        return
    _must(bool(state.agenda), "Somebody must have to decide.")
    bottom, *above = state.agenda
    _must(isinstance(bottom, NextTurn), "It begins with NextTurn.")
    _must(not any(isinstance(step, NextTurn) for step in above), "There is one NextTurn.")
    for step in state.agenda:
        _check_step(state, step)
    _must(len(state.agenda[-1].seats) == 1, "One seat must have to decide in the last step.")
    _must(not any(step.seats for step in state.agenda[:-1]), "Only the last step has seats.")
    _check_scorings(state)


def _check_step(state: State, step: object) -> None:
    named = [*getattr(step, "seats", ())]
    if isinstance(step, Second | Neutral | Score | Majority | NextTurn):
        named.append(step.seat)
    _must(all(0 <= seat < state.seats for seat in named), "It names a seat that does not exist.")
    regions = [CHINA_NUMBER.get(name, -1) for name in _regions(step)]
    _must(set(regions) <= set(state.wall.china), "It names a region that is not in play.")
    if isinstance(step, NextTurn):
        _must(0 <= step.opening < state.seats, "`opening` is too large.")
    if isinstance(step, Extend):
        ready = len(state.emperors) == EMPERORS and state.extensions > 0
        _must(ready, "The wall is not extended now.")


def _regions(step: object) -> tuple[str, ...]:
    match step:
        case Second() | SecondSingle() | AfterCard() | Score() | NextCard() | UseCard():
            return (step.region,)
        case Majority(region=region):
            return (region,)
        case Neutral() | OfferNeutral() | ChooseOrder():
            return step.regions
        case _:
            return ()


def _check_scorings(state: State) -> None:
    """CC-6.1, CC-6.2, CC-6.3: what is full was scored, or is about to be, once."""
    agenda, tally = state.agenda, state.tally
    late = any(state.scored[CHINA_NUMBER[card.region]] for card in state.laid)
    _must(not late, "No card lies face down in a region that was scored.")
    due = [name for s in agenda if isinstance(s, Score | ChooseOrder) for name in _regions(s)]
    waiting = [r for r in state.wall.china if state.full(r) and not state.scored[r]]
    unscored = sorted(CHINA_NUMBER[name] for name in due)
    _must(unscored == sorted(waiting), "A region is scored once, as soon as it is full.")
    now = [step for step in agenda if isinstance(step, NextCard | UseCard | Majority)]
    if tally is None:
        _must(not now, "No region is being scored.")
        return
    kinds = [type(step) for step in now]
    _must(kinds == [Majority, NextCard, UseCard], "A scoring has three steps.")
    _must({*_regions(now[0]), *_regions(now[1]), *_regions(now[2])} == {tally.region}, "One region")
    region = CHINA_NUMBER.get(tally.region, -1)
    _must(region >= 0 and bool(state.scored[region]), "`tally` names no region that is scored.")
    _must(len(tally.extra) == state.seats, "`tally` must count for each seat.")
    if isinstance(now[2], UseCard):
        _check_card(state, now[2])


def _check_card(state: State, step: UseCard) -> None:
    """CC-7.1, CC-7.2."""
    assert state.tally is not None
    numbers = [card.number for card in state.tally.waiting]
    _must(sorted(set(numbers)) == numbers, "The cards that wait are in ascending order.")
    _must(all(c.region == step.region for c in state.tally.waiting), "They lie in the region.")
    _must(bool(numbers), "No card waits.")
    card = state.tally.waiting[0]
    _must((card.number, (card.seat,)) == (step.number, step.seats), "The lowest card is used.")
    _must(step.number != GREAT_ARCHITECT, "The Great Architect needs no choice.")


def _must(condition: bool, reason: str) -> None:
    if not condition:
        raise BadPosition(f"The `agenda` does not fit the table: {reason}")
