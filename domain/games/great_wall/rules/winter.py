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
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.steps import requests, soldiers, year
from domain.games.great_wall.state.steps.soldiers import Unit
from domain.games.great_wall.state.table import Place, State


def begin(p: Play[State], _step: year.Winter) -> None:
    """What Horde cards do first, then shooting, assault and the end of the Year: GW-13.1."""
    p.emit(course.SeasonBegan("winter", p.state.year))
    p.then(*plan(p.state))


def plan(state: State) -> Iterator[Step]:
    """What is done in a Winter: GW-13.1 to GW-13.8, GW-16.10."""
    sections = state.setup.table.sections
    yield from _first_strikes(state)
    yield from (year.Shooting(section=section) for section in sections)
    yield soldiers.DefeatCheck()
    yield from (year.Assault(section=section) for section in sections)
    yield year.EndWinter()
    if state.setup.requests:
        yield requests.FulfilRequests()
    yield year.EndCheck()


def _first_strikes(state: State) -> Iterator[Step]:
    """What Horde cards in the first row take and kill, Sections left to right: GW-13.1, GW-18.8."""
    for section in state.setup.table.sections:
        for first in state.horde_cards(section)[:1]:
            ability = decks.HORDES[first.card].ability
            if ability.kind == "toll_while_first":
                for seat in state.players:
                    yield year.Plunder(seat=seat, amount=ability.amount)
            if ability.kind == "kill_firing_on_winter":
                for clan in state.fighters:
                    yield year.Snipe(clan=clan, section=section, amount=ability.amount)


def snipe(p: Play[State], step: year.Snipe) -> None:
    """Archers in the Firing spots of a Section are about to be killed: GW-13.1, GW-18.8."""
    archers = _archers(p.state, step.clan, step.section)[: step.amount]
    kills.begin(p, step.clan, (), certain=archers)


def _archers(state: State, clan: int, section: board.Section) -> tuple[Unit, ...]:
    count = state.clans[clan].firing_in(section)
    return (Unit("archer", section, "firing"),) * count


def plunder(p: Play[State], step: year.Plunder) -> None:
    """A seat loses resources of its choice: GW-13.1, GW-13.6, GW-18.8."""
    supply.lose_any(p, step.seat, step.amount)


def shooting(p: Play[State], step: year.Shooting) -> None:
    """All with Archers in the Firing spots of a Section shoot, in Tea order: GW-13.2."""
    p.then(
        *(
            _shoot(p.state, clan, step.section)
            for clan in p.state.fighters
            if p.state.clans[clan].firing_in(step.section)
        )
    )


def _shoot(state: State, clan: int, section: board.Section) -> Step:
    if clan == state.qin:
        return year.QinShoots(section=section)
    return year.Shoot(seat=clan, section=section)


def power(state: State, section: board.Section) -> int:
    """The Offensive Power of all Horde cards of a Section together: GW-13.3."""
    cards = [decks.HORDES[horde.card] for horde in state.horde_cards(section)]
    more = modifiers.power_more(state)
    helped = sum(_helps(card) for card in cards)
    return sum(
        max(0, card.power + _for_others(card, len(cards) - 1) + helped - _helps(card) + more)
        for card in cards
    )


def _for_others(card: HordeCard, others: int) -> int:
    """By how much the Power of a card is higher for so many others: GW-18.8."""
    return card.ability.amount * others if card.ability.kind == "power_per_other_horde" else 0


def _helps(card: HordeCard) -> int:
    """By how much the Power of all others is higher for a card: GW-18.8."""
    return card.ability.amount if card.ability.kind == "power_other_hordes" else 0


def defense(state: State, section: board.Section) -> int:
    """What Wall and Barricades are worth against the Horde cards there: GW-13.3."""
    less = sum(_amounts(state, section, "barricades_less"))
    each = max(0, board.BARRICADE_DEFENSE - less)
    total = board.WALL[state.wall(section)].defense + each * state.barricades_in(section)
    for _ in _amounts(state, section, "halve_defense"):
        total //= 2
    return max(0, total + modifiers.defense_more(state))


def _amounts(state: State, section: board.Section, kind: AbilityKind) -> list[int]:
    """The amount of each Horde card there with an ability of this kind: GW-18.8."""
    abilities = [decks.HORDES[horde.card].ability for horde in state.horde_cards(section)]
    return [ability.amount for ability in abilities if ability.kind == kind]


def assault(p: Play[State], step: year.Assault) -> None:
    """Compare Power and Defense; a higher Power breaches the Section: GW-13.3 to GW-13.5."""
    section = step.section
    if not p.state.horde_cards(section):
        return
    attack, wall = power(p.state, section), defense(p.state, section)
    if attack > wall:
        p.emit(hordes.SectionBreached(section, attack, wall))
        p.then(*_breach(p.state, section))
        _shame_all(p, section)
    elif attack:
        p.emit(hordes.SectionHeld(section, attack, wall))


def _shame_all(p: Play[State], section: board.Section) -> None:
    """A token for each Horde card without own soldiers, in Tea order: GW-13.6."""
    for seat in reversed(p.state.players):
        alone = sum(not horde.covered(seat) for horde in p.state.horde_cards(section))
        shame.gain(p, seat, alone - modifiers.breach_shield(p.state, seat))


def _breach(state: State, section: board.Section) -> Iterator[Step]:
    """Kills of every clan, plunder, what abilities answer: GW-13.6."""
    yield year.Casualties(section=section, clans=state.tea)
    for amount in _amounts(state, section, "plunder_on_breach"):
        yield from (year.Plunder(seat=seat, amount=amount) for seat in state.players)
    context = Context(sections=(section,))
    yield year.Fire(trigger="breach", clans=state.players, context=context)


def casualties(p: Play[State], step: year.Casualties) -> None:
    """Soldiers on each card as it is lethal, and all Archers there, a batch a clan: GW-13.6."""
    cards = p.state.horde_cards(step.section)
    places = [Place(step.section, row, horde) for row, horde in enumerate(cards)]
    for number, clan in enumerate(step.clans, 1):
        there = [(place, units) for place in places if (units := units_on(place, clan))]
        archers = _archers(p.state, clan, step.section)
        if there or archers:
            if others := step.clans[number:]:
                p.then(year.Casualties(section=step.section, clans=others))
            choices = [(lethality(p.state, place), units) for place, units in there]
            kills.begin(p, clan, choices, archers)
            return


def end(p: Play[State], _step: year.EndWinter) -> None:
    """Barricades are discarded, then Horde cards push forward: GW-13.7."""
    p.emit(hordes.BarricadesGone())
    for section in p.state.setup.table.sections:
        for row, horde in enumerate(p.state.horde_cards(section)):
            if decks.HORDES[horde.card].ability.kind == "swap_forward":
                if row:
                    p.emit(hordes.HordesSwapped(section, row, horde.card))
                break
