"""Abilities that answer an event: GW-1.6, GW-18.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks, ops
from domain.games.great_wall.cards.abilities import TriggeredAbility
from domain.games.great_wall.cards.kinds import Advisor, General
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State


def _abilities(
    name: str, deck: Mapping[str, General | Advisor]
) -> dict[str, dict[str, TriggeredAbility]]:
    """By card, its abilities that fire, by the address of what they do."""
    return {
        card.id: {f"{name}/{card.id}/{number}": one for number, one in enumerate(card.triggered)}
        for card in deck.values()
        if card.triggered
    }


ABILITIES = {
    **_abilities("generals", decks.GENERALS),
    **_abilities("advisors", decks.ADVISORS),
}
"""By card, the abilities that fire."""

FIXED_GAINS = frozenset(
    script
    for own in ABILITIES.values()
    for script in own
    if all(isinstance(op, ops.Gain) and not op.any and not op.tactics for op in SCRIPTS[script])
)
"""The abilities with a fixed gain, which need no question: GW-1.6."""


def plan_event(p: Play[State], *todo: Step) -> None:
    """Plan what an event causes, in a new chain unless an ability caused the event: GW-18.4."""
    if _find_chain(p.state) is None:
        plan_new_event(p, *todo)
    else:
        p.then(*todo)


def plan_new_event(p: Play[State], *todo: Step) -> None:
    """Plan what an event causes, always in a new chain: GW-18.4."""
    p.then(*todo, steps.Chain())


def plan_separate_events(p: Play[State], *todo: Step) -> None:
    """Plan events that each begin a new chain, even within another one: GW-18.4."""
    p.then(*todo, steps.Chain(apart=True))


def close(_p: Play[State], _step: steps.Chain) -> None:
    """End the chain of an event, and forget which abilities were used in it: GW-18.4."""


def _find_chain(state: State) -> int | None:
    """The index on the agenda of the chain of the current event; None without one."""
    for at in reversed(range(len(state.agenda))):
        step = state.agenda[at]
        if isinstance(step, steps.Chain):
            return None if step.apart else at
    return None


def fire(p: Play[State], step: steps.Fire) -> None:
    """Let the abilities of these clans answer, each once in a chain: GW-18.4."""
    answers = []
    for clan in step.clans:
        if fitting := _find_fitting(p.state, clan, step):
            waiting, context = tuple(fitting), step.context
            answers.append(effects.UseAbilities(clan=clan, waiting=waiting, context=context))
    if answers:
        plan_event(p, *answers)


def _find_fitting(state: State, clan: int, step: steps.Fire) -> list[str]:
    """The abilities of a clan that answer: the General's, then as hired: GW-1.6, GW-18.4."""
    owned, trigger = state.clans[clan], step.trigger
    return [
        script
        for card in (owned.general, *owned.active)
        if card in ABILITIES
        for script, ability in ABILITIES[card].items()
        if ability.trigger == trigger and _fits(clan, ability, step.context)
    ]


def _fits(clan: int, ability: TriggeredAbility, context: Context) -> bool:
    """Whether an event passes the filters of an ability: GW-18.4."""
    return (
        (ability.types is None or not set(ability.types).isdisjoint(context.types))
        and (ability.where is None or context.location in board.LOCATIONS_BY_WORD[ability.where])
        and context.clerks >= (ability.min_clerks or 0)
        and (ability.role != "claimed" or context.defeater == clan)
        and (ability.role != "participated" or clan in context.participants)
        and ability.choice in (None, "any", context.choice)
    )


def use_abilities(p: Play[State], step: effects.UseAbilities) -> None:
    """Use fixed gains at once, and let the clan order the others: GW-1.6, GW-18.4."""
    used = _find_used(p.state)
    waiting = tuple(script for script in step.waiting if script not in used)
    for script in waiting:
        if script in FIXED_GAINS:
            _use(p, step.clan, script, waiting, step.context)
            return
    if waiting:
        order = effects.OrderAbilities((step.clan,), waiting=waiting, context=step.context)
        p.then(steps.Ask(step=order))


def _find_used(state: State) -> tuple[str, ...]:
    """The abilities that were used in this chain: GW-18.4."""
    at = _find_chain(state)
    return () if at is None else state.agenda[at].used


def _use(
    p: Play[State], clan: int, script: str, waiting: tuple[str, ...], context: Context
) -> None:
    """Use one of the waiting abilities, once in this chain: GW-18.4."""
    at = _find_chain(p.state)
    assert at is not None
    p.state.agenda[at] = steps.Chain(used=(*p.state.agenda[at].used, script))
    rest = tuple(other for other in waiting if other != script)
    if rest:
        p.then(effects.UseAbilities(clan=clan, waiting=rest, context=context))
    p.then(effects.Perform(clan=clan, script=script, context=context))


def offer_abilities(
    _state: State, step: effects.OrderAbilities, seat: Seat
) -> Iterator[moves.UseAbility]:
    """Each waiting ability: GW-1.6."""
    return (moves.UseAbility(seat, script) for script in step.waiting)


def check_ability(_state: State, step: effects.OrderAbilities, move: moves.UseAbility) -> None:
    """Refuse an ability that is not waiting: GW-1.6."""
    if move.ability not in step.waiting:
        raise RuleBroken("GW-1.6", "not_waiting")


def use(p: Play[State], step: effects.OrderAbilities, move: moves.UseAbility) -> None:
    """Use an ability, then the others: GW-1.6."""
    _use(p, move.seat, move.ability, step.waiting, step.context)
