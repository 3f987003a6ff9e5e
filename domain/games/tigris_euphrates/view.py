"""What each seat may know, and imagined tables that it cannot tell from the real one."""

from __future__ import annotations

import msgspec

from domain.engine.dice import Dice, draw
from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.games.tigris_euphrates import board as box
from domain.games.tigris_euphrates.scoring import standings, with_treasures
from domain.games.tigris_euphrates.state.kingdoms import first_cell
from domain.games.tigris_euphrates.state.steps import AnyStep, EndTurn, Turn
from domain.games.tigris_euphrates.state.table import LastAction, LastConflict, State, tiles_of


class Leader(msgspec.Struct, frozen=True):
    """A leader on the board."""

    seat: Seat
    color: box.Color
    at: box.Cell


class Monument(msgspec.Struct, frozen=True):
    """A monument and its top left cell; null if it is not built."""

    monument: box.Pair
    at: box.Cell | None


class View(msgspec.Struct, frozen=True, tag_field="game", tag="tigris_euphrates"):
    """The table as one seat or a spectator may see it."""

    board: str
    rows: box.Rows
    tiles: dict[box.Cell, box.Color]
    face_down: tuple[box.Cell, ...]
    catastrophes: tuple[box.Cell, ...]
    treasures: tuple[box.Cell, ...]
    leaders: tuple[Leader, ...]
    monuments: tuple[Monument, ...]
    kingdoms: tuple[tuple[box.Cell, ...], ...]
    unification: box.Cell | None
    dynasties: tuple[str, ...]
    hands: tuple[tuple[box.Color, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    bag: int
    unseen: dict[str, int]
    points: tuple[tuple[int, ...] | None, ...]
    """By seat and colour, its points without treasures; null if they are hidden."""
    treasures_taken: tuple[int | None, ...]
    scores: tuple[int | None, ...]  # by seat, its weakest colour with treasures; null if hidden
    standings: tuple[tuple[int, ...] | None, ...]
    """By seat, its colours with treasures, the weakest first; null if they are hidden."""
    catastrophes_left: tuple[int, ...]
    committed: tuple[int, ...]  # by seat, tiles committed to the current conflict
    open_scores: bool
    active: Seat | None
    actions_left: int
    step: AnyStep | None  # the current step; null after the end
    awaiting: tuple[Seat, ...]
    seat: Seat | None
    last: LastAction | None
    conflict: LastConflict | None  # how the last one ended; null before the first
    ended: str | None
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """The public table and what this one seat has behind its screen: TE-16.1, TE-16.2."""
    seats = range(len(state.hands))
    known = [_knows_points(state, seat, other) for other in seats]
    ranked = standings(state)
    return View(
        board=state.setup.board,
        rows=state.board.rows,
        tiles=state.face_up(),
        face_down=state.cells_with(box.FACE_DOWN),
        catastrophes=state.cells_with(box.CATASTROPHE),
        treasures=state.board.names_of(state.treasures),
        leaders=_leaders(state),
        monuments=_monuments(state),
        kingdoms=_kingdoms(state),
        unification=state.united.at if state.united else None,
        dynasties=state.setup.dynasties,
        hands=tuple(_hand(state, seat, other) for other in seats),
        hand_sizes=tuple(sum(hand) for hand in state.hands),
        bag=sum(state.bag),
        unseen=dict(zip(box.COLORS, _hidden_tiles(state, seat), strict=True)),
        points=tuple(tuple(state.points[other]) if known[other] else None for other in seats),
        treasures_taken=tuple(
            count if known[other] else None for other, count in enumerate(state.treasures_taken)
        ),
        scores=tuple(
            min(with_treasures(state, other)) if known[other] else None for other in seats
        ),
        standings=tuple(ranked[other] if known[other] else None for other in seats),
        catastrophes_left=tuple(state.catastrophes_left),
        committed=tuple(state.committed),
        open_scores=state.setup.open_scores,
        active=_active(state),
        actions_left=sum(step.left for step in state.agenda if isinstance(step, Turn)),
        step=state.agenda[-1] if state.agenda else None,
        awaiting=seats_to_move(state),
        seat=seat,
        last=state.last,
        conflict=state.conflict,
        ended=state.ended,
        winners=state.winners,
    )


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """A copy of the table with the tiles redealt that this seat does not know: TE-16.2, TE-16.3.

    Points stay the same, because all players saw each of them being scored.
    """
    imagined = state.copy()
    pool = _hidden_tiles(state, seat)
    for other in range(len(state.hands)):
        if not _sees(state, seat, other):
            imagined.hands[other] = _some(pool, sum(state.hands[other]), dice)
        if other != seat:
            imagined.discarded[other] = _some(pool, sum(state.discarded[other]), dice)
    imagined.bag = pool
    return imagined


def _some(pool: list[int], tiles: int, dice: Dice) -> list[int]:
    taken = [0] * len(pool)
    for _ in range(tiles):
        taken[draw(dice, pool)] += 1
    return taken


def _hidden_tiles(state: State, seat: Seat | None) -> list[int]:
    """The number of tiles of each colour that this seat cannot see: in the bag, in hands, or
    discarded.
    """
    seats = range(len(state.hands))
    hidden = [state.hands[other] for other in seats if not _sees(state, seat, other)]
    hidden += [state.discarded[other] for other in seats if other != seat]
    return [sum(counts) for counts in zip(state.bag, *hidden, strict=True)]


def _hand(state: State, seat: Seat | None, other: Seat) -> tuple[box.Color, ...] | None:
    return tiles_of(state.hands[other]) if _sees(state, seat, other) else None


def _sees(state: State, seat: Seat | None, other: Seat) -> bool:
    """Whether a seat sees this hand: its own, and after the end every hand: TE-15.3."""
    return seat == other or state.ended is not None


def _knows_points(state: State, seat: Seat | None, other: Seat) -> bool:
    """Whether a seat sees these points; they are hidden unless the table plays openly: TE-16.2."""
    return state.setup.open_scores or _sees(state, seat, other)


def _leaders(state: State) -> tuple[Leader, ...]:
    names = state.board.names
    return tuple(
        Leader(leader // 4, box.COLORS[leader % 4], names[cell])
        for leader, cell in enumerate(state.leaders)
        if cell != box.OFF
    )


def _monuments(state: State) -> tuple[Monument, ...]:
    names = state.board.names
    return tuple(
        Monument(pair, names[at] if at != box.OFF else None)
        for pair, at in zip(box.MONUMENTS, state.monuments, strict=True)
    )


def _kingdoms(state: State) -> tuple[tuple[box.Cell, ...], ...]:
    """The cells of each region with leaders: TE-1.8."""
    kingdoms = sorted(state.kingdoms, key=first_cell)
    return tuple(state.board.names_of(kingdom.cells) for kingdom in kingdoms)


def _active(state: State) -> Seat | None:
    """The seat whose turn it is, even while another player decides: TE-1.10."""
    turns = (step.seat for step in state.agenda if isinstance(step, EndTurn))
    return next(turns, None)
