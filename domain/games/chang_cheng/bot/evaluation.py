"""What is good in Chang Cheng, weighed by what one seat knows: CC-13.3."""

from __future__ import annotations

from math import exp

from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.rules.invasion import (
    CARD,
    DIPLOMAT,
    find_shielded,
    longest_run,
    reach,
)
from domain.games.chang_cheng.rules.regions import ahead, plain_value
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.steps import AfterCard, OfferNeutral, SecondSingle
from domain.games.chang_cheng.state.table import State

Losses = tuple[float, ...]
"""By Mongol region, the points it is expected to cost."""

WON = 30.0
A_DOUBLE = 2.9
A_TOWER = 1.8
A_CARD = 1.1
WALLS = {
    board.WARRIOR: 0.4,
    board.TRAITOR: 0.9,
    board.FLOOD: 0.4,
    board.ARCHITECT: 1.0,
    board.GREAT_ARCHITECT: 2.0,
    board.OFFICIAL: 1.3,
}
"""How many walls a seat's card is worth, roughly."""
A_HIDDEN_CARD = 0.9
CANCEL_PROBABILITY = 0.12
"""The probability that one card of a rival cancels a card."""
PENDING: dict[type, float] = {SecondSingle: 1.2, AfterCard: 1.2, OfferNeutral: 0.4}
"""What may still come in the same turn."""
EVEN, CATCHING_UP = 0.3, 0.3
"""How much of a wall a tie is worth on top, as it pays like a lead; in China one can catch up."""
NARROW, WIDER = 0.35, 0.3
"""How uncertain a margin is: with no empty cell, and in addition for each empty cell."""
CURIOUS = 0.4
"""What it is worth to know a threat."""
LATE = 12
"""With at most this many empty cells, pieces in hand start to lose their worth."""


def evaluate(state: State, seat: Seat, losses: Losses | None = None) -> float:
    """How far the seat is ahead, both sides of the wall and all that it holds considered.

    Without `losses`, threats count for what this seat knows of them in this state.
    """
    worth = _scores(state)
    _add_china(state, seat, worth)
    if state.ended is None:
        _add_mongols(state, losses or estimate_losses(state, seat), worth)
        _add_supplies(state, worth)
        _add_events(state, worth)
        worth[seat] += CURIOUS * sum(state.knows(seat, region) for region in state.wall.china)
    return _lead(state, seat, worth)


def china_only(state: State, seat: Seat) -> float:
    """How far the seat is ahead in points and in Chinese regions; no thought of the Mongols."""
    worth = _scores(state)
    _add_china(state, seat, worth)
    return _lead(state, seat, worth)


def _lead(state: State, seat: Seat, worth: list[float]) -> float:
    """Before the best rival and before the average one, half each; at the end, who won."""
    own = worth.pop(seat)
    lead = own - (max(worth) + sum(worth) / len(worth)) / 2
    if state.ended is not None:
        lead += WON / len(state.winners) if seat in state.winners else -WON
    return lead


def _scores(state: State) -> list[float]:
    return [float(state.score(seat)) for seat in range(state.seats)]


def _add_china(state: State, viewer: Seat, worth: list[float]) -> None:
    """Add what each unpaid region may pay, including one that is being scored."""
    count, seats = state.cells.count, len(worth)
    cards = _strengths(state, viewer)
    for region in state.wall.china:
        if state.scored[region] and region != _scoring_region(state):
            continue
        start, end = state.map.china[region]
        empty = count(table.EMPTY, start, end)
        walls = [float(count(colour, start, end)) for colour in range(1, seats + 1)]
        for seat, more in cards.get(region, ()):
            walls[seat] += more
        value = _value(state, region) * (1 - 0.06 * empty)
        neutral = count(table.NEUTRAL, start, end)
        for seat, chance in enumerate(_chances(walls, neutral, empty, CATCHING_UP)):
            worth[seat] += value * chance


def _value(state: State, region: int) -> int:
    """What a region will pay; during its scoring, with the changes by cards: CC-6.4."""
    change = state.tally.change if state.tally and region == _scoring_region(state) else 0
    return max(0, plain_value(state, region) + change)


def _scoring_region(state: State) -> int | None:
    """The region that is being scored but has not paid yet: CC-6.3."""
    return board.CHINA_NUMBER[state.tally.region] if state.tally else None


def estimate_losses(state: State, seat: Seat) -> Losses:
    """By region, the threat if the seat has seen it, and the mean of all others if not: CC-9.2."""
    unseen = table.threats_unseen(state, seat)
    mean = sum(loss * count for loss, count in unseen.items()) / max(1, sum(unseen.values()))
    return tuple(
        float(threat) if state.knows(seat, region) else mean
        for region, threat in enumerate(state.threats)
    )


def _add_mongols(state: State, losses: Losses, worth: list[float]) -> None:
    """What each Mongol region may cost."""
    count, seats = state.cells.count, len(worth)
    for region in state.wall.china:
        if state.removed[region]:
            continue
        start, end = state.map.mongol[region]
        empty = count(table.EMPTY, start, end)
        walls = [float(count(colour, start, end)) for colour in range(1, seats + 1)]
        chances = _chances(walls, count(table.NEUTRAL, start, end), empty)
        for seat in find_shielded(state, region):
            chances[seat] = 0.0
        for seat, chance in enumerate(chances):
            worth[seat] -= losses[region] * chance


def _chances(walls: list[float], neutral: int, empty: int, even: float = EVEN) -> list[float]:
    """How likely each seat has the most walls in the end, or as many as the best."""
    if not empty:
        best = ahead(walls, neutral)
        return [float(seat in best) for seat in range(len(walls))]
    ranked = sorted((*walls, neutral), reverse=True)
    most, second = ranked[0], ranked[1]
    margins = [count - (second if count == most else most) for count in walls]
    spread = NARROW + WIDER * empty
    return [1 / (1 + exp(-(margin + even) / spread)) for margin in margins]


def _strengths(state: State, viewer: Seat) -> dict[int, list[tuple[Seat, float]]]:
    """By region, the approximate worth of the cards there to their owners."""
    found: dict[int, list[tuple[Seat, float]]] = {}
    for card in state.laid:
        region = board.CHINA_NUMBER[card.region]
        known = card.seat == viewer
        walls = WALLS[card.number] if known else A_HIDDEN_CARD
        found.setdefault(region, []).append((card.seat, walls))
    for laid in found.values():
        for place, (seat, walls) in enumerate(laid):
            rivals = sum(other != seat for other, _ in laid)
            laid[place] = (seat, walls * (1 - CANCEL_PROBABILITY * rivals))
    if state.tally is not None:  # these cards lie open
        waiting = [(card.seat, WALLS[card.number]) for card in state.tally.waiting]
        counted = enumerate(map(float, state.tally.extra))
        found[board.CHINA_NUMBER[state.tally.region]] = [*waiting, *counted]
    return found


def _add_supplies(state: State, worth: list[float]) -> None:
    """Add the worth of pieces in hand, as long as there is room for them."""
    never = len(table.reserve(state)) - state.extensions  # boards that this game does not need
    room = state.cells.count(table.EMPTY) - board.LENGTH * never
    share = min(1.0, room / LATE)
    card = max(A_CARD * share, CARD if "imperial_reward" in state.events else 0.0)
    for seat in range(len(worth)):
        worth[seat] += A_DOUBLE * state.doubles[seat + 1] * share
        worth[seat] += A_TOWER * state.towers[seat + 1] * share
        worth[seat] += card * len(table.cards_of(state.hands[seat]))
    step = state.agenda[-1]
    worth[step.seats[0]] += PENDING.get(type(step), 0.0)


def _add_events(state: State, worth: list[float]) -> None:
    """What open event cards may bring."""
    seats = range(len(worth))
    empty = min(6, state.cells.count(table.EMPTY))
    if "diplomat" in state.events:
        counts = [float(reach(state, seat)) for seat in seats]
        for seat, chance in enumerate(_chances(counts, 0, empty)):
            worth[seat] += DIPLOMAT * chance
    if "hegemon" in state.events:
        runs = [float(longest_run(state, seat)) for seat in seats]
        for seat, chance in enumerate(_chances(runs, 0, empty)):
            worth[seat] += runs[seat] * chance
