"""The end: the Mongols come, event cards are scored."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import MONGOL
from domain.games.chang_cheng.events import EventCardScored, GameEnded, MongolsInvaded
from domain.games.chang_cheng.scoring import leaders
from domain.games.chang_cheng.state import NEUTRAL, TOWER, Category, State, cards_of

DIPLOMAT = 4
"""Points for walls in the most Chinese regions."""
CARD = 2
"""Points of the Imperial Reward for a card in hand."""


def invasion(p: Play[State]) -> None:
    """CC-10.1, CC-10.2, CC-12.1, CC-12.4, CC-13.1"""
    state = p.state
    for region in state.wall.china:
        if not state.removed[region]:
            p.emit(_attack(state, region))
    if "diplomat" in state.events:
        _reward(p, "diplomat", [reach(state, seat) for seat in range(state.seats)], DIPLOMAT)
    if "hegemon" in state.events:
        runs = [longest_run(state, seat) for seat in range(state.seats)]
        _reward(p, "hegemon", runs, max(runs))
    if "imperial_reward" in state.events:
        cards = tuple(len(cards_of(hand)) for hand in state.hands)
        p.emit(EventCardScored("imperial_reward", cards, tuple(CARD * n for n in cards)))
    scores = tuple(state.score(seat) for seat in range(state.seats))
    p.emit(GameEnded("wall_complete", scores, leaders(state)))


def _attack(state: State, region: int) -> MongolsInvaded:
    """CC-10.2, CC-10.3, CC-10.4, CC-10.5, CC-11.5"""
    counts = state.counts(state.map.mongol[region])
    walls = tuple(counts[1 : state.seats + 1])
    most = max(*walls, counts[NEUTRAL], 1)
    shielded = tuple(seat for seat in range(state.seats) if _has_tower(state, seat, region))
    leading = (seat for seat, count in enumerate(walls) if count == most)
    return MongolsInvaded(
        region=MONGOL[region],
        threat=state.threats[region],
        walls=walls,
        neutral=counts[NEUTRAL],
        shielded=shielded,
        payers=tuple(seat for seat in leading if seat not in shielded),
    )


def reach(state: State, seat: Seat) -> int:
    """CC-12.2"""
    count = state.cells.count
    return sum(count(seat + 1, *state.map.china[region]) > 0 for region in state.wall.china)


def longest_run(state: State, seat: Seat) -> int:
    """CC-12.3"""
    longest = run = 0
    for cell in state.wall.cells:
        run = run + 1 if state.cells[cell] == seat + 1 else 0
        longest = max(longest, run)
    return longest


def _has_tower(state: State, seat: Seat, region: int) -> bool:
    """CC-10.3"""
    start, end = state.map.mongol[region]
    return any(
        state.kinds[cell] == TOWER and state.cells[cell] == seat + 1 for cell in range(start, end)
    )


def _reward(p: Play[State], card: Category, counts: list[int], points: int) -> None:
    """CC-12.2, CC-12.3, CC-12.6: the highest count gets the points, and so do all tied with it."""
    most = max(counts)
    paid = tuple(points if most and count == most else 0 for count in counts)
    p.emit(EventCardScored(card, tuple(counts), paid))
