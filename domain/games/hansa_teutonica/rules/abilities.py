"""Abilities: which can be improved, and what that brings: chapter 6 and HT-3.7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import ABILITIES, ABILITY_NUMBER, Route
from domain.games.hansa_teutonica.events import routes
from domain.games.hansa_teutonica.moves import ImproveAbility
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.rules.pieces.places import end_number
from domain.games.hansa_teutonica.state.table import State


def offer_improvements(state: State, route: Route, seat: Seat) -> Iterator[ImproveAbility]:
    """The abilities that the cities at the ends of a route improve: HT-6.9."""
    for city in route.cities:
        for ability in abilities_at(state, state.board.city_number[city]):
            yield ImproveAbility(seat, route.id, city, ABILITIES[ability])


def check_city(state: State, route: int, move: ImproveAbility) -> None:
    """Refuse an ability that the city does not improve, or that is complete: HT-6.9."""
    improved = abilities_at(state, end_number(state, move.city, route, "HT-6.9"))
    if not improved:
        raise RuleBroken("HT-6.9", "no_ability_city", city=name_parts.city(move.city))
    if ABILITY_NUMBER[move.ability] not in improved:
        city, abilities = name_parts.city(move.city), name_parts.one_of(improved)
        raise RuleBroken("HT-6.9", "other_ability", city=city, abilities=abilities)
    check_incomplete(state, move.seat, move.ability)


def abilities_at(state: State, city: int) -> Sequence[int]:
    """The abilities that a city improves: HT-6.9, HT-13.1, HT-14.11."""
    both = state.board.abilities[city], state.board.second_abilities[city]
    printed = [number for number in both if number >= 0]
    if printed and state.setup.ability_choice == "any":
        return range(len(ABILITIES))
    return printed


def check_incomplete(state: State, seat: Seat, ability: board.Ability) -> None:
    """Refuse to improve a complete ability: HT-6.9."""
    if is_complete(state, seat, ability):
        raise RuleBroken("HT-6.9", "ability_complete", ability=name_parts.ABILITIES[ability])


def is_complete(state: State, seat: Seat, ability: board.Ability) -> bool:
    """Whether nothing of an ability is covered: HT-6.9."""
    number = ABILITY_NUMBER[ability]
    return state.level(seat, number) == board.COMPLETE[number]


def improve_chosen(p: Play[State], move: ImproveAbility) -> None:
    """Improve the ability chosen for a route: HT-6.9."""
    improve(p, move.seat, ABILITY_NUMBER[move.ability], "HT-6.9")


def improve(p: Play[State], seat: Seat, ability: int, rule: str) -> None:
    """Take the leftmost piece off a row by this rule; more actions count at once: HT-3.7."""
    level = p.state.level(seat, ability) + 1
    values = board.VALUES[ability]
    actions = values[level] - values[level - 1] if ability == board.ACTIONS else 0
    piece = board.PIECES[board.COVERED_BY[ability]]
    p.emit(routes.AbilityImproved(seat, ABILITIES[ability], level, piece, actions, rule))
