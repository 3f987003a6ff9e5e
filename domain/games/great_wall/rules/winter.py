"""Winter: shooting, assault, breach: GW-13.1 to GW-13.7."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play, Step
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.hordes import AbilityKind, HordeCard
from domain.games.great_wall.events import course, hordes
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import shame, supply
from domain.games.great_wall.rules.war import kills
from domain.games.great_wall.rules.war.defeat import lethality
from domain.games.great_wall.rules.war.fighting import units_on
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests, soldiers
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import PlacedHorde, State


def begin(p: Play[State], _step: steps.Winter) -> None:
    """Plan what Horde cards do first, then shooting, assault and the rest: GW-13.1."""
    _begin_season(p)
    p.then(*plan(p.state))


def _begin_season(p: Play[State]) -> None:
    """Begin Winter: GW-3.1."""
    p.emit(course.SeasonBegan("winter", p.state.year))


def plan(state: State) -> Iterator[Step]:
    """The steps of a Winter: GW-13.1 to GW-13.8, GW-16.10."""
    sections = state.setup.table.sections
    yield from _first_strikes(state)
    yield from (steps.Shooting(section=section) for section in sections)
    yield soldiers.DefeatCheck()
    yield from (steps.Assault(section=section) for section in sections)
    yield steps.EndWinter()
    if state.setup.requests:
        yield requests.FulfilRequests()
    yield steps.EndCheck()


def _first_strikes(state: State) -> Iterator[Step]:
    """What Horde cards in the first row take and kill, from left to right: GW-13.1, GW-18.8."""
    for section in state.setup.table.sections:
        for first in state.horde_cards(section)[:1]:
            ability = decks.HORDES[first.card].ability
            if ability.kind == "toll_while_first":
                for seat in state.players:
                    yield steps.Plunder(seat=seat, amount=ability.amount, rule="GW-13.1")
            if ability.kind == "kill_firing_on_winter":
                for clan in state.fighters:
                    yield steps.Snipe(clan=clan, section=section, amount=ability.amount)


def snipe(p: Play[State], step: steps.Snipe) -> None:
    """Doom Archers in the Firing spots of a Section: GW-13.1, GW-18.8."""
    archers = _archers(p.state, step.clan, step.section)[: step.amount]
    kills.begin(p, step.clan, (), "GW-13.1", archers)


def _archers(state: State, clan: int, section: board.Section) -> tuple[Unit, ...]:
    count = state.clans[clan].firing_in(section)
    return (Unit("archer", section, "firing"),) * count


def plunder(p: Play[State], step: steps.Plunder) -> None:
    """Let a seat lose resources of its choice: GW-18.8."""
    supply.lose_any(p, step.seat, step.amount, step.rule)


def let_all_shoot(p: Play[State], step: steps.Shooting) -> None:
    """Let all clans with Archers in the Firing spots of a Section shoot, in Tea order: GW-13.2."""
    p.then(
        *(
            _shoot(p.state, clan, step.section)
            for clan in p.state.fighters
            if p.state.clans[clan].firing_in(step.section)
        )
    )


def _shoot(state: State, clan: int, section: board.Section) -> Step:
    if clan == state.qin:
        return steps.QinShoots(section=section)
    return steps.Shoot(seat=clan, section=section)


def power(state: State, section: board.Section) -> int:
    """The total Offensive Power of all Horde cards of a Section: GW-13.3."""
    cards = [decks.HORDES[horde.card] for horde in state.horde_cards(section)]
    more = modifiers.power_bonus(state)
    helped = sum(_power_for_others(card) for card in cards)
    return sum(
        max(
            0,
            card.power
            + _power_by_others(card, len(cards) - 1)
            + helped
            - _power_for_others(card)
            + more,
        )
        for card in cards
    )


def _power_by_others(card: HordeCard, others: int) -> int:
    """How much Power a card has because of the other cards in its Section: GW-18.8."""
    return card.ability.amount * others if card.ability.kind == "power_per_other_horde" else 0


def _power_for_others(card: HordeCard) -> int:
    """How much Power a card adds to each of the others: GW-18.8."""
    return card.ability.amount if card.ability.kind == "power_other_hordes" else 0


def defense(state: State, section: board.Section) -> int:
    """The Defense of Wall and Barricades against the Horde cards there: GW-13.3."""
    less = sum(_amounts(state, section, "barricades_less"))
    each = max(0, board.BARRICADE_DEFENSE - less)
    total = board.WALL[state.wall(section)].defense + each * state.barricades_in(section)
    for _ in _amounts(state, section, "halve_defense"):
        total //= 2
    return max(0, total + modifiers.defense_bonus(state))


def _amounts(state: State, section: board.Section, kind: AbilityKind) -> list[int]:
    """The amount of each Horde card there with an ability of this kind: GW-18.8."""
    abilities = [decks.HORDES[horde.card].ability for horde in state.horde_cards(section)]
    return [ability.amount for ability in abilities if ability.kind == kind]


def assault(p: Play[State], step: steps.Assault) -> None:
    """Compare Power and Defense; a higher Power breaches the Section: GW-13.4, GW-13.3."""
    section = step.section
    if not p.state.horde_cards(section):
        return
    attack, wall = power(p.state, section), defense(p.state, section)
    if attack > wall:
        _breach(p, section, attack, wall)
    elif attack:
        p.emit(hordes.SectionHeld(section, attack, wall))


def _breach(p: Play[State], section: board.Section, attack: int, wall: int) -> None:
    """Breach a Section, and let each clan bear the consequences: GW-13.5, GW-13.6."""
    p.emit(hordes.SectionBreached(section, attack, wall))
    p.then(*_consequences(p.state, section))
    _shame_all(p, section)


def _shame_all(p: Play[State], section: board.Section) -> None:
    """Give each clan a token for each Horde card without its soldiers, in Tea order: GW-13.6."""
    for seat in reversed(p.state.players):
        alone = sum(not horde.count_covered(seat) for horde in p.state.horde_cards(section))
        shame.gain(p, seat, alone - modifiers.breach_shield(p.state, seat), "GW-13.6")


def _consequences(state: State, section: board.Section) -> Iterator[Step]:
    """Kills of every clan, plunder, and answers of abilities: GW-13.6."""
    yield steps.Casualties(section=section, clans=state.tea)
    for amount in _amounts(state, section, "plunder_on_breach"):
        yield from (steps.Plunder(seat=seat, amount=amount) for seat in state.players)
    context = Context(sections=(section,))
    yield steps.Fire(trigger="breach", clans=state.players, context=context)


def kill_casualties(p: Play[State], step: steps.Casualties) -> None:
    """Kill soldiers on each card by its Lethality, and all Archers there, clan by clan: GW-13.6."""
    cards = p.state.horde_cards(step.section)
    places = [PlacedHorde(step.section, row, horde) for row, horde in enumerate(cards)]
    for number, clan in enumerate(step.clans, 1):
        there = [(place, units) for place in places if (units := units_on(place, clan))]
        archers = _archers(p.state, clan, step.section)
        if there or archers:
            if others := step.clans[number:]:
                p.then(steps.Casualties(section=step.section, clans=others))
            choices = [(lethality(p.state, place), units) for place, units in there]
            kills.begin(p, clan, choices, "GW-13.6", archers)
            return


def end(p: Play[State], _step: steps.EndWinter) -> None:
    """Discard the Barricades, then push Horde cards forward: GW-13.7."""
    p.emit(hordes.BarricadesGone())
    for section in p.state.setup.table.sections:
        for row, horde in enumerate(p.state.horde_cards(section)):
            if decks.HORDES[horde.card].ability.kind == "swap_forward":
                if row:
                    p.emit(hordes.HordesSwapped(section, row, horde.card))
                break
