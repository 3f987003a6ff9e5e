"""What is good in Hansa Teutonica, as a number of points."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.hansa_teutonica.bot.effort import Tally, effort, means_of, pawn_efforts, tallies
from domain.games.hansa_teutonica.bot.reward import Standing, Towns, standings_of
from domain.games.hansa_teutonica.scoring import final_points
from domain.games.hansa_teutonica.state.steps import Moving, Relocate
from domain.games.hansa_teutonica.state.table import State, code_of

WON = 1000.0
AN_ACTION = 0.9
A_TRADER = 0.25
A_MERCHANT = 0.4
"""In the supply; a piece on a post is worth a little more, one in the stock next to nothing."""
ENOUGH = 6
PLACED = 0.15
IN_STOCK = 0.05
IN_HAND = 0.9
PATIENCE = 0.86
"""What is left of a reward for each action that it still takes."""
PLANS = (0.85, 0.3, 0.2)
"""How much the best routes count that a seat could go for."""
A_RIVAL = 0.5
THE_CLOCK = 0.2
"""How much whoever is ahead likes the game to come to its end."""


def evaluate(state: State, seat: Seat) -> float:
    """What a seat has and may expect, less a part of what its best rival does."""
    if state.ended is not None:
        return _final(state, seat)
    left, standings = standings_of(Towns(state))
    posts = [
        tallies(bytes(state.posts[span.start : span.stop]), state.seats)
        for span in state.board.posts
    ]
    values = [
        standing.worth + _pieces(state, other) + _plans(state, other, standing, posts)
        for other, standing in enumerate(standings)
    ]
    own = values.pop(seat)
    lead = own - max(values)
    return own - A_RIVAL * max(values) + THE_CLOCK * (1 - left) * max(-20, min(20, lead))


def _final(state: State, seat: Seat) -> float:
    points = [sum(final_points(state, other).values()) for other in range(state.seats)]
    own = points.pop(seat)
    lead = own - max(points)
    return (WON if seat in state.winners else -WON) + lead


def _pieces(state: State, seat: Seat) -> float:
    """Pieces by where they are, and actions that are left."""
    traders, merchants = state.in_supply(seat)
    trader = code_of(seat, 0)
    posted = state.posts.count(trader) + state.posts.count(trader + 1)
    merchants += state.posts.count(trader + 1)
    value = A_TRADER * min(traders + posted, ENOUGH) + A_MERCHANT * merchants
    value += IN_STOCK * (sum(state.in_stock(seat)) + 2 * max(0, traders + posted - ENOUGH))
    value += PLACED * min(posted, ENOUGH)
    if seat == state.active and not state.closed:
        value += AN_ACTION * state.actions
    step = state.agenda[-1]
    if isinstance(step, Moving) and not step.marker and seat in step.seats:
        value += IN_HAND * len(step.held)
    elif isinstance(step, Relocate) and seat in step.seats:
        value += IN_HAND * (step.extras + (not step.placed))
    return value


def _plans(state: State, seat: Seat, standing: Standing, posts: list[tuple[Tally, ...]]) -> float:
    """The best routes to go for: what they bring, the less the more actions they take."""
    means = means_of(state, seat)
    merchant = code_of(seat, 1)
    merchants = state.supply[merchant] + state.posts.count(merchant)
    values: list[float] = [0.0] * len(PLANS)
    distances = pawn_efforts(state, seat)
    for route in standing.promising:
        if standing.with_merchant[route] * PATIENCE <= values[-1]:
            break
        if state.board.reserved and _out_of_reach(state, route, merchants):
            continue
        tally = posts[route][seat]
        rounded = tally.merchants or (merchants and tally.free + tally.foreign)
        reward = (standing.with_merchant if rounded else standing.plain)[route]
        value = reward * PATIENCE ** (effort(tally, means) + distances[route])
        if value > values[-1]:
            values = sorted((*values[:-1], value), reverse=True)
    return sum(part * value for part, value in zip(PLANS, values, strict=True))


def _out_of_reach(state: State, route: int, merchants: int) -> bool:
    """Whether a route has more posts for merchants than a seat has merchants: HT-14.1."""
    reserved = state.board.reserved
    return sum(post in reserved for post in state.board.posts[route]) > merchants
