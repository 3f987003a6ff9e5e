"""What is good in Qin, and the four levels of its bots."""

from __future__ import annotations

from itertools import compress

from domain.engine.bots import greedy, mixed, random_bot, sampled
from domain.engine.game import Level, awaited
from domain.engine.play import Seat
from domain.games.qin.board import MAJOR
from domain.games.qin.rules import villages
from domain.games.qin.rules.joining import Forbidden, heir, old_areas
from domain.games.qin.state.table import RUINED, State

WON = 1000.0
A_MAJOR = 0.5
A_SPACE = 0.1  # of a minor province
A_MARGIN = 0.25  # of strength at a village, up to GREATEST_MARGIN
GREATEST_MARGIN = 2
A_PREY = -0.5  # a province that one tile can make part of another player's
A_LOOSE_SPACE = 0.3  # a single space with room beside it: a cheap province for the next player


def pagodas(state: State, seat: Seat) -> float:
    """How many of the seat's pagodas are on the board."""
    return -state.supply[seat]


def lead(state: State, seat: Seat) -> float:
    """How many pagodas more than the best rival the seat has on the board; at the end, who won."""
    if state.winners:
        return WON / len(state.winners) if seat in state.winners else -WON
    own, *rivals = state.turn_order(seat)
    return min(state.supply[rival] for rival in rivals) - state.supply[own]


def evaluate(state: State, seat: Seat) -> float:
    """The lead, and what is likely to become of it."""
    if state.winners:
        return lead(state, seat)
    worth = [0.0] * (RUINED + 1)  # by owner
    loose = _weigh_areas(state, worth)
    _weigh_villages(state, worth)
    for area in prey(state):
        worth[state.owners[area]] += A_PREY
    seats = len(state.supply)
    others = sum(worth[1 : seats + 1]) - worth[seat + 1]
    gift = A_LOOSE_SPACE if seat in awaited(state) else -A_LOOSE_SPACE
    return lead(state, seat) + worth[seat + 1] - others / (seats - 1) + loose * gift


def _weigh_areas(state: State, worth: list[float]) -> int:
    """Add what provinces are worth to their owners; returns the number of loose single spaces."""
    owners, sizes, flags_beside = state.owners, state.sizes, state.board.flags_beside
    loose = 0
    for area in compress(range(len(sizes)), sizes):
        if (size := sizes[area]) > 1:
            worth[owners[area]] += A_MAJOR if size >= MAJOR else A_SPACE * size
        elif not owners[area]:
            loose += state.free & flags_beside[area - 1] > 0
    return loose


def _weigh_villages(state: State, worth: list[float]) -> None:
    """Add what villages are worth to their owners."""
    for village in state.board.villages:
        if holder := state.villages[village]:
            worth[holder] += A_MARGIN * min(_margin(state, village, holder), GREATEST_MARGIN)


def _margin(state: State, village: int, holder: int) -> int:
    """By how much the owner of a village is stronger there than the best rival: QIN-7.2."""
    strengths = villages.strengths(state, villages.beside(state, village))
    own, strengths[holder] = strengths[holder], 0
    return own - max(strengths)


def prey(state: State) -> set[int]:
    """The provinces that one half of a tile would make part of another player's: QIN-6.3."""
    board, taken = state.board, set[int]()
    with_room = state.free & board.beside(state.free)
    for colour, between in enumerate(state.twice):
        for cell in board.flagged(with_room & between):
            joined = old_areas(state, colour, board.neighbours[cell])
            if len(joined) > 1:
                taken.update(_absorbed(state, joined))
    return taken


def _absorbed(state: State, joined: set[int]) -> list[int]:
    """Those of these areas that another player gets if they are joined.

    A ruin is nobody's gain, and so no province is prey for it: QIN-14.2.
    """
    owner = heir(state, joined)
    if isinstance(owner, Forbidden) or owner == RUINED:
        return []
    return [area for area in joined if state.owners[area] != owner]


LEVELS = (
    Level("li_mu", "Easy", mixed(30, random_bot, greedy(pagodas))),
    Level("sun_bin", "Crafty", greedy(lead)),
    Level("wu_qi", "Wise", greedy(evaluate, lead)),
    Level(
        "qin_shi_huang",
        "Guru",
        sampled(
            evaluate,
            lead,
            candidates=6,
            samples=9,
            answers=10,
            rounds=2,
            halve_after=3,
            open_replies=True,
        ),
        deep=True,
    ),
)
"""The weakest first: QIN-13.3."""
