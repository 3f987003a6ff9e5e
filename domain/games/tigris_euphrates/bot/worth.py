"""The worth of a table at rest to a seat: points, and what the position promises."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from domain.engine.play import Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.rules.monuments import paying
from domain.games.tigris_euphrates.scoring import with_treasures
from domain.games.tigris_euphrates.state.steps import Swap, Turn
from domain.games.tigris_euphrates.state.table import State

WON = 1000.0
THE_WEAKEST = 5.0  # extra, for a point in the weakest colour
FIRST_POINT = 1.5  # in any colour; each further one is worth FADING of the one before
FADING = 0.8
MAX_POINTS = 255
POINTS = tuple(FIRST_POINT * (1 - FADING**n) / (1 - FADING) for n in range(MAX_POINTS + 1))
A_LEADER = 0.8  # points of its colour that a leader is likely to bring
A_KING = 0.4  # extra for a king, who also scores other colours
A_MONUMENT = 4.0  # points of its colour from a monument, as long as the bag is full
FULL_BAG = 60
A_TREASURE_NEAR = 0.5  # of a treasure, for a trader with one in its kingdom
REVOLT = (0.9, 0.4, 0.2, 0.1, 0.05)  # how likely a leader is driven out, by its temples
PREY = 0.12  # part of the gain of a war, for the stronger side at a border
DANGER = 0.2  # part of the loss of a war, for the weaker side
A_TILE = 0.25  # in hand, up to three of a colour
A_USEFUL_TILE = 0.2  # more, if its leader is on the board
A_CATASTROPHE = 0.8
BETTER_THAN_NOTHING = 0.02

Worth = list[float]
"""By seat."""
Needs = list[tuple[float, ...]]
"""By seat and colour."""
Strengths = list[list[int]]
"""By kingdom and colour."""


def lead(state: State, seat: Seat, worth: Worth) -> float:
    """How much more a seat has than the others; the best of them counts most."""
    if state.winners:
        return WON / len(state.winners) if seat in state.winners else -WON
    rivals = [worth[other] for other in range(len(worth)) if other != seat]
    return worth[seat] - (max(rivals) + sum(rivals) / len(rivals)) / 2


def points(state: State) -> Worth:
    """Points with treasures: the first ones of a colour, and the weakest colour, count most."""
    return [utility(tuple(with_treasures(state, seat))) for seat in range(len(state.points))]


@lru_cache(maxsize=1 << 12)
def utility(totals: tuple[int, ...]) -> float:
    """The joint worth of points in four colours."""
    return THE_WEAKEST * min(totals) + sum(POINTS[min(total, MAX_POINTS)] for total in totals)


def position(state: State, seat: Seat) -> Worth:
    """Points, leaders, borders, and the hand of this seat while it is its turn."""
    worth = points(state)
    needs = [_needs(tuple(with_treasures(state, other))) for other in range(len(worth))]
    strengths = _strengths(state)
    _weigh_leaders(state, worth, needs, strengths)
    _weigh_borders(state, worth, needs, strengths)
    for other, left in enumerate(state.catastrophes_left):
        worth[other] += A_CATASTROPHE * left
    worth[seat] += _hand(state, seat)
    return worth


@lru_cache(maxsize=1 << 12)
def _needs(totals: tuple[int, ...]) -> tuple[float, ...]:
    """The worth of one more point of each colour; higher for colours nearly the weakest."""
    low = [total <= min(totals) + 1 for total in totals]
    share = THE_WEAKEST / sum(low) / 2
    return tuple(
        max(
            utility((*totals[:color], totals[color] + 1, *totals[color + 1 :])) - utility(totals),
            FIRST_POINT * FADING ** totals[color] + (share if low[color] else 0),
        )
        for color in range(len(board.COLORS))
    )


def _strengths(state: State) -> Strengths:
    """The number of face-up tiles of each colour in each kingdom."""
    tiles = [board.where(state.cells, color + 1) for color in range(len(board.COLORS))]
    return [[(kingdom.cells & laid).bit_count() for laid in tiles] for kingdom in state.kingdoms]


def _weigh_leaders(state: State, worth: Worth, needs: Needs, strengths: Strengths) -> None:
    """Add what leaders are likely to score, unless they are driven out."""
    monuments = _monuments(state)
    for number, kingdom in enumerate(state.kingdoms):
        for leader in kingdom.leaders:
            seat, color = divmod(leader, 4)
            bring = A_LEADER + (A_KING if color == board.BLACK else 0)
            bring += 0.1 * min(strengths[number][color], 4)
            bring += monuments.get((number, color), 0.0)
            value = needs[seat][color] * bring
            if color == board.GREEN and kingdom.cells & state.treasures:
                value += A_TREASURE_NEAR * max(needs[seat])
            stays = 1 - REVOLT[state.temples_beside(state.leaders[leader])]
            worth[seat] += value * stays


def _monuments(state: State) -> dict[tuple[int, int], float]:
    """By kingdom and colour, the points that monuments may still score."""
    lasting = A_MONUMENT * min(1.0, sum(state.bag) / FULL_BAG)
    worth: dict[tuple[int, int], float] = {}
    for _, kingdom, color in paying(state):
        worth[kingdom, color] = worth.get((kingdom, color), 0.0) + lasting
    return worth


def _weigh_borders(state: State, worth: Worth, needs: Needs, strengths: Strengths) -> None:
    """Where one tile would start a war, add a chance for the stronger side and a risk for the
    weaker.
    """
    kingdoms = state.kingdoms
    for one, two in _borders(state):
        for leader in kingdoms[one].leaders:
            for rival in kingdoms[two].leaders:
                if leader % 4 == rival % 4 and leader // 4 != rival // 4:
                    color = leader % 4
                    mine, theirs = strengths[one][color], strengths[two][color]
                    if mine >= theirs:
                        _weigh_war(worth, needs, color, (leader, mine), (rival, theirs))
                    if theirs >= mine:
                        _weigh_war(worth, needs, color, (rival, theirs), (leader, mine))


def _weigh_war(
    worth: Worth,
    needs: Needs,
    color: int,
    strong: tuple[int, int],
    weak: tuple[int, int],
) -> None:
    """Add one war to the worth; each side is a leader and its strength."""
    sure = min(strong[1] - weak[1] + 1, 4) / 4
    prize = 1 + (weak[1] if color != board.RED else weak[1] / 2)
    worth[strong[0] // 4] += PREY * sure * prize * needs[strong[0] // 4][color]
    worth[weak[0] // 4] -= DANGER * sure * prize * needs[weak[0] // 4][color]


def _borders(state: State) -> list[tuple[int, int]]:
    """The pairs of kingdoms that a tile on one empty cell would unite."""
    empty = board.where(state.cells, board.EMPTY)
    beside = enumerate(kingdom.around & empty for kingdom in state.kingdoms)
    return [(one, two) for (one, here), (two, there) in combinations(beside, 2) if here & there]


def _hand(state: State, seat: Seat) -> float:
    """The worth of the hand for a remaining action; before the last action, that a swap beats a
    pass.
    """
    step = state.agenda[-1] if state.agenda else None
    swapped = step.discarded if isinstance(step, Swap) and step.seats == (seat,) else 0
    value = tiles(state, seat) + swapped * (A_TILE + A_USEFUL_TILE / 2)
    if acts_again(state, seat):
        return value
    return BETTER_THAN_NOTHING * value if swapped else 0.0


def acts_again(state: State, seat: Seat) -> bool:
    """Whether the seat has an action left."""
    return any(isinstance(step, Turn) and step.seats == (seat,) for step in state.agenda)


def tiles(state: State, seat: Seat) -> float:
    """The worth of tiles of all colours, and of those that the seat's leaders can use."""
    value = 0.0
    for color, count in enumerate(state.hands[seat]):
        tile = A_TILE
        if state.leaders[4 * seat + color] != board.OFF:
            tile += A_USEFUL_TILE
        value += tile * min(count, 3) + 0.05 * max(count - 3, 0)
    return value
