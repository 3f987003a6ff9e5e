"""Production Locations: gathering, Overseers, donations: GW-8.1 to GW-8.5."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence, either, word
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks
from domain.games.great_wall.events import supply as events
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import payments, supply
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.clerks import Donate, TakeIncomes, Upgrade
from domain.games.great_wall.state.bills import NOTHING as FREE
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

COSTS: dict[board.Location, tuple[Bill, ...]] = {
    place: tuple(map(Bill.of, costs)) for place, costs in board.OVERSEER_COSTS.items()
}
"""What the first, second and third level of an Overseer costs: GW-8.4."""
DONATABLE: tuple[board.Resource, ...] = ("wood", "stone", "gold")
"""What can be donated: GW-8.5."""


def gather(p: Play[State], seat: Seat, location: board.Location, count: int) -> None:
    """Gather one resource for each clerk, plus the level of the Overseer: GW-8.3."""
    by_clerks, by_overseer = _count_gathered(p.state, seat, location, count)
    supply.gain(p, seat, {board.PRODUCTION[location]: by_clerks}, "GW-8.3")
    harvest(p, seat, location, by_overseer, "GW-8.3")


def _count_gathered(
    state: State, seat: Seat, location: board.Location, count: int
) -> tuple[int, int]:
    """What the clerks gather, and the Overseer; together at least 0: GW-8.3, GW-18.5."""
    if count < 1:
        return 0, 0
    level = state.clans[seat].level(location)
    if level and not modifiers.can_have_overseers(state, seat):
        level = 0
    found = count + modifiers.gather_bonus(state, seat, board.PRODUCTION[location])
    return max(0, found), max(0, level + min(0, found))


def harvest(p: Play[State], seat: Seat, location: board.Location, count: int, rule: str) -> None:
    """Take what an Overseer yields by this rule; of any type if a card says so: GW-18.5."""
    if not count:
        return
    if modifiers.can_choose_yield(p.state, seat, location):
        supply.choose(p, seat, count, rule)
    else:
        supply.gain(p, seat, {board.PRODUCTION[location]: count}, rule)


def ask_upgrade(p: Play[State], step: clerk_steps.OfferUpgrade) -> None:
    """Ask for an upgrade in the Location that is being resolved: GW-8.4."""
    ask_upgrades(p, step.seat, 1, step.location)


def ask_upgrades(
    p: Play[State], seat: Seat, count: int, where: str, less: int = 0, free: bool = False
) -> None:
    """Let a seat upgrade up to that many different Overseers: GW-8.4, GW-18.6."""
    places = tuple(
        location for location in board.LOCATIONS_BY_WORD[where] if location in board.PRODUCTION
    )
    _ask_upgrade(p, seat, Upgrade(left=count, where=places, less=less, free=free))


def _ask_upgrade(p: Play[State], seat: Seat, step: Upgrade) -> None:
    if step.left > 0 and modifiers.can_have_overseers(p.state, seat):
        p.then(steps.Ask(step=replace(step, seats=(seat,))))


def offer_upgradings(state: State, step: Upgrade, seat: Seat) -> Iterator[moves.UpgradeOverseer]:
    """Each Overseer below the highest level, and each type of soldier for a new one: GW-8.4.

    Only those that the seat can pay.
    """
    clan = state.clans[seat]
    for location in step.where:
        level = clan.level(location)
        if level < board.OVERSEER_TOP and payments.can_pay(
            state, seat, price(state, step, seat, location)
        ):
            if level:
                yield moves.UpgradeOverseer(seat, location)
                continue
            for soldier, count in zip(board.SOLDIERS, clan.pool, strict=True):
                if count:
                    yield moves.UpgradeOverseer(seat, location, soldier)


def check_upgrading(state: State, step: Upgrade, move: moves.UpgradeOverseer) -> None:
    """Refuse another Location, a level too high, a missing soldier, one it cannot pay: GW-8.4."""
    if move.location not in step.where:
        raise RuleBroken("GW-8.4", "other_place")
    clan = state.clans[move.seat]
    level = clan.level(move.location)
    if level >= board.OVERSEER_TOP:
        raise RuleBroken("GW-8.4", "top_level", top=board.OVERSEER_TOP)
    if (move.soldier is None) != bool(level):
        raise RuleBroken("GW-8.4", "wrong_soldier")
    if move.soldier and not clan.pool[board.SOLDIER_NUMBER[move.soldier]]:
        raise RuleBroken("GW-8.4", "no_soldier", soldier=Sentence(f"soldier_{move.soldier}"))
    if not payments.can_pay(state, move.seat, price(state, step, move.seat, move.location)):
        raise RuleBroken("GW-8.4", "too_dear")


def price(state: State, step: Upgrade, seat: Seat, location: board.Location) -> Bill:
    """What the next level of an Overseer costs: GW-8.4."""
    if step.free:
        return FREE
    level = state.clans[seat].level(location)
    bill = COSTS[location][level]
    less = step.less + modifiers.upgrade_discount(state, seat, location)
    return replace(bill, less=less) if less else bill


def upgrade(p: Play[State], step: Upgrade, move: moves.UpgradeOverseer) -> None:
    """Pay for an upgrade, do it, and offer other Overseers: GW-8.4."""
    bill = price(p.state, step, move.seat, move.location)
    rest = tuple(location for location in step.where if location != move.location)
    _ask_upgrade(p, move.seat, replace(step, left=step.left - 1, where=rest))
    p.then(clerk_steps.UpgradeNow(seat=move.seat, location=move.location, soldier=move.soldier))
    payments.charge(p, move.seat, bill, "GW-8.4")


def upgrade_now(p: Play[State], step: clerk_steps.UpgradeNow) -> None:
    """Place an Overseer or move it up; abilities answer: GW-8.4, GW-11.3."""
    standing = p.state.clans[step.seat].overseer(step.location)
    soldier = standing.soldier if standing else step.soldier
    assert soldier is not None
    level = standing.level + 1 if standing else 1
    p.emit(clerks.OverseerUpgraded(step.seat, step.location, level, soldier))
    context = Context(location=step.location)
    p.then(steps.Fire(trigger="upgrade", clans=(step.seat,), context=context))


def ask_donation(p: Play[State], step: clerk_steps.OfferDonation) -> None:
    """Offer to donate one resource, if the seat gathered some; chi cannot be donated: GW-8.5."""
    resource = board.PRODUCTION[step.location]
    own = p.state.clans[step.seat].at(step.location)
    count = modifiers.count_clerks(p.state, step.seat, step.location, own)
    if resource in DONATABLE and any(_count_gathered(p.state, step.seat, step.location, count)):
        ask_donations(p, step.seat, 1, (resource,))


def ask_donations(
    p: Play[State], seat: Seat, count: int, resources: tuple[board.Resource, ...] = DONATABLE
) -> None:
    """Let a seat donate up to that many resources: GW-8.5, GW-18.6."""
    if count > 0 and modifiers.can_donate(p.state, seat):
        p.then(steps.Ask(step=Donate((seat,), left=count, resources=resources)))


def offer_gifts(state: State, step: Donate, seat: Seat) -> Iterator[moves.DonateResource]:
    """Each type that the seat has: GW-8.5."""
    clan = state.clans[seat]
    return (moves.DonateResource(seat, name) for name in step.resources if clan.has(name))


def check_gift(state: State, step: Donate, move: moves.DonateResource) -> None:
    """Refuse a type that cannot be donated now, or that the seat does not have: GW-8.5."""
    if move.resource not in step.resources:
        raise RuleBroken(
            "GW-8.5",
            "wrong_type",
            "fault_wrong_type_to_donate",
            types=either(word("resource"))(None, step.resources),
        )
    if not state.clans[move.seat].has(move.resource):
        raise RuleBroken(
            "GW-8.5",
            "not_there",
            "fault_not_there_resource",
            resource=Sentence(f"resource_{move.resource}"),
        )


def donate(p: Play[State], step: Donate, move: moves.DonateResource) -> None:
    """Donate one, let abilities answer, and offer the next: GW-8.5."""
    p.emit(events.ResourceDonated(move.seat, move.resource, board.DONATE_HONOR))
    ask_donations(p, move.seat, step.left - 1, step.resources)
    p.then(steps.Fire(trigger="donate", clans=(move.seat,), context=Context()))


def ask_incomes(p: Play[State], seat: Seat, count: int | None, whose: str, where: str) -> None:
    """Let a seat take what up to that many Overseers yield, or all of them: GW-18.6."""
    left = len(board.PRODUCTION) if count is None else count
    if left > 0 and (whose == "other" or modifiers.can_have_overseers(p.state, seat)):
        others = whose == "other"
        step = TakeIncomes((seat,), left=left, where=where, others=others)
        p.then(steps.Ask(step=step))


def offer_yields(state: State, step: TakeIncomes, seat: Seat) -> Iterator[moves.TakeIncome]:
    """Each Overseer that the seat may choose, those of one other clan only: GW-18.6."""
    clans: tuple[int, ...] = (seat,)
    if step.others:
        named = tuple(clan for clan, _ in step.done[:1])
        clans = named or tuple(clan for clan in sorted(state.fighters) if clan != seat)
    for clan in clans:
        for location in board.LOCATIONS_BY_WORD[step.where]:
            standing = location in board.PRODUCTION and state.clans[clan].level(location)
            if step.left > 0 and standing and (clan, location) not in step.done:
                yield moves.TakeIncome(seat, clan, location)


def check_yield(state: State, step: TakeIncomes, move: moves.TakeIncome) -> None:
    """Refuse an Overseer that the seat may not choose: GW-18.6."""
    if move not in offer_yields(state, step, move.seat):
        raise RuleBroken("GW-18.6", "no_overseer")


def take_yield(p: Play[State], step: TakeIncomes, move: moves.TakeIncome) -> None:
    """Take what one Overseer yields from the supply, and offer the next: GW-18.6."""
    done = (*step.done, (move.clan, move.location))
    again = replace(step, seats=(move.seat,), left=step.left - 1, done=done)
    p.then(steps.Ask(step=again))
    level = p.state.clans[move.clan].level(move.location)
    if step.others:
        supply.gain(p, move.seat, {board.PRODUCTION[move.location]: level}, "GW-18.6")
    else:
        harvest(p, move.seat, move.location, level, "GW-18.6")
