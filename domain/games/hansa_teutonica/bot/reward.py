"""What a seat has for certain, and what each route would bring it: as long as offices stand so."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.hansa_teutonica import board as box
from domain.games.hansa_teutonica import scoring
from domain.games.hansa_teutonica.rules.abilities import improved_at
from domain.games.hansa_teutonica.rules.establishing import open_prizes
from domain.games.hansa_teutonica.rules.offices import reaches
from domain.games.hansa_teutonica.state.table import ROWS, State, code_of

TEMPO: tuple[tuple[float, ...], ...] = (
    (0, 0, 0, 1, 1.5),  # keys: for offices still to come
    (0, 9, 12, 18, 20, 25),  # actions
    (0, 5, 7, 8),  # privilege
    (0, 1, 2, 3),  # book
    (0, 0.5, 1, 1.5),  # bag
)
"""What the levels of each ability are worth at the beginning, besides the points they score."""
EFFECTS = (0.9, 0.5, 0.3, 3.8, 3.0, 3.5)
"""What a marker is worth until it is used, by kind."""
BONUSES: dict[box.Bonus, float] = {
    "move_any_2": 1.0,
    "redeploy_2": 0.6,
    "place_2": 1.2,
    "office_in_green_city": 4.0,
}
"""What a permanent bonus of a further map is worth, if it does not improve an ability."""
CONTROL = 0.7
"""What a controlled city brings by routes until the end, at the beginning."""
FOR_A_RIVAL = 0.5
"""What it costs to give prestige to somebody else."""
PIECES_ARE_WORTH = 16.0
DIMINISHING = 0.82
"""With each piece that is neither on the desk nor on an office the next one is worth less."""


class Towns:
    """A table whose posts do not count, to be looked up by all the rest of it."""

    __slots__ = ("_key", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        towns = (bytes(state.offices), *state.extras, bytes(state.special))
        desks = (bytes(state.levels), bytes(state.ready), bytes(state.used), *state.prestige)
        self._key = (
            bytes(state.markers),
            state.drawable(),
            towns,
            desks,
        )

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Towns) and (
            self._key == other._key and self.state.setup is other.state.setup
        )


class Standing(NamedTuple):
    """What a seat has, and by route what it would bring: without a merchant, and with one."""

    worth: float
    plain: list[float]
    with_merchant: list[float]
    promising: list[int]  # the routes, those that could bring most first


class Outlook(NamedTuple):
    """What all seats go by."""

    left: float  # how much of the game
    counts: list[list[int]]  # by seat and city: offices
    controllers: list[Seat | None]  # by city
    loose: list[int]  # by seat: pieces that are neither on the desk nor on an office


@lru_cache(maxsize=1 << 12)
def standings_of(towns: Towns) -> tuple[float, tuple[Standing, ...]]:
    """How much of the game is left, and how each seat stands."""
    state = towns.state
    counts = [scoring.offices_of(state, seat) for seat in range(state.seats)]
    loose = [_loose(state, seat, sum(counts[seat])) for seat in range(state.seats)]
    outlook = Outlook(left_of(state), counts, list(scoring.controllers(state)), loose)
    return outlook.left, tuple(_standing(state, seat, outlook) for seat in range(state.seats))


def left_of(state: State) -> float:
    """How much of the game is left, by the end that is nearest: HT-9.1, HT-9.3."""
    progress = max(
        max(state.prestige) / box.ENOUGH_PRESTIGE,
        state.complete / state.setup.map.completed_city_limit,
        1 - (state.drawable() + 1) / (sum(state.setup.markers) - 2),
    )
    return max(0.08, 1 - progress)


def _loose(state: State, seat: Seat, offices: int) -> int:
    """How many pieces a seat has to play with: HT-1.6."""
    covered = sum(box.COMPLETE) - sum(state.levels[seat * ROWS : (seat + 1) * ROWS])
    prizes = state.special.count(code_of(seat, 1))
    return box.TRADERS - box.ON_TRACK + box.MERCHANTS - covered - offices - prizes


def _pieces_worth(loose: int, left: float) -> float:
    """What it is worth to have this many pieces to play with."""
    return max(0.8, left) * PIECES_ARE_WORTH * (1 - DIMINISHING**loose)


def _standing(state: State, seat: Seat, outlook: Outlook) -> Standing:
    abilities = [_ability(state, seat, city, outlook) for city in range(len(state.board.abilities))]
    sure = [_sure(state, seat, route, outlook) for route in range(len(state.board.ends))]
    plain = _rewards(state, seat, outlook, abilities, sure, merchant=False)
    better = _rewards(state, seat, outlook, abilities, sure, merchant=True)
    promising = sorted(range(len(better)), key=better.__getitem__, reverse=True)
    return Standing(_worth(state, seat, outlook), plain, better, promising)


def _rewards(
    state: State,
    seat: Seat,
    outlook: Outlook,
    abilities: list[float],
    sure: list[float],
    *,
    merchant: bool,
) -> list[float]:
    """By route: what it brings in any case, and the best that can be chosen for it."""
    choices = [
        max(ability, _office(state, seat, city, outlook, merchant=merchant))
        for city, ability in enumerate(abilities)
    ]
    best = [max(choices[one], choices[other]) for one, other in state.board.ends]
    if merchant:
        prize = state.board.prize_route
        best[prize] = max(best[prize], _prize(state, seat))
    return [max(0.0, sum(both)) for both in zip(sure, best, strict=True)]


def _worth(state: State, seat: Seat, outlook: Outlook) -> float:
    """What the seat would score now, what control will bring until the end, and tempo."""
    markers = sum(scoring.collected(state, seat))
    cities = outlook.controllers.count(seat)
    levels = state.levels[seat * ROWS : (seat + 1) * ROWS]
    tempo = sum(row[level] for row, level in zip(TEMPO, levels, strict=True))
    effects = sum(
        count * effect
        for count, effect in zip(state.markers_of(state.ready, seat), EFFECTS, strict=True)
    )
    return (
        state.prestige[seat]
        + box.PER_ABILITY * scoring.complete_abilities(state, seat)
        + 0.5 * (scoring.marker_points(markers) + scoring.marker_points(markers + 1))
        + scoring.special_points(state, seat)
        + (box.PER_CITY + CONTROL * outlook.left) * cities
        + scoring.network(state, seat) * box.VALUES[box.KEYS][levels[box.KEYS]]
        + (scoring.country_points(state, seat) if state.board.cities_in else 0)
        + outlook.left * tempo
        + _pieces_worth(outlook.loose[seat], outlook.left)
        + min(1.0, 0.4 + outlook.left) * effects
    )


def _sure(state: State, seat: Seat, route: int, outlook: Outlook) -> float:
    """What a route brings whatever is chosen: marker or bonus, and who gains by control."""
    value = 0.0
    for city in state.board.ends[route]:
        holder = outlook.controllers[city]
        value += 1.0 if holder == seat else 0.0 if holder is None else -FOR_A_RIVAL
    if state.markers[route]:
        effect = EFFECTS[state.markers[route] - 1]
        markers = sum(scoring.collected(state, seat))
        value += 0.5 * (scoring.marker_points(markers + 2) - scoring.marker_points(markers))
        value += effect * min(1.0, 0.4 + outlook.left)
    if bonus := state.board.bonuses.get(route):
        improves = bonus == "improve_privilege"
        value += _step(state, seat, box.PRIVILEGE, outlook) if improves else BONUSES[bonus]
    return value


def _office(state: State, seat: Seat, city: int, outlook: Outlook, *, merchant: bool) -> float:
    """What the next office of a city would bring."""
    office = state.free_office(city)
    board = state.board
    if office < 0 or not reaches(state, seat, board.colours[office]):
        return 0.0
    if board.shapes[office] and not merchant:
        return 0.0
    counts = outlook.counts[seat]
    joins = counts[city] or any(counts[near] for near in board.neighbours[city])
    keys = box.VALUES[box.KEYS][state.levels[seat * ROWS + box.KEYS]]
    value = board.coins[office] + keys * (1.0 if joins else 0.4)
    loose = outlook.loose[seat]
    value += _pieces_worth(loose - 1, outlook.left) - _pieces_worth(loose, outlook.left)
    if outlook.controllers[city] != seat:
        rivals = max(column[city] for column in outlook.counts)
        if counts[city] + 1 >= rivals:
            value += box.PER_CITY + CONTROL * outlook.left
    return value + (0.6 if city in board.east_west else 0.2) * outlook.left


def _ability(state: State, seat: Seat, city: int, outlook: Outlook) -> float:
    """What the best ability that a city improves would bring."""
    improved = improved_at(state, city)
    return max((_step(state, seat, ability, outlook) for ability in improved), default=0.0)


def _step(state: State, seat: Seat, ability: int, outlook: Outlook) -> float:
    """What one improvement would bring."""
    level = state.levels[seat * ROWS + ability]
    if level == box.COMPLETE[ability]:
        return 0.0
    value = outlook.left * (TEMPO[ability][level + 1] - TEMPO[ability][level])
    loose = outlook.loose[seat]
    value += _pieces_worth(loose + 1, outlook.left) - _pieces_worth(loose, outlook.left)
    if ability == box.KEYS:
        value += (box.VALUES[box.KEYS][level + 1] - box.VALUES[box.KEYS][level]) * scoring.network(
            state, seat
        )
    elif box.SCORES_COMPLETE[ability] and level + 1 == box.COMPLETE[ability]:
        value += box.PER_ABILITY
    return value


def _prize(state: State, seat: Seat) -> float:
    """The best free space of special prestige that is open to the seat."""
    points = state.board.prize_points
    spaces = open_prizes(state, seat)
    return float(max((points[space] for space in spaces), default=0))
