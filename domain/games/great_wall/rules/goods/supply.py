"""Resources, honor and tactic cards that clans get and lose: GW-1.5, GW-1.7, GW-9.5."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.dice import choose as chosen_by
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence, either, word
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import supply
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.clans import Source
from domain.games.great_wall.state.counts import in_order
from domain.games.great_wall.state.table import State

Types = tuple[board.Resource, ...]


def gain(p: Play[State], seat: Seat, resources: board.Cost, rule: str) -> None:
    """Take resources from the supply by this rule."""
    if some := {name: count for name, count in resources.items() if count > 0}:
        p.emit(supply.ResourcesTaken(seat, some, rule))


def choose(
    p: Play[State],
    seat: Seat,
    count: int,
    rule: str,
    types: Types = board.RESOURCES,
    different: bool = False,
) -> None:
    """Let a seat choose that many resources to take by this rule."""
    left = min(count, len(types)) if different else count
    if left > 0:
        step = supply_steps.TakeResources(
            (seat,), left=left, resources=types, different=different, rule=rule
        )
        p.then(steps.Ask(step=step))


def offer_takings(
    _state: State, step: supply_steps.TakeResources, seat: Seat
) -> Iterator[moves.TakeResource]:
    """Each type that may be taken: GW-18.6."""
    return (moves.TakeResource(seat, resource) for resource in step.resources)


def check_taking(_state: State, step: supply_steps.TakeResources, move: moves.TakeResource) -> None:
    """Refuse a type that may not be taken: GW-18.6."""
    _check_type(step.resources, move.resource)


def take(p: Play[State], step: supply_steps.TakeResources, move: moves.TakeResource) -> None:
    """Take one, and offer the next."""
    p.emit(supply.ResourcesTaken(move.seat, {move.resource: 1}, step.rule))
    types = step.resources
    if step.different:
        types = tuple(resource for resource in types if resource != move.resource)
    choose(p, move.seat, step.left - 1, step.rule, types, step.different)


def lose(p: Play[State], seat: Seat, resources: board.Cost) -> None:
    """Give resources back, as far as the seat has them: GW-18.6."""
    clan = p.state.clans[seat]
    lost: board.Cost = {name: min(count, clan.has(name)) for name, count in resources.items()}
    if some := {name: count for name, count in lost.items() if count > 0}:
        p.emit(supply.ResourcesLost(seat, some, "GW-18.6"))


def lose_any(
    p: Play[State], seat: Seat, count: int, rule: str, types: Types = board.RESOURCES
) -> None:
    """Let a seat choose that many resources to give back by this rule, as far as it has them."""
    clan = p.state.clans[seat]
    left = min(count, sum(clan.has(resource) for resource in types))
    if left > 0:
        step = supply_steps.LoseResources((seat,), left=left, resources=types, rule=rule)
        p.then(steps.Ask(step=step))


def offer_losings(
    state: State, step: supply_steps.LoseResources, seat: Seat
) -> Iterator[moves.LoseResource]:
    """Each type that the seat has: GW-18.6."""
    clan = state.clans[seat]
    return (moves.LoseResource(seat, name) for name in step.resources if clan.has(name))


def check_losing(state: State, step: supply_steps.LoseResources, move: moves.LoseResource) -> None:
    """Refuse a type that the seat does not have, or that does not count: GW-18.6."""
    _check_type(step.resources, move.resource)
    if not state.clans[move.seat].has(move.resource):
        raise RuleBroken(
            "GW-18.6",
            "not_there",
            "fault_not_there_resource",
            resource=Sentence(f"resource_{move.resource}"),
        )


def give_back(p: Play[State], step: supply_steps.LoseResources, move: moves.LoseResource) -> None:
    """Give one back, and ask for the next."""
    p.emit(supply.ResourcesLost(move.seat, {move.resource: 1}, step.rule))
    lose_any(p, move.seat, step.left - 1, step.rule, step.resources)


def stock(p: Play[State], seat: Seat, count: int, types: Types) -> None:
    """Let a seat put that many resources of its choice into the Warehouse: GW-1.5, GW-18.6."""
    if count > 0:
        step = supply_steps.StockWarehouse((seat,), left=count, resources=types)
        p.then(steps.Ask(step=step))


def offer_stockings(
    _state: State, step: supply_steps.StockWarehouse, seat: Seat
) -> Iterator[moves.StockResource]:
    """Each type that may be put there: GW-18.6."""
    return (moves.StockResource(seat, resource) for resource in step.resources)


def check_stocking(
    _state: State, step: supply_steps.StockWarehouse, move: moves.StockResource
) -> None:
    """Refuse a type that does not count: GW-18.6."""
    _check_type(step.resources, move.resource)


def put(p: Play[State], step: supply_steps.StockWarehouse, move: moves.StockResource) -> None:
    """Put one there, and ask for the next: GW-18.6."""
    p.emit(supply.WarehouseStocked(move.seat, {move.resource: 1}, "GW-18.6"))
    stock(p, move.seat, step.left - 1, step.resources)


def _check_type(types: Types, resource: board.Resource) -> None:
    if resource not in types:
        raise RuleBroken("GW-18.6", "wrong_type", types=either(word("resource"))(None, types))


def change_honor(p: Play[State], clan: int, count: int, source: Source, rule: str) -> None:
    """Give or take honor by this rule, down to none: GW-1.7."""
    if change := max(count, -p.state.clans[clan].honor):
        p.emit(supply.HonorChanged(clan, change, source, rule))


def reward(p: Play[State], seat: Seat, card: str, spots: tuple[int, ...]) -> None:
    """Give a seat the rewards of the Vital spots that it covers: GW-10.6."""
    for spot in spots:
        found = decks.HORDES[card].grid[spot]
        assert found is not None
        gain(p, seat, {name: getattr(found, name) for name in board.RESOURCES}, "GW-10.6")
        change_honor(p, seat, found.honor, "spots", "GW-10.6")
        choose(p, seat, found.any, "GW-10.6")
        draw_tactics(p, seat, found.tactics, "GW-10.6")


def draw_tactics(p: Play[State], seat: Seat, count: int, rule: str) -> None:
    """Draw tactic cards by this rule, and discard those above the hand limit: GW-9.5."""
    for _ in range(count):
        _draw_tactic(p, seat, rule)
    if count > 0:
        keep_tactics(p, seat, modifiers.hand_limit(p.state, seat), "GW-9.5")


def _draw_tactic(p: Play[State], seat: Seat, rule: str) -> None:
    """Draw one by this rule; first make the discard the deck if that is used up: GW-1.4."""
    if not p.state.tactic_deck and (cards := p.state.tactic_discard):
        p.emit(supply.TacticsReshuffled(in_order(p.state.setup.tactics, cards)))
    if deck := p.state.tactic_deck:
        p.emit(supply.TacticDrawn(seat, chosen_by(p.dice, deck), rule))


def keep_tactics(p: Play[State], seat: Seat, keep: int, rule: str) -> None:
    """Let a seat discard tactic cards of its choice by this rule until it has that many."""
    if len(p.state.clans[seat].tactics) > keep:
        p.then(steps.Ask(step=supply_steps.DiscardTactics((seat,), keep=keep, rule=rule)))


def offer_tactic_cards(
    state: State, step: supply_steps.DiscardTactics, seat: Seat
) -> Iterator[moves.DiscardTactic]:
    """Each card in the hand, while there are too many: GW-9.5."""
    hand = state.clans[seat].tactics
    if len(hand) > step.keep:
        yield from (moves.DiscardTactic(seat, card) for card in hand)


def check_tactic(
    state: State, _step: supply_steps.DiscardTactics, move: moves.DiscardTactic
) -> None:
    """Refuse a card that is not in the hand: GW-9.5."""
    if move.card not in state.clans[move.seat].tactics:
        raise RuleBroken("GW-9.5", "not_in_hand")


def discard_tactic(
    p: Play[State], step: supply_steps.DiscardTactics, move: moves.DiscardTactic
) -> None:
    """Discard one, and ask for the next."""
    p.emit(supply.TacticDiscarded(move.seat, move.card, step.rule))
    keep_tactics(p, move.seat, step.keep, step.rule)
