"""What is good in Qin, and the four levels of its bots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from domain.engine.bots import greedy, mixed, random_bot, sampled
from domain.engine.game import Level, awaited
from domain.engine.play import Seat
from domain.games.qin.board import FREE, MAJOR
from domain.games.qin.rules import villages
from domain.games.qin.rules.joining import Forbidden, heir
from domain.games.qin.state.table import RUINED, State

WON = 1000.0
A_MAJOR = 0.5
A_SPACE = 0.1  # of a minor province
A_MARGIN = 0.25  # of strength at a village, up to GREATEST_MARGIN
GREATEST_MARGIN = 2
A_PREY = -0.5  # a province that one tile can make part of another player's
A_LOOSE_SPACE = 0.3  # a single space with room beside it: a cheap province for the next player

_IS_SOME = bytes(number > 0 for number in range(256))
_IS_SEVERAL = bytes(number > 1 for number in range(256))


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
    owners, cells, sizes = state.owners, state.cells, state.sizes
    loose = 0
    for area in compress(range(len(sizes)), sizes):
        if (size := sizes[area]) > 1:
            worth[owners[area]] += A_MAJOR if size >= MAJOR else A_SPACE * size
        elif not owners[area]:
            loose += FREE in [cells[n] for n in state.board.neighbours[area - 1]]
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
    areas, owners, cells, neighbours = (
        state.areas,
        state.owners,
        state.cells,
        state.board.neighbours,
    )
    taken: set[int] = set()
    for cell in _between_provinces(state):
        near = {areas[n] for n in neighbours[cell] if owners[areas[n]]}
        if len(near) > 1 and FREE in [cells[n] for n in neighbours[cell]]:
            taken.update(_absorbed(state, near))
    return taken


def _between_provinces(state: State) -> list[int]:
    """The free cells with provinces on two sides or more: all cells at once, a byte for each."""
    size, width, within = len(state.cells), state.board.width, state.board.within
    has_owner = state.owners.translate(_IS_SOME).ljust(256, b"\0")
    owned = int.from_bytes(state.areas.translate(has_owner), "little")
    beside = (owned << 8 & within) + ((owned & within) >> 8)
    sides = beside + (owned << 8 * width) + (owned >> 8 * width)
    several = sides.to_bytes(size + width, "little").translate(_IS_SEVERAL)
    return [cell for cell in compress(range(size), several) if state.cells[cell] == FREE]


def _absorbed(state: State, near: set[int]) -> Iterator[int]:
    """Those of the provinces around a cell that another player gets if a colour joins them.

    A ruin is nobody's gain, and so no province is prey for it: QIN-14.2.
    """
    for colour in {state.cells[area - 1] for area in near}:
        joined = [area for area in near if state.cells[area - 1] == colour]
        if len(joined) > 1:
            owner = heir(state, joined)
            if not isinstance(owner, Forbidden) and owner != RUINED:
                yield from (area for area in joined if state.owners[area] != owner)


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
