"""Positions that a game can come to, and a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require
from domain.engine.game import Json
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.rules.revolts import temples
from domain.games.tigris_euphrates.rules.wars import contested, supporters
from domain.games.tigris_euphrates.state import position, steps
from domain.games.tigris_euphrates.state.setup import Setup
from domain.games.tigris_euphrates.state.table import State


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """A position from its JSON; BadPosition if no game comes to it: TE-1.5, TE-1.9, TE-5.7."""
    state = position.read_position(setup, data, seats)
    _check_names(state)
    _check_box(state)
    for cell in bytes(state.leaders):
        if cell != board.OFF and not state.temples_beside(cell):
            raise BadPosition(f"The leader on {state.board.names[cell]} has no temple.")
    if state.agenda:
        _check_agenda(state, state.agenda)
    _check_conflicts(state)
    if state.united is None and not any(isinstance(step, steps.Resolve) for step in state.agenda):
        _check_kingdoms(state)
    return state


def _check_kingdoms(state: State) -> None:
    """At rest, no kingdom has two leaders of one colour: TE-1.9."""
    for leaders in state.regions().kingdoms.values():
        if len({leader % 4 for leader in leaders}) < len(leaders):
            raise BadPosition("A kingdom has two leaders of one colour.")


def _check_box(state: State) -> None:
    """No more treasures and catastrophe tiles than the game has: TE-1.5, TE-2.1."""
    treasures = sum(state.treasures) + sum(state.taken)
    require(treasures <= len(state.board.temples), "There are more treasures than the game has.")
    placed, left = state.cells.count(board.CATASTROPHE), state.catastrophes
    fits = max(left) <= board.CATASTROPHES and placed <= board.CATASTROPHES * len(left)
    require(fits, "There are more catastrophe tiles than the players have.")


def _check_conflicts(state: State) -> None:
    """What is fought is decided, and wars go on until there are none: TE-9.3, TE-11.10."""
    wars = sum(isinstance(step, steps.FindWars | steps.ChooseWar) for step in state.agenda)
    require(wars == (state.united is not None), "FindWars or ChooseWar is due while `united`.")
    fought = [step for step in state.agenda if isinstance(step, steps.Reinforce | steps.Resolve)]
    decided = [isinstance(step, steps.Resolve) for step in fought]
    once = not fought or (decided[0] and sum(decided) == 1)
    same = len({step.conflict for step in fought}) <= 1
    require(once and same, "A conflict has one Resolve, and its Reinforce steps come before it.")


def _check_names(state: State) -> None:
    """Cells and seats that are told exist: TE-1.1."""
    _exist(state, state.last.cells if state.last else ())
    _exist(state, state.conflict.removed if state.conflict else ())
    if state.united:
        _exist(state, (state.united.at, *state.united.sides[0], *state.united.sides[1]))
    told = [state.last.seat] if state.last else []
    if (end := state.conflict) is not None:
        told += [end.winner, end.loser, end.attacker]
    if any(not 0 <= seat < len(state.hands) for seat in told):
        raise BadPosition("`last` and `conflict` must tell of seats that exist.")


def _exist(state: State, names: tuple[board.Cell, ...]) -> None:
    if stray := set(names) - set(state.board.number):
        raise BadPosition(f"There is no cell {min(stray)!r} on this board.")


def _check_agenda(state: State, agenda: list[steps.AnyStep]) -> None:
    """One turn, whose player may have another action, and one who decides now: TE-3.1, TE-3.4."""
    first, *others = agenda
    if not isinstance(first, steps.EndTurn) or any(
        isinstance(step, steps.EndTurn) for step in others
    ):
        raise BadPosition("The first step of the `agenda` must be the only EndTurn.")
    turns = [step for step in others if isinstance(step, steps.Turn)]
    if any(step.seats != (first.seat,) or not 1 <= step.left <= board.ACTIONS for step in turns):
        raise BadPosition("A Turn is that of the seat of EndTurn, with one or two actions left.")
    if len(turns) > 1 or (turns and others[0] != turns[0]):
        raise BadPosition("A Turn comes after EndTurn, and there is one at most.")
    if any(len(step.seats) > 1 for step in agenda) or not agenda[-1].seats:
        raise BadPosition("The last step of the `agenda` must wait for one seat.")
    for step in others:
        _check_step(state, step)


def _check_step(state: State, step: steps.AnyStep) -> None:
    """Each step must be one that the table can come to."""
    match step:
        case steps.Reinforce(conflict=conflict) | steps.Resolve(conflict=conflict):
            _check_conflict(state, conflict)
        case steps.Swap(discarded=discarded):
            require(0 < discarded <= board.HAND_SIZE, "In a swap one to six tiles are discarded.")
        case steps.FindWars():
            require(state.united is not None, "Wars need kingdoms that are `united`.")
        case steps.ChooseWar(colors=colors):
            wars = contested(state, state.united) if state.united else ()
            require(bool(colors) and set(colors) <= set(wars), "These colours are not contested.")
        case steps.FindSquares(at=at):
            _exist(state, (at,))
        case steps.OfferMonument():
            _check_offer(state, step)
        case steps.ChooseTreasure(choices=choices):
            _exist(state, choices)
            lying = [bool(state.treasures[state.board.number[name]]) for name in choices]
            require(len(lying) > 1 and all(lying), "There are no such treasures to choose from.")
        case _:
            pass


def _check_conflict(state: State, conflict: steps.Conflict) -> None:
    """Two leaders that stand where they are said to stand: TE-9.1."""
    number, sides = state.board.number, (conflict.attacker, conflict.defender)
    _exist(state, (conflict.attacker_at, conflict.defender_at))
    homes = [state.home(seat, conflict.color) for seat in sides]
    at_home = homes == [number[conflict.attacker_at], number[conflict.defender_at]]
    require(at_home and sides[0] != sides[1], "A conflict is between two leaders.")
    if conflict.kind == "war":
        fought = contested(state, state.united) if state.united else ()
        require(conflict.color in fought, "A war needs kingdoms that are `united`.")
    told = (conflict.attacker_board, conflict.defender_board)
    require(told == _strengths(state, conflict), "The supporters of a conflict are miscounted.")


def _strengths(state: State, conflict: steps.Conflict) -> tuple[int, ...]:
    """The supporters on the board that each side has: TE-10.2, TE-11.5."""
    homes = (conflict.attacker_at, conflict.defender_at)
    if conflict.kind == "revolt" or state.united is None:
        return tuple(len(temples(state, at)) for at in homes)
    return tuple(len(supporters(state, state.united, conflict.color, at)) for at in homes)


def _check_offer(state: State, offer: steps.OfferMonument) -> None:
    """Squares of face-up tiles of the colour: TE-12.1."""
    _exist(state, offer.squares)
    number, tile = state.board.number, board.COLOR_NUMBER[offer.color] + 1
    for name in offer.squares:
        square = state.board.square(number[name])
        complete = square is not None and all(state.cells[part] == tile for part in square)
        require(complete, f"There is no square of {offer.color} tiles on {name}.")
