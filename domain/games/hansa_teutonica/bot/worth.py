"""What is good in Hansa Teutonica, as a number of points."""

from __future__ import annotations

from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import (
    BOOK,
    COMPLETE,
    ENOUGH_PRESTIGE,
    KEYS,
    PER_ABILITY,
    PRIVILEGE,
    VALUES,
)
from domain.games.hansa_teutonica.scoring import (
    final_points,
    marker_points,
    network,
    offices_of,
    special_points,
)
from domain.games.hansa_teutonica.state import (
    FREE,
    KINDS,
    ROWS,
    Moving,
    Relocate,
    State,
    code_of,
    owner_of,
)

WON = 1000.0
TEMPO: tuple[tuple[float, ...], ...] = (
    (0, 1, 1, 2.5, 3.5),  # keys: for offices still to come
    (0, 9, 10.5, 17, 18, 23),  # actions
    (0, 5, 7, 8),  # privilege
    (0, 3, 4.5, 5.5),  # book
    (0, 2.5, 4, 4.5),  # bag
)
"""What the levels of each ability are worth at the beginning, besides the points they score."""
EFFECTS = (1.2, 0.6, 0.6, 2.2, 1.3, 1.8)
"""What a marker is worth until it is used, by kind."""
AN_ACTION = 0.3
A_TRADER = 0.4
A_MERCHANT = 0.7
IN_STOCK = 0.15
ON_A_POST = 0.15
CHANCE = (0.6, 0.3, 0.14, 0.06, 0.02, 0.01)
"""How likely a route is established that needs so many more pieces."""
OUT_OF_REACH = 0.5
"""How much less a route is worth that does not touch the province of the pawn; HT-11.4."""
A_RIVAL = 0.5
THE_CLOCK = 0.2
"""How much whoever is ahead likes the game to come to its end."""


class Outlook(NamedTuple):
    """What all seats go by."""

    left: float  # how much of the game
    counts: list[list[int]]  # by seat and city: offices
    controllers: list[int]  # by city, or -1
    reach: frozenset[int]  # routes where one may act now
    columns: list[list[int]]  # by seat and route: own pieces


def evaluate(state: State, seat: Seat) -> float:
    """What a seat has and may expect, less a part of what its best rival does."""
    if state.ended is not None:
        return _final(state, seat)
    outlook = _outlook(state)
    values = [_worth(state, other, outlook) for other in range(state.seats)]
    own = values.pop(seat)
    lead = own - max(values)
    return own - A_RIVAL * max(values) + THE_CLOCK * (1 - outlook.left) * max(-20, min(20, lead))


def _final(state: State, seat: Seat) -> float:
    points = [sum(final_points(state, other).values()) for other in range(state.seats)]
    own = points.pop(seat)
    lead = own - max(points)
    return (WON if seat in state.winners else -WON) + lead


def _own(state: State, seat: Seat, span: range) -> int:
    trader = code_of(seat, 0)
    posts = state.posts
    return posts.count(trader, span.start, span.stop) + posts.count(
        trader + 1, span.start, span.stop
    )


def _outlook(state: State) -> Outlook:
    counts = [offices_of(state, seat) for seat in range(state.seats)]
    progress = max(
        max(state.prestige) / ENOUGH_PRESTIGE,
        state.complete / state.setup.map.completed_city_limit,
        1 - (state.drawable() + 1) / (sum(state.setup.markers) - 2),
    )
    return Outlook(
        left=max(0.08, 1 - progress),
        counts=counts,
        controllers=_controllers(state, counts),
        reach=_reach(state),
        columns=[
            [_own(state, seat, span) for span in state.board.posts] for seat in range(state.seats)
        ],
    )


def _controllers(state: State, counts: list[list[int]]) -> list[int]:
    """Who controls each city: only ties need a look at the offices."""
    found = []
    for city, column in enumerate(zip(*counts, strict=True)):
        most = max(column)
        if not most:
            found.append(-1)
        elif column.count(most) == 1:
            found.append(column.index(most))
        else:
            span = state.board.offices[city]
            row = state.extras[city] + state.offices[span.start : span.stop]
            found.append(
                next(
                    owner_of(code)
                    for code in reversed(row)
                    if code != FREE and column[owner_of(code)] == most
                )
            )
    return found


def _reach(state: State) -> frozenset[int]:
    if state.pawn is None:
        return frozenset()
    numbers = state.board.route_number
    province = next(each for each in state.setup.provinces if each.id == state.pawn)
    return frozenset(numbers[route] for route in province.routes)


def _worth(state: State, seat: Seat, outlook: Outlook) -> float:
    """Points that are certain, pieces, abilities, markers, and routes that are under way."""
    value = _points(state, seat, outlook) + _pieces(state, seat)
    for ability in range(ROWS):
        value += outlook.left * TEMPO[ability][state.levels[seat * ROWS + ability]]
    for kind in range(KINDS):
        value += state.ready[seat * KINDS + kind] * EFFECTS[kind] * min(1.0, 0.4 + outlook.left)
    if seat == state.active:
        value += AN_ACTION * state.actions
    column = outlook.columns[seat]
    for route, own in enumerate(column):
        if own:
            full = own == len(state.board.posts[route])
            value += _prospect(state, seat, route, own, outlook) + (not full) * ON_A_POST * own
    return value


def _points(state: State, seat: Seat, outlook: Outlook) -> float:
    """What the seat would score now, and what control will bring until the end."""
    first = seat * ROWS
    complete = sum(
        state.levels[first + ability] == COMPLETE[ability] for ability in range(KEYS + 1, ROWS)
    )
    markers = sum(state.ready[seat * KINDS : (seat + 1) * KINDS])
    markers += sum(state.used[seat * KINDS : (seat + 1) * KINDS])
    cities = outlook.controllers.count(seat)
    keys = VALUES[KEYS][state.levels[first + KEYS]]
    return (
        state.prestige[seat]
        + PER_ABILITY * complete
        + 0.5 * (marker_points(markers) + marker_points(markers + 1))
        + special_points(state, seat)
        + (2 + 1.5 * outlook.left) * cities
        + network(state, seat) * keys
    )


def _pieces(state: State, seat: Seat) -> float:
    """Supply and stock, and what is in the hand of who is moving or relocating."""
    traders, merchants = state.in_supply(seat)
    value = A_TRADER * min(traders, 6) + IN_STOCK * max(0, traders - 6) + A_MERCHANT * merchants
    value += IN_STOCK * sum(state.in_stock(seat))
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, Moving) and not step.marker and seat in step.seats:
        value += 0.6 * len(step.held)
    elif isinstance(step, Relocate) and seat in step.seats:
        value += 0.9 * (step.extras + (not step.placed))
    return value


def _prospect(state: State, seat: Seat, route: int, own: int, outlook: Outlook) -> float:
    """What a route may bring that holds pieces of this seat."""
    span = state.board.posts[route]
    posts = state.posts[span.start : span.stop]
    missing = float(len(posts) - own)
    others = [code for code in posts if code != FREE and owner_of(code) != seat]
    missing += sum(1.2 if code % 2 else 2.2 for code in others)
    chance = CHANCE[min(int(missing), len(CHANCE) - 1)]
    if outlook.reach and route not in outlook.reach:
        chance *= OUT_OF_REACH
    return chance * reward(state, seat, route, outlook)


def reward(state: State, seat: Seat, route: int, outlook: Outlook) -> float:
    """The best that can be chosen for a route, its marker, and who gains by control."""
    span = state.board.posts[route]
    merchant = state.posts.find(code_of(seat, 1), span.start, span.stop) >= 0
    best = 0.0
    value = 0.0
    for city in state.board.ends[route]:
        holder = outlook.controllers[city]
        value += 1.0 if holder == seat else -0.5 if holder >= 0 else 0.0
        best = max(
            best,
            _office(state, seat, city, merchant, outlook),
            _ability(state, seat, city, outlook),
        )
    if route == state.board.prize_route and merchant:
        best = max(best, _prize(state, seat))
    if state.markers[route]:
        kind = state.markers[route] - 1
        value += 1.5 + EFFECTS[kind] * outlook.left
    return max(0.0, value + best)


def _office(state: State, seat: Seat, city: int, merchant: bool, outlook: Outlook) -> float:
    """What the next office of a city would bring."""
    office = state.free_office(city)
    board = state.board
    if office < 0 or board.colours[office] > state.levels[seat * ROWS + PRIVILEGE]:
        return 0.0
    shape = board.shapes[office]
    if shape and not merchant and not state.supply[code_of(seat, 1)]:
        return 0.0
    counts = outlook.counts[seat]
    keys = VALUES[KEYS][state.levels[seat * ROWS + KEYS]]
    joins = counts[city] or any(counts[near] for near in board.neighbours[city])
    value = board.coins[office] + keys * (1.0 if joins else 0.4)
    if outlook.controllers[city] != seat:
        rivals = max(column[city] for column in outlook.counts)
        if counts[city] + 1 >= rivals:
            value += 2 + 1.5 * outlook.left
    return value + (0.6 if city in board.east_west else 0.2) * outlook.left


def _ability(state: State, seat: Seat, city: int, outlook: Outlook) -> float:
    """What the ability of a city would bring."""
    printed = state.board.abilities[city]
    if printed < 0:
        return 0.0
    if state.setup.ability_choice == "any":
        return max(_step(state, seat, ability, outlook) for ability in range(ROWS))
    return _step(state, seat, printed, outlook)


def _step(state: State, seat: Seat, ability: int, outlook: Outlook) -> float:
    level = state.levels[seat * ROWS + ability]
    if level == COMPLETE[ability]:
        return 0.0
    value = outlook.left * (TEMPO[ability][level + 1] - TEMPO[ability][level])
    value += A_MERCHANT if ability == BOOK else A_TRADER
    if ability == KEYS:
        gain = VALUES[KEYS][level + 1] - VALUES[KEYS][level]
        return value + gain * network(state, seat)
    return value + (PER_ABILITY if level + 1 == COMPLETE[ability] else 0)


def _prize(state: State, seat: Seat) -> float:
    """The best free space of special prestige that is open to the seat."""
    privilege = state.levels[seat * ROWS + PRIVILEGE]
    rows = zip(state.special, state.board.prize_colours, state.board.prize_points, strict=True)
    return float(
        max(
            (points for code, colour, points in rows if not code and colour <= privilege), default=0
        )
    )
