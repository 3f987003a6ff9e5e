"""Attacks with Spearmen, Horsemen and Archers: GW-10.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.engine.sentences import Sentence
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.events import hordes, soldiers
from domain.games.great_wall.rules.effects import modifiers, triggers
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.war import kills
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.soldiers import AttackOver, Origin, Tally, Unit
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.hordes import NEIGHBOURS
from domain.games.great_wall.state.table import PlacedHorde, State


def find_attacks(
    state: State, clan: int, soldier: board.Soldier, origin: Origin, section: board.Section
) -> Iterator[moves.Attack]:
    """All attacks that a clan can make with this soldier in a Section: GW-10.3 to GW-10.5."""
    if soldier == "archer":
        return _shots(state, clan, origin, section)
    return _charges(state, clan, soldier, origin, section)


def _charges(
    state: State, clan: int, soldier: board.Soldier, origin: Origin, section: board.Section
) -> Iterator[moves.Attack]:
    """Onto free Vital spots, two adjacent ones for a Horseman: GW-10.3, GW-10.4."""
    for row, horde in enumerate(state.horde_cards(section)[: _rows(state, clan, soldier)]):
        if not _is_immune(horde.card, soldier):
            for spots in horde.pairs() if soldier == "horseman" else zip(horde.free()):
                yield moves.Attack(clan, soldier, origin, section, row, spots)


def _shots(
    state: State, clan: int, origin: Origin, section: board.Section
) -> Iterator[moves.Attack]:
    """From a Firing spot; the Archer takes one unless it stands there: GW-10.5."""
    if origin != "firing" and not state.free_firing_spots(section):
        return
    nothing = True
    for row, horde in enumerate(state.horde_cards(section)):
        if not _is_immune(horde.card, "archer"):
            for spot in horde.free():
                nothing = False
                yield moves.Attack(clan, "archer", origin, section, row, (spot,))
    if nothing and origin != "firing":
        yield moves.Attack(clan, "archer", origin, section)


def _rows(state: State, clan: int, soldier: board.Soldier) -> int:
    """In how many rows such a soldier attacks: GW-10.3, GW-10.4."""
    if soldier == "spearman" and clan != state.reed:
        return modifiers.spearman_rows(state, clan)
    return 1 if soldier == "spearman" else board.ROWS


def _is_immune(card: str, soldier: board.Soldier) -> bool:
    """Whether a Horde card is immune to such soldiers: GW-18.8."""
    kind = decks.HORDES[card].ability.kind
    return (kind, soldier) in (("no_archer_wounds", "archer"), ("no_spearmen", "spearman"))


def check_attack(state: State, clan: int, move: moves.Attack) -> None:
    """Refuse an attack that such a soldier cannot make there: GW-10.3 to GW-10.5, GW-10.7."""
    if move.section not in state.setup.table.sections:
        raise RuleBroken("GW-1.8", "no_section", section=Sentence(f"section_{move.section}"))
    if move.soldier == "archer" and move.origin != "firing":
        check_firing_spot(state, move.section)
    if move.row is None:
        _check_nothing_to_wound(state, clan, move)
        return
    _check_spots(state, clan, move, move.row)


def check_firing_spot(state: State, section: board.Section) -> None:
    """Refuse a Section without a free Firing spot: GW-10.5."""
    if not state.free_firing_spots(section):
        raise RuleBroken("GW-10.5", "no_firing_spot")


def _check_nothing_to_wound(state: State, clan: int, move: moves.Attack) -> None:
    """Refuse to wound nothing while there is something to wound: GW-10.5."""
    if move not in find_attacks(state, clan, move.soldier, move.origin, move.section):
        raise RuleBroken("GW-10.5", "name_a_spot")


def _check_spots(state: State, clan: int, move: moves.Attack, row: int) -> None:
    """Refuse a card that cannot be attacked, and spots that do not fit: GW-10.3 to GW-10.7."""
    cards = state.horde_cards(move.section)
    if not 0 <= row < min(len(cards), _rows(state, clan, move.soldier)):
        raise RuleBroken("GW-10.3", "out_of_reach", soldier=Sentence(f"soldier_{move.soldier}"))
    if _is_immune(cards[row].card, move.soldier):
        raise RuleBroken("GW-18.8", "repelled", soldier=Sentence(f"soldier_{move.soldier}"))
    if len(move.spots) != (2 if move.soldier == "horseman" else 1):
        raise RuleBroken("GW-10.4", "wrong_spots")
    check_free(cards[row].free(), move.spots)
    if move.soldier == "horseman" and move.spots[1] not in NEIGHBOURS[move.spots[0]]:
        raise RuleBroken("GW-10.7", "not_adjacent")


def check_free(free: Iterable[int], spots: tuple[int, ...]) -> None:
    """Refuse spots that are not free Vital spots: GW-10.3."""
    if not set(spots) <= set(free):
        raise RuleBroken("GW-10.3", "not_free")


def strike(p: Play[State], clan: int, move: moves.Attack, tally: Tally, rule: str) -> Tally:
    """Make an attack by this rule. Returns the tally including it and the cards it filled."""
    tally = replace(
        tally,
        types=_with(tally.types, move.soldier),
        sections=_with(tally.sections, move.section),
    )
    if move.row is None:
        p.emit(soldiers.ArcherPosted(clan, move.origin, move.section, rule))
        return tally
    card = p.state.horde_cards(move.section)[move.row].card
    if move.soldier == "archer":
        spot = move.spots[0]
        p.emit(soldiers.ArcherShot(clan, move.origin, move.section, move.row, card, spot, rule))
    else:
        place = (move.section, move.row, card, move.spots)
        p.emit(soldiers.SoldierAttacked(clan, move.soldier, move.origin, *place, rule))
        tally = replace(tally, covered=(*tally.covered, (card, move.spots[0])))
    filled = (card,) if p.state.horde_cards(move.section)[move.row].full else ()
    return replace(tally, hordes=_with(tally.hordes, card), filled=(*tally.filled, *filled))


def bring_rewards(p: Play[State], seat: Seat, move: moves.Attack) -> None:
    """Give the rewards of the spots that a soldier covers; Wound markers bring none: GW-10.6."""
    if move.row is not None and move.soldier != "archer":
        card = p.state.horde_cards(move.section)[move.row].card
        supply.reward(p, seat, card, move.spots)


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def plan_end(p: Play[State], seat: Seat, tally: Tally) -> None:
    """Plan what follows an attack event, if a soldier attacked: GW-10.9."""
    if tally.types:
        p.then(AttackOver(seat=seat, tally=tally))


def end_attack(p: Play[State], step: AttackOver) -> None:
    """Let Horde cards strike back, abilities answer, and seats play tactic cards: GW-10.9."""
    tally = step.tally
    attack = Context(sections=tally.sections, hordes=tally.hordes, types=tally.types)
    moment = replace(attack, last_wounds=len(tally.filled))
    todo: list[Step] = [_fire("attack", step.seat, attack)]
    windows: tuple[Window, ...] = ("you_attack",)
    if tally.filled:
        todo.append(_fire("last_wound", step.seat, replace(moment, hordes=tally.filled)))
        windows = ("you_attack", "you_deal_last_wound")
    todo.append(steps.Moment(windows=((step.seat, windows),), context=moment))
    triggers.plan_event(p, *todo)
    for card in reversed(tally.hordes):
        _strike_back(p, step.seat, card, tally)


def plan_last_wound(p: Play[State], seat: Seat, filled: tuple[str, ...]) -> None:
    """Let abilities answer that a seat filled Horde cards: GW-10.9, GW-10.14."""
    if filled:
        there = (place.section for place in p.state.hordes_on_board() if place.horde.card in filled)
        sections = tuple(dict.fromkeys(there))
        context = Context(sections=sections, hordes=filled, last_wounds=len(filled))
        p.then(_fire("last_wound", seat, context))


def _fire(trigger: str, seat: Seat, context: Context) -> steps.Fire:
    return steps.Fire(trigger=trigger, clans=(seat,), context=context)


def _strike_back(p: Play[State], seat: Seat, card: str, tally: Tally) -> None:
    """Kill soldiers that attacked this Horde card first in this turn: GW-10.9, GW-18.8."""
    ability, place = decks.HORDES[card].ability, p.state.find_horde(card)
    if place is None or ability.kind != "kill_on_attack" or seat in place.horde.struck:
        return
    p.emit(hordes.HordeStruck(seat, place.section, place.row))
    new = tuple(unit for unit in units_on(place, seat) if (card, unit.spot) in tally.covered)
    kills.begin(p, seat, ((ability.amount, new),), "GW-10.9")


def units_on(place: PlacedHorde, clan: int) -> tuple[Unit, ...]:
    """The soldiers of a clan on a Horde card: GW-10.1."""
    return tuple(
        Unit(standing.soldier, place.section, "horde", place.horde.card, standing.spot)
        for standing in place.horde.soldiers(clan)
    )
