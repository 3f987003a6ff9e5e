"""The Reed Clan, whose decisions the Overlord makes: GW-15.3."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.engine.sentences import Sentence
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards.automata import REED
from domain.games.great_wall.events import clerks, course, supply
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import shame
from domain.games.great_wall.rules.locations import builders, embassy
from domain.games.great_wall.rules.locations.clerks import (
    check_leave,
    check_room,
    moves_to,
    places_with_room,
)
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import soldiers
from domain.games.great_wall.state.agenda.clerks import MoveReedClerks
from domain.games.great_wall.state.agenda.soldiers import Tally
from domain.games.great_wall.state.crowds import crowd, find_visited, list_places
from domain.games.great_wall.state.table import State

CARD = REED.command_card.id
"""The command card of the Reed Clan, played each Fall: GW-15.2."""
CLERKS_MOVED = REED.command_card.overlord[0].n
"""How many clerks each clan moves on its turn, and by its part for others: GW-15.5, GW-15.6."""


def overlord(state: State) -> Seat:
    """The seat that decides for the Reed Clan: the Active player, or the highest one: GW-15.3.

    On the turn of Qin Jiushao rules decide instead: GW-14.12.
    """
    active = state.active
    return state.players[0] if active is None or active >= state.seats else active


def place_command(p: Play[State], _step: steps.PlaceReedCommand) -> None:
    """Put its card on the leftmost free slot: GW-15.5."""
    assert p.state.reed is not None
    p.emit(course.CommandPlaced(p.state.reed, CARD, p.state.track.index(None), "GW-15.5"))


def plan_turn(state: State, slot: int) -> Iterator[Step]:
    """Its turn: all clans move its clerks or theirs, in Tea order, then Locations activate:
    GW-15.5.

    In the cooperative game the Overlord chooses the order of the others: GW-16.3.
    """
    yield _ask_moves(state, CLERKS_MOVED, "GW-15.5")
    if state.coop:
        yield steps.OthersParts(slot=slot)
    else:
        for clan in state.fighters:
            yield (
                clerk_steps.MoveQinClerks() if clan == state.qin else ask_player_moves(state, clan)
            )
    yield steps.RestOfTurn()


def ask_player_moves(state: State, seat: Seat) -> steps.Ask:
    """A player's move of clerks on the turn of the Reed Clan; some events change it: GW-15.5."""
    count = max(0, CLERKS_MOVED + modifiers.other_moves_bonus(state, seat))
    moving = clerk_steps.MoveClerks((seat,), left=count, spread="distinct", rule="GW-15.5")
    return steps.Ask(step=moving)


def _ask_moves(state: State, count: int, rule: str) -> steps.Ask:
    return steps.Ask(step=MoveReedClerks((overlord(state),), left=count, rule=rule))


def move_clerks(p: Play[State]) -> None:
    """Let the Overlord move its clerks to different Locations: GW-15.6, GW-18.5."""
    assert p.state.reed is not None
    more = modifiers.other_moves_bonus(p.state, p.state.reed)
    p.then(_ask_moves(p.state, max(0, CLERKS_MOVED + more), "GW-15.6"))


def offer_ways(state: State, step: MoveReedClerks, seat: Seat) -> list[moves.MoveClerk]:
    """Each of its clerks to each Location with a free slot and without another one: GW-15.4."""
    found: list[moves.MoveClerk] = []
    if step.left < 1:
        return found
    there, full = find_visited(crowd(state.clans[state.seats].clerks)), state.find_full_places()
    goals = places_with_room(state, full) & ~there
    for origin in list_places(there & ~full):
        if origin not in step.moved:
            found += moves_to(goals, seat, origin)
    return found


def check_way(state: State, step: MoveReedClerks, move: moves.MoveClerk) -> None:
    """Refuse a clerk that cannot leave, and a Location where it cannot go: GW-15.4, GW-15.5."""
    reed = state.clans[state.seats]
    if step.left < 1:
        raise RuleBroken("GW-15.5", "no_more", "fault_no_more_reed_clerks")
    if move.origin is None or not reed.at(move.origin) or move.origin in step.moved:
        raise RuleBroken("GW-15.4", "no_clerk", "fault_no_clerk_of_the_reed")
    if reed.at(move.to):
        # This also sends them to different Locations, because moved clerks stay where they are.
        raise RuleBroken("GW-15.4", "one_each")
    check_leave(state, move.origin)
    check_room(state, move.to)


def move_clerk(p: Play[State], step: MoveReedClerks, move: moves.MoveClerk) -> None:
    """Move one of its clerks, and offer the next."""
    p.emit(clerks.ClerkMoved(p.state.seats, move.origin, move.to, step.rule))
    moved = (*step.moved, move.to)
    again = replace(step, seats=(move.seat,), left=step.left - 1, moved=moved)
    p.then(steps.Ask(step=again))


def resolve(p: Play[State], location: board.Location) -> None:
    """Do what its clerk does in a Location: GW-15.7."""
    seat, reed = (overlord(p.state),), p.state.seats
    match location:
        case "lumber_mill" | "quarry" | "gold_mine":
            p.emit(supply.WarehouseStocked(reed, {board.PRODUCTION[location]: 1}, "GW-15.7"))
        case "temple" if p.state.active not in (None, reed, p.state.qin):
            shame.discard(p, seat[0], 1, "GW-15.7")
        case "embassy":
            p.then(steps.Ask(step=clerk_steps.ReedAdvisor(seat)))
        case "builders":
            p.then(steps.Ask(step=clerk_steps.ReedBarricade(seat)))
        case "barracks":
            p.then(steps.Ask(step=soldiers.ReedSpearman(seat)))
        case _:
            return


def offer_advisors(
    state: State, _step: clerk_steps.ReedAdvisor, seat: Seat
) -> Iterator[moves.DiscardAdvisor]:
    """Each advisor of the track: GW-15.7."""
    return (moves.DiscardAdvisor(seat, advisor) for advisor in state.advisors)


def check_advisor(state: State, _step: clerk_steps.ReedAdvisor, move: moves.DiscardAdvisor) -> None:
    """Refuse an advisor who is not on the track: GW-15.7."""
    if move.advisor not in state.advisors:
        raise RuleBroken("GW-15.7", "no_advisor", "fault_no_advisor_on_the_track")


def discard_advisor(
    p: Play[State], _step: clerk_steps.ReedAdvisor, move: moves.DiscardAdvisor
) -> None:
    """Discard the advisor, and fill the track: GW-15.7."""
    p.emit(clerks.AdvisorsDiscarded((move.advisor,), "GW-15.7"))
    embassy.fill_track(p, "GW-15.7")


def offer_sites(
    state: State, _step: clerk_steps.ReedBarricade, seat: Seat
) -> Iterator[moves.BuildBarricade]:
    """Each Section in use with a free slot for a Barricade: GW-15.7."""
    for section in state.setup.table.sections:
        if state.barricades_in(section) < board.BARRICADES:
            yield moves.BuildBarricade(seat, section)


def check_site(state: State, _step: clerk_steps.ReedBarricade, move: moves.BuildBarricade) -> None:
    """Refuse a Section without a free slot for a Barricade: GW-15.7."""
    if move.section not in state.setup.table.sections:
        raise RuleBroken("GW-1.8", "no_section", section=Sentence(f"section_{move.section}"))
    builders.check_slot(state, move.section)


def build(p: Play[State], _step: clerk_steps.ReedBarricade, move: moves.BuildBarricade) -> None:
    """Build a Barricade there, without cost and without honor: GW-15.7."""
    p.emit(supply.BarricadeBuilt(p.state.seats, move.section, 0, "GW-15.7"))


def offer_spots(state: State, _step: soldiers.ReedSpearman, seat: Seat) -> Iterator[moves.Attack]:
    """Each spot that a Spearman of its pool can take: GW-15.7."""
    reed = state.seats
    if state.clans[reed].pool[board.SPEARMAN]:
        for section in state.setup.table.sections:
            for attack in fighting.find_attacks(state, reed, "spearman", "pool", section):
                yield moves.Attack(seat, "spearman", "pool", section, attack.row, attack.spots)


def check_spot(state: State, _step: soldiers.ReedSpearman, move: moves.Attack) -> None:
    """Refuse a spot that a Spearman cannot take: GW-15.7."""
    if (move.soldier, move.origin) != ("spearman", "pool"):
        raise RuleBroken("GW-15.7", "no_spearman", "fault_no_spearman_of_the_pool")
    if not state.clans[state.seats].pool[board.SPEARMAN]:
        raise RuleBroken("GW-15.7", "no_spearman")
    fighting.check_attack(state, state.seats, move)


def attack(p: Play[State], _step: soldiers.ReedSpearman, move: moves.Attack) -> None:
    """Put a Spearman there; the Reed Clan takes no reward: GW-15.2, GW-15.7."""
    fighting.strike(p, p.state.seats, move, Tally(), "GW-15.7")
