"""Points that a game can reach: they follow from regions, doubles, cards and the end."""

from __future__ import annotations

from itertools import product

from domain.engine.errors import require, require_distinct
from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.rules.cards import GREAT
from domain.games.chang_cheng.rules.invasion import outcome
from domain.games.chang_cheng.rules.reachable.board import holds
from domain.games.chang_cheng.rules.regions import plain_value
from domain.games.chang_cheng.state.table import (
    CATEGORIES,
    DOUBLE,
    Category,
    Paid,
    State,
    Tally,
    find_scored_regions,
)

CHANGES = (-2, 0, 2, 4)
"""The possible effects of a Flood and an Architect on one region: CC-7.5."""
AT_LAST: tuple[Category, ...] = ("invasion", "diplomat", "hegemon", "imperial_reward")
"""Categories that score only at the end of the game: CC-10.2, CC-12.1."""


def check_points(state: State) -> None:
    """Refuse points that nothing on the table can have brought: CC-4.4, CC-6.4, CC-10.2."""
    for paid in state.paid:
        _check_paid(state, paid)
    for seat in range(state.seats):
        _check_regions(state, seat)
        doubles = (0, _double(state, seat))
        right = _points(state, seat, "double") in doubles
        require(right, f"The double of seat {seat} scores a point for each region that it is in.")
    if state.ended is None:
        early = any(_points(state, s, one) for s in range(state.seats) for one in AT_LAST)
        require(not early, f"Points of {', '.join(AT_LAST)} come at the end.")
    else:
        require(_final_points(state) == state.points, "The end brought other `points`.")


def can_count(state: State, tally: Tally, number: int) -> bool:
    """Whether cards below this number can change a scoring this way: CC-7.1, CC-7.5, CC-7.6.

    Each number counts at most once, because equal cards cancel: CC-7.2.
    """
    none = _effect(state)
    owners = {card: _owners(state, card) if card < number else [] for card in board.CARDS}
    floods = [_effect(state, 2), _effect(state, -2)] if owners[board.FLOOD] else []
    architects = [_effect(state, 2)] if owners[board.ARCHITECT] else []
    architects += [_effect(state, 0, seat, 1) for seat in owners[board.ARCHITECT]]
    greats = [_effect(state, 0, seat, GREAT) for seat in owners[board.GREAT_ARCHITECT]]
    ways = product([none, *floods], [none, *architects], [none, *greats])
    return (tally.change, *tally.extra) in {tuple(map(sum, zip(*way, strict=True))) for way in ways}


def _effect(state: State, change: int = 0, by: Seat = 0, walls: int = 0) -> tuple[int, ...]:
    """What a card changes: the value, and the walls of each seat."""
    return (change, *(walls * (seat == by) for seat in range(state.seats)))


def _owners(state: State, number: int) -> list[Seat]:
    """Who can have used a card of this number: CC-6.3."""
    return [seat for seat in range(state.seats) if not holds(state, seat, number)]


def _check_paid(state: State, paid: Paid) -> None:
    """Refuse a value that cards cannot make of size, ruins and prestige: CC-6.4, CC-6.5."""
    require_distinct(paid.seats, "paid")
    plain = plain_value(state, board.CHINA_NUMBER[paid.region])
    right = paid.value in {max(0, plain + change) for change in CHANGES}
    require(right, f"{paid.region} cannot have `paid` {paid.value}: {plain} and what cards change.")


def _check_regions(state: State, seat: Seat) -> None:
    """Refuse fewer points than regions paid, or more than others can have paid: CC-6.5."""
    least = sum(paid.value for paid in state.paid if seat in paid.seats)
    told = {paid.region for paid in state.paid}
    numbers = [board.CHINA_NUMBER[name] for name in find_scored_regions(state) if name not in told]
    most = least + sum(max(0, plain_value(state, number) + max(CHANGES)) for number in numbers)
    right = least <= _points(state, seat, "regions") <= most
    require(right, f"Seat {seat} has {least} to {most} points of regions, as they were scored.")


def _double(state: State, seat: Seat) -> int:
    """Count the regions in which the double of a seat lies: CC-4.4."""
    own = [c for c in state.wall.cells if (state.cells[c], state.kinds[c]) == (seat + 1, DOUBLE)]
    return sum(len({of[cell] for cell in own}) for of in (state.map.china_of, state.map.mongol_of))


def _points(state: State, seat: Seat, category: Category) -> int:
    return state.points[seat * len(CATEGORIES) + CATEGORIES.index(category)]


def _final_points(state: State) -> list[int]:
    """Score the end anew: CC-10.2, CC-12.1."""
    anew = state.copy()
    for at, category in enumerate(CATEGORIES * state.seats):
        anew.points[at] *= category not in AT_LAST
    for event in outcome(state):
        event.apply(anew)
    return anew.points
