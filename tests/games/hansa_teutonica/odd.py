"""Tables that no game reaches, with random pieces everywhere, to find what is legal there."""

from __future__ import annotations

from domain.engine.dice import Dice, choose, shuffle
from domain.games.hansa_teutonica import GAME, board
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import FREE, State, blank, code_of, piece_of
from tests.games.record import some_options

STEPS = (
    *(steps.Turn, steps.Moving, steps.Relocate) * 2,
    steps.Removing,
    steps.PlaceMarkers,
)


def some_table(dice: Dice) -> State:
    """A table with random options, empty to full posts, and a step of the active player."""
    options = some_options(GAME, dice)
    seats = choose(dice, (3, 4, 5) if options.map == "east" else (2, 2, 3, 4, 5))
    state = blank(GAME.setup(options, seats), seats)
    _strew(state.posts, state.seats, choose(dice, (1, 3, 7, 10)), dice)
    _strew(state.offices, state.seats, 5, dice)
    for _ in range(dice.below(4)):
        _fill(state, dice)
    for _ in range(dice.below(6)):
        state.posts[dice.below(len(state.posts))] = FREE
    for post in state.board.reserved:
        if state.posts[post] and not piece_of(state.posts[post]):
            state.posts[post] += 1
    _deal(state, dice)
    state.active, state.actions = dice.below(seats), dice.below(3)
    state.closed, state.pawn_moved = dice.below(9) == 0, dice.below(2) == 0
    if state.setup.provinces:
        state.pawn = choose(dice, state.setup.provinces).id
    state.agenda = [_some_step(state, dice)]
    return state


def _strew(places: bytearray, seats: int, tenths: int, dice: Dice) -> None:
    """Put pieces of random owners on about `tenths` of ten places."""
    for at in range(len(places)):
        places[at] = 1 + dice.below(2 * seats) if dice.below(10) < tenths else 0


def _fill(state: State, dice: Dice) -> None:
    """Fill a route with pieces of one seat, often the route to special prestige."""
    owner, spans = dice.below(state.seats), state.board.posts
    for post in choose(dice, [choose(dice, spans), spans[state.board.prize_route]]):
        state.posts[post] = code_of(owner, dice.below(2))


def _deal(state: State, dice: Dice) -> None:
    """Give the seats some pieces, markers and improvements, and lay markers on routes."""
    for counts, most in ((state.supply, 5), (state.stock, 3), (state.ready, 2), (state.fresh, 2)):
        counts[:] = bytes(dice.below(most) * dice.below(2) for _ in counts)
    levels = (dice.below(most + 1) for _ in range(state.seats) for most in board.COMPLETE)
    state.levels[:] = bytes(levels)
    state.markers[:] = bytes(dice.below(4) == 0 for _ in state.markers)


def _some_step(state: State, dice: Dice) -> object:
    seats = (state.active,)
    kind = choose(dice, STEPS)
    if kind is steps.Moving:
        return _some_hand(state, dice)
    if kind is steps.Relocate:
        return _some_displacement(state, dice)
    if kind is steps.Removing:
        return steps.Removing(seats, left=1 + dice.below(3))
    if kind is steps.PlaceMarkers:
        kinds = list(board.MARKERS)
        shuffle(dice, kinds)
        return steps.PlaceMarkers(seats, kinds=(kinds[0], kinds[1], kinds[0]))
    return steps.Turn(seats)


def _some_hand(state: State, dice: Dice) -> steps.Moving:
    """Some held pieces, lifted anywhere, by the action, a marker or a bonus."""
    codes, lands = range(1, 1 + 2 * state.seats), state.board.lands
    held = sorted((choose(dice, codes), choose(dice, lands)) for _ in range(dice.below(4)))
    how = dice.below(3)
    return steps.Moving(
        (state.active,),
        held=tuple(code for code, _ in held),
        left=dice.below(3),
        marker=how == 1,
        lands=tuple(land for _, land in held) if state.board.divided else (),
        bonus=how == 2,
    )


def _some_displacement(state: State, dice: Dice) -> steps.Relocate:
    """A piece displaced from a random route, its extra pieces perhaps from the board."""
    if dice.below(2):
        for counts in (state.stock, state.supply):
            counts[:] = bytes(len(counts))
    extras = dice.below(3)
    return steps.Relocate(
        (state.active,),
        route=choose(dice, state.setup.map.routes).id,
        piece=choose(dice, board.PIECES),
        placed=extras > 0 and dice.below(2) == 0,
        extras=extras,
    )
