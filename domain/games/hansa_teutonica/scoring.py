"""Control, networks, the final points by category, and the winners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, ScoreParts, Scoring, ranks
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, owner_of

PARTS = ScoreParts(tie_break="option_tie_break_actions_then_network")


class Holdings(NamedTuple):
    """What the offices of all cities amount to."""

    controllers: tuple[Seat | None, ...]  # by city: HT-7.1
    offices: tuple[list[int], ...]  # by seat and city, how many: HT-7.4
    networks: tuple[int, ...]  # by seat, the size of its largest network: HT-7.4


def survey(state: State) -> Holdings:
    """Who holds the cities of a table, for all that needs it more than once."""
    offices = tuple(offices_of(state, seat) for seat in range(state.seats))
    networks = tuple(find_largest_network(state, counts) for counts in offices)
    return Holdings(tuple(controllers(state)), offices, networks)


def scoring(state: State) -> Scoring:
    """The points if the game ended now: HT-10.7."""
    parts = final_points(state, survey(state))
    places = ranks(standings(state, parts))
    return Scoring(
        reason=state.ended or "",
        lines=tuple(
            ScoreLine(seat=seat, rank=places[seat], points=sum(part.values()), breakdown=part)
            for seat, part in enumerate(parts)
        ),
    )


def final_points(state: State, held: Holdings) -> list[dict[str, int]]:
    """By seat and category, the points at the end: HT-10.1 to HT-10.6, HT-14.14."""
    return [_points_of(state, seat, held) for seat in range(state.seats)]


def _points_of(state: State, seat: Seat, held: Holdings) -> dict[str, int]:
    points = {
        "prestige": state.prestige[seat],
        "abilities": board.PER_ABILITY * complete_abilities(state, seat),
        "markers": marker_points(sum(count_markers(state, seat))),
        "special": special_points(state, seat),
        "cities": board.PER_CITY * held.controllers.count(seat),
        "network": held.networks[seat] * state.value(seat, board.KEYS),
    }
    if state.board.cities_in:
        points["countries"] = country_points(state, seat, held)
    return points


def standings(state: State, parts: list[dict[str, int]]) -> list[tuple[int, ...]]:
    """The ranking keys: the points, and with the option tie-breakers: HT-10.7, HT-13.5."""
    if state.setup.tie_break == "shared":
        return [(sum(part.values()),) for part in parts]
    return [
        (sum(part.values()), -state.level(seat, board.ACTIONS), part["network"])
        for seat, part in enumerate(parts)
    ]


def controllers(state: State) -> Iterator[Seat | None]:
    """By city, its controller."""
    return (controller(state, city) for city in range(len(state.extras)))


def controller(state: State, city: int) -> Seat | None:
    """The seat with most offices, in a tie the one furthest to the right: HT-7.1, HT-7.2."""
    owners = [owner_of(code) for code in reversed(offices_in(state, city)) if code != FREE]
    return max(owners, key=owners.count) if owners else None


def rightmost(state: State, city: int) -> Seat | None:
    """The seat whose office is furthest to the right: HT-14.12."""
    row = reversed(offices_in(state, city))
    return next((owner_of(code) for code in row if code != FREE), None)


def offices_in(state: State, city: int) -> bytes:
    """The pieces on the offices of a city from left to right, and FREE for those that are open."""
    span = state.board.offices[city]
    return state.extras[city] + state.offices[span.start : span.stop]


def country_points(state: State, seat: Seat, holdings: Holdings) -> int:
    """The points for the places in each country, shared in a tie: HT-14.14."""
    holders, counts, _ = holdings
    points = 0
    for cities in state.board.cities_in:
        held = [
            (sum(holders[city] == other for city in cities), sum(row[city] for city in cities))
            for other, row in enumerate(counts)
        ]
        if held[seat][1]:
            better = sum(other > held[seat] for other in held)
            equal = held.count(held[seat])
            points += sum(board.COUNTRY_POINTS[better : better + equal]) // equal
    return points


def offices_of(state: State, seat: Seat) -> list[int]:
    """How many offices a seat has in each city: HT-7.4."""
    trader, merchant = code_of(seat, 0), code_of(seat, 1)
    offices = state.offices
    counts = []
    for city, span in enumerate(state.board.offices):
        count = offices.count(trader, span.start, span.stop)
        count += offices.count(merchant, span.start, span.stop)
        if extra := state.extras[city]:
            count += extra.count(trader) + extra.count(merchant)
        counts.append(count)
    return counts


def find_largest_network(state: State, counts: Sequence[int]) -> int:
    """The size of the largest network of a seat with these offices by city: HT-7.4, HT-10.6."""
    best, left = 0, {city for city, count in enumerate(counts) if count}
    while left:
        best = max(best, sum(counts[city] for city in _spread(state, left, left.pop())))
    return best


def is_connected(state: State, seat: Seat) -> bool:
    """Whether offices of a seat join the two red cities: HT-6.13."""
    counts = offices_of(state, seat)
    west, east = state.board.east_west
    if not counts[west] or not counts[east]:
        return False
    left = {city for city, count in enumerate(counts) if count}
    left.discard(west)
    return east in _spread(state, left, west)


def count_markers(state: State, seat: Seat) -> tuple[int, int]:
    """Markers face up and face down: HT-10.3."""
    return sum(state.markers_of(state.ready, seat)), sum(state.markers_of(state.used, seat))


def marker_points(count: int) -> int:
    """The points for this number of markers: HT-10.3."""
    return next(points for least, points in board.MARKER_POINTS if count >= least)


def special_points(state: State, seat: Seat) -> int:
    """The points of merchants on the table of special prestige: HT-10.4."""
    points = zip(state.special, state.board.prize_points, strict=True)
    return sum(value for code, value in points if code == code_of(seat, 1))


def complete_abilities(state: State, seat: Seat) -> int:
    """How many complete abilities score; the keys do not: HT-10.2."""
    return sum(
        board.SCORES_COMPLETE[ability] and state.level(seat, ability) == board.COMPLETE[ability]
        for ability in range(len(board.ABILITIES))
    )


def _spread(state: State, left: set[int], start: int) -> list[int]:
    """Remove and return all cities connected with this one: HT-7.4."""
    found, edge = [start], [start]
    while edge:
        for near in state.board.neighbours[edge.pop()]:
            if near in left:
                left.remove(near)
                found.append(near)
                edge.append(near)
    return found
