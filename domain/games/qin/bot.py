"""The evaluation of Qin and the four levels of its bots."""

from __future__ import annotations

from itertools import compress

from domain.engine.bots import greedy_bot, mix, sampling_bot
from domain.engine.game import Level, random_bot, seats_to_move
from domain.engine.play import Seat
from domain.games.qin.board import MAJOR
from domain.games.qin.rules import villages
from domain.games.qin.rules.joining import Forbidden, heir, old_areas
from domain.games.qin.state.table import RUINED, State

WON = 1000.0
A_MAJOR = 0.5
A_SPACE = 0.1  # per space of a minor province
A_MARGIN = 0.25  # per point of strength at a village, up to GREATEST_MARGIN
GREATEST_MARGIN = 2
A_PREY = -0.5  # per province that one tile can make part of another player's
A_LOOSE_SPACE = 0.3  # per single space with room beside it: a cheap province for the next player


def pagodas(state: State, seat: Seat) -> float:
    """The number of the seat's pagodas on the board."""
    return -state.supply[seat]


def lead(state: State, seat: Seat) -> float:
    """The seat's pagodas on the board minus those of its best rival; at the end, who won."""
    if state.winners:
        return WON / len(state.winners) if seat in state.winners else -WON
    own, *rivals = state.turn_order(seat)
    return min(state.supply[rival] for rival in rivals) - state.supply[own]


def evaluate(state: State, seat: Seat) -> float:
    """The lead, plus what the position promises."""
    if state.winners:
        return lead(state, seat)
    worth = [0.0] * (RUINED + 1)  # by owner
    loose = _weigh_areas(state, worth)
    _weigh_villages(state, worth)
    for area in prey(state):
        worth[state.owners[area]] += A_PREY
    seats = len(state.supply)
    others = sum(worth[1 : seats + 1]) - worth[seat + 1]
    gift = A_LOOSE_SPACE if seat in seats_to_move(state) else -A_LOOSE_SPACE
    return lead(state, seat) + worth[seat + 1] - others / (seats - 1) + loose * gift


def _weigh_areas(state: State, worth: list[float]) -> int:
    """Add the worth of provinces to their owners, and return the number of loose single spaces."""
    owners, sizes, flags_beside = state.owners, state.sizes, state.board.flags_beside
    loose = 0
    for area in compress(range(len(sizes)), sizes):
        if (size := sizes[area]) > 1:
            worth[owners[area]] += A_MAJOR if size >= MAJOR else A_SPACE * size
        elif not owners[area]:
            loose += state.free & flags_beside[area - 1] > 0
    return loose


def _weigh_villages(state: State, worth: list[float]) -> None:
    """Add the worth of villages to their owners."""
    for village in state.board.villages:
        if holder := state.villages[village]:
            worth[holder] += A_MARGIN * min(_margin(state, village, holder), GREATEST_MARGIN)


def _margin(state: State, village: int, holder: int) -> int:
    """How much stronger the owner of a village is there than the best rival: QIN-7.2."""
    strengths = villages.strengths(state, villages.beside(state, village))
    own, strengths[holder] = strengths[holder], 0
    return own - max(strengths)


def prey(state: State) -> set[int]:
    """The provinces that half a tile would make part of another player's province: QIN-6.3."""
    board, taken = state.board, set[int]()
    with_room = state.free & board.beside(state.free)
    for colour, between in enumerate(state.twice):
        for cell in board.cells_with(with_room & between):
            joined = old_areas(state, colour, board.neighbours[cell])
            if len(joined) > 1:
                taken.update(_find_losses(state, joined))
    return taken


def _find_losses(state: State, joined: set[int]) -> list[int]:
    """The areas among these that another player gains if they are joined.

    No player gains by a ruin, so no province is prey to one: QIN-14.2.
    """
    owner = heir(state, joined)
    if isinstance(owner, Forbidden) or owner == RUINED:
        return []
    return [area for area in joined if state.owners[area] != owner]


LEVELS = (
    Level("li_mu", "Easy", mix(30, random_bot, greedy_bot(pagodas))),
    Level("sun_bin", "Crafty", greedy_bot(lead)),
    Level("wu_qi", "Wise", greedy_bot(evaluate, lead)),
    Level(
        "qin_shi_huang",
        "Guru",
        sampling_bot(
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
"""From the weakest to the strongest: QIN-13.3."""
