"""The value of what a seat has, and what each route would bring, with the current offices."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.hansa_teutonica import board as box
from domain.games.hansa_teutonica import scoring
from domain.games.hansa_teutonica.rules.abilities import abilities_at
from domain.games.hansa_teutonica.rules.establishing import find_open_prizes
from domain.games.hansa_teutonica.rules.offices import has_privilege
from domain.games.hansa_teutonica.state.table import ROWS, State, code_of

TEMPO: tuple[tuple[float, ...], ...] = (
    (0, 0, 0, 1, 1.5),  # keys: for offices still to come
    (0, 9, 12, 18, 20, 25),  # actions
    (0, 5, 7, 8),  # privilege
    (0, 1, 2, 3),  # book
    (0, 0.5, 1, 1.5),  # bag
)
"""By ability, the value of its levels early in the game, besides their points."""
MARKER_VALUES = (0.9, 0.5, 0.3, 3.8, 3.0, 3.5)
"""By kind of marker, its value until it is used."""
BONUS_VALUES: dict[box.Bonus, float] = {
    "move_any_2": 1.0,
    "redeploy_2": 0.6,
    "place_2": 1.2,
    "office_in_green_city": 4.0,
}
"""The value of a permanent bonus, unless it improves an ability."""
CONTROL_VALUE = 0.7
"""What a controlled city earns by routes during a whole game."""
RIVAL_PRESTIGE_COST = 0.5
"""The cost of giving prestige to a rival."""
MAX_PIECES_VALUE = 16.0
DIMINISHING = 0.82
"""Each further piece, not on the desk or an office, is worth this part of the one before."""


class Towns:
    """A table without its posts, as a key of a cache."""

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


class SeatValue(NamedTuple):
    """The value of what a seat has, and of each route for it, without and with a merchant."""

    worth: float
    plain: list[float]
    with_merchant: list[float]
    promising: list[int]  # route numbers, those with the highest value first


class Outlook(NamedTuple):
    """What the evaluation of all seats shares."""

    left: float  # the part of the game that is left
    held: scoring.Holdings
    loose: list[int]  # by seat: pieces that are neither on the desk nor on an office


@lru_cache(maxsize=1 << 8)  # some 10 kB each
def evaluate_seats(towns: Towns) -> tuple[float, tuple[SeatValue, ...]]:
    """How much of the game is left, and the standing of each seat."""
    state = towns.state
    held = scoring.survey(state)
    loose = [_count_loose(state, seat, sum(held.offices[seat])) for seat in range(state.seats)]
    outlook = Outlook(measure_game_left(state), held, loose)
    return outlook.left, tuple(_evaluate_seat(state, seat, outlook) for seat in range(state.seats))


def measure_game_left(state: State) -> float:
    """The part of the game that is left, by its nearest end: HT-9.1, HT-9.3."""
    progress = max(
        max(state.prestige) / box.ENOUGH_PRESTIGE,
        state.complete / state.setup.map.completed_city_limit,
        1 - (state.drawable() + 1) / (sum(state.setup.markers) - 2),
    )
    return max(0.08, 1 - progress)


def _count_loose(state: State, seat: Seat, offices: int) -> int:
    """How many pieces of a seat are neither on the desk nor on an office: HT-1.6."""
    covered = sum(box.COMPLETE) - sum(state.levels[seat * ROWS : (seat + 1) * ROWS])
    prizes = state.special.count(code_of(seat, 1))
    return box.TRADERS - box.ON_TRACK + box.MERCHANTS - covered - offices - prizes


def _value_of_pieces(loose: int, left: float) -> float:
    """The value of having this number of pieces."""
    return max(0.8, left) * MAX_PIECES_VALUE * (1 - DIMINISHING**loose)


def _evaluate_seat(state: State, seat: Seat, outlook: Outlook) -> SeatValue:
    abilities = [
        _value_of_ability(state, seat, city, outlook) for city in range(len(state.board.abilities))
    ]
    sure = [_certain_reward(state, seat, route, outlook) for route in range(len(state.board.ends))]
    plain = _rewards(state, seat, outlook, abilities, sure, merchant=False)
    better = _rewards(state, seat, outlook, abilities, sure, merchant=True)
    promising = sorted(range(len(better)), key=better.__getitem__, reverse=True)
    return SeatValue(_value_of_seat(state, seat, outlook), plain, better, promising)


def _rewards(
    state: State,
    seat: Seat,
    outlook: Outlook,
    abilities: list[float],
    sure: list[float],
    *,
    merchant: bool,
) -> list[float]:
    """By route, what it brings in any case, plus the best choice for it."""
    choices = [
        max(ability, _value_of_office(state, seat, city, outlook, merchant=merchant))
        for city, ability in enumerate(abilities)
    ]
    best = [max(choices[one], choices[other]) for one, other in state.board.ends]
    if merchant:
        prize = state.board.prize_route
        best[prize] = max(best[prize], _value_of_prize(state, seat))
    return [max(0.0, sum(both)) for both in zip(sure, best, strict=True)]


def _value_of_seat(state: State, seat: Seat, outlook: Outlook) -> float:
    """The current score, plus the future value of control, abilities, pieces and markers."""
    markers = sum(scoring.count_markers(state, seat))
    cities = outlook.held.controllers.count(seat)
    levels = state.levels[seat * ROWS : (seat + 1) * ROWS]
    tempo = sum(row[level] for row, level in zip(TEMPO, levels, strict=True))
    effects = sum(
        count * effect
        for count, effect in zip(state.markers_of(state.ready, seat), MARKER_VALUES, strict=True)
    )
    return (
        state.prestige[seat]
        + box.PER_ABILITY * scoring.complete_abilities(state, seat)
        + 0.5 * (scoring.marker_points(markers) + scoring.marker_points(markers + 1))
        + scoring.special_points(state, seat)
        + (box.PER_CITY + CONTROL_VALUE * outlook.left) * cities
        + outlook.held.networks[seat] * box.VALUES[box.KEYS][levels[box.KEYS]]
        + (scoring.country_points(state, seat, outlook.held) if state.board.cities_in else 0)
        + outlook.left * tempo
        + _value_of_pieces(outlook.loose[seat], outlook.left)
        + min(1.0, 0.4 + outlook.left) * effects
    )


def _certain_reward(state: State, seat: Seat, route: int, outlook: Outlook) -> float:
    """What a route brings with every choice: marker or bonus, less what controllers gain."""
    value = 0.0
    for city in state.board.ends[route]:
        holder = outlook.held.controllers[city]
        value += 1.0 if holder == seat else 0.0 if holder is None else -RIVAL_PRESTIGE_COST
    if state.markers[route]:
        effect = MARKER_VALUES[state.markers[route] - 1]
        markers = sum(scoring.count_markers(state, seat))
        value += 0.5 * (scoring.marker_points(markers + 2) - scoring.marker_points(markers))
        value += effect * min(1.0, 0.4 + outlook.left)
    if bonus := state.board.bonuses.get(route):
        improves = bonus == "improve_privilege"
        value += (
            _value_of_improvement(state, seat, box.PRIVILEGE, outlook)
            if improves
            else BONUS_VALUES[bonus]
        )
    return value


def _value_of_office(
    state: State, seat: Seat, city: int, outlook: Outlook, *, merchant: bool
) -> float:
    """The value of the next office of a city."""
    office = state.free_office(city)
    board = state.board
    if office < 0 or not has_privilege(state, seat, board.colours[office]):
        return 0.0
    if board.shapes[office] and not merchant:
        return 0.0
    counts = outlook.held.offices[seat]
    joins = counts[city] or any(counts[near] for near in board.neighbours[city])
    keys = box.VALUES[box.KEYS][state.levels[seat * ROWS + box.KEYS]]
    value = board.coins[office] + keys * (1.0 if joins else 0.4)
    loose = outlook.loose[seat]
    value += _value_of_pieces(loose - 1, outlook.left) - _value_of_pieces(loose, outlook.left)
    if outlook.held.controllers[city] != seat:
        rivals = max(column[city] for column in outlook.held.offices)
        if counts[city] + 1 >= rivals:
            value += box.PER_CITY + CONTROL_VALUE * outlook.left
    return value + (0.6 if city in board.east_west else 0.2) * outlook.left


def _value_of_ability(state: State, seat: Seat, city: int, outlook: Outlook) -> float:
    """The value of the best ability that a city improves."""
    improved = abilities_at(state, city)
    return max(
        (_value_of_improvement(state, seat, ability, outlook) for ability in improved), default=0.0
    )


def _value_of_improvement(state: State, seat: Seat, ability: int, outlook: Outlook) -> float:
    """The value of one improvement."""
    level = state.levels[seat * ROWS + ability]
    if level == box.COMPLETE[ability]:
        return 0.0
    value = outlook.left * (TEMPO[ability][level + 1] - TEMPO[ability][level])
    loose = outlook.loose[seat]
    value += _value_of_pieces(loose + 1, outlook.left) - _value_of_pieces(loose, outlook.left)
    if ability == box.KEYS:
        keys = box.VALUES[box.KEYS]
        value += (keys[level + 1] - keys[level]) * outlook.held.networks[seat]
    elif box.SCORES_COMPLETE[ability] and level + 1 == box.COMPLETE[ability]:
        value += box.PER_ABILITY
    return value


def _value_of_prize(state: State, seat: Seat) -> float:
    """The points of the best space of special prestige that the seat can take."""
    points = state.board.prize_points
    spaces = find_open_prizes(state, seat)
    return float(max((points[space] for space in spaces), default=0))
