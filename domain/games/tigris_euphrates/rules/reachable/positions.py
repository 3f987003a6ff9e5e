"""Positions from which a match may start."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import BadPosition, require, require_distinct
from domain.engine.game import Json
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.rules.reachable.agenda import check_agenda
from domain.games.tigris_euphrates.rules.reachable.past import check_past
from domain.games.tigris_euphrates.scoring import winners
from domain.games.tigris_euphrates.state import position, steps
from domain.games.tigris_euphrates.state.kingdoms import region_at
from domain.games.tigris_euphrates.state.setup import Setup
from domain.games.tigris_euphrates.state.table import State, UnitedKingdoms


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The state that a JSON position describes; BadPosition if no game reaches it: TE-1.5, TE-1.9,
    TE-5.7.
    """
    state = position.read_position(setup, data, seats)
    _check_names(state)
    _check_box(state)
    for cell in bytes(state.leaders):
        if cell != board.OFF and not state.temples_beside(cell):
            raise BadPosition(f"The leader on {state.board.names[cell]} has no temple.")
    if state.united is not None:
        _check_united(state, state.united)
    _check_wars(state)
    _check_kingdoms(state)
    if state.ended is None:
        check_agenda(state)
    else:
        _check_end(state)
    check_past(state)
    return state


def _check_names(state: State) -> None:
    """Refuse unknown cells and seats: TE-1.1."""
    _exist(state, state.last.cells if state.last else ())
    _exist(state, state.conflict.removed if state.conflict else ())
    if state.united:
        for side in state.united.sides:
            require_distinct(side, "united.sides")
        _exist(state, (state.united.at, *state.united.sides[0], *state.united.sides[1]))
    for step in state.agenda:
        if isinstance(step, steps.ChooseTreasure):
            _exist(state, step.choices)
        elif isinstance(step, steps.OfferMonument):
            _exist(state, step.squares)
    told = [state.last.seat] if state.last else []
    if (end := state.conflict) is not None:
        told += [end.winner, end.loser, end.attacker]
    if any(not 0 <= seat < len(state.hands) for seat in told):
        raise BadPosition("`last` and `conflict` must tell of seats that exist.")


def _exist(state: State, names: tuple[board.Cell, ...]) -> None:
    if stray := set(names) - set(state.board.number):
        raise BadPosition(f"There is no cell {min(stray)!r} on this board.")


def _check_box(state: State) -> None:
    """Refuse more treasures and catastrophe tiles than the box has: TE-1.5, TE-2.1, TE-15.1."""
    treasures = state.treasures.bit_count() + sum(state.taken)
    require(treasures <= len(state.board.temples), "There are more treasures than the game has.")
    placed, left = state.cells.count(board.CATASTROPHE), state.catastrophes
    fits = max(left) <= board.CATASTROPHES and placed <= board.CATASTROPHES * len(left)
    require(fits, "There are more catastrophe tiles than the players have.")
    require(not (state.short and any(state.bag)), "The bag is not `short` while it has tiles.")


def _check_united(state: State, united: UnitedKingdoms) -> None:
    """Refuse kingdoms that the tile did not unite, or missing leaders: TE-6.6, TE-11.1."""
    number, kingdom = state.board.number, state.kingdom_at(state.board.number[united.at])
    at, (one, other) = number[united.at], ({number[name] for name in s} for s in united.sides)
    tile = board.EMPTY < state.cells[at] < board.FACE_DOWN
    require(tile, f"No tile on {united.at} has `united` kingdoms.")
    around = set(state.board.neighbours[at])
    apart = not one & other and at not in one | other and around & one and around & other
    require(bool(apart), "The `sides` are two kingdoms beside the unification tile.")
    homes = {state.leaders[leader] for leader in (kingdom.leaders if kingdom else ())}
    require(homes <= one | other, "The `sides` have all leaders of the kingdom that is `united`.")
    _check_sides(state, at, one, other)


def _check_sides(state: State, at: int, *sides: set[int]) -> None:
    """Refuse sides that are not kingdoms less the losses of earlier wars: TE-11.1, TE-11.6."""
    bits = state.board.bits
    one, other = (sum(bits[cell] for cell in side) for side in sides)
    free = bits[at] | board.where(state.cells, board.CATASTROPHE)
    before = (state.occupied | one | other) & ~free
    found = [region_at(state.board, before, min(side))[0] for side in sides]
    whole = found == [one, other]
    require(whole, "The `sides` have all cells of both kingdoms, and no others.")


def _check_kingdoms(state: State) -> None:
    """Refuse two leaders of a colour in a kingdom without conflict: TE-1.9, TE-10.1, TE-11.2."""
    for leaders in _at_peace(state):
        if len({leader % 4 for leader in leaders}) < len(leaders):
            raise BadPosition("A kingdom has two leaders of one colour.")


def _at_peace(state: State) -> Iterator[list[int]]:
    """The leaders of each kingdom before the tile or leader that started the conflict."""
    waiting = state.agenda[-1] if state.agenda else None
    rebel = None
    if isinstance(waiting, steps.Reinforce) and waiting.conflict.kind == "revolt":
        rebel = board.leader_of(waiting.conflict.attacker, waiting.conflict.color)
    sides = state.united.sides if state.united else ()
    for leaders, *_ in state.kingdoms:
        names = {leader: state.board.names[state.leaders[leader]] for leader in leaders}
        for side in sides:
            yield [leader for leader in leaders if names[leader] in side]
        alone = [leader for leader in leaders if not any(names[leader] in side for side in sides)]
        yield [leader for leader in alone if leader != rebel]


def _check_wars(state: State) -> None:
    """Refuse a position whose wars have not all been fought: TE-11.10, TE-11.11."""
    waiting = state.agenda[-1] if state.agenda else None
    war = isinstance(waiting, steps.ChooseWar) or (
        isinstance(waiting, steps.Reinforce) and waiting.conflict.kind == "war"
    )
    require(war == (state.united is not None), "Kingdoms are `united` while a war is on.")


def _check_end(state: State) -> None:
    """Refuse an end without its reason on the table, and wrong winners: TE-15.1, TE-15.6."""
    few = state.treasures.bit_count() <= board.LAST_TREASURES
    right = few if state.ended == "treasures" else state.short and not few
    require(right, "It did not end like this.")
    require(state.winners == winners(state), "Others are the `winners`.")
