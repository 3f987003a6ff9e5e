"""Agendas that a game can reach: who decides now, and what remains after that."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require
from domain.engine.play import Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.rules.conflicts.revolts import temples
from domain.games.tigris_euphrates.rules.conflicts.strength import to_win
from domain.games.tigris_euphrates.rules.conflicts.wars import find_contested, supporters
from domain.games.tigris_euphrates.rules.monuments import available, complete_squares
from domain.games.tigris_euphrates.rules.treasures import next_choice
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import State


def check_agenda(state: State) -> None:
    """Refuse combinations of steps that the rules never leave open: TE-3.1, TE-3.3, TE-3.4."""
    agenda = state.agenda
    require(bool(agenda), "Somebody must have to decide, as the game has not `ended`.")
    first, waiting = agenda[0], agenda[-1]
    if not isinstance(first, steps.EndTurn):
        raise BadPosition("The first step of the `agenda` must be EndTurn.")
    turns = [step for step in agenda[1:2] if isinstance(step, steps.Turn)]
    planned = [*turns, *_plan(state, first.seat, waiting)]
    if waiting not in turns:
        planned.append(waiting)
    _check_same(first.seat, agenda, [steps.EndTurn(seat=first.seat), *planned])
    _check_turns(first.seat, turns, waiting)
    _check_waiting(state, first.seat, waiting)
    if isinstance(waiting, steps.Reinforce):
        _check_committed(state, waiting.conflict)


def _plan(state: State, seat: Seat, waiting: steps.AnyStep) -> list[steps.AnyStep]:
    """The rest of the action in which this step waits: TE-3.3, TE-9.3, TE-11.10, TE-12.1."""
    served = steps.ServeTraders(seat=seat)
    match waiting:
        case steps.Turn() | steps.Swap():
            return []
        case steps.OfferMonument() | steps.ChooseTreasure():
            return [served]
        case steps.ChooseWar():
            return [served, _squares(state, seat)]
        case steps.Reinforce(conflict=conflict):
            fought: list[steps.AnyStep] = [steps.Resolve(conflict=conflict)]
            fought += _later_steps(waiting)
            if conflict.kind == "revolt":
                return [served, *fought]
            return [served, _squares(state, seat), steps.FindWars(seat=seat), *fought]
        case _:
            raise BadPosition("The last step of the `agenda` must wait for one seat.")


def _squares(state: State, seat: Seat) -> steps.FindSquares:
    """The tile that united kingdoms may also have completed a square: TE-6.6, TE-12.1."""
    if state.united is None:
        raise BadPosition("A war needs kingdoms that are `united`.")
    return steps.FindSquares(seat=seat, at=state.united.at)


def _later_steps(step: steps.Reinforce) -> list[steps.Reinforce]:
    """The steps after this one: the defender commits tiles after the attacker: TE-9.3."""
    if step.seats != (step.conflict.attacker,):
        return []
    return [steps.Reinforce((step.conflict.defender,), conflict=step.conflict)]


def _check_same(seat: Seat, agenda: list[steps.AnyStep], right: list[steps.AnyStep]) -> None:
    kind, course = type(right[-1]).__name__, ", ".join(map(_short_name, right))
    reason = f"Where {kind} waits in the turn of seat {seat}, the `agenda` is {course}."
    require(agenda == right, reason)


def _short_name(step: steps.AnyStep) -> str:
    """A step in short: `Turn((0,))`, `EndTurn(seat=0)`."""
    seat = f"seat={step.seat}" if hasattr(step, "seat") else ""
    return f"{type(step).__name__}({step.seats or seat})"


def _check_turns(seat: Seat, turns: list[steps.Turn], waiting: steps.AnyStep) -> None:
    """Refuse other than one or two actions left, or more than one left during an action: TE-3.1."""
    left, told = ((1, 2), "one or two actions") if waiting in turns else ((1,), "one action")
    right = all(turn.seats == (seat,) and turn.left in left for turn in turns)
    require(right, f"A Turn is that of the seat of EndTurn, with {told} left.")


def _check_waiting(state: State, seat: Seat, waiting: steps.AnyStep) -> None:
    """Refuse a wrong seat, or a choice that the table does not offer: TE-3.1."""
    match waiting:
        case steps.Reinforce(conflict=conflict):
            _check_conflict(state, seat, conflict)
            own = {conflict.attacker} - {*waiting.seats}
            fighters = ((conflict.attacker,), (conflict.defender,))
            require(waiting.seats in fighters, "The attacker or the defender commits tiles.")
        case steps.ChooseTreasure():
            own = set()
            right = next_choice(state, seat) == (waiting.seats, waiting.choices)
            require(right, "There are no such treasures to choose from for the next trader.")
        case _:
            own = set()
            require(waiting.seats == (seat,), "The seat of EndTurn is the one that decides.")
            _check_choice(state, waiting)
    committed = {other for other, tiles in enumerate(state.support) if tiles}
    require(committed <= own, "Tiles are `committed` by the attacker while the defender decides.")
    hands = zip(state.hands, state.support, strict=True)
    few = all(sum(hand) + tiles <= board.HAND_SIZE for hand, tiles in hands)
    require(few, "Tiles that are `committed` were in a hand of six.")


def _check_choice(state: State, step: steps.AnyStep) -> None:
    """Refuse options that are not on the table: TE-8.1, TE-11.3, TE-12.1."""
    match step:
        case steps.Turn(left=left):
            require(left < board.ACTIONS or not state.short, "The bag ran out before this turn.")
        case steps.Swap():
            _check_swap(state, step)
        case steps.ChooseWar(colors=colors):
            wars = find_contested(state, state.united) if state.united else ()
            right = len(wars) > 1 and colors == wars
            require(right, "ChooseWar has all colours that are contested, if there are several.")
        case steps.OfferMonument():
            _check_offer(state, step)
        case _:
            pass


def _check_swap(state: State, swap: steps.Swap) -> None:
    """Refuse a swap that never was a full hand: TE-2.4, TE-8.1."""
    (seat,) = swap.seats
    hand, away = sum(state.hands[seat]), sum(state.swapped[seat])
    right = hand > 0 < swap.discarded <= min(away, board.HAND_SIZE - hand)
    require(right, "In a swap some of the six tiles of a hand are `discarded`, and some are not.")


def _check_offer(state: State, offer: steps.OfferMonument) -> None:
    """Refuse squares that one tile did not complete, or without a monument for them: TE-12.1."""
    number, color = state.board.number, board.COLOR_NUMBER[offer.color]
    corners = [state.board.square(number[name]) for name in offer.squares if name in number]
    parts = {part for square in corners if square for part in square}
    right = any(
        complete_squares(state, part) == offer.squares and state.cells[part] == color + 1
        for part in parts
    )
    require(right, f"No tile completed these squares of {offer.color} tiles, and no others.")
    require(bool(available(state, color)), f"No monument with {offer.color} is left.")


def _check_conflict(state: State, seat: Seat, conflict: steps.Conflict) -> None:
    """Refuse leaders that are elsewhere or belong to other seats: TE-9.1, TE-9.2."""
    number, sides = state.board.number, (conflict.attacker, conflict.defender)
    homes = [state.home(side, conflict.color) for side in sides]
    told = [number.get(conflict.attacker_at), number.get(conflict.defender_at)]
    require(homes == told and sides[0] != sides[1], "A conflict is between two leaders.")
    order = state.turn_order(seat)
    if conflict.kind == "war":
        fought = find_contested(state, state.united) if state.united else ()
        require(conflict.color in fought, "A war is about a colour that is contested.")
    else:
        within = state.kingdom_at(homes[0]) == state.kingdom_at(homes[1])
        require(within, "A revolt is within a kingdom.")
        require(sides[0] == seat, "Whoever placed a leader attacks in a revolt.")
    require(order.index(sides[0]) < order.index(sides[1]), "The next in the turn attacks.")
    counted = (conflict.attacker_board, conflict.defender_board)
    require(counted == _strengths(state, conflict), "The supporters of a conflict are miscounted.")


def _check_committed(state: State, conflict: steps.Conflict) -> None:
    """Refuse committed tiles that the attacker cannot have used: TE-9.6, TE-17.1."""
    tiles = state.support[conflict.attacker]
    there = tiles <= state.gone[board.COLOR_NUMBER[conflict.support]]
    require(there, "Tiles that are `committed` are `gone`.")
    vain = state.setup.english_support and 0 < tiles < to_win(conflict)
    require(not vain, "Tiles that are `committed` by the attacker are enough to win, or none are.")


def _strengths(state: State, conflict: steps.Conflict) -> tuple[int, ...]:
    """The supporters on the board of each side: TE-10.2, TE-11.5."""
    homes = (conflict.attacker_at, conflict.defender_at)
    if conflict.kind == "revolt" or state.united is None:
        return tuple(len(temples(state, at)) for at in homes)
    return tuple(len(supporters(state, state.united, conflict.color, at)) for at in homes)
