"""What is good in Chang Cheng, weighed by what one seat knows; CC-13.3."""

from __future__ import annotations

from math import exp

from domain.engine.play import Seat
from domain.games.chang_cheng.board import (
    ARCHITECT,
    CHINA_NUMBER,
    FLOOD,
    GREAT_ARCHITECT,
    OFFICIAL,
    THREATS,
    TRAITOR,
    WARRIOR,
)
from domain.games.chang_cheng.rules import longest_run, reach
from domain.games.chang_cheng.state import (
    EMPTY,
    NEUTRAL,
    TOWER,
    AfterCard,
    OfferNeutral,
    SecondSingle,
    State,
    cards_of,
)

Losses = tuple[float, ...]
"""By Mongol region, what it is expected to cost."""

WON = 30.0
A_DOUBLE = 2.9
A_TOWER = 1.8
A_CARD = 1.1
WALLS = {
    WARRIOR: 0.4,
    TRAITOR: 0.9,
    FLOOD: 0.4,
    ARCHITECT: 1.0,
    GREAT_ARCHITECT: 2.0,
    OFFICIAL: 1.3,
}
"""So many walls a card of one's own is about worth."""
A_HIDDEN_CARD = 0.9
CANCELLED = 0.12
"""How likely each card of a rival makes one's own worth nothing."""
PENDING: dict[type, float] = {SecondSingle: 1.2, AfterCard: 1.2, OfferNeutral: 0.4}
"""What may still come in the same turn."""
EVEN, CATCHING_UP = 0.3, 0.3
"""A tie is as good as a lead: so much of a wall more; in China one catches up on purpose."""
NARROW, WIDER = 0.35, 0.3
"""How far margins are from telling the end, with no cell empty and for each that is."""
CURIOUS = 0.4
"""What it is worth to know a threat."""
REWARD, REACH, LATE = 2.0, 4.0, 12


def evaluate(state: State, seat: Seat, losses: Losses | None = None) -> float:
    """How far the seat is ahead, both sides of the wall and all that it holds considered.

    Without `losses`, threats count for what this seat knows of them in this state.
    """
    worth = _scores(state)
    _add_china(state, seat, worth)
    if state.ended is None:
        _add_mongols(state, losses or expected_losses(state, seat), worth)
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
    """What each region that is not scored yet may bring."""
    count, seats = state.cells.count, len(worth)
    cards = _strengths(state, viewer)
    for region in state.wall.china:
        if state.scored[region]:
            continue
        start, end = state.map.china[region]
        empty = count(EMPTY, start, end)
        walls = [float(count(colour, start, end)) for colour in range(1, seats + 1)]
        neutral = count(NEUTRAL, start, end)
        ruins = end - start - empty - neutral - int(sum(walls))
        for seat, more in cards.get(region, ()):
            walls[seat] += more
        value = (end - start - ruins + state.prestige[region]) * (1 - 0.06 * empty)
        for seat, chance in enumerate(_chances(walls, neutral, empty, CATCHING_UP)):
            worth[seat] += value * chance


def expected_losses(state: State, seat: Seat) -> Losses:
    """By region, the threat if the seat has seen it, and the mean of all others if not; CC-9.2."""
    seen = [state.knows(seat, region) for region in range(len(state.threats))]
    known = [threat for threat, is_seen in zip(state.threats, seen, strict=True) if is_seen]
    unseen = {value: count - known.count(value) for value, count in THREATS.items()}
    left = sum(unseen.values())
    mean = sum(value * count for value, count in unseen.items()) / max(1, left)
    pairs = zip(state.threats, seen, strict=True)
    return tuple(float(threat) if is_seen else mean for threat, is_seen in pairs)


def _add_mongols(state: State, losses: Losses, worth: list[float]) -> None:
    """What each Mongol region may cost."""
    count, seats, kinds = state.cells.count, len(worth), state.kinds
    for region in state.wall.china:
        if state.removed[region]:
            continue
        start, end = state.map.mongol[region]
        empty = count(EMPTY, start, end)
        walls = [float(count(colour, start, end)) for colour in range(1, seats + 1)]
        chances = _chances(walls, count(NEUTRAL, start, end), empty)
        tower = kinds.find(TOWER, start, end)
        while tower >= 0:
            chances[state.cells[tower] - 1] = 0.0
            tower = kinds.find(TOWER, tower + 1, end)
        for seat, chance in enumerate(chances):
            worth[seat] -= losses[region] * chance


def _chances(walls: list[float], neutral: int, empty: int, even: float = EVEN) -> list[float]:
    """How likely each seat has the most walls in the end, or as many as the best."""
    ranked = sorted((*walls, neutral), reverse=True)
    most, second = ranked[0], ranked[1]
    margins = [count - (second if count == most else most) for count in walls]
    if not empty:
        return [float(m >= 0 and count > 0) for m, count in zip(margins, walls, strict=True)]
    spread = NARROW + WIDER * empty
    return [1 / (1 + exp(-(margin + even) / spread)) for margin in margins]


def _strengths(state: State, viewer: Seat) -> dict[int, list[tuple[Seat, float]]]:
    """By region, what the cards that lie there are about worth to their owners."""
    found: dict[int, list[tuple[Seat, float]]] = {}
    for card in state.laid:
        region = CHINA_NUMBER[card.region]
        known = card.seat == viewer
        walls = WALLS[card.number] if known else A_HIDDEN_CARD
        found.setdefault(region, []).append((card.seat, walls))
    for laid in found.values():
        for place, (seat, walls) in enumerate(laid):
            rivals = sum(other != seat for other, _ in laid)
            laid[place] = (seat, walls * (1 - CANCELLED * rivals))
    return found


def _add_supplies(state: State, worth: list[float]) -> None:
    """What is held back can still be used, as long as there is room."""
    room = state.cells.count(EMPTY) - 13 * (4 - len(state.wall.row) - state.extensions)
    share = min(1.0, room / LATE)
    card = max(A_CARD * share, REWARD if "imperial_reward" in state.events else 0.0)
    for seat in range(len(worth)):
        worth[seat] += A_DOUBLE * state.doubles[seat + 1] * share
        worth[seat] += A_TOWER * state.towers[seat + 1] * share
        worth[seat] += card * len(cards_of(state.hands[seat]))
    step = state.agenda[-1]
    worth[step.seats[0]] += PENDING.get(type(step), 0.0)


def _add_events(state: State, worth: list[float]) -> None:
    """What open event cards may bring."""
    seats = range(len(worth))
    empty = min(6, state.cells.count(EMPTY))
    if "diplomat" in state.events:
        counts = [float(reach(state, seat)) for seat in seats]
        for seat, chance in enumerate(_chances(counts, 0, empty)):
            worth[seat] += REACH * chance
    if "hegemon" in state.events:
        runs = [float(longest_run(state, seat)) for seat in seats]
        for seat, chance in enumerate(_chances(runs, 0, empty)):
            worth[seat] += runs[seat] * chance
