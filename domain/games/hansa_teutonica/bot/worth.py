"""The value of a table of Hansa Teutonica, in points."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.hansa_teutonica.bot.effort import (
    Tally,
    effort,
    means_of,
    pawn_efforts,
    tally_posts,
)
from domain.games.hansa_teutonica.bot.reward import SeatValue, Towns, evaluate_seats
from domain.games.hansa_teutonica.scoring import final_points, survey
from domain.games.hansa_teutonica.state.steps import Moving, Relocate
from domain.games.hansa_teutonica.state.table import State, code_of

VICTORY_VALUE = 1000.0
ACTION_VALUE = 0.9
TRADER_VALUE = 0.25
MERCHANT_VALUE = 0.4
"""In the supply. A piece on a post is worth a little more, one in the stock nearly nothing."""
MAX_USEFUL_TRADERS = 6
POST_BONUS = 0.15
STOCK_VALUE = 0.05
HELD_VALUE = 0.9
DISCOUNT_PER_ACTION = 0.86
"""What is left of a reward for each action that it takes."""
PLAN_WEIGHTS = (0.85, 0.3, 0.2)
"""How much the best, second and third best route count."""
RIVAL_WEIGHT = 0.5
END_WEIGHT = 0.2
"""How much the leader gains as the game comes to its end."""


def evaluate(state: State, seat: Seat) -> float:
    """The expected points of a seat, less a part of those of its best rival."""
    if state.ended is not None:
        return _final(state, seat)
    left, standings = evaluate_seats(Towns(state))
    posts = [
        tally_posts(bytes(state.posts[span.start : span.stop]), state.seats)
        for span in state.board.posts
    ]
    values = [
        standing.worth
        + _value_of_pieces(state, other)
        + _value_of_plans(state, other, standing, posts)
        for other, standing in enumerate(standings)
    ]
    own = values.pop(seat)
    lead = own - max(values)
    return own - RIVAL_WEIGHT * max(values) + END_WEIGHT * (1 - left) * max(-20, min(20, lead))


def _final(state: State, seat: Seat) -> float:
    points = [sum(parts.values()) for parts in final_points(state, survey(state))]
    own = points.pop(seat)
    lead = own - max(points)
    return (VICTORY_VALUE if seat in state.winners else -VICTORY_VALUE) + lead


def _value_of_pieces(state: State, seat: Seat) -> float:
    """The value of pieces by where they are, and of actions that are left."""
    traders, merchants = state.in_supply(seat)
    trader = code_of(seat, 0)
    posted = state.posts.count(trader) + state.posts.count(trader + 1)
    merchants += state.posts.count(trader + 1)
    value = TRADER_VALUE * min(traders + posted, MAX_USEFUL_TRADERS) + MERCHANT_VALUE * merchants
    value += STOCK_VALUE * (
        sum(state.in_stock(seat)) + 2 * max(0, traders + posted - MAX_USEFUL_TRADERS)
    )
    value += POST_BONUS * min(posted, MAX_USEFUL_TRADERS)
    if seat == state.active and not state.closed:
        value += ACTION_VALUE * state.actions
    step = state.agenda[-1]
    if isinstance(step, Moving) and not step.marker and seat in step.seats:
        value += HELD_VALUE * len(step.held)
    elif isinstance(step, Relocate) and seat in step.seats:
        value += HELD_VALUE * (step.extras + (not step.placed))
    return value


def _value_of_plans(
    state: State, seat: Seat, standing: SeatValue, posts: list[tuple[Tally, ...]]
) -> float:
    """The value of the best routes, less for each action that they take."""
    means = means_of(state, seat)
    merchant = code_of(seat, 1)
    merchants = state.supply[merchant] + state.posts.count(merchant)
    values: list[float] = [0.0] * len(PLAN_WEIGHTS)
    distances = pawn_efforts(state, seat)
    for route in standing.promising:
        if standing.with_merchant[route] * DISCOUNT_PER_ACTION <= values[-1]:
            break
        if state.board.reserved and _is_out_of_reach(state, route, merchants):
            continue
        tally = posts[route][seat]
        rounded = tally.merchants or (merchants and tally.free + tally.foreign)
        reward = (standing.with_merchant if rounded else standing.plain)[route]
        value = reward * DISCOUNT_PER_ACTION ** (effort(tally, means) + distances[route])
        if value > values[-1]:
            values = sorted((*values[:-1], value), reverse=True)
    return sum(part * value for part, value in zip(PLAN_WEIGHTS, values, strict=True))


def _is_out_of_reach(state: State, route: int, merchants: int) -> bool:
    """Whether a route has more posts for merchants than a seat has merchants: HT-14.1."""
    reserved = state.board.reserved
    return sum(post in reserved for post in state.board.posts[route]) > merchants
