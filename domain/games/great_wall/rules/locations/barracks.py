"""The Barracks: recruits and where they go: GW-8.6."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.soldiers import Deploy, Recruit
from domain.games.great_wall.state.bills import NOTHING as FREE
from domain.games.great_wall.state.bills import Bill, together
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State

Soldiers = tuple[board.Soldier, ...]
COSTS = {soldier: Bill.of(cost) for soldier, cost in board.RECRUIT_COSTS.items()}
"""What a soldier of each type costs: GW-8.6."""


def recruit(
    p: Play[State],
    seat: Seat,
    count: int,
    types: Soldiers = board.SOLDIERS,
    cost: Bill | None = None,
    less: int = 0,
    free: bool = False,
) -> None:
    """Let a seat recruit up to that many soldiers: GW-8.6, GW-18.6."""
    if count > 0:
        step = Recruit((seat,), left=count, types=types, cost=cost, less=less, free=free)
        p.then(steps.Ask(step=step))


def offer_recruits(state: State, step: Recruit, seat: Seat) -> Iterator[moves.NameRecruit]:
    """Each type of soldier of which the seat has one more and can pay it: GW-8.6."""
    pool = state.clans[seat].pool
    for soldier in step.types if step.left > 0 else ():
        there = pool[board.SOLDIER_NUMBER[soldier]] > step.named.count(soldier)
        if there and payments.can_pay(state, seat, bill(state, step, seat, soldier)):
            yield moves.NameRecruit(seat, soldier)


def check_recruit(state: State, step: Recruit, move: moves.NameRecruit) -> None:
    """Refuse a recruit too many, one the seat does not have, and one it cannot pay: GW-8.6."""
    if step.left < 1:
        raise RuleBroken("GW-8.6", "no_more", "fault_no_more_recruits")
    if move.soldier not in step.types:
        raise RuleBroken("GW-8.6", "wrong_type", "fault_wrong_type_of_recruit")
    there = state.clans[move.seat].pool[board.SOLDIER_NUMBER[move.soldier]]
    if there <= step.named.count(move.soldier):
        raise RuleBroken(
            "GW-11.3",
            "no_soldier",
            "fault_no_soldier_without_shame",
            soldier=Sentence(f"soldier_{move.soldier}"),
        )
    if not payments.can_pay(state, move.seat, bill(state, step, move.seat, move.soldier)):
        raise RuleBroken("GW-8.6", "too_dear")


def bill(state: State, step: Recruit, seat: Seat, *more: board.Soldier) -> Bill:
    """What all recruits cost together: GW-8.6, GW-18.5."""
    named = (*step.named, *more)
    if step.free or not named:
        return FREE
    less = step.less + modifiers.total_recruit_discount(state, seat, named)
    return together([*(_price(state, step, seat, soldier) for soldier in named), Bill(less=less)])


def _price(state: State, step: Recruit, seat: Seat, soldier: board.Soldier) -> Bill:
    """What one recruit costs, by its printed cost or by a card: GW-8.6, GW-18.5."""
    cost = step.cost or COSTS[soldier]
    less = modifiers.recruit_discount(state, seat, soldier)
    more = modifiers.recruit_surcharge(state, seat, soldier)
    if not less and not more:
        return cost
    named: board.Cost = {
        name: max(0, count - less.get(name, 0))
        for name, count in zip(board.RESOURCES, cost.fixed, strict=True)
    }
    free = cost.any_wsg + max(0, more)
    return Bill(**named, any_wsg=free, honor=cost.honor, less=cost.less + max(0, -more))


def name_recruit(p: Play[State], step: Recruit, move: moves.NameRecruit) -> None:
    """Add a recruit, and ask for the next: GW-8.6."""
    named = (*step.named, move.soldier)
    again = replace(step, seats=(move.seat,), left=step.left - 1, named=named)
    p.then(steps.Ask(step=again))


def enlist(p: Play[State], step: Recruit, move: moves.Done) -> None:
    """Pay for all recruits at once, then deploy them: GW-8.6."""
    if step.named:
        p.then(steps.Ask(step=Deploy((move.seat,), left=step.named, recruited=step.named)))
        payments.charge(p, move.seat, bill(p.state, step, move.seat), "GW-8.6")


def offer_attacks(state: State, step: Deploy, seat: Seat) -> Iterator[moves.Attack]:
    """All attacks that the waiting recruits can make: GW-8.6."""
    for soldier in dict.fromkeys(step.left):
        for section in state.setup.table.sections:
            yield from fighting.find_attacks(state, seat, soldier, "pool", section)


def check_attack(state: State, step: Deploy, move: moves.Attack) -> None:
    """Refuse an attack with a soldier that is no recruit, or that it cannot make: GW-8.6."""
    if move.origin != "pool" or move.soldier not in step.left:
        raise RuleBroken("GW-8.6", "no_recruit")
    fighting.check_attack(state, move.seat, move)


def attack(p: Play[State], step: Deploy, move: moves.Attack) -> None:
    """Let a recruit attack, and ask for the next: GW-8.6."""
    tally = fighting.strike(p, move.seat, move, step.tally, "GW-8.6")
    posted = (move.section,) if move.soldier == "archer" else ()
    again = replace(step, tally=tally, firing=(*step.firing, *posted))
    _go_on(p, move.seat, again, move.soldier)
    fighting.bring_rewards(p, move.seat, move)


def offer_zones(state: State, step: Deploy, seat: Seat) -> Iterator[moves.SendToRest]:
    """Each recruit to each Rest Zone: GW-8.6."""
    for soldier in dict.fromkeys(step.left):
        for section in state.setup.table.sections:
            yield moves.SendToRest(seat, soldier, section)


def check_zone(state: State, step: Deploy, move: moves.SendToRest) -> None:
    """Refuse a soldier that is no recruit, and a Section not in use: GW-8.6, GW-1.8."""
    if move.soldier not in step.left:
        raise RuleBroken("GW-8.6", "no_recruit")
    if move.section not in state.setup.table.sections:
        raise RuleBroken("GW-1.8", "no_section", section=Sentence(f"section_{move.section}"))


def send(p: Play[State], step: Deploy, move: moves.SendToRest) -> None:
    """Send a recruit to a Rest Zone, and ask for the next: GW-8.6."""
    p.emit(soldiers.SoldierRested(move.seat, move.soldier, move.section))
    resting = (*step.resting, (move.section, move.soldier))
    _go_on(p, move.seat, replace(step, resting=resting), move.soldier)


def _go_on(p: Play[State], seat: Seat, step: Deploy, soldier: board.Soldier) -> None:
    """Deploy the others; after the last, end the attack event: GW-8.6, GW-10.9."""
    if left := without(step.left, soldier):
        p.then(steps.Ask(step=replace(step, seats=(seat,), left=left)))
        return
    context = Context(
        types=tuple(dict.fromkeys(step.recruited)),
        recruited=len(step.recruited),
        sections=step.tally.sections,
        hordes=step.tally.hordes,
        resting=step.resting,
        firing=step.firing,
    )
    p.then(
        steps.Fire(trigger="recruit", clans=(seat,), context=context),
        steps.Moment(windows=((seat, ("you_recruit",)),), context=context),
    )
    fighting.plan_end(p, seat, step.tally)
